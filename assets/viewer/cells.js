// A line of cells along a snap scroller, from just a count: only the visible cells exist.
import { ReadingOrder, shifted } from "./virtual.js";

export class CellLine {
  // inset: where the first cell begins. A scroller with rows gets its cells side by side: `--column` is the place in the row.
  // seen(axis): how far the cells are scrolled, if that is not how far the scroller is; `content` must stay in view then.
  // make() returns an element; fill(element, index) and clear(element) use it again.
  constructor(scroller, content, { make, fill, clear = () => {}, inset = () => 0, seen = () => null, overscan = 1 }) {
    Object.assign(this, { scroller, content, make, fill, clear, inset, seen, overscan });
    this.cells = new Map();
    this.spare = [];
    this.from = this.to = 0;
    this.readingOrder = new ReadingOrder(content);
    scroller.delegate.drawn = () => this.draw();
    this.draw();
  }

  // The cells that a viewport shows, the overscan included.
  static window(position, viewport, inset, unit, count, overscan) {
    const from = Math.floor((position - inset) / unit) - overscan;
    const to = Math.ceil((position + viewport - inset) / unit) + overscan;
    return [Math.min(Math.max(0, from), count), Math.min(Math.max(0, to), count)];
  }

  draw() {
    const { axis, unit, span, count } = this.scroller, inset = this.inset(axis);
    this.scrolled = this.seen(axis);
    const rows = CellLine.window(this.scrolled ?? axis.position, axis.viewport, inset, unit, Math.ceil(count / span), this.overscan);
    [this.from, this.to] = rows.map(row => Math.min(count, row * span));
    for (const [index, cell] of this.cells) {
      if (index >= this.from && index < this.to) continue;
      // A cell with the focus stays in the document, or the focus would be lost.
      if (index < count && cell.contains(document.activeElement)) this.place(cell, index, inset);
      else this.drop(index, cell);
    }
    for (let index = this.from; index < this.to; index += 1) {
      let cell = this.cells.get(index);
      if (!cell) {
        cell = this.spare.pop() ?? this.make();
        this.cells.set(index, cell);
        this.fill(cell, index);
        if (!cell.isConnected) this.content.append(cell);
        cell.hidden = false;
      }
      this.place(cell, index, inset);
    }
    this.readingOrder.expect();
  }

  place(cell, index, inset) {
    const { axis, unit, span } = this.scroller, column = index % span, top = inset + (index - column) / span * unit;
    // What is beside another cell comes after it.
    const start = top + column / (span + 1);
    if (this.scrolled === null && axis.ratio === 1 && cell.start === start) return;
    cell.start = this.scrolled === null ? start : null;
    if (span > 1 || cell.column > 0) cell.style.setProperty("--column", cell.column = column);
    if (this.scrolled === null) axis.move(cell, top);
    else axis.put(cell, axis.sign * (top - this.scrolled));
  }

  // `by` cells have come before those that are shown: each goes on with what it shows, and so does the focus.
  shift(by) {
    this.cells = shifted(this.cells, by, cell => this.release(cell));
  }

  drop(index, cell) {
    this.cells.delete(index);
    this.release(cell);
  }

  release(cell) {
    this.clear(cell);
    cell.hidden = true;
    cell.start = null;
    this.spare.push(cell);
  }

  // The line is shown no more.
  end() {
    this.readingOrder.end();
    for (const [index, cell] of this.cells) this.drop(index, cell);
  }

  // Fills the visible cells again; all, or those that `isMeant(index)` names.
  refill(isMeant = () => true) {
    for (const [index, cell] of this.cells) if (isMeant(index)) this.fill(cell, index);
  }
}
