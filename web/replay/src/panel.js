// The list of events and the ledger of one of them.

const MOST_ROWS = 2000;

function element(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

export function number(x, digits = 6) {
  if (typeof x !== "number") return "–";
  return String(Number(x.toPrecision(digits)));
}

const vector = (v) => (v ? `(${v.map((x) => number(x, 5)).join(", ")})` : "–");

function row(table, name, value) {
  const tr = element("tr");
  tr.append(element("th", "", name), element("td", "", value));
  table.append(tr);
}

// What the answer says, in the words of `carom solve`.
function ledgerRows(table, event) {
  const answer = event.answer ?? {};
  const energy = answer.energy ?? {};
  row(table, "time", `${number(event.t, 12)} s`);
  row(table, "between", `${event.a} – ${event.b}`);
  if (answer.law) row(table, "law", answer.law);
  if (answer.status && answer.status !== "ok") row(table, "status", answer.status);
  if (answer.mode) row(table, "mode", answer.mode);
  if (answer.p) row(table, "impulse p", `${vector(answer.p)} N s`);
  if (answer.u_after) row(table, "u after", `${vector(answer.u_after)} m/s`);
  for (const word of ["before", "after", "change", "normal", "friction"])
    if (typeof energy[word] === "number") row(table, `energy ${word}`, `${number(energy[word])} J`);
  for (const word of ["newton", "poisson", "stronge"])
    if (typeof answer.restitution?.[word] === "number") row(table, `e (${word})`, number(answer.restitution[word]));
  if (answer.flags?.length) row(table, "flags", answer.flags.join(", "));
  if (event.point) row(table, "place", `${vector(event.point)} m`);
  if (typeof event.energy === "number") row(table, "total energy", `${number(event.energy, 9)} J`);
}

export class Panel {
  constructor(run, root, onSelect) {
    this.run = run;
    this.rows = new Map();
    this.ledger = element("section", "ledger");
    this.list = element("ol", "events");
    root.append(this.summary(), element("h2", "", this.title()), this.list, this.ledger);
    for (const event of run.events.slice(0, MOST_ROWS)) {
      const item = element("li");
      const button = element("button", event.kind, `${number(event.t, 6)} s`);
      button.append(element("span", "", event.kind === "impact" ? `${event.a} – ${event.b}` : `${event.kind}: ${[event.a, event.b].filter(Boolean).join(" – ")}`));
      button.onclick = () => onSelect(event);
      item.append(button);
      this.list.append(item);
      this.rows.set(event, button);
    }
  }

  title() {
    const { events, events_left_out: missing } = this.run;
    const count = events.length + (missing ?? 0);
    return `${count} ${count === 1 ? "event" : "events"}${missing ? ` (the first ${events.length} are shown)` : ""}`;
  }

  summary() {
    const box = element("section", "summary");
    const s = this.run.summary ?? {};
    const table = element("table");
    if (s.law) row(table, "law", s.law);
    row(table, "time", `${number(this.run.end)} s`);
    if (typeof s.impacts === "number") row(table, "impacts", String(s.impacts));
    if (typeof s.rest_time === "number") row(table, "at rest after", `${number(s.rest_time, 12)} s`);
    const { before, after, residual, ...causes } = s.energy ?? {};
    for (const [word, value] of Object.entries({ before, ...causes, after, residual })) // before and all causes make after
      if (typeof value === "number") row(table, `energy ${word}`, `${number(value)} J`);
    box.append(element("h1", "", this.run.name), table);
    return box;
  }

  // Show the ledger of an event, or nothing.
  select(event) {
    this.rows.get(this.selected)?.removeAttribute("aria-current");
    this.selected = event;
    this.ledger.replaceChildren();
    if (!event) return;
    const button = this.rows.get(event);
    button?.setAttribute("aria-current", "true");
    button?.scrollIntoView({ block: "nearest" });
    const table = element("table");
    ledgerRows(table, event);
    this.ledger.append(element("h2", "", event.kind), table);
    if (event.case) {
      const copy = element("button", "copy", "copy the case for carom solve");
      copy.onclick = () => navigator.clipboard?.writeText(JSON.stringify(event.case));
      this.ledger.append(copy);
    }
  }
}
