// Header, tabs, messages, and what all views share: results, link, keys.
import { button, h, replace } from "./dom";
import type { Engine } from "./engine";
import type { Opened } from "./files";
import { Menu } from "./menu";
import { listenForPrinter } from "./print";
import { resultsOf, type Results } from "./results";
import { STILL, TABS, type State, type Store, type Tab } from "./state";
import { toHash } from "./url";
import { GalleryView } from "./views/gallery";
import { ImpactView } from "./views/impact";
import { ImpulseView } from "./views/impulse";
import { MotionView } from "./views/motion";
import { SlipView } from "./views/slip";
import type { View } from "./views/view";

const TITLES: Record<Tab, string> = { impact: "Impact", impulse: "Impulse space", slip: "Slip plane", motion: "Motion", gallery: "Gallery" };
const LINK_DELAY = 250; // ms after the last change until the address follows

export class Shell {
  readonly element: HTMLElement;
  private main = h("main", { id: "view", role: "tabpanel", tabindex: -1 });
  private note = h("p", { class: "note", role: "status" });
  private tabs: Record<string, HTMLButtonElement> = {};
  private views: Partial<Record<Tab, View>> = {};
  private shown?: View;
  private results: Results = { answers: [] };
  private timer = 0;

  constructor(private store: Store, private engine: Engine) {
    const list = h("nav", { role: "tablist", "aria-label": "views", class: "tabs" }, ...TABS.map((tab) => this.tab(tab)));
    const menu = new Menu(store, engine, () => this.shown, (text) => this.say(text), (file) => this.open(file));
    const name = h("h1", {}, "Carom ", h("span", {}, "lab"));
    this.element = h("div", { class: "page" }, h("header", {}, name, list, menu.element), this.note, this.main);
    store.onChange((state, before) => this.change(state, before));
    window.addEventListener("keydown", (event) => this.key(event));
    this.listenForFiles(menu);
    listenForPrinter(() => this.shown && [this.shown, TITLES[store.state.tab], store.state]);
    window.addEventListener("hashchange", () => location.hash !== toHash(store.state) && location.reload());
  }

  // A file may be dropped anywhere, and pasted wherever no text is being edited.
  private listenForFiles(menu: Menu): void {
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      void event.dataTransfer?.files[0]?.text().then((text) => menu.take(text));
    });
    window.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain").trim() ?? "";
      if (!/^(INPUT|TEXTAREA)$/.test((event.target as HTMLElement).tagName) && text.startsWith("{")) menu.take(text);
    });
  }

  private open(file: Opened): void {
    if ("scene" in file) {
      (this.view("motion") as MotionView).open(file.scene);
      return this.store.set({ tab: "motion", motion: STILL });
    }
    const law = file.case.law ?? this.store.state.case.law;
    this.store.set({ tab: this.store.state.tab === "impulse" || this.store.state.tab === "slip" ? this.store.state.tab : "impact", case: { name: "a case of your own", ...file.case, law } });
  }

  private tab(tab: Tab): HTMLButtonElement {
    const element = button(TITLES[tab], TITLES[tab], () => this.store.set({ tab }), { role: "tab", id: `tab-${tab}`, "aria-controls": "view" });
    this.tabs[tab] = element;
    return element;
  }

  private view(tab: Tab): View {
    return (this.views[tab] ??= this.make(tab));
  }

  private make(tab: Tab): View {
    if (tab === "impulse") return new ImpulseView(this.store, this.engine);
    if (tab === "slip") return new SlipView(this.store, this.engine);
    if (tab === "motion") return new MotionView(this.store, this.engine);
    if (tab === "gallery") return new GalleryView(this.store);
    return new ImpactView(this.store);
  }

  private change(state: State, before: State): void {
    const isFirst = this.shown === undefined;
    if (isFirst || state.case !== before.case || state.force !== before.force) this.results = this.solve(state);
    const view = this.view(state.tab);
    const isNew = view !== this.shown;
    if (isNew) this.show(state.tab, view);
    view.update(state, isNew ? state : before, this.results);
    clearTimeout(this.timer);
    if (!isFirst) this.timer = window.setTimeout(() => history.replaceState(null, "", toHash(this.store.state)), LINK_DELAY);
  }

  // After a refusal the last good answers stay in sight.
  private solve(state: State): Results {
    const results = resultsOf(this.engine, state.case, state.force);
    return results.refusal ? { ...this.results, refusal: results.refusal } : results;
  }

  private show(tab: Tab, view: View): void {
    this.shown?.hide?.();
    this.shown = view;
    replace(this.main, view.element);
    this.main.setAttribute("aria-labelledby", `tab-${tab}`);
    for (const [name, element] of Object.entries(this.tabs)) {
      element.setAttribute("aria-selected", String(name === tab));
      element.tabIndex = name === tab ? 0 : -1;
    }
    document.title = `${TITLES[tab]} – Carom lab`;
  }

  say(text: string): void {
    replace(this.note, text, button("×", "dismiss", () => this.say(""), { "aria-label": "dismiss" }));
    this.note.toggleAttribute("data-shown", text !== "");
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.getAttribute("role") === "tab" && (event.key === "ArrowLeft" || event.key === "ArrowRight")) return this.turn(event.key === "ArrowRight" ? 1 : -1);
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT|BUTTON|SUMMARY|DIALOG)$/.test(target.tagName)) return;
    const number = Number(event.key);
    if (number >= 1 && number <= TABS.length) return this.store.set({ tab: TABS[number - 1] });
    this.shown?.key?.(event);
  }

  private turn(by: number): void {
    const index = (TABS.indexOf(this.store.state.tab) + by + TABS.length) % TABS.length;
    this.store.set({ tab: TABS[index] });
    this.tabs[TABS[index]].focus();
  }
}
