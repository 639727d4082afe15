// Heights of rows with text, measured once, before they are shown.

const CAPACITY = 5000;

export class Heights {
  // measure(items, width): the heights of items of one type, measured together so that the layout is computed once.
  constructor(measure) { Object.assign(this, { measure, known: new Map(), measured: 0 }); }

  static key({ type, revision }, width, font, locale) { return JSON.stringify([type, revision, width, font, locale]); }

  // items: {type, revision, ...}. Equal type and revision, width, font and locale: equal height.
  of(items, width, font, locale) {
    const keys = items.map(item => Heights.key(item, width, font, locale));
    const missing = new Map();
    keys.forEach((key, index) => { if (!this.known.has(key)) missing.set(key, items[index]); });
    if (missing.size > 0) {
      const heights = this.measure([...missing.values()], width);
      [...missing.keys()].forEach((key, index) => this.known.set(key, heights[index]));
      this.measured += missing.size;
    }
    const found = keys.map(key => this.known.get(key));
    for (const key of this.known.keys()) {
      if (this.known.size <= CAPACITY) break;
      this.known.delete(key);
    }
    return found;
  }
}
