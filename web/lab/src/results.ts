// All answers to a case, computed once per state.
import { Refusal, type Engine } from "./engine";
import { singleLaws } from "./manifest";
import type { Answer, CaseFile } from "./types";

export interface Results {
  answers: Answer[]; // of every law that `carom compare` runs, and of the chosen one
  chosen?: Answer;
  refusal?: Refusal; // why there is no answer to this case
}

export function resultsOf(engine: Engine, file: CaseFile): Results {
  try {
    const answers = engine.compare(file);
    const chosen = answers.find((answer) => answer.law === file.law);
    if (chosen || !singleLaws().some((law) => law.id === file.law)) return { answers, chosen: chosen ?? answers[0] };
    const own = engine.solve(file); // a contact-force law, which `compare` leaves out
    return { answers: [...answers, own], chosen: own };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(error);
    return { answers: [], refusal };
  }
}

export function isSolved(answer: Answer | undefined): boolean {
  return answer?.p !== undefined && answer.u_after !== undefined;
}
