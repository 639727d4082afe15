// A photo behind a circle: dragged, pinched, and moved by keys. What lies outside of the circle is dimmed.
import { element, iconButton, shape } from "./dom.js";

// The part of the stage that the circle fills, and the part of the circle that a key moves the photo by.
const FILL = 0.86, STEP = 0.04, FAR = 0.2;
// How many times nearer one step of the buttons and keys is.
const NEARER = 1.25;
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
// Pixels of a line and of a page, which some wheels count in.
const UNITS = [1, 16, 400];

export class PhotoStage {
  // moved(): the user has chosen another part.
  constructor(text, moved) {
    Object.assign(this, { text, moved, crop: null, fingers: new Map() });
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.pad = element("div", { class: "crop-pad", role: "application", tabindex: 0, autofocus: true, "aria-label": text.get("photo.stage") }, this.canvas, veil());
    this.range = element("input", { type: "range", min: 0, max: 100, value: 0, "aria-label": text.get("photo.zoom"), oninput: () => this.change(crop => { crop.level = this.range.value / 100; }) });
    const step = (name, key, times) => iconButton(name, text.get(key), () => this.change(crop => crop.zoom(times)));
    this.farther = step("c-minus", "photo.zoomOut", 1 / NEARER);
    this.nearer = step("c-plus", "photo.zoomIn", NEARER);
    this.tools = element("div", { class: "crop-zoom" }, this.farther, this.range, this.nearer);
    this.element = element("div", { class: "crop" }, this.pad, this.tools);
    this.watch();
  }

  watch() {
    const { pad } = this;
    pad.addEventListener("pointerdown", event => this.down(event));
    pad.addEventListener("pointermove", event => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) pad.addEventListener(name, ({ pointerId }) => this.fingers.delete(pointerId));
    pad.addEventListener("wheel", event => this.wheel(event), { passive: false });
    pad.addEventListener("keydown", event => this.press(event));
    // A finger that drags the photo does not pull the sheet.
    pad.addEventListener("touchstart", event => event.stopPropagation(), { passive: true });
    this.size = new ResizeObserver(() => this.draw());
    this.size.observe(pad);
  }

  end() { this.size.disconnect(); }

  // Without the photo, whose size is that of a screen. What is drawn stays while the sheet moves away.
  release() { Object.assign(this, { picture: null, crop: null }); }

  // Nothing moves any more, also no finger that is down.
  hold(isHeld) {
    this.element.inert = isHeld;
    this.fingers.clear();
  }

  // picture: what is drawn, which may be smaller than the photo that the crop belongs to.
  show(picture, crop) {
    Object.assign(this, { picture, crop });
    this.draw();
  }

  change(action) {
    if (!this.crop) return;
    action(this.crop);
    this.moved();
    this.draw();
  }

  get diameter() { return this.pad.clientWidth * FILL; }

  // The place of a pointer, as parts of the square.
  place({ clientX, clientY }) {
    const { left, top, width } = this.pad.getBoundingClientRect(), edge = width * (1 - FILL) / 2;
    return [(clientX - left - edge) / this.diameter, (clientY - top - edge) / this.diameter];
  }

  down(event) {
    if (event.button !== 0 || this.fingers.size === 2) return;
    this.pad.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.place(event));
  }

  // One finger moves the photo; two zoom it, too, around the point between them.
  drag(event) {
    const before = [...this.fingers.values()];
    if (!this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, this.place(event));
    const after = [...this.fingers.values()], [from, to] = [middle(before), middle(after)];
    this.change(crop => {
      crop.move(from[0] - to[0], from[1] - to[1]);
      if (after.length === 2) crop.zoom(distance(after) / Math.max(distance(before), 0.01), ...to);
    });
  }

  wheel(event) {
    event.preventDefault();
    // Two fingers on a touch pad count as a wheel with Ctrl, in smaller steps.
    const turned = event.deltaY * UNITS[event.deltaMode] * (event.ctrlKey ? 0.01 : 0.002);
    this.change(crop => crop.zoom(Math.exp(-turned), ...this.place(event)));
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key], times = { "+": NEARER, "=": NEARER, "-": 1 / NEARER }[event.key], step = event.shiftKey ? FAR : STEP;
    if (!arrow && !times) return;
    event.preventDefault();
    this.change(crop => (times ? crop.zoom(times) : crop.move(arrow[0] * step, arrow[1] * step)));
  }

  draw() {
    const { canvas, crop, picture, pad, range } = this, side = Math.round(pad.clientWidth * devicePixelRatio);
    if (!crop || side === 0) return;
    Object.assign(canvas, { width: side, height: side });
    const context = canvas.getContext("2d"), scale = side * FILL / crop.side, edge = side * (1 - FILL) / 2;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, edge - crop.x * scale, edge - crop.y * scale, crop.width * scale, crop.height * scale);
    range.disabled = crop.least === crop.whole;
    range.value = Math.round(crop.level * 100);
    // They keep the focus at the end of their way.
    this.farther.ariaDisabled = String(crop.side >= crop.whole);
    this.nearer.ariaDisabled = String(crop.side <= crop.least);
    range.setAttribute("aria-valuetext", `×${crop.times.toFixed(1)}`);
  }
}

const middle = places => [0, 1].map(axis => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
const distance = ([one, other]) => Math.hypot(one[0] - other[0], one[1] - other[1]);

function veil() {
  const radius = 50 * FILL, arc = `a${radius} ${radius} 0 1 0 `;
  return shape("svg", { class: "photo-overlay", viewBox: "0 0 100 100", "aria-hidden": "true" },
    shape("path", { class: "outside", d: `M0 0h100v100h-100zM${50 - radius} 50${arc}${2 * radius} 0${arc}${-2 * radius} 0z` }),
    shape("circle", { class: "shown", cx: 50, cy: 50, r: radius }));
}
