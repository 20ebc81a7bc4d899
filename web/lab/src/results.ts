// All answers to a case, computed once per state.
import { Refusal, type Engine } from "./engine";
import { singleLaws } from "./manifest";
import type { Answer, CaseFile } from "./types";

export interface Results {
  answers: Answer[]; // of every law that `carom compare` runs, and of the chosen one
  chosen?: Answer;
  refusal?: Refusal; // why there is no answer to this case
}

// `carom compare` leaves the contact-force laws out. They are solved one by one: the chosen one always, all on request.
export function resultsOf(engine: Engine, file: CaseFile, withForces = false): Results {
  try {
    const answers = engine.compare(file);
    const missing = singleLaws().filter((law) => !answers.some((answer) => answer.law === law.id) && (withForces || law.id === file.law));
    for (const law of missing) answers.push(solveOne(engine, { ...file, law: law.id }, law.id === file.law));
    return { answers, chosen: answers.find((answer) => answer.law === file.law) ?? answers[0] };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(error);
    return { answers: [], refusal };
  }
}

// A law that does not apply has a row that says why; where it is the chosen one, the refusal is shown at its field.
function solveOne(engine: Engine, file: CaseFile, isChosen: boolean): Answer {
  try {
    return engine.solve(file);
  } catch (error) {
    if (isChosen && !(error as Refusal).path.startsWith("law")) throw error;
    return { law: file.law!, status: "refused", message: (error as Error).message };
  }
}
