export const CAROM_JS: string;
export const WASM: string;
export const WHOLE: string;
