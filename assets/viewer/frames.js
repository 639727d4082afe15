// Work that is done once per frame, and in several frames if it is much: no task may keep the page from scrolling.

const BUDGET = 8;

// Ends the task, so that the browser can paint and act on inputs before what follows.
export function nextTask() {
  if (globalThis.scheduler?.yield) return scheduler.yield();
  return new Promise(next => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); next(); };
    port2.postMessage(0);
  });
}

export class FrameBatch {
  // apply(item) for each; applied() once after those of a frame. Hidden pages have no frames.
  constructor(apply, applied = () => {}, { now = () => performance.now(), schedule = FrameBatch.schedule } = {}) {
    Object.assign(this, { apply, applied, now, schedule, items: [], isScheduled: false });
  }

  static schedule(action) {
    if (document.visibilityState === "hidden") setTimeout(action, 100);
    else requestAnimationFrame(action);
  }

  add(item) {
    this.items.push(item);
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.schedule(() => this.run());
  }

  run() {
    const end = this.now() + BUDGET;
    let done = 0;
    while (done < this.items.length && (done === 0 || this.now() < end)) this.apply(this.items[done++]);
    this.items.splice(0, done);
    this.isScheduled = this.items.length > 0;
    if (this.isScheduled) this.schedule(() => this.run());
    this.applied();
  }
}
