// Elements of HTML and SVG, made in one call.

type Attributes = Record<string, string | number | boolean | null | undefined>;
type Child = Node | string | null | undefined | false;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

export function button(label: string, title: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = h("button", { type: "button", title, ...attributes }, label);
  element.addEventListener("click", action);
  return element;
}

// A symbol with subscripts and superscripts, as in the documents: "u_n+" is u with a subscript n and a raised plus.
export function symbol(text: string): HTMLElement {
  const [, letter, below, plus] = /^([^_+]+)(?:_([^+]+))?(\+)?$/.exec(text) ?? [, text];
  const element = h("span", { class: "symbol" }, h("i", {}, letter));
  if (below) element.append(h("sub", {}, below));
  if (plus) element.append(h("sup", {}, "+"));
  return element;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
}

// Sets text only where it differs: a table of numbers then costs nothing while nothing changes.
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function prefersStill(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export interface Size {
  width: number;
  height: number;
}

// The size of an element, kept by an observer: asking the element itself while a frame is drawn would lay the page out
// once more.
export function watchSize(element: Element, changed: () => void): Size {
  const size = { width: 0, height: 0 };
  new ResizeObserver(([entry]) => {
    [size.width, size.height] = [entry.contentRect.width, entry.contentRect.height];
    changed();
  }).observe(element);
  return size;
}
