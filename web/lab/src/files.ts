// A file that somebody pastes or drops: a case or a scene, told apart by their keys.
import { sourceOf } from "./case";
import type { Engine } from "./engine";
import { checkScene } from "./motion/recorder";
import type { CaseFile, SceneFile } from "./types";

export type Opened = { case: CaseFile } | { scene: SceneFile };

const CASE_KEYS = ["contact", "contacts", "reduced", "mechanism"];

export function isScene(file: unknown): file is SceneFile {
  return file !== null && typeof file === "object" && "bodies" in file && !CASE_KEYS.some((key) => key in file);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// The views show the impulse space of one contact.
function oneContact(file: CaseFile): CaseFile {
  if (sourceOf(file) === "several") throw new Error("This case has several contacts, and the lab shows one at a time. `carom compare CASE` has every law for it; as a scene it can be played in the Motion view.");
  return file;
}

// Throws the message of the command line for a file that it would refuse.
export function readFile(engine: Engine, text: string): Opened {
  const file = parsed(text);
  if (!isScene(file)) return { case: oneContact(engine.check(text)) };
  checkScene(file);
  engine.simulation(file).free();
  return { scene: file };
}
