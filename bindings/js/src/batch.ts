import { CaromError, type Program } from "./program.js";
import type { Manifest } from "./types.js";

/** Many impacts, row by row: K is count x dim x dim, u is count x dim, both row-major and in contact axes. */
export interface Batch {
  law: string;
  /** 2: axes t, n; 3 (default): axes t1, t2, n. */
  dim?: 2 | 3;
  K: Float64Array;
  u: Float64Array;
  /** One number for all rows, or one per row. */
  coefficients?: Record<string, number | Float64Array>;
  options?: Record<string, string>;
}

/** The answers: p and uAfter as u; status and flags a number per row; one column per number of the ledger. */
export interface BatchAnswer {
  p: Float64Array;
  uAfter: Float64Array;
  /** Index into manifest.statuses. */
  status: Uint8Array;
  /** Bits of manifest.flags. */
  flags: Uint8Array;
  /** "before", "after", "change", "normal", "friction", "newton", ...: manifest.ledger names them. */
  ledger: Record<string, Float64Array>;
}

const WORD = 4;
const REAL = 8;

/** Entries of K and u in the order of c/batch_rows.c, as places in a row of K and of u. */
const K_PLACES = { 2: [0, -1, -1, 1, -1, 3], 3: [0, 1, 4, 2, 5, 8] } as const;
const U_PLACES = { 2: [0, -1, 1], 3: [0, 1, 2] } as const;

function check(batch: Batch): number {
  const dim = batch.dim ?? 3;
  if (dim !== 2 && dim !== 3) throw new CaromError("dim: must be 2 or 3");
  const count = batch.u.length / dim;
  if (!Number.isInteger(count)) throw new CaromError(`u: must have ${dim} numbers per impact (has ${batch.u.length})`);
  if (batch.K.length !== count * dim * dim)
    throw new CaromError(`K: must have ${dim * dim} numbers per impact, ${count * dim * dim} (has ${batch.K.length})`);
  return count;
}

/** Room for one batch in the memory of the module. */
class Frame {
  readonly #program: Program;
  readonly #start: number;
  #next: number;

  constructor(program: Program, bytes: number) {
    this.#program = program;
    this.#start = program.exports.carom_js_room(bytes);
    if (this.#start === 0) throw new CaromError("out of memory");
    this.#next = this.#start;
  }

  take(bytes: number): number {
    const at = this.#next;
    this.#next += Math.ceil(bytes / REAL) * REAL;
    return at;
  }

  free(): void {
    this.#program.exports.carom_js_free(this.#start);
  }
}

function column(program: Program, frame: Frame, from: Float64Array, stride: number, place: number, count: number): number {
  if (place < 0) return 0;
  const at = frame.take(count * REAL);
  const to = program.numbersAt(at, count);
  for (let i = 0, k = place; i < count; i++, k += stride) to[i] = from[k] as number;
  return at;
}

function values(program: Program, frame: Frame, name: string, given: Float64Array, count: number): number {
  if (given.length !== count) throw new CaromError(`coefficients.${name}: must have one number per impact, ${count} (has ${given.length})`);
  return column(program, frame, given, 1, 0, count);
}

function gather(program: Program, columns: readonly number[], dim: number, count: number): Float64Array {
  const out = new Float64Array(dim * count);
  const used = dim === 2 ? [columns[0], columns[2]] : columns;
  used.forEach((at, axis) => {
    const from = program.numbersAt(at as number, count);
    for (let i = 0, k = axis; i < count; i++, k += dim) out[k] = from[i] as number;
  });
  return out;
}

/** The struct rows of c/batch_rows.c. */
function writeRows(program: Program, at: number, words: readonly number[], shared: Float64Array, options: readonly number[]): void {
  const sharedAt = at + program.exports.carom_js_rows_shared();
  new Uint32Array(program.exports.memory.buffer, at, words.length).set(words);
  program.numbersAt(sharedAt, shared.length).set(shared);
  new Int32Array(program.exports.memory.buffer, sharedAt + shared.length * REAL, options.length).set(options);
}

function sharedValues(program: Program, frame: Frame, manifest: Manifest, batch: Batch): Float64Array {
  const count = manifest.coefficients.length;
  const at = frame.take(count * REAL);
  program.exports.carom_js_defaults(at);
  const shared = program.numbersAt(at, count).slice();
  for (const [name, value] of Object.entries(batch.coefficients ?? {})) {
    const i = manifest.coefficients.findIndex((c) => c.name === name);
    if (i < 0) throw new CaromError(`coefficients.${name}: unknown coefficient`);
    if (typeof value === "number") shared[i] = value;
  }
  return shared;
}

function optionValues(manifest: Manifest, batch: Batch): number[] {
  const chosen = manifest.options.map(() => 0);
  for (const [name, word] of Object.entries(batch.options ?? {})) {
    const i = manifest.options.findIndex((o) => o.name === name);
    const value = manifest.options[i]?.words.indexOf(word) ?? -1;
    if (value < 0) throw new CaromError(`options.${name}: unknown option or word "${word}"`);
    chosen[i] = value;
  }
  return chosen;
}

function solveIn(program: Program, manifest: Manifest, batch: Batch, count: number, frame: Frame): BatchAnswer {
  const dim = batch.dim ?? 3;
  const inputs = [
    ...K_PLACES[dim].map((place) => column(program, frame, batch.K, dim * dim, place, count)),
    ...U_PLACES[dim].map((place) => column(program, frame, batch.u, dim, place, count)),
  ];
  const outputs = Array.from({ length: 6 }, () => frame.take(count * REAL));
  const status = frame.take(count);
  const flags = frame.take(count);
  const ledger = frame.take(manifest.ledger.length * count * REAL);
  const shared = sharedValues(program, frame, manifest, batch);
  const columns = manifest.coefficients.map(({ name }) => {
    const given = batch.coefficients?.[name];
    return given instanceof Float64Array ? values(program, frame, name, given, count) : 0;
  });
  const options = optionValues(manifest, batch);
  const rows = frame.take(program.exports.carom_js_rows_size());
  const planar = dim === 2 ? [outputs[0], 0, outputs[2], outputs[3], 0, outputs[5]] : outputs;
  writeRows(program, rows, [count, ...inputs, ...(planar as number[]), status, flags, ledger, ...columns], shared, options);
  const about = program.withText(batch.law, (law) => program.exports.carom_js_batch(law, rows));
  if (about < 0) throw new CaromError(`law: unknown law "${batch.law}"`);
  if (about > 0) throw new CaromError(manifest.statuses[about]?.message ?? `status ${about}`);
  const bytes = (at: number) => new Uint8Array(program.exports.memory.buffer, at, count).slice();
  return {
    p: gather(program, outputs.slice(0, 3), dim, count),
    uAfter: gather(program, outputs.slice(3), dim, count),
    status: bytes(status),
    flags: bytes(flags),
    ledger: Object.fromEntries(
      manifest.ledger.map((name, i) => [name, program.numbersAt(ledger + i * count * REAL, count).slice()]),
    ),
  };
}

export function solveBatch(program: Program, manifest: Manifest, batch: Batch): BatchAnswer {
  const count = check(batch);
  const perRow = 9 + 6 + manifest.ledger.length + manifest.coefficients.length + 2;
  const bytes = REAL * (perRow * (count + 1) + 4 * manifest.coefficients.length) + WORD * 256;
  const frame = new Frame(program, bytes + program.exports.carom_js_rows_size());
  try {
    return program.guarded(() => solveIn(program, manifest, batch, count, frame));
  } finally {
    frame.free();
  }
}
