/** The WebAssembly module: its memory, and the command line as a function. */

/** What c/*.c exports. Pointers and sizes are numbers. */
export interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  carom_js_room(bytes: number): number;
  carom_js_free(block: number): void;
  carom_js_run(words: number, wordsLength: number, bytes: number, length: number): number;
  carom_js_written(file: number): number;
  carom_js_written_length(file: number): number;
  carom_js_file(path: number): number;
  carom_js_file_length(path: number): number;
  carom_js_manifest(): void;
  carom_js_batch(law: number, rows: number): number;
  carom_js_rows_size(): number;
  carom_js_rows_shared(): number;
  carom_js_defaults(values: number): void;
  carom_js_sim_new(bytes: number, length: number, lines: number): number;
  carom_js_sim_free(sim: number): void;
  carom_js_sim_advance(sim: number, time: number, events: number, impacts: number): number;
  carom_js_sim_limits(sim: number, limits: number): void;
  carom_js_sim_bodies(sim: number): number;
  carom_js_sim_dim(sim: number): number;
  carom_js_sim_name(sim: number, i: number): number;
  carom_js_sim_states(sim: number): number;
  carom_js_sim_contacts(sim: number): number;
  carom_js_sim_contact_count(sim: number): number;
  carom_js_sim_numbers(sim: number, numbers: number): void;
  carom_js_sim_snapshot_size(sim: number): number;
  carom_js_sim_save(sim: number, snapshot: number): void;
  carom_js_sim_restore(sim: number, snapshot: number): number;
}

/** What a command did: its exit status (0 fine, 1 a check failed, 2 bad input) and what it wrote. */
export interface Finished {
  status: number;
  output: string;
  errors: string;
  files: Record<string, string>;
}

/** Input that the library refuses. The message is the sentence of the command line, without the name of the file. */
export class CaromError extends Error {
  override readonly name = "CaromError";
  /** Path of the key to blame, as "bodies.a.inertia", or "" where no single key is. */
  readonly key: string;
  /** The rule that it breaks. */
  readonly rule: string;
  /** Line of the text, from 1; 0 where the input was no text. */
  readonly line: number;
  /** Column, from 1; 0 unless the text is not JSON. */
  readonly column: number;

  constructor(said: string) {
    const place = /^(?:stdin|scene):(\d+):(?:(\d+):)? ?([^]*)$/.exec(said);
    const message = place?.[3] ?? said.replace(/^carom: /, "");
    super(message);
    const keyed = place ? /^(?!empty: |not JSON: )([^\s:]+): ([^]*)$/.exec(message) : null;
    this.key = keyed?.[1] ?? "";
    this.rule = keyed?.[2] ?? message;
    this.line = Number(place?.[1] ?? 0);
    this.column = Number(place?.[2] ?? 0);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Program {
  #module: WebAssembly.Module;
  #exports: Exports;

  constructor(module: WebAssembly.Module) {
    this.#module = module;
    this.#exports = this.#start();
  }

  #start(): Exports {
    const exports = new WebAssembly.Instance(this.#module).exports as unknown as Exports;
    exports._initialize();
    return exports;
  }

  get exports(): Exports {
    return this.#exports;
  }

  /** Call the module. A trap (memory is exhausted) leaves it unusable: a new one takes its place. */
  guarded<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#exports = this.#start();
      throw new CaromError(`the library stopped: ${error.message}; memory may be exhausted`);
    }
  }

  /** Bytes in memory while `use` runs; a zero byte follows them. */
  withBytes<T>(bytes: Uint8Array, use: (at: number) => T): T {
    const exports = this.#exports;
    const at = exports.carom_js_room(bytes.length + 1);
    if (at === 0) throw new CaromError("out of memory");
    const view = new Uint8Array(exports.memory.buffer, at, bytes.length + 1);
    view.set(bytes);
    view[bytes.length] = 0;
    const result = use(at);
    exports.carom_js_free(at);
    return result;
  }

  withText<T>(text: string, use: (at: number, length: number) => T): T {
    const bytes = encoder.encode(text);
    return this.withBytes(bytes, (at) => use(at, bytes.length));
  }

  textAt(at: number, length: number): string {
    return at === 0 ? "" : decoder.decode(new Uint8Array(this.#exports.memory.buffer, at, length));
  }

  /** A text that ends with a zero byte. */
  wordAt(at: number): string {
    const bytes = new Uint8Array(this.#exports.memory.buffer);
    return decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  numbersAt(at: number, count: number): Float64Array {
    return new Float64Array(this.#exports.memory.buffer, at, count);
  }

  /** What was written last: 1 to standard output, 2 to standard error. */
  written(file: 1 | 2): string {
    return this.textAt(this.#exports.carom_js_written(file), this.#exports.carom_js_written_length(file));
  }

  /** Run a command: words as on the command line, the text of standard input, and the files to hand back. */
  run(words: readonly string[], input = "", files: readonly string[] = []): Finished {
    return this.guarded(() => {
      const status = this.withText(words.map((word) => `${word.replaceAll("\0", "")}\0`).join(""), (w, wordsLength) =>
        this.withText(input, (at, length) => this.#exports.carom_js_run(w, wordsLength, at, length)),
      );
      return { status, output: this.written(1), errors: this.written(2), files: this.#files(files) };
    });
  }

  #files(names: readonly string[]): Record<string, string> {
    const files: Record<string, string> = {};
    for (const name of names)
      this.withText(name, (path) => {
        files[name] = this.textAt(this.#exports.carom_js_file(path), this.#exports.carom_js_file_length(path));
      });
    return files;
  }

  /** The JSON that a command prints. Throws the sentence of a command that refuses its input. */
  json<T>(words: readonly string[], input = ""): T {
    const done = this.run(words, input);
    if (done.status !== 2) return JSON.parse(done.output) as T;
    throw new CaromError(lastLine(done.errors));
  }
}

/** Warnings come before the error. */
export function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
