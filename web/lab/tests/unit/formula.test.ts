import { expect, test } from "vitest";
import { impulseOf, parse } from "../../src/impulse/formula";

test("expressions", () => {
  expect(parse("1 + 2 * 3 ^ 2 - 4 / 2")({})).toBe(17);
  expect(parse("-2 ^ 2")({})).toBe(-4);
  expect(parse("max(abs(-3), x) * (x − 1)")({ x: 2.5 })).toBe(4.5);
  expect(parse("2e-3 * .5")({})).toBe(0.001);
});

test("what is no formula is refused in one sentence", () => {
  expect(() => parse("1 +")).toThrow("ends too early");
  expect(() => parse("(1 + 2")).toThrow("not closed");
  expect(() => parse("1 $ 2")).toThrow("not understood");
  expect(() => parse("frob(1)")).toThrow("no function");
  expect(() => parse("constructor")({})).toThrow("no letter");
});

test("newton without friction, and a law that creates energy", () => {
  const k = { tt: 3.5, tn: 0, nn: 2, u: [0.7, -1.3] as [number, number], mu: 0.4, isSlice: false, toPlane: () => [0, 0] as [number, number] };
  const newton = impulseOf(k, 0.6, { t: "0", n: "-(1 + e) * u_n / K_nn" });
  expect(newton.p[1]).toBeCloseTo((1.6 * 1.3) / 2, 14);
  expect(newton.gains).toBe(false);
  expect(impulseOf(k, 1, { t: "mu * p_n", n: "-(1 + e) * u_n / K_nn" }).gains).toBe(true);
});
