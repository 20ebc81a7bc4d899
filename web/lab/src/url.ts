// The state as a link: "#v=1&s=" and the state as JSON in base64url. A later version adds its number here and a step to
// `older`, so that links never die; a link from a newer page is refused with a sentence.
import { START, TABS, type State } from "./state";

export const VERSION = 1;

type Step = (state: Record<string, unknown>) => Record<string, unknown>;

// older[n] turns a state of version n into one of version n + 1.
const older: Record<number, Step> = {
  // Links of the first drafts had the case alone.
  0: (state) => ("case" in state ? state : { case: state }),
};

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function fromBase64(text: string): string {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(plain, (c) => c.charCodeAt(0)));
}

export function toHash(state: State): string {
  return `#v=${VERSION}&s=${toBase64(JSON.stringify(state))}`;
}

export interface Opened {
  state: State;
  message: string; // empty when all is well
}

export function fromHash(hash: string): Opened {
  if (hash.length <= 1) return { state: START, message: "" };
  const parts = new URLSearchParams(hash.slice(1));
  const version = Number(parts.get("v"));
  if (!Number.isInteger(version) || !parts.has("v")) return refuse("This link is not one of the lab's");
  if (version > VERSION) return refuse(`This link was made by a newer lab (version ${version}; this page reads up to ${VERSION})`);
  try {
    let state = JSON.parse(fromBase64(parts.get("s") ?? "")) as Record<string, unknown>;
    for (let v = version; v < VERSION; v++) state = older[v](state);
    return { state: complete(state), message: "" };
  } catch {
    return refuse("This link is damaged");
  }
}

function refuse(why: string): Opened {
  return { state: START, message: `${why}; the lab starts with its first example instead.` };
}

// What a link leaves out, or says wrongly, is as at the start.
function complete(given: Record<string, unknown>): State {
  const isCase = given.case !== null && typeof given.case === "object" && !Array.isArray(given.case);
  return {
    tab: TABS.find((tab) => tab === given.tab) ?? START.tab,
    case: isCase ? (given.case as State["case"]) : START.case,
    scene: typeof given.scene === "string" ? given.scene : START.scene,
    motion: motionOf(given.motion),
    digits: given.digits === "all" ? "all" : "short",
    force: given.force === true,
  };
}

function motionOf(given: unknown): State["motion"] {
  const { law, second, stroke, ...rest } = (given ?? {}) as Record<string, unknown>;
  const number = (x: unknown): number | null => (typeof x === "number" && Number.isFinite(x) ? x : null);
  const isStroke = Array.isArray(stroke) && stroke.length === 2 && stroke.every((x) => typeof x === "number" && Number.isFinite(x));
  return { law: typeof law === "string" ? law : "", second: typeof second === "string" ? second : "", stroke: isStroke ? (stroke as [number, number]) : null, e: number(rest.e), mu: number(rest.mu), elevation: number(rest.elevation) ?? 0, side: number(rest.side) ?? 0, height: number(rest.height) ?? 0 };
}
