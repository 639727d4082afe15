// A list of which only the visible rows exist. It writes the scroll position only when it is asked to, so that native
// momentum is never disturbed.
import { Axis } from "./axis.js";
import { element } from "./dom.js";

const OVERSCAN = 160;

export class VirtualList {
  // rows: the element that gets the rows, such as a list; headers: one for the headers. Functions: make(), fill(row, index),
  // makeHeader(), fillHeader(header, section, index), shown(from, to, position). below: pixels that a revealed row, and the last
  // one, keep from the lower edge.
  constructor(scroller, layout, { rows, headers, below = 0, ...functions }) {
    Object.assign(this, { functions, below });
    this.content = element("div", { class: "content" }, headers, rows);
    scroller.append(this.content);
    this.scroller = scroller;
    this.axis = new Axis(scroller, this.content);
    this.pools = {
      rows: { parent: rows, used: new Map(), spare: [], make: () => functions.make() },
      headers: { parent: headers, used: new Map(), spare: [], make: () => functions.makeHeader() },
    };
    this.readingOrder = new ReadingOrder(rows, headers);
    // A row that has the focus stays in the document.
    this.focused = -1;
    scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    this.observer = new ResizeObserver(() => { this.axis.measure(); this.draw(); });
    this.observer.observe(scroller);
    this.setLayout(layout);
  }

  // position: where the list shall be in this layout; by default, where it is.
  setLayout(layout, position) {
    this.layout = layout;
    this.axis.resize(layout.length + this.below);
    if (position !== undefined) this.axis.position = position;
    for (const pool of Object.values(this.pools)) for (const item of pool.used.values()) item.start = null;
    this.draw(true);
  }

  // Until it is known how many rows there are: rows without names, after a moment.
  wait() {
    this.waiting ??= element("div", { class: "waiting", "aria-hidden": "true" }, ...Array.from({ length: 16 }, () => element("i", {})));
    this.scroller.prepend(this.waiting);
  }

  known() { this.waiting?.remove(); }

  get position() { return this.axis.position; }

  draw(isAll = false) {
    const { axis, layout } = this, { position, viewport } = axis;
    if (viewport === 0) return;
    const { rows, headers } = layout.window(Math.max(0, position - OVERSCAN), position + viewport + OVERSCAN);
    this.place(this.pools.rows, rows, index => layout.top(index), (row, index) => this.functions.fill(row, index), isAll, this.focused);
    if (this.pools.headers.parent) {
      this.place(this.pools.headers, headers, index => layout.sections[index].top,
        (header, index) => this.functions.fillHeader(header, layout.sections[index], index), isAll);
    }
    this.readingOrder.expect();
    const seen = layout.window(position, position + viewport).rows;
    this.functions.shown?.(rows[0], rows[1], position, seen);
  }

  place(pool, [from, to], topOf, fill, isAll, kept = -1) {
    for (const [index, item] of pool.used) {
      if (index >= from && index < to || index === kept && kept < this.layout.count) continue;
      pool.used.delete(index);
      this.drop(pool, item);
    }
    const indexes = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
    if (pool.used.has(kept) && (kept < from || kept >= to)) indexes.push(kept);
    for (const index of indexes) {
      let item = pool.used.get(index);
      const isNew = !item;
      if (isNew) {
        item = pool.spare.pop() ?? pool.make();
        pool.used.set(index, item);
      }
      if (isNew || isAll) fill(item, index);
      if (item.hidden) item.hidden = false;
      if (!item.isConnected) pool.parent.append(item);
      const top = topOf(index);
      if (this.axis.ratio === 1 && item.start === top) continue;
      item.start = top;
      this.axis.move(item, top);
    }
  }

  // `by` rows have come before those that are shown: each element goes on with its row, and so does the focus.
  shift(by) {
    const { rows } = this.pools;
    rows.used = shifted(rows.used, by, row => this.drop(rows, row));
    if (this.focused >= 0) this.focused = Math.max(-1, this.focused + by);
  }

  drop(pool, item) {
    item.hidden = true;
    item.start = null;
    pool.spare.push(item);
  }

  // All elements of rows, also those that are not shown.
  get elements() { return [...this.pools.rows.used.values(), ...this.pools.rows.spare]; }

  // The list is shown no more.
  end() {
    this.observer.disconnect();
    this.readingOrder.end();
  }

  // Fills visible rows again: all, or those of `isMeant(index)`.
  refill(isMeant = () => true) {
    for (const [index, row] of this.pools.rows.used) if (isMeant(index)) this.functions.fill(row, index);
  }

  row(index) { return this.pools.rows.used.get(index); }

  scrollTo(position) {
    this.axis.position = position;
    this.draw();
  }

  // Scrolls as little as needed, or so that the row is at the top or in the middle.
  reveal(index, place = "nearest", margin = 0) {
    const top = this.layout.top(index), height = this.layout.height(index), { position, viewport } = this.axis;
    if (place === "start") this.scrollTo(top - margin);
    else if (place === "middle") this.scrollTo(top - (viewport - height) / 2);
    else if (top - margin < position) this.scrollTo(top - margin);
    else if (top + height + this.below > position + viewport) this.scrollTo(top + height + this.below - viewport);
  }
}

// Milliseconds after the last drawing: a list that moves is not put in order.
const SETTLED = 150;

// The order of recycled elements in the document: that of the screen, for screen readers and the Tab key.
export class ReadingOrder {
  // parents: of elements with `start`, their place on the screen.
  constructor(...parents) { this.parents = new Set(parents.filter(Boolean)); }

  expect() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { for (const parent of this.parents) ReadingOrder.arrange(parent); }, SETTLED);
  }

  end() { clearTimeout(this.timer); }

  // The element with the focus is not moved, which would lose the focus.
  static arrange(parent) {
    const shown = [...parent.children].filter(item => !item.hidden);
    const items = shown.toSorted((one, other) => one.start - other.start);
    if (items.every((item, at) => item === shown[at])) return;
    const focused = Math.max(0, items.findIndex(item => item.contains(document.activeElement)));
    for (let at = focused - 1; at >= 0; at -= 1) parent.insertBefore(items[at], items[at + 1]);
    for (let at = focused + 1; at < items.length; at += 1) items[at - 1].after(items[at]);
  }
}

// Elements by index, after `by` others have come before them. What is now before the first one goes: dropped(element).
export function shifted(elements, by, dropped) {
  const moved = new Map();
  for (const [index, element] of elements) {
    if (index + by >= 0) moved.set(index + by, element);
    else dropped(element);
  }
  return moved;
}
