// A tab of the page.
import type { Results } from "../results";
import type { State } from "../state";

export interface View {
  readonly element: HTMLElement;
  update(state: State, before: State, results: Results): void;
  hide?(): void;
  key?(event: KeyboardEvent): void;
  text?(): string; // what is copied instead of the case
  picture?(): SVGSVGElement | HTMLCanvasElement | undefined; // what is exported
}
