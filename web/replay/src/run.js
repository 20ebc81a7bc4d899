// A recorded run: decoded once, then evaluated at any time.
//
// The program writes {head: {name, dimension, gravity, period, strings, bodies, events, summary}, times, states}: times are
// doubles and states floats, in base64. period is missing where the scene does not repeat.
// A state is 13 numbers per moving body: position, velocity, orientation (w, x, y, z), omega. At an event two frames
// have the same time, before and after. Between two frames the position is the cubic through both positions and
// velocities, which is the exact parabola of free flight.

const NUMBERS = 13;

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

export class Run {
  // A run as the program writes it into the page.
  static decode(document) {
    return new Run(document.head, new Float64Array(bytesOf(document.times)), new Float32Array(bytesOf(document.states)));
  }

  constructor(head, times, states) {
    Object.assign(this, head);
    this.times = times;
    this.states = states;
    this.moving = this.bodies.filter((body) => body.moves);
    this.moving.forEach((body, k) => (body.column = k));
    this.frameSize = NUMBERS * this.moving.length;
    this.start = this.times[0];
    this.end = this.times[this.times.length - 1];
    for (const event of this.events) if (event.point) this.wrapped(event.point);
  }

  // A place, or a state, moved into the box that the scene repeats.
  wrapped(place) {
    this.period?.forEach((length, i) => {
      if (length > 0) place[i] -= length * Math.floor(place[i] / length);
    });
    return place;
  }

  get frames() {
    return this.times.length;
  }

  // The last frame at or before t: at an event, the one after it.
  frameAt(t) {
    let low = 0;
    let high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Position and velocity of a body in a frame.
  at(frame, body) {
    return this.states.subarray(frame * this.frameSize + body.column * NUMBERS, frame * this.frameSize + (body.column + 1) * NUMBERS);
  }

  // The state of a body at time t; frame is frameAt(t).
  evaluate(body, t, frame, out) {
    const a = this.at(frame, body);
    const next = Math.min(frame + 1, this.frames - 1);
    const h = this.times[next] - this.times[frame];
    if (!(h > 0)) {
      out.set(a);
      return out;
    }
    const b = this.at(next, body);
    const s = Math.min((t - this.times[frame]) / h, 1);
    const s2 = s * s;
    const s3 = s2 * s;
    for (let i = 0; i < 3; i++) {
      out[i] = (2 * s3 - 3 * s2 + 1) * a[i] + (s3 - 2 * s2 + s) * h * a[3 + i] + (3 * s2 - 2 * s3) * b[i] + (s3 - s2) * h * b[3 + i];
      out[3 + i] = a[3 + i] + s * (b[3 + i] - a[3 + i]);
      out[10 + i] = a[10 + i] + s * (b[10 + i] - a[10 + i]);
    }
    turn(a, b, s, out);
    return out;
  }
}

// The orientation between two: along the shorter arc.
function turn(a, b, s, out) {
  let cosine = a[6] * b[6] + a[7] * b[7] + a[8] * b[8] + a[9] * b[9];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(Math.abs(cosine), 1);
  const angle = Math.acos(cosine);
  const small = angle < 1e-4;
  const p = small ? 1 - s : Math.sin((1 - s) * angle) / Math.sin(angle);
  const q = (sign * (small ? s : Math.sin(s * angle))) / (small ? 1 : Math.sin(angle));
  for (let i = 6; i < 10; i++) out[i] = p * a[i] + q * b[i];
}

export { NUMBERS };
