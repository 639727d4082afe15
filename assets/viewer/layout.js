// Where the rows of a list lie, without DOM. Both layouts answer the same questions.

// The last index whose value is at most `value`; -1 if there is none.
export function lastAtMost(count, valueAt, value) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Rows of one height, in sections that begin with a header, or without one if the title is empty. lead: pixels of something
// else above the first section.
export class SectionLayout {
  constructor(sections, rowHeight, headerHeight, lead = 0) {
    Object.assign(this, { rowHeight, headerHeight, lead });
    let top = lead, offset = 0;
    this.sections = sections.map(({ title, count, ...more }) => {
      const section = { ...more, title, count, offset, top, header: title === "" ? 0 : headerHeight };
      top += section.header + count * rowHeight;
      offset += count;
      return section;
    });
    this.length = top;
    this.count = offset;
  }

  sectionOf(index) { return lastAtMost(this.sections.length, at => this.sections[at].offset, index); }

  sectionAt(y) { return Math.max(0, lastAtMost(this.sections.length, at => this.sections[at].top, y)); }

  top(index) {
    const section = this.sections[this.sectionOf(index)];
    return section ? section.top + section.header + (index - section.offset) * this.rowHeight : 0;
  }

  height() { return this.rowHeight; }

  // The row at `y`, or the first one below it.
  rowAt(y) {
    const section = this.sections[this.sectionAt(y)];
    if (!section) return 0;
    const row = Math.floor((y - section.top - section.header) / this.rowHeight);
    return section.offset + Math.min(Math.max(0, row), section.count);
  }

  // {rows: [from, to], headers: [from, to]} between two places.
  window(from, to) {
    const rows = [this.rowAt(from), Math.min(this.count, this.rowAt(to) + 1)];
    return { rows, headers: this.sections.length ? [this.sectionAt(from), this.sectionAt(to) + 1] : [0, 0] };
  }
}

// Rows of any height, with a gap between them.
export class PrefixLayout {
  constructor(heights, gap = 0) {
    this.heights = heights;
    this.sections = [];
    this.tops = [];
    let top = 0;
    for (const height of heights) {
      this.tops.push(top);
      top += height + gap;
    }
    this.length = heights.length ? top - gap : 0;
    this.count = heights.length;
  }

  top(index) { return this.tops[index] ?? 0; }

  height(index) { return this.heights[index]; }

  rowAt(y) { return Math.max(0, lastAtMost(this.count, at => this.tops[at], y)); }

  window(from, to) { return { rows: [this.rowAt(from), Math.min(this.count, this.rowAt(to) + 1)], headers: [0, 0] }; }
}
