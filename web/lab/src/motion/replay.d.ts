// The stage of web/replay, which the page of `carom sim --html` uses too.
declare module "replay/run.js" {
  export interface ReplayBody {
    name: string;
    shape?: Record<string, Record<string, unknown>>;
    fixed?: boolean;
    moves: boolean;
    position: number[];
    orientation: number[];
    centre?: number[];
  }
  export interface ReplayEvent {
    t: number;
    kind: string;
    a: string;
    b: string;
    impulse?: number[];
    point?: number[];
  }
  export interface Head {
    name: string;
    dimension: number;
    gravity: number[];
    strings?: number[][]; // number of a body, and a point in its axes
    bodies: ReplayBody[];
    events: ReplayEvent[];
  }
  export class Run {
    constructor(head: Head, times: Float64Array, states: Float32Array);
    bodies: ReplayBody[];
    moving: ReplayBody[];
    events: ReplayEvent[];
    start: number;
    end: number;
    readonly frames: number;
    frameAt(t: number): number;
    evaluate(body: ReplayBody, t: number, frame: number, out: Float32Array): Float32Array;
  }
}

declare module "replay/stage.js" {
  import type { Object3D, PerspectiveCamera, Scene, WebGLRenderer } from "three";
  import type { OrbitControls } from "three/addons/controls/OrbitControls.js";
  import type { ReplayBody, ReplayEvent, Run } from "replay/run.js";
  export interface Shown {
    velocity: boolean;
    impulse: boolean;
    trails: boolean;
    impacts: boolean;
  }
  export class Stage {
    constructor(run: Run, canvas: HTMLCanvasElement);
    renderer: WebGLRenderer;
    scene: Scene;
    camera: PerspectiveCamera;
    controls: OrbitControls;
    objects: Map<ReplayBody, Object3D>;
    touched?: boolean;
    size: number;
    resize(width: number, height: number): void;
    draw(t: number, event: ReplayEvent | undefined, show: Shown): void;
    pick(x: number, y: number): ReplayEvent | undefined;
    frameAll(): void;
  }
}
