// The large avatar of one contact, as sharp as the screen. Until that one is there, the small one of the lists stands in.
import { element } from "./dom.js";
import { PortraitsManager } from "./details.js";

// Small avatars have room for a ring: 7 of 96 points on each side.
const RING = 7 / 96;
const LARGEST = 1024;

export class PortraitView {
  constructor({ api, avatars }) {
    Object.assign(this, { avatars, portraits: new PortraitsManager(api), id: null, key: undefined });
    this.canvas = element("canvas", { width: 1, height: 1 });
    this.element = element("span", { class: "avatar large portrait", "aria-hidden": "true" }, this.canvas);
  }

  show(contact) {
    this.release?.();
    this.release = null;
    if (this.id !== contact?.id) this.blank();
    this.id = contact?.id ?? null;
    this.element.dataset.initials = contact?.initials ?? "";
    this.hasPhoto = contact?.photo === true;
    if (!contact || this.key !== undefined && this.key === this.avatars.keyOf(contact)) return;
    this.release = this.avatars.subscribe(contact, (bitmap, key) => this.received(bitmap, key));
  }

  blank() {
    this.portraits.abort();
    this.key = undefined;
    this.element.classList.remove("drawn", "sharp");
    this.canvas.width = 1;
  }

  // Another key is another avatar: the sharp one of before goes.
  received(bitmap, key) {
    if (this.key === key) return;
    this.key = key;
    const ring = RING * bitmap.width, side = bitmap.width - 2 * ring;
    this.draw(Math.round(side), context => context.drawImage(bitmap, ring, ring, side, side, 0, 0, context.canvas.width, context.canvas.height));
    this.sharpen();
  }

  sharpen() {
    const { id } = this, scale = Math.min(3, Math.ceil(devicePixelRatio)), points = Math.round(this.element.offsetWidth) || 200;
    this.portraits.load(id, Math.min(points, Math.floor(LARGEST / scale)), scale, (type, bitmap) => {
      if (type === "failed") return this.letter();
      if (this.id === id) this.draw(bitmap.width, context => context.drawImage(bitmap, 0, 0));
      this.element.classList.add("sharp");
      bitmap.close();
    });
  }

  // Initials, which are sharp without the service: its colour is that of the small ones.
  letter() {
    const { element: { dataset: { initials }, offsetWidth }, canvas } = this;
    if (this.hasPhoto || !initials || canvas.width < 2) return;
    const { data: [red, green, blue] } = canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 16, 1, 1), { fontFamily } = getComputedStyle(this.element);
    const side = Math.round(offsetWidth * Math.min(3, Math.ceil(devicePixelRatio)));
    this.draw(side, context => {
      Object.assign(context, { fillStyle: `rgb(${red} ${green} ${blue})`, font: `600 ${Math.round(.42 * side)}px ${fontFamily}`, textAlign: "center", textBaseline: "alphabetic" });
      context.fillRect(0, 0, side, side);
      context.fillStyle = "#fff";
      const { actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = context.measureText(initials);
      context.fillText(initials, side / 2, (side + ascent - descent) / 2, .8 * side);
    });
  }

  draw(side, paint) {
    Object.assign(this.canvas, { width: side, height: side });
    paint(this.canvas.getContext("2d"));
    this.element.classList.add("drawn");
  }
}
