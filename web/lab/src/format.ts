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

const LEAST_PLAIN = -4; // powers of ten that are written without an exponent, as printf's %g does
const MOST_PLAIN = 15;

// Every digit: the shortest text that reads back as the same number, as the command line writes it.
export function exact(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const [digits, exponent] = value.toExponential().split("e");
  const power = Number(exponent);
  if (value === 0 || (power >= LEAST_PLAIN && power < MOST_PLAIN)) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

const MOST_DIGITS = 7; // that a narrow box shows

// The same number, with an exponent where the plain text would be cut: 115000000000 is 1.15e11.
export function narrow(value: number): string {
  const plain = exact(value);
  const short = value.toExponential().replace("e+", "e");
  return plain.length > MOST_DIGITS && short.length < plain.length ? short : plain;
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
