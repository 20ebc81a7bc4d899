// Share, copy, paste, export, light and dark.
import { textOf } from "./case";
import { button, h } from "./dom";
import type { Engine } from "./engine";
import { csvOf, download, pngOf, svgText } from "./export";
import { readFile, type Opened } from "./files";
import { resultsOf } from "./results";
import type { Store } from "./state";
import { toHash } from "./url";

interface Shown {
  picture?(): SVGSVGElement | HTMLCanvasElement | undefined;
  text?(): string;
}

export class Menu {
  readonly element: HTMLElement;
  private dialog: PasteDialog;

  constructor(private store: Store, private engine: Engine, private shown: () => Shown | undefined, private say: (text: string) => void, open: (file: Opened) => void) {
    this.dialog = new PasteDialog(engine, open);
    const items = [
      button("Copy link", "copy a link to what you see", () => this.copy(this.link(), "The link is copied.")),
      button("Copy file", "copy the case file, in Motion the scene file", () => this.copyFile()),
      button("Paste file…", "open a case or scene file", () => this.dialog.show(this.text())),
      button("Save SVG", "save the picture as SVG", () => void this.saveSvg()),
      button("Save PNG", "save the picture as PNG", () => void this.savePng()),
      button("Save CSV", "save the table of laws as CSV", () => this.saveCsv()),
    ];
    const theme = button("◐", "light or dark", () => this.turnTheme(), { "aria-label": "light or dark", class: "theme" });
    const list = h("details", { class: "menu" }, h("summary", {}, "Share"), h("div", { class: "items" }, ...items));
    list.addEventListener("click", (event) => (event.target as HTMLElement).tagName === "BUTTON" && list.removeAttribute("open"));
    list.addEventListener("keydown", (event) => event.key === "Escape" && list.removeAttribute("open"));
    document.addEventListener("pointerdown", (event) => !list.contains(event.target as Node) && list.removeAttribute("open"));
    this.element = h("div", { class: "tools" }, list, theme, this.dialog.element);
  }

  private link(): string {
    return location.href.replace(/#.*$/, "") + toHash(this.store.state);
  }

  // The scene in the Motion view, the case everywhere else.
  private text(): string {
    return this.shown()?.text?.() ?? textOf(this.store.state.case);
  }

  private copyFile(): void {
    this.copy(this.text(), this.shown()?.text ? "The scene is copied; carom sim reads it." : "The case is copied; carom solve reads it.");
  }

  // A file that was pasted or dropped somewhere on the page.
  take(text: string): void {
    this.dialog.take(text);
  }

  private copy(text: string, done: string): void {
    const fallback = (): void => this.dialog.show(text);
    if (!navigator.clipboard) return fallback();
    navigator.clipboard.writeText(text).then(() => this.say(done), fallback);
  }

  private async saveSvg(): Promise<void> {
    const picture = this.shown()?.picture?.();
    if (picture instanceof SVGSVGElement) download("carom.svg", "image/svg+xml", svgText(picture));
    else this.say("This view is not made of lines; save it as PNG.");
  }

  private async savePng(): Promise<void> {
    const picture = this.shown()?.picture?.();
    if (picture) download("carom.png", "image/png", await pngOf(picture));
    else this.say("This view has no picture to save.");
  }

  private saveCsv(): void {
    download("carom.csv", "text/csv", csvOf(resultsOf(this.engine, this.store.state.case, this.store.state.force).answers));
  }

  private turnTheme(): void {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    window.dispatchEvent(new Event("themechange"));
  }
}

// A file as text: to paste one in, or to take one out where the clipboard is closed.
class PasteDialog {
  readonly element = h("dialog", { "aria-label": "case or scene file" });
  private text = h("textarea", { rows: 16, cols: 64, spellcheck: false, "aria-label": "case or scene file, JSON" });
  private problem = h("p", { class: "problem", role: "alert" });

  constructor(private engine: Engine, private open: (file: Opened) => void) {
    const file = h("input", { type: "file", accept: ".json,application/json", "aria-label": "open a file" });
    file.addEventListener("change", async () => (this.text.value = (await file.files?.[0]?.text()) ?? ""));
    this.text.addEventListener("input", () => this.judge());
    const accept = button("Open", "open this file", () => this.accept(), { class: "primary" });
    const cancel = button("Close", "close", () => this.element.close());
    this.element.append(h("h2", {}, "Case or scene file"), this.text, this.problem, h("div", { class: "row" }, file, cancel, accept));
  }

  show(text: string): void {
    this.text.value = text;
    this.problem.textContent = "";
    if (!this.element.open) this.element.showModal();
    this.text.select();
  }

  // Opens the file, or shows it with what is wrong with it.
  take(text: string): void {
    this.text.value = text;
    const file = this.judge();
    if (file) this.open(file);
    else if (!this.element.open) this.element.showModal();
  }

  private judge(): Opened | undefined {
    this.problem.textContent = "";
    try {
      return readFile(this.engine, this.text.value);
    } catch (error) {
      this.problem.textContent = (error as Error).message;
      return undefined;
    } finally {
      this.text.setAttribute("aria-invalid", String(this.problem.textContent !== ""));
    }
  }

  private accept(): void {
    const file = this.judge();
    if (!file) return;
    this.element.close();
    this.open(file);
  }
}
