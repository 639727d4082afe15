// The square of a photo whose circle an avatar shows. It is moved and zoomed, and never leaves the photo.

// How many times as large as the whole the smallest part is shown, and its fewest pixels.
const MOST = 8, FEWEST = 64;

export class Crop {
  // In pixels of the upright photo.
  constructor({ width, height }) {
    Object.assign(this, { width, height, whole: Math.min(width, height) });
    this.least = Math.min(this.whole, Math.max(this.whole / MOST, FEWEST));
    this.show({ x: (width - this.whole) / 2, y: (height - this.whole) / 2, side: this.whole });
  }

  show({ x, y, side }) {
    this.side = Math.min(this.whole, Math.max(this.least, side));
    this.x = Math.min(this.width - this.side, Math.max(0, x));
    this.y = Math.min(this.height - this.side, Math.max(0, y));
  }

  // As parts of the side.
  move(right, down) { this.show({ x: this.x + right * this.side, y: this.y + down * this.side, side: this.side }); }

  // times: how much nearer. The point at these parts of the square stays where it is.
  zoom(times, right = 0.5, down = 0.5) {
    const side = Math.min(this.whole, Math.max(this.least, this.side / times)), less = this.side - side;
    this.show({ x: this.x + less * right, y: this.y + less * down, side });
  }

  // Whether the photo ends where the square does, to a pixel: its middle may be elsewhere than what it shows.
  get isAtEdge() { return Math.min(this.x, this.y, this.width - this.x - this.side, this.height - this.y - this.side) < 1; }

  get times() { return this.whole / this.side; }

  // 0 for the whole, 1 for the smallest part; each step between them is as many times nearer as the others.
  get level() { return this.least === this.whole ? 0 : Math.log(this.times) / Math.log(this.whole / this.least); }

  set level(level) { this.zoom((this.whole / this.least) ** level / this.times); }

  // As requests name it, in whole pixels.
  get text() {
    const side = Math.round(this.side), place = (from, length) => Math.min(Math.round(from), length - side);
    return [place(this.x, this.width), place(this.y, this.height), side, side].join(",");
  }
}
