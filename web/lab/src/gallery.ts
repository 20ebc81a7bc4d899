// Examples worth seeing, each with its story in one line.
import type { Tab } from "./state";
import type { CaseFile } from "./types";

export interface Exhibit {
  id: string;
  title: string;
  story: string;
  tab: Tab;
  case?: CaseFile;
  scene?: string;
  source?: string;
}

const PENDULUM_U = [-0.9510565162951535, -0.3090169943749474];
const LAMBDA_4 = [[0.9283813728906052, 0.2204194696096774], [0.2204194696096774, 0.3216186271093947]];
const LAMBDA_20 = [[0.9092830723280999, 0.2791979948389247], [0.2791979948389247, 0.14071692767189997]];
const LAMBDA_INFINITE = [[0.9045084971874737, 0.29389262614623657], [0.29389262614623657, 0.09549150281252629]];

function pendulum(name: string, K: number[][], law: string): CaseFile {
  return { name, law, coefficients: { e: 0.8, mu: 0.5 }, reduced: { K, u: PENDULUM_U } };
}

const BALL: CaseFile["bodies"] = { a: { shape: { sphere: { radius: 1 } }, mass: 1, inertia: [0.4, 0.4, 0.4], velocity: [-1, 0, -5], omega: [0, 2, 0] }, b: { fixed: true } };

const STEEP: CaseFile = {
  bodies: { a: { shape: { rod: { length: 2 } }, mass: 1, velocity: [3, -5], omega: 0 }, b: { fixed: true } },
  contact: { arm_a: [-Math.SQRT1_2, -Math.SQRT1_2], normal: [0, 1] },
};

export const GALLERY: Exhibit[] = [
  {
    id: "creates-energy", title: "A law that creates energy", tab: "impact",
    story: "Coulomb's law at the end of the impact and Newton's e along the normal: the rod leaves with more energy than it had. The bar turns red.",
    case: { name: "a law that creates energy", law: "whittaker", coefficients: { e: 0.9, mu: 0.5 }, bodies: { a: { shape: { rod: { length: 2 } }, mass: 1, velocity: [2, -5], omega: 0 }, b: { fixed: true } }, contact: { arm_a: [-Math.SQRT1_2, -Math.SQRT1_2], normal: [0, 1] } },
  },
  {
    id: "two-compressions", title: "Two compressions", tab: "slip", source: "Baber, worked example",
    story: "Friction turns the slip and pulls the contact in a second time: the normal velocity passes zero three times in one impact.",
    case: { name: "Baber's example: two compression phases", law: "routh-stronge", coefficients: { e: 0.9, mu: 0.5 }, reduced: { K: [[20, -23, 4], [-23, 31, -7], [4, -7, 4]], u: [630, -780, -0.22] } },
  },
  {
    id: "pendulum", title: "The pendulum of infinite mass", tab: "impulse", source: "Chatterjee 1997, chapter 7",
    story: "Along the rod nothing can move it: K is singular, the energy ellipse becomes a strip, and the accessible region has no end.",
    case: pendulum("a pendulum of unbounded mass", LAMBDA_INFINITE, "routh-poisson"),
  },
  {
    id: "comes-back", title: "The ball that comes back", tab: "motion", scene: "superball",
    story: "A superball bounces from the floor to the underside of a table and returns the way it came: friction reverses its spin each time.",
  },
  {
    id: "three-solutions", title: "Three solutions", tab: "impact",
    story: "Near grazing, with strong friction, Smith's equations have three admissible solutions. Carom gives one and says that there are others.",
    case: { name: "three solutions near grazing", law: "smith", coefficients: { e: 0, mu: 2 }, reduced: { K: [[1, 0, 0.9], [0, 1, 0], [0.9, 0, 1]], u: [0.513, 0.858, -0.001] } },
  },
  {
    id: "quarter-turn", title: "Slip that turns by 90°", tab: "slip",
    story: "The contact slides to the left at first, and away from you in the end: slip runs to the diverging ray, a quarter turn away.",
    case: { name: "slip turns by a quarter", law: "routh-stronge", coefficients: { e: 0.5, mu: 0.7 }, reduced: { K: [[20, 0, 1], [0, 4, 6], [1, 6, 10]], u: [-0.39932, 0.02324, -1] } },
  },
  {
    id: "engine", title: "The engine's answer beside the exact one", tab: "impact",
    story: "Game engines clamp friction once, at the end, as whittaker does. Follow the slip (routh-stronge) and the rod leaves elsewhere: compare the rows.",
    case: { name: "the engine's answer beside the exact one", law: "whittaker", coefficients: { e: 0.5, mu: 0.4 }, ...STEEP },
  },
  {
    id: "lambda-4", title: "Three laws agree", tab: "impulse", source: "Chatterjee 1997, λ = 4",
    story: "A heavy pendulum strikes: Routh, Whittaker and Smith all slide and end at the same impulse.",
    case: pendulum("Chatterjee: pendulum, λ = 4", LAMBDA_4, "routh-poisson"),
  },
  {
    id: "lambda-20", title: "Three laws part", tab: "impulse", source: "Chatterjee 1997, λ = 20",
    story: "Five times heavier along its rod, and Whittaker's answer has left the ellipse; Routh's sticks; Smith's reverses.",
    case: pendulum("Chatterjee: pendulum, λ = 20", LAMBDA_20, "whittaker"),
  },
  {
    id: "reach", title: "What a law can reach", tab: "impulse", source: "Chatterjee 1997, laws I to III",
    story: "Sweep both restitutions of Chatterjee's first law and it covers this part of the accessible region. Choose law II or III to compare.",
    case: pendulum("Chatterjee: what the three laws reach, λ = 4", LAMBDA_4, "chatterjee-velocity"),
  },
  {
    id: "baber-4", title: "Four rays", tab: "slip", source: "Baber, Figure 4",
    story: "Five of sixteen directions come to rest, and even then the slip leaves again along the one diverging ray. Drag the black point.",
    case: { name: "Baber, Figure 4", law: "routh-stronge", coefficients: { e: 0.5, mu: 0.7 }, reduced: { K: [[20, 0, 1], [0, 4, 6], [1, 6, 10]], u: [0.3826834323650898, -0.9238795325112867, -1] } },
  },
  {
    id: "jia-ball", title: "Springs under the ball", tab: "slip", source: "Jia 2013, section 8",
    story: "Tangential springs store energy and return it: the contact slips, sticks and slips again, and the ball's spin reverses.",
    case: { name: "Jia's ball", law: "jia", coefficients: { e: 0.5, mu: 0.4, eta: 1.1019463300386794 }, bodies: BALL, contact: { arm_a: [0, 0, -1], normal: [0, 0, 1] } },
  },
  {
    id: "jia-five", title: "Back spin", tab: "motion", scene: "ball-five", source: "Jia 2013, Figure 1",
    story: "A ball with back spin walks forwards and backwards between five bounces.",
  },
  {
    id: "jia-pencil", title: "A pencil on its tip", tab: "motion", scene: "pencil", source: "Jia 2013, section 8.2",
    story: "Dropped obliquely on its point, a pencil jumps aside while it turns.",
  },
  {
    id: "galperin", title: "Collisions that count π", tab: "motion", scene: "galperin", source: "Galperin 2003",
    story: "A heavy block, a light one and a wall: the number of collisions is the digits of π.",
  },
  {
    id: "arm", title: "An arm strikes the floor", tab: "impact", source: "Morgan's planar paths",
    story: "Two bars on a pin: the same laws act on the generalized speeds of a mechanism, and slip reverses during compression.",
  },
];
