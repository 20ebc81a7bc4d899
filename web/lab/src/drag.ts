// Things that are dragged with a pointer or moved with the arrow keys.

export interface Handle {
  element: SVGElement;
  label: string;
  // The pointer, in the coordinates of the picture.
  drag(at: [number, number]): void;
  // The arrow keys: steps of 1, or of 10 with shift.
  key?(dx: number, dy: number): void;
  done?(): void;
}

const KEYS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function attach(handle: Handle, locate: (event: PointerEvent) => [number, number]): void {
  const { element } = handle;
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "slider");
  element.setAttribute("aria-label", handle.label);
  element.classList.add("handle");
  element.addEventListener("pointerdown", (event) => start(handle, event, locate));
  element.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    if (!step || !handle.key) return;
    const times = event.shiftKey ? 10 : 1;
    handle.key(step[0] * times, step[1] * times);
    event.preventDefault();
  });
}

function start(handle: Handle, down: PointerEvent, locate: (event: PointerEvent) => [number, number]): void {
  const { element } = handle;
  element.setPointerCapture(down.pointerId);
  element.classList.add("dragged");
  down.preventDefault();
  (element as unknown as HTMLElement).focus({ preventScroll: true });
  const move = (event: PointerEvent): void => handle.drag(locate(event));
  const stop = (): void => {
    element.removeEventListener("pointermove", move);
    element.classList.remove("dragged");
    handle.done?.();
  };
  element.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, stop, { once: true });
}
