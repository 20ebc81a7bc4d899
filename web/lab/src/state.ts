// The state of the page: everything that a link carries.
import type { CaseFile } from "./types";
import { FIRST } from "./presets";

export const TABS = ["impact", "impulse", "slip", "motion", "gallery"] as const;
export type Tab = (typeof TABS)[number];

export interface State {
  tab: Tab;
  case: CaseFile;
  scene: string; // name of a scene of the Motion view
  motion: { law: string; second: string; stroke: [number, number] | null }; // "": the law of the scene, no second run
  digits: "short" | "all";
  force: boolean; // the table has the contact-force laws, too
}

export const START: State = { tab: "impact", case: FIRST.file, scene: "bouncing-ball", motion: { law: "", second: "", stroke: null }, digits: "short", force: false };

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
