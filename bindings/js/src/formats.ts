/** Case and scene files: written by tools/make-formats from include/carom/case.def and scene.def. */

/** An impact. */
export interface CaseFile {
  /** id of a law, as in `carom laws`; default `--law`, or all laws compared */
  law?: string;
  /** object, see [coefficients](#coefficients); default those of the law */
  coefficients?: Record<string, number | "infinite" | OfSpeed>;
  /** [two bodies](#two-bodies-and-a-contact), with `contact`; or `reduced`; or `mechanism`; default one source */
  bodies?: Record<string, Body>;
  /** where two bodies touch, or a link and what it hits */
  contact?: Contact | LinkContact;
  /** array: [several contacts](#several-contacts) */
  contacts?: SeveralContact[];
  /** [K and u](#reduced-k-and-u); default one source */
  reduced?: Reduced;
  /** [M, J, q̇](#mechanism), or [links](#links-and-their-contact) and `contact`; default one source */
  mechanism?: Mechanism | Linkage;
  /** a [cue stroke](stroke.md): cue, ball and table, for a law of several contacts; default one source */
  stroke?: Stroke;
  /** [modes](#vibration) of the bodies, for the law `modal` */
  vibration?: Vibration;
  /** the [saltation matrix](derivatives.md#through-a-trajectory) is wanted: how a mechanism or two surfaces change */
  saltation?: Saltation | Surfaces;
  /** id of a law of one contact, for `sequential`; default `newton` */
  base?: string;
  /** one line; repeated in the answer */
  name?: string;
  /** ignored */
  tags?: unknown;
  /** ignored */
  notes?: unknown;
  /** for `carom fit`, see [data files](fit.md#data) */
  measured?: unknown;
  /** for `carom fit` */
  weight?: unknown;
  /** for `carom fit` */
  group?: unknown;
  /** for `carom verify`, see [expectations](#expectations) */
  expect?: Record<string, unknown>;
  /** for `carom verify`: a number >= 0 */
  error_bound?: unknown;
  grazing?: "limit" | "ignore";
  select?: "stick" | "first";
  phases?: "all" | "first" | "peak";
  restitution_slip?: "mu" | "mu-e";
  order?: "worst" | "sweep";
  cone?: "coulomb" | "convex";
  pressure?: "hertz" | "uniform" | "ring" | "ellipse";
}

/** A coefficient, e or mu, as a function of the speed of approach v = -u_n. */
export interface OfSpeed {
  /** $c\,(1 - q\,(v/V - 1))$ */
  linear?: SpeedFunction;
  /** $c\,(v/V)^{-q}$ */
  power?: SpeedFunction;
  /** $1 - (1 - c)(v/V)^q$, of e; theory has q = 1/5 */
  viscoelastic?: SpeedFunction;
}

/** The numbers of a function of the speed. */
export interface SpeedFunction {
  /** c, the coefficient at v = V */
  value: number;
  /** how it falls: q > 0 falls with the speed (viscoelastic: too) */
  q: number;
  /** V, m/s; default 1 */
  speed?: number;
  /** slower approaches, and closed contacts, have the value at this speed, m/s; default 0; needed where the function has no end towards v = 0 */
  from?: number;
  /** faster approaches have the value at this speed, m/s; default none */
  to?: number;
}

/** A body of a case. */
export interface Body {
  /** kg, > 0 */
  mass?: number;
  /** three principal values, or a 3×3 matrix, kg m², about the centre of mass in body axes; planar: number > 0 */
  inertia?: number | number[] | number[][];
  /** one shape with its sizes in m, [below](#shapes): mass and inertia follow from it; `inertia` overrides. Planar: `disk`, `box`, `rod` */
  shape?: Record<string, Record<string, unknown>>;
  /** kg/m³, with a shape, in place of `mass` */
  density?: number;
  /** the inverse of the inertia instead, as some papers print it */
  inverse_inertia?: number | number[] | number[][];
  /** unit quaternion `[w, x, y, z]`, body to world; not in planar cases; default body axes are world axes */
  orientation?: number[];
  /** of the centre of mass, m */
  position?: number[];
  /** of the centre of mass, m/s, world axes; default 0 */
  velocity?: number[];
  /** rad/s, world axes; planar: a number; default 0 */
  omega?: number | number[];
  /** what it is made of, [below](#material); changes no answer */
  material?: Material;
  /** `true`: immovable. Mass and inertia are ignored; it may still have a velocity; default `false` */
  fixed?: boolean;
}

/** The contact of two bodies. */
export interface Contact {
  /** unit vector from B to A (to 1e-6; it is then normalised) */
  normal: number[];
  /** from the centre of mass of A to the contact, world axes, m; default a fixed body may leave its arm out: 0 */
  arm_a?: number[];
  /** the same for B */
  arm_b?: number[];
  /** the contact point, in place of the arms; needs the positions of movable bodies */
  point?: number[];
  /** unit vector orthogonal to the normal; spatial cases only; default the world axis least aligned with the normal, made orthogonal */
  t1?: number[];
}

/** The contact of a link. */
export interface LinkContact {
  /** name of link A */
  link: string;
  /** name of link B; the normal points from B to A; default `"world"` */
  against?: string;
  /** where they touch, in the frame of link A */
  point: number[];
  /** world axes, as for bodies, always three entries */
  normal: number[];
  /** world axes; default as for bodies */
  t1?: number[];
}

/** One of several contacts. */
export interface SeveralContact {
  /** name of a body */
  a?: string;
  /** name of a body; the normal points from b to a; default `"world"`, which is immovable */
  b?: string;
  /** unit vector */
  normal?: number[];
  /** from the centre of mass of a to the contact, m; default 0 */
  arm_a?: number[];
  /** the same for b; default 0 */
  arm_b?: number[];
  /** in place of the arms; with links in the frame of link a */
  point?: number[];
  /** unit vector orthogonal to the normal; default as for one contact */
  t1?: number[];
  /** name of a link, with links */
  link?: string;
  /** name of a link, with links; default `"world"` */
  against?: string;
  /** override those of the case; the one key of contacts beside `K` or `J`; default the coefficients of the case */
  coefficients?: Record<string, number | "infinite" | OfSpeed>;
}

/** A cue stroke on a ball that lies on a table. */
export interface Stroke {
  /** of the cue along itself, m/s; default 1 */
  speed?: number;
  /** of the cue above the table, rad, 0 to π/2; default 0 */
  elevation?: number;
  /** seen from above, from x towards y, rad; default 0 */
  direction?: number;
  /** of the tip to the left of the cue's line through the centre of the ball, in radii of the ball; default 0 */
  side?: number;
  /** of the tip above that line, in radii of the ball; default 0 */
  height?: number;
  /** a uniform ball; in a scene the name of a body; default 0.17 kg, 0.028575 m */
  ball?: StrokeBall;
  /** the cue; default 0.54 kg, 1.47 m */
  cue?: Cue;
  /** of the tip on the ball; default the coefficients of the case */
  tip?: Record<string, number | "infinite" | OfSpeed>;
  /** of the ball on the table; default the coefficients of the case */
  table?: Record<string, number | "infinite" | OfSpeed>;
  /** m/s², for the slide that follows; default 9.81 */
  gravity?: number;
}

/** The ball of a stroke. */
export interface StrokeBall {
  /** kg; default 0.17 */
  mass?: number;
  /** m; default 0.028575 */
  radius?: number;
}

/** A cue. */
export interface Cue {
  /** kg; default 0.54 */
  mass?: number;
  /** m; moments are those of a uniform cylinder; default 1.47 */
  length?: number;
  /** m; default 0.0125 */
  radius?: number;
  /** of the centre of mass behind the tip, m; default 1.02 */
  com?: number;
}

/** What a body is made of. */
export interface Material {
  /** Young's modulus, Pa */
  E: number;
  /** kg/m³; default the density of the body; needed without one */
  density?: number;
  /** Poisson's ratio, −1 < ν ≤ 0.5; default 0.3 */
  nu?: number;
  /** the diameter that waves cross, m; default of the ball with the same volume; a fixed body has no end */
  size?: number;
  /** of curvature at the contact, m; default half the size */
  radius?: number;
}

/** K and u. */
export interface Reduced {
  /** inverse local mass, 3×3 or 2×2, symmetric (to 1e-10) positive semi-definite, 1/kg; may be singular */
  K?: number[][];
  /** in place of `K`: its inverse, positive definite */
  M?: number[][];
  /** velocity of A relative to B at the contact, `[t1, t2, n]` or `[t, n]`, m/s; `u_n < 0` approaches; with a [patch](../theory/patch.md) `[t1, t2, n, w_n]` or `[…, w_t1, w_t2]`, rad/s */
  u: number[] | number[][];
}

/** Generalized coordinates. */
export interface Mechanism {
  /** mass matrix, n×n, symmetric positive definite */
  M: number[][];
  /** contact Jacobian, rows `t1, t2, n` (or `t, n`), each of n entries */
  J: unknown[];
  /** generalized speeds, n entries */
  qdot: number[];
}

/** A tree of links. */
export interface Linkage {
  /** array; parents come before their children */
  links: Link[];
  /** coordinates of the joints, in the order of the links; how many each joint has, [below](#joints) */
  q: number[];
  /** their speeds */
  qdot: number[];
}

/** A link of a mechanism. */
export interface Link {
  /** string, unique */
  name: string;
  /** name of an earlier link, or `"world"` */
  parent: string;
  /** how it hangs on its parent */
  joint: Bond;
  /** kg, >= 0; the last link of a branch must have some */
  mass: number;
  /** centre of mass in the link's frame, which sits at the joint; default 0 */
  com?: number[];
  /** three principal values or a 3×3 matrix about the centre of mass, in the link's axes; may be semi-definite (slender bars) */
  inertia: number | number[] | number[][];
}

/** The joint of a link. */
export interface Bond {
  /** one of [these](#joints) */
  type?: "fixed" | "revolute" | "prismatic" | "spherical" | "planar" | "free";
  /** in place of `type`, with `angular`: [freedoms](#joints) of the point, 0 to 3 */
  linear?: number;
  /** freedoms of the orientation, 0 to 3 */
  angular?: number;
  /** unit vector; default z where `linear` is given */
  axis?: number[];
  /** angular 1 and 2: the first axis, held by the parent; default `axis` */
  axis_b?: number[];
  /** angular 2: the second axis, held by the link; default `axis` */
  axis_a?: number[];
  /** of the joint frame in the parent's frame; default 0 */
  origin?: number[];
  /** of the joint frame in the parent's frame, unit quaternion; default none */
  rotation?: number[];
}

/** Modes of the bodies. */
export interface Vibration {
  /** one object per mode */
  modes: Mode[];
  /** `true`: the bodies fly and touch again until the vibration can no longer close the gap; default `false` */
  recontact?: boolean;
  /** symmetric positive semi-definite matrix, 1/s: damping that couples the modes, in place of every `zeta`; default of `zeta` */
  damping?: number[][];
}

/** A mode of vibration. */
export interface Mode {
  /** angular frequency, rad/s */
  omega: number;
  /** damping ratio */
  zeta?: number;
  /** mass-normalised shape at the contact, one number per axis */
  phi: number[];
  /** displacement of the mode at first touch, m √kg; default 0 */
  z?: number;
  /** its velocity at first touch, m √kg/s; default 0 */
  rate?: number;
}

/** How a mechanism changes. */
export interface Saltation {
  /** derivatives of M by each coordinate */
  M_q: number[][][];
  /** derivatives of J by each coordinate */
  J_q: number[][][];
  /** accelerations before the impact */
  qddot_before: number[];
  /** accelerations after the impact */
  qddot_after: number[];
}

/** How two surfaces curve. */
export interface Surfaces {
  /** of both bodies at the contact, 1/m */
  curvature: Curvature;
  /** m/s²; default 0 */
  gravity?: number[];
}

/** The curvatures of two bodies. */
export interface Curvature {
  /** a number, the same in all directions, or a symmetric 2×2 matrix along t1 and t2 */
  a: number | number[][];
  /** the same for b */
  b: number | number[][];
}

/** A scene. */
export interface SceneFile {
  /** object of [named bodies](#bodies), up to 1,000,000 */
  bodies: Record<string, SceneBody>;
  /** id of a law of one contact, as in `carom laws`: the rule of all pairs that `pairs` does not list */
  law: string;
  /** its [coefficients](case-format.md#coefficients); default the defaults of the law */
  coefficients?: Record<string, number | "infinite" | OfSpeed>;
  /** when the run ends, [below](#until) */
  until: Until;
  /** m/s²; default 0 */
  gravity?: number[];
  /** [force](#forces) on every body that has none of its own; default none */
  drag?: Drag;
  /** the same; default none */
  magnus?: Magnus;
  /** velocity of the air, m/s; default 0 */
  wind?: number[];
  /** [resistance](#resistance) against rolling, m, for pairs that `pairs` does not list; default 0 */
  rolling?: number;
  /** radius of the [patch](#resistance) of contacts, m, likewise: friction brakes slip and spin together; default 0 */
  patch?: number;
  /** friction coefficient of contacts that are closed, in place of `mu`, for pairs that `pairs` does not list; default as in impacts */
  sliding?: number;
  /** 3, or 2 for [planar scenes](#planar-scenes); default 3 */
  dimension?: 2 | 3;
  /** array of [rules between materials](#pairs); default none */
  pairs?: Pair[];
  /** array of arrays of names of bodies and links: no two of an array collide, and a single one collides with nothing; default none */
  no_contact?: string[][];
  /** id of a law of several contacts, for impacts at the same instant that share a body; default `moreau` */
  together?: string;
  /** law of one contact inside `"together": "sequential"`; default `newton` */
  base?: string;
  /** a [cue stroke](#strokes) on a ball at the beginning; default none */
  stroke?: SceneStroke;
  /** bounces that end sooner and stay lower than this are over; default 1e-9 s, 1e-12 m */
  resting?: Resting;
  /** s: of bodies that are moved by [steps](../theory/motion.md#6-steps) because no exact rule covers their contacts; default 1e-3 */
  step?: number;
  /** three lengths: the scene repeats along that axis; 0 does not. Spheres only; default none */
  period?: number[];
  /** array: a [tree of links](#links-and-joints); default none */
  links?: SceneLink[];
  /** array of [joints](#links-and-joints) between bodies; default none */
  joints?: SceneJoint[];
  /** `rate`: samples per second of trajectories and pages; `view` of pictures: `front` (x to the right), `side` (y), both with z upward, or `above`; default `{"rate": 60}` */
  output?: Output;
  /** one line; repeated in the summary */
  name?: string;
  /** ignored */
  tags?: unknown;
  /** ignored */
  notes?: unknown;
  grazing?: "limit" | "ignore";
  select?: "stick" | "first";
  phases?: "all" | "first" | "peak";
  restitution_slip?: "mu" | "mu-e";
  order?: "worst" | "sweep";
  cone?: "coulomb" | "convex";
  pressure?: "hertz" | "uniform" | "ring" | "ellipse";
}

/** A cue stroke at the beginning of a scene. */
export interface SceneStroke {
  /** name of a ball that lies on a table with normal z */
  ball: string;
  /** of the cue along itself, m/s; default 1 */
  speed?: number;
  /** of the cue above the table, rad, 0 to π/2; default 0 */
  elevation?: number;
  /** seen from above, from x towards y, rad; default 0 */
  direction?: number;
  /** of the tip to the left of the cue's line through the centre of the ball, in radii of the ball; default 0 */
  side?: number;
  /** of the tip above that line, in radii of the ball; default 0 */
  height?: number;
  /** the cue, as in [cases](stroke.md); default 0.54 kg, 1.47 m */
  cue?: Cue;
  /** of the tip on the ball, for the law `compliant`; default the coefficients of the scene */
  tip?: Record<string, number | "infinite" | OfSpeed>;
  /** of the ball on the table, likewise; default the coefficients of the scene */
  table?: Record<string, number | "infinite" | OfSpeed>;
}

/** A body of a scene. */
export interface SceneBody {
  /** one shape with its sizes, [below](#shapes) */
  shape: Record<string, Record<string, unknown>>;
  /** kg; inertia follows from the shape; default this or `density`, unless fixed */
  mass?: number;
  /** kg/m³ (planar: kg/m²) */
  density?: number;
  /** three principal values or a 3×3 matrix about the centre of mass, in body axes, in place of the inertia of the shape; default of the shape */
  inertia?: number | number[] | number[][];
  /** centre of mass in the frame of the shape, m; with `mass` and `inertia`; default the centre of the shape */
  com?: number[];
  /** of the centre of mass, m; default 0 */
  position?: number[];
  /** unit quaternion `[w, x, y, z]`, body to world; default body axes are world axes */
  orientation?: number[];
  /** rad, in place of `orientation` in [planar scenes](#planar-scenes); default 0 */
  angle?: number;
  /** m/s, world axes; default 0 */
  velocity?: number[];
  /** rad/s, world axes; default 0 */
  omega?: number | number[];
  /** `true`: immovable; a `velocity` and an `omega` stay constant; default `false` */
  fixed?: boolean;
  /** of a fixed body, in place of `velocity` and `omega`: a [motion in time](#paths); default none */
  path?: Path;
  /** name, for `pairs`; default none */
  material?: string;
  /** m/s²; default the scene's */
  gravity?: number[];
  /** [force](#forces); default the scene's */
  drag?: Drag;
  /** [force](#forces); default the scene's */
  magnus?: Magnus;
  /** velocity of the air, m/s; default the scene's */
  wind?: number[];
  /** [many bodies](#many-bodies) of this kind: NAME-1, NAME-2, ...; default once */
  repeat?: Repeat;
}

/** Copies of a body. */
export interface Repeat {
  /** copies along each axis, whole numbers; the `position` of the body is the middle of all */
  lattice?: number[];
  /** between neighbours of the lattice, m */
  step?: number[];
  /** copies at random places that do not overlap, up to 10,000: spheres, disks, boxes, cylinders, capsules and ellipsoids */
  count?: number;
  /** sizes of the box around `position` in which their centres lie, m */
  box?: number[];
  /** between the spheres around two copies at random places, at least, m; default 0 */
  gap?: number;
  /** deviation of random velocities, each component normal, added to `velocity`, m/s; default 0 */
  speed?: number;
  /** `true`: random orientations (planar: angles); default `false` */
  turned?: boolean;
  /** of all draws: the same seed gives the same scene on every machine; default 1 */
  seed?: number;
}

/** Resistance of the air; one key at least. */
export interface Drag {
  /** $c_1$, N s/m; default 0 */
  linear?: number;
  /** $c_2$, N s²/m²; default 0 */
  quadratic?: number;
  /** $c_3$, N m s; default 0 */
  angular?: number;
  /** ρ, with `coefficient`, in place of `quadratic`: $c_2 = \tfrac12 \rho A C$ */
  density?: number;
  /** C */
  coefficient?: number;
  /** A, m²; default of a sphere its own */
  area?: number;
}

/** Lift of a spinning body; one key at least. */
export interface Magnus {
  /** S, kg */
  coefficient?: number;
  /** ρ, with `lift`, in place of `coefficient`: $S = \tfrac12 \rho A C R$, a lift coefficient of $C R\omega/\lvert u\rvert$ */
  density?: number;
  /** C */
  lift?: number;
  /** A, m²; default of a sphere its own */
  area?: number;
  /** R, m; default of a sphere its own */
  radius?: number;
}

/** The motion of a fixed body. */
export interface Path {
  /** the body swings about its `position` */
  harmonic?: Harmonic;
  /** array of two or more waypoints, with times that grow from 0 */
  points?: Waypoint[];
  /** unit vector, world axes, about which the points turn it; default z */
  axis?: number[];
  /** `true`: it begins again after the last point, which is then the first (up to whole turns); default `false` */
  repeat?: boolean;
}

/** A swing. */
export interface Harmonic {
  /** m: the body is at its `position` + amplitude · sin(2π f t + φ); default 0 */
  amplitude?: number[];
  /** f, Hz */
  frequency: number;
  /** φ, rad; default 0 */
  phase?: number;
  /** rad: it also turns by angle · sin(2π f t + φ), about an axis through its centre of mass; default 0 */
  angle?: number;
  /** unit vector, world axes; default z */
  axis?: number[];
}

/** A point of a path. */
export interface Waypoint {
  /** s, >= 0 */
  time: number;
  /** m; default of the body */
  position?: number[];
  /** m/s; default the central difference of its neighbours; first and last: 0 */
  velocity?: number[];
  /** rad, about `axis`; default 0 */
  angle?: number;
  /** rad/s; default as for `velocity` */
  rate?: number;
}

/** A link of a scene. */
export interface SceneLink {
  /** string, different from all bodies and links */
  name: string;
  /** name of an earlier link, or `"world"` */
  parent: string;
  /** how it hangs on its parent */
  joint: SceneBond;
  /** as for bodies */
  shape: Record<string, Record<string, unknown>>;
  /** as for bodies */
  mass?: number;
  /** as for bodies */
  density?: number;
  /** centre of mass in the link's frame; default 0 */
  com?: number[];
  /** where the shape is given: centred at the centre of mass, or in the frame of the link; default `mass` */
  frame?: "mass" | "link";
  /** as for bodies */
  inertia?: number | number[] | number[][];
  /** coordinates of the joint; a number where there is one; default 0 */
  q?: number | number[];
  /** its speeds; default 0 */
  qdot?: number | number[];
  /** name, for `pairs`; default none */
  material?: string;
  /** as for bodies; default the scene's */
  gravity?: number[];
  /** as for bodies; default the scene's */
  drag?: Drag;
  /** as for bodies; default the scene's */
  magnus?: Magnus;
  /** as for bodies; default the scene's */
  wind?: number[];
}

/** The joint of a link of a scene. */
export interface SceneBond {
  /** one of [these](case-format.md#joints) */
  type: "fixed" | "revolute" | "prismatic" | "spherical" | "planar" | "free";
  /** unit vector */
  axis?: number[];
  /** of the joint frame in the parent's frame; default 0 */
  origin?: number[];
  /** the same, unit quaternion; default none */
  rotation?: number[];
  /** rad, in place of `rotation` in planar scenes; default 0 */
  angle?: number;
}

/** A joint between bodies. */
export interface SceneJoint {
  /** `slider` goes along the axis without turning, `cylinder` along and about it, `plane` across and about it, `free-point` across it with any turn, `universal` keeps the angle of `axis_a` and `axis_b`; default or `linear` and `angular` */
  type?: "ball" | "hinge" | "weld" | "slider" | "cylinder" | "plane" | "free-point" | "universal";
  /** freedoms of the point, 0 to 3: none, along the axis, across it, all; [any pair](joints.md#two-pieces) with `angular`; default or `type` */
  linear?: number;
  /** freedoms of the turn, 0 to 3: none, about the axis, `axis_a` keeps its angle with `axis_b`, all; default or `type` */
  angular?: number;
  /** name of a body or link */
  a: string;
  /** name of a body or link, or `"world"`; default `"world"` */
  b?: string;
  /** a point of both at the start, world axes; default where `a` is */
  point?: number[];
  /** unit vector, world axes, of the line or the normal of the plane, and of turns; in a planar scene of the line only; default z; planar: x */
  axis?: number[];
  /** unit vector, world axes: the axis of turns that belongs to `a`; not in planar scenes; default `axis` */
  axis_a?: number[];
  /** the same of `b`; default `axis` */
  axis_b?: number[];
}

/** The rule between two materials. */
export interface Pair {
  /** two names of materials, which may be the same */
  between: string[];
  /** id of a law of one contact; default the scene's */
  law?: string;
  /** object; what it does not name is as in the scene; default the scene's */
  coefficients?: Record<string, number | "infinite" | OfSpeed>;
  /** [resistance](#resistance), m; default the scene's */
  rolling?: number;
  /** radius of the [patch](#resistance), m; default the scene's */
  patch?: number;
  /** on the patch; default the scene's */
  pressure?: "hertz" | "uniform" | "ring" | "ellipse";
  /** friction coefficient of closed contacts, in place of `mu`; default the scene's */
  sliding?: number;
}

/** When a run ends. */
export interface Until {
  /** the run ends at this time, s */
  time?: number;
  /** ... or after so many impacts */
  impacts?: number;
  /** `true`: ... or when nothing moves any more; default `false` */
  rest?: boolean;
}

/** When bounces are over. */
export interface Resting {
  /** s; default 1e-9 */
  time?: number;
  /** m; default 1e-12 */
  length?: number;
}

/** What a run writes. */
export interface Output {
  /** samples per second; default 60 */
  rate?: number;
  /** of pictures: `front` has x to the right, `side` y, both with z upward; `above` has y upward; default by the motion */
  view?: "front" | "side" | "above";
}

/** A part of a compound. */
export interface Part {
  /** one shape */
  shape: Record<string, Record<string, unknown>>;
  /** of its centre, m; default 0 */
  position?: number[];
  /** unit quaternion; default none */
  orientation?: number[];
  /** rad, in planar scenes; default 0 */
  angle?: number;
  /** kg/m³; default of the body */
  density?: number;
}
