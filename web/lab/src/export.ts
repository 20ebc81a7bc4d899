// Pictures and tables as files.
import { singleLaws } from "./manifest";
import type { Answer } from "./types";

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "font-size", "font-style", "font-weight", "text-anchor", "visibility", "paint-order", "dominant-baseline"];

export function download(name: string, type: string, content: string | Blob): void {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The picture as a file of its own: the rules of the page become attributes.
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const box = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, i) => inline(originals[i], element));
  copy.querySelectorAll(".grips, .no-export").forEach((element) => element.remove());
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

function inline(original: Element, element: Element): void {
  const style = getComputedStyle(original);
  for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
  for (const name of ["class", "tabindex", "role"]) element.removeAttribute(name);
}

export async function pngOf(picture: SVGSVGElement | HTMLCanvasElement): Promise<Blob> {
  const canvas = picture instanceof HTMLCanvasElement ? picture : await rasterOf(picture);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser gives no picture")))));
}

const DENSITY = 2; // pixels of the file per pixel of the page

async function rasterOf(svg: SVGSVGElement): Promise<HTMLCanvasElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  await image.decode();
  const box = svg.getBoundingClientRect();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [DENSITY * box.width, DENSITY * box.height];
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = getComputedStyle(document.body).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Every digit of the table of laws.
export function csvOf(answers: Answer[]): string {
  const size = answers.find((a) => a.p)?.p?.length ?? 2;
  const axes = size === 2 ? ["t", "n"] : ["t1", "t2", "n"];
  const head = ["law", "family", "status", ...axes.map((x) => `p_${x}`), ...axes.map((x) => `u_${x}_after`), "e", "energy_before", "energy_after", "energy_normal", "energy_friction", "flags", "mode"];
  const rows = answers.map((a) => {
    const e = a.energy;
    const family = singleLaws().find((law) => law.id === a.law)?.family;
    return [a.law, family, a.status, ...axes.map((_, i) => a.p?.[i]), ...axes.map((_, i) => a.u_after?.[i]), a.restitution?.newton, e?.before, e?.after, e?.normal, e?.friction, a.flags?.join(" "), a.mode];
  });
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}
