// Camera, light and the bodies of a run; trails and arrows.
import {
  ArrowHelper, Box3, Box3Helper, BufferAttribute, BufferGeometry, Color, DirectionalLight, HemisphereLight, Line, LineBasicMaterial, Mesh,
  MeshBasicMaterial, PerspectiveCamera, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { NUMBERS } from "./run.js";
import { colourOf, makeBody, meshOf, quaternion, reach } from "./shapes.js";

const MOST_ARROWS = 64; // bodies with a velocity arrow
const MOST_TRAILS = 64;
const MOST_MARKS = 60; // impacts with a mark at a time, the latest ones
const TRAIL_SECONDS = 2;
const STRING_SHARE = 0.9; // of the distance of a joint: a body that reaches further needs no string
const AROUND = 0.4; // of the size of the motion: so much of ground made of triangles is shown around it
const ARROW_SHARE = 0.16; // of the scene's size: the longest arrow

// The box that all centres stay in, with the bodies around them.
function boundsOf(run) {
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = new Vector3(-Infinity, -Infinity, -Infinity);
  const take = (p, r) => {
    low.min(new Vector3(p[0] - r, p[1] - r, (p[2] ?? 0) - r));
    high.max(new Vector3(p[0] + r, p[1] + r, (p[2] ?? 0) + r));
  };
  const stride = Math.max(1, Math.floor(run.frames / 400));
  for (const body of run.moving)
    for (let frame = 0; frame < run.frames; frame += stride) take(run.wrapped(run.at(frame, body).slice(0, 3)), reach(body.shape));
  const still = run.bodies.filter((body) => !body.moves && body.shape && !("half-space" in body.shape));
  for (const body of still) if (!meshOf(body.shape)) take(body.position, reach(body.shape));
  for (const body of still) if (meshOf(body.shape)) takeGround(body, low, high);
  for (const [index, ...at] of run.strings ?? []) take(pivotOf(run.bodies[index], at), 0);
  if (!Number.isFinite(low.x)) take([0, 0, 0], 1);
  return { low, high };
}

// Of ground made of triangles no more than what surrounds the motion: a large terrain would make the bodies dots.
function takeGround(body, low, high) {
  const around = Number.isFinite(low.x) ? AROUND * high.distanceTo(low) : Infinity;
  const box = new Box3(low.clone().subScalar(around), high.clone().addScalar(around));
  for (const p of meshOf(body.shape).points) {
    const at = new Vector3(...p).applyQuaternion(quaternion(body.orientation)).add(new Vector3(...body.position));
    if (around < Infinity) at.clamp(box.min, box.max);
    low.min(at);
    high.max(at);
  }
}

// Where a joint is at the start.
function pivotOf(body, at) {
  return new Vector3(...at).applyQuaternion(quaternion(body.orientation)).add(new Vector3(...[...body.position, 0].slice(0, 3))).toArray();
}

export class Stage {
  constructor(run, canvas) {
    this.run = run;
    this.planar = run.dimension === 2;
    const { low, high } = boundsOf(run);
    this.centre = low.clone().add(high).multiplyScalar(0.5);
    this.size = Math.max(high.distanceTo(low), 1e-9);
    this.isFlat = Math.abs(high.clone().sub(low).dot(this.up())) < 0.25 * this.size; // a table seen from higher up
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.scene = new Scene();
    this.scene.background = new Color("#f6f4ef");
    this.addLight();
    this.addCamera(canvas);
    this.addBodies();
    this.addStrings();
    this.addTrails();
    this.addArrows();
    this.addMarks();
    this.addPeriod();
    this.scratch = new Float32Array(NUMBERS);
  }

  up() {
    const g = new Vector3(...[...(this.run.gravity ?? []), 0, 0, 0].slice(0, 3));
    if (this.planar) return new Vector3(0, 1, 0);
    return g.length() > 0 ? g.multiplyScalar(-1).normalize() : new Vector3(0, 0, 1);
  }

  addLight() {
    const up = this.up();
    const sun = new DirectionalLight("#ffffff", 2.2);
    sun.position.copy(this.centre).addScaledVector(this.planar ? new Vector3(0.3, 0.5, 1) : up.clone().add(new Vector3(0.4, -0.6, 0.3)), 2 * this.size);
    sun.target.position.copy(this.centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, { left: -this.size, right: this.size, top: this.size, bottom: -this.size, near: 0.1 * this.size, far: 6 * this.size });
    sun.shadow.bias = -0.0005;
    sun.shadow.normalBias = 0.002 * this.size;
    const sky = new HemisphereLight("#ffffff", "#b9b2a2", 1.6);
    sky.position.copy(up);
    this.scene.add(sun, sun.target, sky);
  }

  addCamera(canvas) {
    this.camera = new PerspectiveCamera(35, 1, 0.001 * this.size, 100 * this.size);
    this.camera.up.copy(this.up());
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.copy(this.centre);
    this.controls.addEventListener("start", () => (this.touched = true));
    this.frameAll();
  }

  // Everything in sight, also in a narrow window.
  frameAll() {
    const up = this.up();
    const side = Math.abs(up.z) > 0.5 ? new Vector3(0.35, -1, 0) : new Vector3(0.35, 0, 1);
    const from = this.planar ? new Vector3(0, 0, 1) : side.addScaledVector(up, this.isFlat ? 0.9 : 0.32).normalize();
    const half = Math.atan(Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.camera.aspect));
    this.camera.position.copy(this.centre).addScaledVector(from, ((this.isFlat ? 0.46 : 0.56) * this.size) / Math.sin(half));
    this.camera.lookAt(this.centre);
    this.controls.update();
  }

  addBodies() {
    this.objects = new Map();
    this.run.bodies.forEach((body, index) => {
      const object = makeBody(body, index, this);
      if (!body.moves && !(body.shape && "half-space" in body.shape)) {
        object.position.fromArray([...body.position, 0].slice(0, 3));
        object.quaternion.copy(quaternion(body.orientation));
      }
      this.objects.set(body, object);
      this.scene.add(object);
    });
  }

  // A string, or a thin bar, to every joint that lies outside its body: cradles, pendulums.
  addStrings() {
    for (const [index, ...at] of this.run.strings ?? []) {
      const body = this.run.bodies[index];
      const to = new Vector3(...at);
      if (reach(body.shape) > STRING_SHARE * to.length()) continue;
      this.objects.get(body).add(new Line(new BufferGeometry().setFromPoints([new Vector3(), to]), new LineBasicMaterial({ color: "#77736a" })));
    }
  }

  // The box that a periodic scene repeats. Bodies leave it on one side and come back on the other.
  addPeriod() {
    const period = this.run.period;
    if (period?.every((length) => length > 0)) this.scene.add(new Box3Helper(new Box3(new Vector3(), new Vector3(...period)), new Color("#8d8877")));
  }

  addTrails() {
    const shown = this.run.period ? 0 : MOST_TRAILS; // they would cross the box
    this.trails = this.run.moving.filter((body) => !body.fixed).slice(0, shown).map((body) => {
      const points = new Float32Array(3 * this.run.frames);
      for (let frame = 0; frame < this.run.frames; frame++) points.set(this.run.at(frame, body).subarray(0, 3), 3 * frame);
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(points, 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: colourOf(this.run.bodies.indexOf(body)), transparent: true, opacity: 0.7 }));
      line.frustumCulled = false;
      this.scene.add(line);
      return line;
    });
  }

  addArrows() {
    const free = this.run.moving.filter((body) => !body.fixed).slice(0, MOST_ARROWS);
    this.fastest = 0;
    const stride = Math.max(1, Math.floor(this.run.frames / 1000));
    for (const body of free)
      for (let frame = 0; frame < this.run.frames; frame += stride) this.fastest = Math.max(this.fastest, Math.hypot(...this.run.at(frame, body).subarray(3, 6)));
    this.arrows = free.map((body) => ({ body, arrow: this.arrow("#1d3557") }));
    this.hardest = Math.max(...this.run.events.map((e) => Math.hypot(...(e.impulse ?? [0]))), 0);
    this.impulse = this.arrow("#c1121f");
    this.reaction = this.arrow("#c1121f");
  }

  arrow(colour) {
    const arrow = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1, colour);
    arrow.visible = false;
    for (const piece of [arrow.line, arrow.cone]) {
      Object.assign(piece.material, { depthTest: false, transparent: true }); // over everything, also over the floor
      piece.renderOrder = 3;
    }
    this.scene.add(arrow);
    return arrow;
  }

  // A small ball at the place of every impact; they answer to clicks.
  addMarks() {
    const geometry = new SphereGeometry(0.004 * this.size, 12, 8);
    this.marks = this.run.events.filter((e) => e.point).slice(0, 2000).map((event) => {
      const mark = new Mesh(geometry, new MeshBasicMaterial({ color: "#c1121f", transparent: true, opacity: 0.8, depthTest: false }));
      mark.position.fromArray([...event.point, 0].slice(0, 3));
      mark.userData.event = event;
      mark.renderOrder = 1;
      this.scene.add(mark);
      return mark;
    });
  }

  // The impact under the pointer, or undefined.
  pick(x, y) {
    const box = this.renderer.domElement.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.camera);
    return ray.intersectObjects(this.marks.filter((mark) => mark.visible))[0]?.object.userData.event;
  }

  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.frameAll();
  }

  point(arrow, from, vector, share) {
    const along = new Vector3(vector[0], vector[1], vector[2] ?? 0);
    const length = along.length();
    arrow.visible = length > 0 && share > 0;
    if (!arrow.visible) return;
    const shown = share * ARROW_SHARE * this.size;
    arrow.position.set(from[0], from[1], from[2] ?? 0);
    arrow.setDirection(along.divideScalar(length));
    arrow.setLength(shown, 0.25 * shown, 0.12 * shown);
  }

  // Everything at time t; event is the impact to show, or undefined.
  draw(t, event, show) {
    const frame = this.run.frameAt(t);
    for (const body of this.run.moving) {
      const s = this.run.wrapped(this.run.evaluate(body, t, frame, this.scratch));
      const object = this.objects.get(body);
      object.position.set(s[0], s[1], s[2]);
      object.quaternion.set(s[7], s[8], s[9], s[6]).normalize();
    }
    for (const { body, arrow } of this.arrows) {
      const s = this.run.wrapped(this.run.evaluate(body, t, frame, this.scratch));
      this.point(arrow, s, s.subarray(3, 6), show.velocity && this.fastest > 0 ? Math.hypot(s[3], s[4], s[5]) / this.fastest : 0);
    }
    const first = this.run.frameAt(t - TRAIL_SECONDS);
    for (const line of this.trails) {
      line.visible = show.trails;
      line.geometry.setDrawRange(first, frame - first + 1);
    }
    this.drawMarks(t, event, show);
    this.drawImpulse(event, show);
    this.renderer.render(this.scene, this.camera);
  }

  drawMarks(t, event, show) {
    let room = MOST_MARKS;
    for (let k = this.marks.length - 1; k >= 0; k--) {
      const mark = this.marks[k];
      const age = t - mark.userData.event.t;
      const recent = room > 0 && age >= 0 && age < TRAIL_SECONDS && this.strength(mark.userData.event) > 0.02;
      if (recent) room--;
      mark.visible = show.impacts && (mark.userData.event === event || recent);
      mark.scale.setScalar(mark.userData.event === event ? 1.8 : 1);
    }
  }

  // The impulse of an event, of the largest in the run.
  strength(event) {
    return event?.impulse && this.hardest > 0 ? Math.hypot(...event.impulse) / this.hardest : 0;
  }

  drawImpulse(event, show) {
    const p = event?.impulse ?? [0, 0, 0];
    const share = show.impulse && event?.impulse ? Math.max(0.25, this.strength(event)) : 0;
    this.point(this.impulse, event?.point ?? [0, 0, 0], p, share);
    const b = this.run.bodies.find((body) => body.name === event?.b);
    this.point(this.reaction, event?.point ?? [0, 0, 0], p.map((x) => -x), b && !b.fixed ? share : 0);
  }
}
