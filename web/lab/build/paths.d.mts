export const CAROM_JS: string;
export const WASM: string;
