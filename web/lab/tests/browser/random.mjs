// Random cases of every source, from a seed.
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

export function randomCase(random, i) {
  const between = (a, b) => a + (b - a) * random();
  const vector = (n, size) => Array.from({ length: n }, () => between(-size, size));
  const size = random() < 0.5 ? 2 : 3;
  const coefficients = { e: between(0, 1), e_t: between(-1, 1), mu: between(0, 1.2) };
  const head = { name: `case ${i}`, law: "routh-stronge", coefficients };
  if (random() < 0.5) return { ...head, reduced: { K: matrix(size, between), u: [...vector(size - 1, 4), -between(0.05, 5)] } };
  const inertia = size === 2 ? between(0.1, 2) : [between(0.5, 0.9), between(0.5, 0.9), between(0.5, 0.9)];
  const body = () => ({ mass: between(0.3, 4), inertia, velocity: vector(size, 3), omega: size === 2 ? between(-5, 5) : vector(3, 5) });
  const angle = between(0, 6.28);
  const normal = size === 2 ? [Math.cos(angle), Math.sin(angle)] : [0.6 * Math.cos(angle), 0.6 * Math.sin(angle), 0.8];
  return { ...head, bodies: { a: body(), b: random() < 0.5 ? { fixed: true } : body() }, contact: { arm_a: vector(size, 1), arm_b: vector(size, 1), normal } };
}

// A product of a matrix with its transpose is positive definite.
function matrix(size, between) {
  const a = Array.from({ length: size }, () => Array.from({ length: size }, () => between(-1, 1.5)));
  return a.map((row, r) => a.map((_, c) => row.reduce((sum, _x, k) => sum + a[Math.min(r, c)][k] * a[Math.max(r, c)][k], r === c ? 0.1 : 0)));
}
