export const ABSENT: number[];
export function pack(bytes: Iterable<number>): string;
export function unpack(text: string, length: number): Uint8Array;
