// What the views need of the library. They know nothing of WebAssembly, files or memory.
import { load, type Carom, type Simulation, type Source } from "carom";
import { setManifest } from "./manifest";
import type { Answer, CaseFile, Law, SceneFile, Trace, Word } from "./types";

export interface Engine {
  solve(file: CaseFile): Answer;
  compare(file: CaseFile): Answer[];
  trace(file: CaseFile, points: number): Trace;
  // Reads the text of a case file; the message of a refusal is that of the command line.
  check(text: string): CaseFile;
  simulation(scene: SceneFile): Simulation;
  scenes(): Record<string, string>;
}

// Bad input: one sentence that names the key and the rule.
export class Refusal extends Error {
  readonly path: string; // of the key to blame, or ""
  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error));
    const key = (error as { key?: unknown }).key;
    this.path = typeof key === "string" ? key : "";
  }
}

function refuse<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new Refusal(error);
  }
}

class LabEngine implements Engine {
  constructor(private carom: Carom) {}

  solve(file: CaseFile): Answer {
    return refuse(() => this.carom.solve(file as never) as unknown as Answer);
  }

  compare(file: CaseFile): Answer[] {
    return refuse(() => this.carom.compare(file as never).answers as unknown as Answer[]);
  }

  trace(file: CaseFile, points: number): Trace {
    return refuse(() => this.carom.trace(file as never, { points }) as unknown as Trace);
  }

  check(text: string): CaseFile {
    refuse(() => this.carom.compare(text));
    return JSON.parse(text) as CaseFile;
  }

  simulation(scene: SceneFile): Simulation {
    return refuse(() => this.carom.simulation(scene as never, { lines: true }));
  }

  scenes(): Record<string, string> {
    return this.carom.scenes();
  }
}

// The library from its module; its manifests become those of the page.
export async function loadEngine(module: Source): Promise<Engine> {
  const carom = await load(module);
  setManifest(carom.laws() as unknown as Law[], carom.words() as Word[]);
  return new LabEngine(carom);
}
