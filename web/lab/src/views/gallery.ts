// The Gallery view: a card per example; a click opens it in its view.
import { h } from "../dom";
import { GALLERY, type Exhibit } from "../gallery";
import { PRESETS } from "../presets";
import { STILL, type State, type Store } from "../state";
import type { View } from "./view";

const PLACES: Record<string, string> = { impact: "Impact", impulse: "Impulse space", slip: "Slip plane", motion: "Motion" };

export class GalleryView implements View {
  readonly element: HTMLElement;

  constructor(private store: Store) {
    this.element = h("div", { class: "view gallery" }, h("p", { class: "lead" }, "Collisions worth seeing. Each opens in its view, and everything in it can be changed."), h("ul", { class: "cards" }, ...GALLERY.map((exhibit) => this.card(exhibit))));
  }

  private card(exhibit: Exhibit): HTMLElement {
    const open = h("button", { type: "button", "data-exhibit": exhibit.id }, exhibit.title);
    open.addEventListener("click", () => this.store.set(stateOf(exhibit)));
    const foot = [PLACES[exhibit.tab], exhibit.source].filter(Boolean).join(" · ");
    return h("li", { class: "card" }, h("h2", {}, open), h("p", {}, exhibit.story), h("p", { class: "dim" }, foot));
  }

  update(): void {}
}

export function stateOf(exhibit: Exhibit): Partial<State> {
  if (exhibit.scene) return { tab: exhibit.tab, scene: exhibit.scene, motion: STILL };
  const file = exhibit.case ?? PRESETS.find((preset) => preset.id === exhibit.id)?.file;
  return file ? { tab: exhibit.tab, case: file } : { tab: exhibit.tab };
}
