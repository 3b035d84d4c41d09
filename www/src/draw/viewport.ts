/**
 * Pan, zoom and fit by the `viewBox` of a drawing. The plain wheel is never
 * bound: the page must scroll. A pinch arrives as ctrl and wheel, or as two pointers.
 */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const STEP = 1.25;
const CLOSEST = 8;
/** Below this scale no label can be read. */
const READABLE = 0.22;
const NEAR = 0.7;

export class Viewport {
  #svg: SVGSVGElement;
  #host: HTMLElement;
  #whole: Box;
  #box: Box;
  #fitted = true;
  #pointers = new Map<number, { x: number; y: number }>();
  #moved = 0;
  #stop = new AbortController();

  constructor(host: HTMLElement, svg: SVGSVGElement, whole: Box) {
    this.#host = host;
    this.#svg = svg;
    this.#whole = whole;
    this.#box = { ...whole };
    const { signal } = this.#stop;
    host.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false, signal });
    host.addEventListener("pointerdown", (event) => this.#onDown(event), { signal });
    host.addEventListener("pointermove", (event) => this.#onMove(event), { signal });
    for (const name of ["pointerup", "pointercancel"] as const) {
      host.addEventListener(name, (event) => this.#pointers.delete(event.pointerId), { signal });
    }
    // A drag that ends on a transition must not take it.
    host.addEventListener("click", (event) => this.#moved > 6 && event.stopPropagation(), { capture: true, signal });
    this.fit();
  }

  destroy(): void {
    this.#stop.abort();
  }

  /** Shows all of the drawing, never larger than one and a half times its natural size. */
  fit(): void {
    const { width, height } = this.#size();
    const scale = Math.min(width / this.#whole.width, height / this.#whole.height, 1.5);
    const box = { width: width / scale, height: height / scale };
    this.#set({
      x: this.#whole.x - (box.width - this.#whole.width) / 2,
      y: this.#whole.y - (box.height - this.#whole.height) / 2,
      ...box,
    });
    this.#fitted = true;
  }

  /**
   * Makes elements of the drawing visible: all of them if they can be read together, else the first. A drawing so large
   * that nothing can be read when all of it is shown is brought nearer first.
   */
  reveal(elements: readonly Element[]): void {
    const size = this.#size();
    if (size.width / this.#box.width < READABLE && this.#fitted) {
      const { width, height } = this.#around(elements);
      const together = 0.9 * Math.min(size.width / width, size.height / height);
      const near = (NEAR * this.#box.width) / size.width;
      const readable = (READABLE * this.#box.width) / size.width;
      this.zoom(together < readable ? near : Math.min(near, together));
    }
    const all = this.#around(elements);
    const fits = all.width <= size.width && all.height <= size.height;
    const shown = fits ? elements : elements.slice(0, 1);
    const isOut = shown.map((one) => this.#around([one])).some(({ x, y }) => x < 0 || y < 0 || x > size.width || y > size.height);
    const { x, y } = this.#around(shown);
    if (isOut) this.pan(size.width / 2 - x, size.height / 2 - y);
  }

  /** The box around elements as they are shown: its middle, from the corner of the host, and its size. */
  #around(elements: readonly Element[]): Box {
    const frame = this.#host.getBoundingClientRect();
    const boxes = elements.map((one) => one.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left));
    const top = Math.min(...boxes.map((box) => box.top));
    const width = Math.max(1, Math.max(...boxes.map((box) => box.right)) - left);
    const height = Math.max(1, Math.max(...boxes.map((box) => box.bottom)) - top);
    return { x: left + width / 2 - frame.left, y: top + height / 2 - frame.top, width, height };
  }

  /** After a change of the host's size. */
  resized(): void {
    if (this.#fitted) return this.fit();
    const { width, height } = this.#size();
    this.#set({ ...this.#box, height: (this.#box.width * height) / width });
  }

  zoom(factor: number, at?: { x: number; y: number }): void {
    const { width, height } = this.#size();
    const point = at ?? { x: width / 2, y: height / 2 };
    const scale = width / this.#box.width;
    const smallest = Math.min(width / this.#whole.width, height / this.#whole.height, 1) / 3;
    const next = Math.min(CLOSEST, Math.max(smallest, scale * factor));
    this.#fitted = false;
    this.#set({
      x: this.#box.x + point.x / scale - point.x / next,
      y: this.#box.y + point.y / scale - point.y / next,
      width: width / next,
      height: height / next,
    });
  }

  zoomIn(): void {
    this.zoom(STEP);
  }

  zoomOut(): void {
    this.zoom(1 / STEP);
  }

  pan(dx: number, dy: number): void {
    const scale = this.#size().width / this.#box.width;
    this.#fitted = false;
    this.#set({ ...this.#box, x: this.#box.x - dx / scale, y: this.#box.y - dy / scale });
  }

  #size(): { width: number; height: number } {
    return { width: Math.max(1, this.#host.clientWidth), height: Math.max(1, this.#host.clientHeight) };
  }

  #set(box: Box): void {
    this.#box = box;
    this.#svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  }

  #onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const frame = this.#host.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY / 200), { x: event.clientX - frame.left, y: event.clientY - frame.top });
  }

  #onDown(event: PointerEvent): void {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (this.#pointers.size === 0) this.#moved = 0;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  #onMove(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    if (event.buttons === 0) {
      this.#pointers.delete(event.pointerId);
      return;
    }
    const after = { x: event.clientX, y: event.clientY };
    const others = [...this.#pointers.entries()].filter(([id]) => id !== event.pointerId);
    const other = others[0]?.[1];
    this.#moved += Math.abs(after.x - before.x) + Math.abs(after.y - before.y);
    if (this.#moved > 6) this.#host.setPointerCapture(event.pointerId);
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(after.x - other.x, after.y - other.y);
      const frame = this.#host.getBoundingClientRect();
      const middle = { x: (after.x + other.x) / 2 - frame.left, y: (after.y + other.y) / 2 - frame.top };
      this.pan((after.x - before.x) / 2, (after.y - before.y) / 2);
      if (was > 0 && is > 0) this.zoom(is / was, middle);
    } else if (event.pointerType === "mouse" || event.pointerType === "pen") {
      this.pan(after.x - before.x, after.y - before.y);
    }
    this.#pointers.set(event.pointerId, after);
  }
}
