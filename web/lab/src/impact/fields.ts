// The numbers of a case as fields. Each knows its path in the file, and shows what the library says about it.
import { getAt, setAt, sourceOf, type Path } from "../case";
import { h, replace, symbol } from "../dom";
import { exact, parse } from "../format";
import type { Store } from "../state";
import type { CaseFile } from "../types";

interface Spec {
  label: string;
  unit: string;
  paths: Path[]; // one box each
  isOptional?: boolean;
}

interface Group {
  title: string;
  rows: Spec[];
}

function row(label: string, unit: string, path: Path, file: CaseFile, missing = 0): Spec {
  const value = getAt(file, path);
  const count = Array.isArray(value) ? value.length : missing;
  return { label, unit, paths: count ? Array.from({ length: count }, (_, i) => `${path}.${i}`) : [path] };
}

const SIZES: Record<string, string> = { radius: "m", length: "m", height: "m", size: "m", semi_axes: "m", inner: "m", thickness: "m" };

function bodyRows(file: CaseFile, key: string): Spec[] {
  const body = file.bodies?.[key] ?? {};
  const at = `bodies.${key}`;
  const [word] = Object.keys(body.shape ?? {});
  const sizes = Object.keys((word && body.shape?.[word]) || {}).filter((name) => name in SIZES);
  const isSpatial = file.contact?.normal?.length === 3;
  const rows = sizes.map((name) => row(name.replace("_", " "), SIZES[name], `${at}.shape.${word}.${name}`, file));
  if (!body.fixed) {
    rows.push(row(body.density === undefined ? "mass" : "density", body.density === undefined ? "kg" : "kg/m³", body.density === undefined ? `${at}.mass` : `${at}.density`, file));
    if (body.inertia !== undefined && !(Array.isArray(body.inertia) && Array.isArray(body.inertia[0]))) rows.push(row("inertia", "kg m²", `${at}.inertia`, file));
  }
  if (!body.fixed || body.velocity) rows.push(row("velocity", "m/s", `${at}.velocity`, file, isSpatial ? 3 : 2));
  if (!body.fixed || body.omega) rows.push(row("spin", "rad/s", `${at}.omega`, file, isSpatial ? 3 : 0));
  return rows;
}

function matrix(label: string, unit: string, path: Path, file: CaseFile): Spec[] {
  const rows = getAt(file, path);
  return Array.isArray(rows) ? rows.map((_, i) => row(i ? "" : label, unit, `${path}.${i}`, file)) : [];
}

const ARMS: Record<string, string> = { arm_a: "arm of A", arm_b: "arm of B", point: "point" };

function groupsOf(file: CaseFile): Group[] {
  const source = sourceOf(file);
  if (source === "bodies") {
    const contact = ["normal", "arm_a", "arm_b", "point"].filter((key) => file.contact && key in file.contact);
    const rows = contact.map((key) => row(key === "normal" ? "normal" : ARMS[key], key === "normal" ? "" : "m", `contact.${key}`, file));
    return [...Object.keys(file.bodies!).map((key) => ({ title: `Body ${key.toUpperCase()}${file.bodies![key].fixed ? ", immovable" : ""}`, rows: bodyRows(file, key) })), { title: "Contact", rows }];
  }
  if (source === "reduced") {
    const inertia = file.reduced?.K ? "K" : "M";
    return [{ title: "Reduced problem", rows: [...matrix(inertia, inertia === "K" ? "1/kg" : "kg", `reduced.${inertia}`, file), row("u", "m/s", "reduced.u", file)] }];
  }
  if (source === "links") {
    return [{ title: "Arm", rows: [row("angles", "rad", "mechanism.q", file), row("rates", "rad/s", "mechanism.qdot", file)] }];
  }
  if (source === "mechanism") return [{ title: "Mechanism", rows: [...matrix("M", "", "mechanism.M", file), ...matrix("J", "", "mechanism.J", file), row("rates", "", "mechanism.qdot", file)] }];
  return [];
}

class Field {
  readonly element: HTMLInputElement;

  constructor(readonly path: Path, label: string, store: Store, note: (message: string) => void) {
    this.element = h("input", { type: "text", inputmode: "decimal", "aria-label": label, "data-path": path, size: 6 });
    this.element.addEventListener("change", () => {
      const value = parse(this.element.value);
      if (!Number.isFinite(value)) return note(`${path}: "${this.element.value}" is not a number`);
      store.edit((file) => this.write(file, value));
    });
  }

  // A symmetric K stays symmetric: its mirror element follows.
  private write(file: CaseFile, value: number): CaseFile {
    const mirror = /^(reduced\.[KM]|mechanism\.M)\.(\d)\.(\d)$/.exec(this.path);
    const changed = setAt(fill(file, this.path), this.path, value);
    return mirror ? setAt(changed, `${mirror[1]}.${mirror[3]}.${mirror[2]}`, value) : changed;
  }

  update(file: CaseFile): void {
    if (document.activeElement === this.element && this.element.getAttribute("aria-invalid") !== "true") return;
    const value = getAt(file, this.path);
    this.element.value = typeof value === "number" ? shortExact(value) : "";
    this.element.title = typeof value === "number" ? exact(value) : "";
    this.element.placeholder = "0";
  }
}

// A vector that the file leaves out is zero: it must exist before one of its entries is set.
function fill(file: CaseFile, path: Path): CaseFile {
  const parent = path.replace(/\.\d+$/, "");
  if (parent === path || Array.isArray(getAt(file, parent))) return file;
  return setAt(file, parent, new Array<number>(file.contact?.normal?.length ?? 3).fill(0));
}

function shortExact(value: number): string {
  const text = exact(value);
  return text.length <= 8 ? text : Number(value.toPrecision(5)).toString();
}

export class Fields {
  readonly element = h("section", { class: "fields", "aria-label": "The numbers of the case" });
  private fields: Field[] = [];
  private notes = new Map<HTMLElement, Spec>();
  private key = "";

  constructor(private store: Store) {}

  // Returns whether the message found its field.
  update(file: CaseFile, path: string, message: string): boolean {
    const groups = groupsOf(file);
    const key = JSON.stringify(groups);
    if (key !== this.key) this.build(groups);
    this.key = key;
    for (const field of this.fields) {
      field.update(file);
      field.element.setAttribute("aria-invalid", String(path !== "" && matches(field.path, path)));
    }
    let isFound = false;
    for (const [note, spec] of this.notes) {
      const isHere = path !== "" && spec.paths.some((p) => matches(p, path));
      note.textContent = isHere ? message : "";
      isFound ||= isHere;
    }
    return isFound;
  }

  private build(groups: Group[]): void {
    this.fields = [];
    this.notes.clear();
    replace(this.element, ...groups.map((group) => h("fieldset", {}, h("legend", {}, group.title), ...(group.rows.length ? [] : [h("p", { class: "dim" }, "the floor")]), ...group.rows.map((spec) => this.row(spec, group.title)))));
  }

  private row(spec: Spec, title: string): HTMLElement {
    const note = h("p", { class: "problem", role: "alert" });
    this.notes.set(note, spec);
    const boxes = spec.paths.map((path, i) => {
      const axis = spec.paths.length > 1 ? ` ${["first", "second", "third"][i] ?? i + 1} part` : "";
      const field = new Field(path, `${title}: ${spec.label}${axis}`, this.store, (message) => (note.textContent = message));
      this.fields.push(field);
      return field.element;
    });
    const label = /^[KMJu]$/.test(spec.label) ? symbol(spec.label) : spec.label;
    return h("div", { class: "field" }, h("span", { class: "label" }, label), h("span", { class: `boxes of-${boxes.length}` }, ...boxes), h("span", { class: "unit" }, spec.unit), note);
  }
}

// The library names a whole vector or one entry: bodies.a.velocity, bodies.a.velocity[1], reduced.K.
function matches(field: Path, named: string): boolean {
  const plain = named.replace(/\[(\d+)\]/g, ".$1");
  return field === plain || field.startsWith(`${plain}.`) || plain.startsWith(`${field}.`);
}
