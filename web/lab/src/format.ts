// Numbers as text.

const MINUS = "\u2212";

// About so many significant digits, without trailing zeros that pretend to more.
export function short(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Math.abs(value) < 1e-12) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : Number(value.toPrecision(digits)).toString();
  return text.replace(/^-/, MINUS).replace("e-", `e${MINUS}`).replace("e+", "e");
}

// A fixed number of decimals, for columns that line up.
export function fixed(value: number | null | undefined, decimals = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1e6) return short(value, 5);
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", MINUS);
}

// Every digit: the shortest text that reads back as the same number, as the command line writes it.
export function exact(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : String(value);
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return "–";
  const text = (100 * share).toFixed(1);
  return `${Number(text) > 0 ? "+" : ""}${Number(text) === 0 ? "0.0" : text} %`.replace("-", MINUS);
}

// What a person types: a decimal comma and a true minus sign are understood.
export function parse(text: string): number {
  const plain = text.trim().replace(MINUS, "-").replace(",", ".");
  return plain === "" ? NaN : Number(plain);
}
