// A law of one's own: an expression for each part of the impulse, in the letters of the documents.
import type { Problem } from "./space";
import type { Pair } from "../plot";

export const LETTERS = "K_tt, K_tn, K_nn, u_t, u_n, e, mu, pi, p_n (in p_t); + − * / ^ ( ); abs sqrt sign min max sin cos tan exp log";

type Values = Record<string, number>;
type Expression = (values: Values) => number;

const FUNCTIONS: Record<string, (...x: number[]) => number> = {
  abs: Math.abs, sqrt: Math.sqrt, sign: Math.sign, min: Math.min, max: Math.max, sin: Math.sin, cos: Math.cos, tan: Math.tan, exp: Math.exp, log: Math.log,
};

const WORDS = /\s*(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|[A-Za-z_]\w*|[-+*/^(),])/y;

function wordsOf(text: string): string[] {
  const words: string[] = [];
  WORDS.lastIndex = 0;
  while (WORDS.lastIndex < text.trimEnd().length) {
    const at = WORDS.lastIndex;
    const word = WORDS.exec(text)?.[1];
    if (!word) throw new Error(`not understood: “${text.slice(at).trim()}”`);
    words.push(word);
  }
  return words;
}

// Sums of products of powers, by recursive descent. Throws one sentence for what it does not understand.
export function parse(source: string): Expression {
  const words = wordsOf(source.replaceAll("−", "-"));
  let at = 0;
  const take = (word: string): boolean => words[at] === word && Boolean(++at);
  const binary = (signs: string[], next: () => Expression): (() => Expression) => () => {
    let left = next();
    while (signs.includes(words[at])) {
      const [sign, a, b] = [words[at++], left, next()];
      left = { "+": (v: Values) => a(v) + b(v), "-": (v: Values) => a(v) - b(v), "*": (v: Values) => a(v) * b(v), "/": (v: Values) => a(v) / b(v) }[sign]!;
    }
    return left;
  };
  const atom = (): Expression => {
    const word = words[at++];
    if (word === undefined) throw new Error("the formula ends too early");
    if (word === "(") return closed(sum());
    if (/^[\d.]/.test(word)) return () => Number(word);
    if (!/^[A-Za-z_]/.test(word)) throw new Error(`“${word}” is out of place`);
    if (!take("(")) return (v) => letter(v, word);
    const call = Object.hasOwn(FUNCTIONS, word) ? FUNCTIONS[word] : undefined;
    if (!call) throw new Error(`“${word}” is no function: ${Object.keys(FUNCTIONS).join(", ")}`);
    const inside = [sum()];
    while (take(",")) inside.push(sum());
    return closed((v) => call(...inside.map((x) => x(v))));
  };
  const closed = (expression: Expression): Expression => {
    if (!take(")")) throw new Error("a bracket is not closed");
    return expression;
  };
  const power = (): Expression => {
    const base = atom();
    if (!take("^")) return base;
    const exponent = signed();
    return (v) => base(v) ** exponent(v);
  };
  const signed = (): Expression => {
    if (!take("-")) return power();
    const inside = signed();
    return (v) => -inside(v);
  };
  const sum: () => Expression = binary(["+", "-"], binary(["*", "/"], signed));
  const whole = sum();
  if (at < words.length) throw new Error(`“${words[at]}” is out of place`);
  return whole;
}

function letter(values: Values, word: string): number {
  if (!Object.hasOwn(values, word)) throw new Error(`“${word}” is no letter: ${Object.keys(values).join(", ")}`);
  return values[word];
}

export interface FormulaAnswer {
  p: Pair;
  gains: boolean; // creates energy
}

// The impulse of the two formulas; p_t may use p_n.
export function impulseOf(k: Problem, e: number, formula: { t: string; n: string }): FormulaAnswer {
  const values: Values = { K_tt: k.tt, K_tn: k.tn, K_nn: k.nn, u_t: k.u[0], u_n: k.u[1], e, mu: k.mu, pi: Math.PI };
  const p_n = parse(formula.n)(values);
  const p_t = parse(formula.t)({ ...values, p_n });
  if (!Number.isFinite(p_n) || !Number.isFinite(p_t)) throw new Error("the formula gives no number here");
  const work = p_t * k.u[0] + p_n * k.u[1] + 0.5 * (k.tt * p_t * p_t + 2 * k.tn * p_t * p_n + k.nn * p_n * p_n);
  const size = Math.abs(p_t * k.u[0]) + Math.abs(p_n * k.u[1]);
  return { p: [p_t, p_n], gains: work > 1e-12 * size };
}
