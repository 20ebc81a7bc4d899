import { expect, test } from "vitest";
import { pack, unpack } from "../../build/pack.mjs";
import { setAt, textOf } from "../../src/case";
import { exact, fixed, narrow, parse, percent, short } from "../../src/format";
import { setCentre, setNormal, setTip } from "../../src/impact/edits";
import { hull } from "../../src/impact/outline";
import { jointsOf, pictureOf } from "../../src/impact/picture";
import { ticks } from "../../src/plot";
import { PRESETS } from "../../src/presets";

test("packed bytes come back, and nothing in them ends a script", () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919 + (i >> 3)) & 255);
  for (const length of [0, 1, 6, 7, 8, 4999, 5000]) {
    const text = pack(bytes.subarray(0, length));
    expect(unpack(text, length)).toEqual(bytes.subarray(0, length));
    expect(/[\0\r<]/.test(text)).toBe(false);
  }
});

test("numbers", () => {
  expect(exact(0.1 + 0.2)).toBe("0.30000000000000004");
  expect([9.182380090599213e-5, -1e-4, 5e-324, 1e15, 123456789012345, -0, 1.5e300].map(exact)).toEqual(["9.182380090599213e-05", "-0.0001", "5e-324", "1e+15", "123456789012345", "0", "1.5e+300"]);
  expect(fixed(-0.00001)).toBe("0.0000");
  expect(fixed(-1.5)).toBe("\u22121.5000");
  expect(short(NaN)).toBe("–");
  expect(percent(0.19123)).toBe("+19.1 %");
  expect(parse("\u22122,5")).toBe(-2.5);
  expect(parse("")).toBeNaN();
});

test("a case as text reads back", () => {
  for (const { file } of PRESETS) expect(JSON.parse(textOf(file))).toEqual(file);
  expect(textOf({ u: [1, 2] })).toContain("[1, 2]");
});

test("changing a case leaves the old one as it was", () => {
  const file = PRESETS[0].file;
  const before = JSON.stringify(file);
  expect(setAt(file, "bodies.a.velocity.0", 7).bodies?.a.velocity).toEqual([7, -5]);
  expect(JSON.stringify(file)).toBe(before);
});

test("a disk's arm follows the normal, a rod's keeps its length", () => {
  const disk = setNormal(PRESETS.find((p) => p.id === "disk")!.file, 2);
  expect(disk.contact?.arm_a?.[0]).toBeCloseTo(-0.5 * Math.cos(2), 4);
  const rod = setCentre(PRESETS[0].file, [0.3, 2]);
  expect(Math.hypot(...rod.contact!.arm_a!)).toBeCloseTo(1, 12);
});

test("the tip of the arm goes where it is dragged", () => {
  const file = setTip(PRESETS.find((p) => p.id === "arm")!.file, [1.2, -0.7]);
  const arm = pictureOf(file).arm!;
  const tip = jointsOf(arm, arm.q).at(-1)!;
  expect(tip[0]).toBeCloseTo(1.2, 3);
  expect(tip[1]).toBeCloseTo(-0.7, 3);
});

test("hull and ticks", () => {
  expect(hull([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2]]).length).toBe(4);
  expect(ticks([-1, 1], 4)).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(ticks([1, 1], 4)).toEqual([]);
});

test("numbers of narrow boxes are not cut, and read back as the same", () => {
  expect(narrow(1.15e11)).toBe("1.15e11");
  expect(narrow(0.005)).toBe("0.005");
  expect(narrow(-1e9)).toBe("-1e9");
  for (const value of [1.15e11, 2e7, 123456, 0.1, 1.1019462, 1e-9]) expect(parse(narrow(value))).toBe(value);
});
