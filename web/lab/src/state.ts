// The state of the page: everything that a link carries.
import type { CaseFile } from "./types";
import { FIRST } from "./presets";

export const TABS = ["impact", "impulse", "slip", "motion", "gallery"] as const;
export type Tab = (typeof TABS)[number];

export interface Motion {
  law: string; // "": the law of the scene
  second: string; // "": no second run
  stroke: [number, number] | null; // of the cue, m/s
  e: number | null; // null: as in the scene
  mu: number | null;
  elevation: number; // of the cue, degrees
  side: number; // of the tip, in radii of the ball
  height: number;
}

export const STILL: Motion = { law: "", second: "", stroke: null, e: null, mu: null, elevation: 0, side: 0, height: 0 };

export interface State {
  tab: Tab;
  case: CaseFile;
  scene: string; // name of a scene of the Motion view
  motion: Motion;
  digits: "short" | "all";
  force: boolean; // the table has the contact-force laws, too
}

export const START: State = { tab: "impact", case: FIRST.file, scene: "bouncing-ball", motion: STILL, digits: "short", force: false };

type Listener = (state: State, before: State) => void;

// One state, changed in one place. Listeners are called at most once per frame.
export class Store {
  private listeners: Listener[] = [];
  private pending = false;
  private shown: State;

  constructor(public state: State) {
    this.shown = state;
  }

  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.flush());
  }

  edit(change: (file: CaseFile) => CaseFile): void {
    this.set({ case: change(this.state.case) });
  }

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  // Calls the listeners now; the first picture and tests do not wait for a frame.
  flush(): void {
    this.pending = false;
    const before = this.shown;
    this.shown = this.state;
    for (const listener of this.listeners) listener(this.state, before);
  }
}
