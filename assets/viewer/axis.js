// The position of a scroll container along one axis, in pixels of its content, mirrored or not, however long the
// content is.

// Firefox ends elements at 17.8 million pixels. Above this length the content is mapped proportionally.
export const LONGEST = 8_000_000;

export class Axis {
  // content: the child whose length makes the container scroll.
  constructor(element, content, { isHorizontal = false } = {}) {
    Object.assign(this, { element, content, isHorizontal, length: 0, viewport: 0, ratio: 1, sign: 1 });
    this.pin = null;
    // Browsers would scroll when what is in view changes its height: the place belongs to who writes the position.
    element.style.overflowAnchor = "none";
    this.measure();
  }

  // Reads the layout once, so that scrolling never forces it.
  measure() {
    const { element } = this;
    this.viewport = this.isHorizontal ? element.clientWidth : element.clientHeight;
    this.sign = this.isHorizontal && getComputedStyle(element).direction === "rtl" ? -1 : 1;
    this.resize(this.length);
    // What was written while the container was not laid out had no effect.
    if (this.pin?.isOwed && this.viewport > 0) this.position = this.pin.position;
  }

  resize(length) {
    this.length = length;
    const shown = Math.min(length, LONGEST);
    this.ratio = length > LONGEST ? (length - this.viewport) / (shown - this.viewport) : 1;
    this.content.style[this.isHorizontal ? "width" : "height"] = `${shown}px`;
    // What was written for a longer content, or a viewport that was not laid out, is no position of this one.
    if (this.pin) this.pin.position = Math.min(this.pin.position, this.furthest);
  }

  get raw() {
    return this.sign * (this.isHorizontal ? this.element.scrollLeft : this.element.scrollTop);
  }

  get furthest() { return Math.max(0, this.length - this.viewport); }

  // Whether the container is where it was last written: browsers round what is written to device pixels.
  get isEcho() { return this.pin !== null && Math.abs(this.raw - this.pin.raw) <= 1; }

  // What was written, as long as the browser has only rounded it.
  get position() { return this.pin !== null && Math.abs(this.raw - this.pin.raw) <= 0.5 ? this.pin.position : this.raw * this.ratio; }

  set position(position) {
    const wanted = Math.min(Math.max(0, position), this.furthest);
    const raw = this.sign * wanted / this.ratio;
    if (this.isHorizontal) this.element.scrollLeft = raw;
    else this.element.scrollTop = raw;
    this.pin = { raw: this.raw, position: wanted, isOwed: Math.abs(this.sign * raw - this.raw) > 1 };
  }

  // Where an element at `start` lies in the content element. Only mapped content moves while it scrolls.
  place(start) {
    return this.sign * (this.ratio === 1 ? start : this.raw + start - this.position);
  }

  move(element, start) { this.put(element, this.place(start)); }

  put(element, place) {
    element.style.transform = this.isHorizontal ? `translateX(${place}px)` : `translateY(${place}px)`;
  }
}
