/** The WebAssembly module: its memory, and its requests. */

/** What c/*.c exports. Pointers and sizes are numbers. */
export interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  carom_js_room(bytes: number): number;
  carom_js_free(block: number): void;
  carom_js_request(name: number, options: number, bytes: number, length: number): void;
  carom_js_text(): number;
  carom_js_batch(law: number, rows: number): number;
  carom_js_rows_size(): number;
  carom_js_rows_shared(): number;
  carom_js_defaults(values: number): void;
  carom_js_sim_new(bytes: number, length: number, lines: number): number;
  carom_js_sim_free(sim: number): void;
  carom_js_sim_advance(sim: number, time: number, events: number, impacts: number): number;
  carom_js_sim_limits(sim: number, limits: number): void;
  carom_js_sim_string(sim: number, i: number, x: number): number;
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

/** Why the library refuses its input. */
export interface Fault {
  /** Path of the key to blame: "bodies.a.inertia" in a file, "set.e" among the options; "" where no single key is. */
  key: string;
  /** The rule that it breaks. */
  rule: string;
  /** Line of the text, from 1; 0 where no line is to blame. */
  line: number;
  /** Column, from 1; 0 unless the text is not JSON. */
  column: number;
}

/** Input that the library refuses. The message is the key and the rule, in the words of the command line. */
export class CaromError extends Error implements Fault {
  override readonly name = "CaromError";
  readonly key: string;
  readonly rule: string;
  readonly line: number;
  readonly column: number;

  constructor(fault: Fault | string) {
    const { key, rule, line, column } = typeof fault === "string" ? { key: "", rule: fault, line: 0, column: 0 } : fault;
    super(key ? `${key}: ${rule}` : rule);
    this.key = key;
    this.rule = rule;
    this.line = line;
    this.column = column;
  }
}

/** What may not have been meant, though it is allowed. */
export interface Warning {
  /** "unused-coefficient", as `carom explain` knows it. */
  kind: string;
  message: string;
}

type Reply<T> = { answer: T; warnings: Warning[] } | { error: Fault };

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

  /** A text that ends with a zero byte. */
  wordAt(at: number): string {
    const bytes = new Uint8Array(this.#exports.memory.buffer);
    return decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  numbersAt(at: number, count: number): Float64Array {
    return new Float64Array(this.#exports.memory.buffer, at, count);
  }

  /** The text of the last answer, as a value. */
  reply<T>(): T {
    const at = this.#exports.carom_js_text();
    if (at === 0) throw new CaromError("out of memory");
    return JSON.parse(this.wordAt(at)) as T;
  }

  /** A request of carom/request.h: a document (the text of a case or a scene, or none) and options. Throws what it refuses. */
  request<T>(name: string, document: string | undefined, options: object, told: (warning: Warning) => void): T {
    const reply = this.guarded(() => {
      const ask = (at: number, length: number) =>
        this.withText(name, (n) =>
          this.withText(JSON.stringify(options), (o) => this.#exports.carom_js_request(n, o, at, length)),
        );
      if (document === undefined) ask(0, 0);
      else this.withText(document, ask);
      return this.reply<Reply<T>>();
    });
    if ("error" in reply) throw new CaromError(reply.error);
    reply.warnings.forEach(told);
    return reply.answer;
  }
}
