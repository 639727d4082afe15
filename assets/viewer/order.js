// The order of recycled elements in the document: that of the screen, for screen readers and the Tab key.

// Milliseconds after the last drawing: a list that moves is not put in order.
const DELAY = 150;

export class ReadingOrder {
  // parents: of elements with `start`, their place on the screen.
  constructor(...parents) { this.parents = new Set(parents.filter(Boolean)); }

  expect() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { for (const parent of this.parents) ReadingOrder.arrange(parent); }, DELAY);
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
