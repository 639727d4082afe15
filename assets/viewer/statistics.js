// What the page has displayed. The numbers stay in the page: no request carries them.

export class Statistics {
  constructor() { Object.assign(this, { unknown: 0, types: new Map() }); }

  count(type, event) {
    const counts = this.types.get(type) ?? { willDisplay: 0, didEndDisplaying: 0 };
    counts[event] += 1;
    this.types.set(type, counts);
  }

  get summary() {
    const sum = name => [...this.types.values()].reduce((total, counts) => total + counts[name], 0);
    return {
      "statistics.willDisplay": sum("willDisplay"), "statistics.didEndDisplaying": sum("didEndDisplaying"),
      "statistics.unknown": this.unknown,
    };
  }
}
