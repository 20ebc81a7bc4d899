// A sheet for the printer: what the view shows, on one page. It exists while the browser prints.
import { textOf } from "./case";
import { h } from "./dom";
import type { State } from "./state";
import type { View } from "./views/view";

// What goes onto the sheet, in this order, where the view has it.
const PARTS = ".left > .legend, .left > .key, .left > .words, .left > .dim, .charts, .status, .outcomes, .every-law .scroll, .every-law .legend, .cards";

// A picture of lines keeps its proportions: without a viewBox the printer would cut it.
function keepWhole(copy: Element, original: Element): void {
  const svgs = copy instanceof SVGSVGElement ? [copy] : [...copy.querySelectorAll("svg")];
  const sources = original instanceof SVGSVGElement ? [original] : [...original.querySelectorAll("svg")];
  svgs.forEach((svg, i) => {
    const { width, height } = sources[i].getBoundingClientRect();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.querySelectorAll(".grips, .no-export").forEach((element) => element.remove());
  });
}

function copyOf(original: Element): Element {
  if (original instanceof HTMLCanvasElement) return h("img", { src: original.toDataURL("image/png"), alt: "" });
  const copy = original.cloneNode(true) as Element;
  keepWhole(copy, original);
  return copy;
}

function sheetOf(view: View, title: string, state: State): HTMLElement {
  const picture = view.picture?.();
  const energy = view.element.querySelector(".energy-plot canvas");
  const name = picture instanceof SVGSVGElement ? (state.case.name ?? "") : "";
  const parts = [...view.element.querySelectorAll(PARTS)].filter((part) => part.textContent !== "");
  const file = picture instanceof SVGSVGElement ? h("p", { class: "file" }, textOf(state.case)) : null;
  return h("div", { class: `sheet ${view.element.className}` },
    h("h1", {}, "Carom ", h("span", {}, `lab: ${title}${name ? `, ${name}` : ""}`)),
    picture ? h("figure", { class: "stage" }, copyOf(picture)) : null,
    energy ? h("figure", { class: "chart" }, copyOf(energy)) : null,
    ...parts.map(copyOf), file);
}

// `what` says which view is shown, its title and the state.
export function listenForPrinter(what: () => [View, string, State] | undefined): void {
  let sheet: HTMLElement | undefined;
  const remove = (): void => sheet?.remove();
  window.addEventListener("beforeprint", () => {
    const shown = what();
    remove();
    if (shown) document.body.append((sheet = sheetOf(...shown)));
  });
  window.addEventListener("afterprint", remove);
}
