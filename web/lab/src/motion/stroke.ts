// The cue stroke: drag back from the ball "cue" and let go, as on a table seen from above.
import { BufferGeometry, Line, LineBasicMaterial, Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Screen } from "./player";

const FASTEST = 12; // m/s
const PER_METRE = 10; // m/s of the ball per metre of the drag
const GRAB = 5; // radii around the ball within which a drag is a stroke

declare global {
  interface Window {
    caromCue?: () => [number, number]; // where the cue ball is on the screen, for tests
  }
}

export function enableStroke(screen: Screen, canPlay: () => boolean, done: (velocity: [number, number]) => void): void {
  const { stage, recording, canvasElement: picture } = screen;
  const ball = recording.run.bodies.find((body) => body.name === "cue");
  if (!ball) return;
  const radius = Number((ball.shape?.sphere as { radius?: number } | undefined)?.radius ?? 0.03);
  const start = new Vector3().fromArray(ball.position);
  const table = new Plane(new Vector3(0, 0, 1), -start.z);
  const line = new Line(new BufferGeometry().setFromPoints([start, start]), new LineBasicMaterial({ color: "#c1121f", depthTest: false }));
  line.visible = false;
  line.frustumCulled = false;
  stage.scene.add(line);
  const at = (event: PointerEvent): Vector3 | null => {
    const box = picture.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height), stage.camera);
    return ray.ray.intersectPlane(table, new Vector3());
  };
  window.caromCue = () => {
    const seen = start.clone().project(stage.camera);
    const box = picture.getBoundingClientRect();
    return [box.left + ((seen.x + 1) / 2) * box.width, box.top + ((1 - seen.y) / 2) * box.height];
  };
  let isAiming = false;
  let last: Vector3 | null = null;
  picture.addEventListener("pointerdown", (event) => {
    const p = at(event);
    if (!canPlay() || !p || p.distanceTo(start) > GRAB * radius) return;
    isAiming = true;
    last = p;
    stage.controls.enabled = false;
    picture.setPointerCapture(event.pointerId);
    event.stopImmediatePropagation();
  }, { capture: true });
  picture.addEventListener("pointermove", (event) => {
    if (!isAiming) return;
    last = at(event) ?? last;
    line.geometry.setFromPoints([start.clone().multiplyScalar(2).sub(last!), last!]);
    line.visible = true;
    screen.redraw();
  });
  const release = (): void => {
    if (!isAiming || !last) return;
    isAiming = false;
    line.visible = false;
    stage.controls.enabled = true;
    const v = start.clone().sub(last).multiplyScalar(PER_METRE).clampLength(0, FASTEST);
    if (v.length() > 0.05) done([Number(v.x.toFixed(4)), Number(v.y.toFixed(4))]);
  };
  picture.addEventListener("pointerup", release);
  picture.addEventListener("pointercancel", release);
}
