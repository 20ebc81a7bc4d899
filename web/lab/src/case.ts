// Reading and changing case files. Every change makes a new object: the state before stays as it was.
import type { BodyFile, CaseFile, Vector } from "./types";

export type Path = string; // "bodies.a.velocity.0"

export function getAt(file: unknown, path: Path): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value === null || typeof value !== "object" ? undefined : (value as Record<string, unknown>)[key]), file);
}

export function setAt<T>(file: T, path: Path, value: unknown): T {
  const [key, ...rest] = path.split(".");
  const copy = (Array.isArray(file) ? [...file] : { ...(file as object) }) as Record<string, unknown>;
  copy[key] = rest.length === 0 ? value : setAt(copy[key] ?? {}, rest.join("."), value);
  if (value === undefined && rest.length === 0) delete copy[key];
  return copy as T;
}

export function numberAt(file: unknown, path: Path): number {
  const value = getAt(file, path);
  return typeof value === "number" ? value : NaN;
}

export type Source = "bodies" | "reduced" | "links" | "mechanism" | "several" | "none";

export function sourceOf(file: CaseFile): Source {
  if (file.stroke || Array.isArray(file.contacts) || Array.isArray(file.reduced?.u?.[0])) return "several";
  if (file.bodies) return "bodies";
  if (file.reduced) return "reduced";
  if (file.mechanism?.links) return "links";
  return file.mechanism ? "mechanism" : "none";
}

export function isPlanar(file: CaseFile): boolean {
  if (file.contact?.normal) return file.contact.normal.length === 2;
  return (file.reduced?.u?.length ?? 3) === 2;
}

export function bodyOf(file: CaseFile, key: "a" | "b"): BodyFile {
  return file.bodies?.[key] ?? {};
}

// The side view shows x to the right, and y (planar) or z (in space) upwards.
export function seen(vector: Vector | undefined): [number, number] {
  if (!vector) return [0, 0];
  return vector.length === 2 ? [vector[0], vector[1]] : [vector[0], vector[2]];
}

// The inverse: the same vector with its two seen parts changed.
export function withSeen(vector: Vector | undefined, size: number, [x, y]: readonly [number, number]): Vector {
  if (size === 2) return [x, y];
  return [x, vector?.[1] ?? 0, y];
}

// Turning anticlockwise in the side view: omega of a planar body; in space, minus the part along y.
export function seenSpin(omega: number | Vector | undefined): number {
  if (omega === undefined) return 0;
  return typeof omega === "number" ? omega : -omega[1];
}

export function withSpin(omega: number | Vector | undefined, size: number, spin: number): number | Vector {
  if (size === 2) return spin;
  const old = Array.isArray(omega) ? omega : [0, 0, 0];
  return [old[0], -spin, old[2]];
}

// The arm from the centre of a body to the contact point.
export function armOf(file: CaseFile, key: "a" | "b"): Vector {
  const contact = file.contact ?? {};
  const given = key === "a" ? contact.arm_a : contact.arm_b;
  const size = contact.normal?.length ?? 3;
  if (given) return given;
  const position = bodyOf(file, key).position;
  if (contact.point && position) return contact.point.map((x, i) => x - position[i]);
  return new Array<number>(size).fill(0);
}

// A case as text that a person can read: short arrays stay on one line.
export function textOf(file: unknown): string {
  return JSON.stringify(file, null, 2).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inner: string) => `[${inner.replace(/\s*\n\s*/g, " ")}]`);
}
