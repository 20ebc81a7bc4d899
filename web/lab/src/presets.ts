// Bodies to start from.
import type { CaseFile } from "./types";

export interface Preset {
  id: string;
  label: string;
  file: CaseFile;
}

const HALF = Math.SQRT1_2;

export const PRESETS: Preset[] = [
  {
    id: "rod", label: "Rod",
    file: {
      name: "the end of a rod hits the floor", law: "routh-stronge", coefficients: { e: 0.5, mu: 0.4 },
      bodies: { a: { shape: { rod: { length: 2 } }, mass: 1, velocity: [2, -5], omega: 0 }, b: { fixed: true } },
      contact: { arm_a: [-HALF, -HALF], normal: [0, 1] },
    },
  },
  {
    id: "disk", label: "Disk",
    file: {
      name: "a disk hits the floor", law: "jia", coefficients: { e: 0.7, e_t: 0.3, mu: 0.3 },
      bodies: { a: { shape: { disk: { radius: 0.5 } }, mass: 1, velocity: [2, -3], omega: 4 }, b: { fixed: true } },
      contact: { arm_a: [0, -0.5], normal: [0, 1] },
    },
  },
  {
    id: "disks", label: "Two disks",
    file: {
      name: "two disks meet off their line of centres", law: "bilinear", coefficients: { e: 0.8, e_t: 0.3, mu: 0.25 },
      bodies: {
        a: { shape: { disk: { radius: 0.4 } }, mass: 2, velocity: [0, -3], omega: 4 },
        b: { shape: { disk: { radius: 0.5 } }, mass: 3, velocity: [0.5, 0], omega: 0 },
      },
      contact: { arm_a: [-0.24, -0.32], arm_b: [0.3, 0.4], normal: [0.6, 0.8] },
    },
  },
  {
    id: "box", label: "Box corner",
    file: {
      name: "the corner of a box hits the floor", law: "routh-poisson", coefficients: { e: 0.5, mu: 0.5 },
      bodies: { a: { shape: { box: { size: [1.6, 0.9] } }, mass: 1, velocity: [1.5, -4], omega: -1 }, b: { fixed: true } },
      contact: { arm_a: [-0.3, -0.8674675786448736], normal: [0, 1] },
    },
  },
  {
    id: "sphere", label: "Sphere in space",
    file: {
      name: "a ball on a table", law: "chatterjee-momentum", coefficients: { e: 0.5, mu: 0.4 },
      bodies: { a: { shape: { sphere: { radius: 1 } }, mass: 1, velocity: [-1, 0.5, -5], omega: [0, 2, 0] }, b: { fixed: true } },
      contact: { arm_a: [0, 0, -1], normal: [0, 0, 1] },
    },
  },
  {
    id: "box-space", label: "Box corner in space",
    file: {
      name: "the corner of a box hits the floor, in space", law: "routh-stronge", coefficients: { e: 0.5, mu: 0.4 },
      bodies: {
        a: { mass: 1, shape: { box: { size: [2, 1, 0.5] } },
          orientation: [0.9393727128473789, 0.15334856136120467, 0.30669712272240934, 0], velocity: [1.5, 1, -5], omega: [0, 2, 0] },
        b: { fixed: true },
      },
      contact: { arm_a: [0.6207907331873709, -0.31039536659368544, -0.91146781730671], normal: [0, 0, 1] },
    },
  },
  {
    id: "custom", label: "Custom body",
    file: {
      name: "a body of your own", law: "smith", coefficients: { e: 0.6, mu: 0.4 },
      bodies: { a: { mass: 1, inertia: 0.2, velocity: [1, -3], omega: 2 }, b: { fixed: true } },
      contact: { arm_a: [-0.4, -0.5], normal: [0, 1] },
    },
  },
  {
    id: "reduced", label: "K and u (plane)",
    file: {
      name: "inverse mass and relative velocity", law: "routh-stronge", coefficients: { e: 0.5, mu: 0.5 },
      reduced: { K: [[2.5, -1.5], [-1.5, 2.5]], u: [3, -5] },
    },
  },
  {
    id: "reduced-space", label: "K and u (space)",
    file: {
      name: "a coupled contact with four invariant rays", law: "routh-stronge", coefficients: { e: 0.5, mu: 0.7 },
      reduced: { K: [[20, 0, 1], [0, 4, 6], [1, 6, 10]], u: [0.3826834323650898, -0.9238795325112867, -1] },
    },
  },
  {
    id: "arm", label: "Two-link arm",
    file: {
      name: "two bars on a pin, the tip strikes the floor", law: "routh-stronge", coefficients: { e: 0.5, mu: 0.2 },
      mechanism: {
        links: [
          { name: "upper", parent: "world", joint: { type: "revolute", axis: [0, 0, 1], origin: [0, 0, 0] }, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.08333333333333333, 0.08333333333333333] },
          { name: "lower", parent: "upper", joint: { type: "revolute", axis: [0, 0, 1], origin: [1, 0, 0] }, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.08333333333333333, 0.08333333333333333] },
        ],
        q: [0.6, -1.3], qdot: [-2.7, -3.3],
      },
      contact: { link: "lower", point: [1, 0, 0], normal: [0, 1, 0] },
    },
  },
];

export const FIRST = PRESETS[0];
