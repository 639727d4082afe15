// A scroller that always comes to rest on a whole unit. The browser scrolls, with its own momentum; only the rest
// position is ours. CSS scroll snap would need all cells in the document.
import { Axis } from "./axis.js";
import { Motion } from "./motion.js";

// Without `scrollend`, so much silence ends a movement.
const SILENCE = 150;
const SETTLING = 180;
// So long after a fling has come to rest, a scroll that no input explains is what is left of it.
const LEFTOVER = 1000;
const isReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Attaches itself to an element. span: the units of a row; its height is `unit`.
// delegate: {crossed(index, before), moved(isMoving), rested(index), drawn()}.
export class SnapScroller {
  constructor(element, { unit, span = 1, count = 0, tolerance = 0.5, direction = "vertical", content, delegate = {} }) {
    Object.assign(this, { element, unit, span, count, tolerance, delegate, drives: true });
    this.axis = new Axis(element, content ?? element.firstElementChild, { isHorizontal: direction === "horizontal" });
    this.resize();
    new Link([this]);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
  }

  // Binds two scrollers at the ratio of their units.
  static bind(first, second, { isTwoWay = true } = {}) {
    const index = first.index;
    for (const scroller of [first, second]) scroller.link.detach();
    second.drives = isTwoWay;
    new Link([first, second]).place(index);
  }

  get index() { return this.link.motion.index; }

  get isMoving() { return this.link.motion.moving; }

  setCount(count) { this.link.setCount(count); }

  setUnit(unit, span = this.span) {
    if (unit === this.unit && span === this.span) return;
    Object.assign(this, { unit, span });
    this.resize();
  }

  // The first and the last unit can reach the rest position, so the content is one viewport longer than the way.
  resize() {
    this.axis.measure();
    this.axis.resize(Math.max(0, Math.ceil(this.count / this.span) - 1) * this.unit + this.axis.viewport);
    if (this.link && !this.isMoving) this.axis.position = this.link.placeOf(this, this.index);
    this.delegate.drawn?.();
  }

  jump(index, isAnimated = true) {
    this.link.jump(this.link.scrollers.indexOf(this), Math.min(Math.max(0, index), Math.max(0, this.count - 1)), isAnimated);
  }

  detach() {
    this.link.detach();
    this.observer.disconnect();
  }
}

// One or two scrollers with one state machine.
class Link {
  constructor(scrollers) {
    this.scrollers = scrollers;
    this.motion = new Motion(scrollers);
    this.frame = 0;
    // The last fling that nothing has followed yet: {side, restedAt}.
    this.fling = null;
    this.brakes = scrollers.map(({ element }) => new Brake(element));
    this.end = new AbortController();
    scrollers.forEach((scroller, side) => this.attach(scroller, side));
  }

  attach(scroller, side) {
    scroller.link = this;
    const { element } = scroller, { signal } = this.end;
    const on = (name, action, target = element, options = {}) =>
      target.addEventListener(name, action, { passive: true, signal, ...options });
    on("scroll", () => this.scrolled(side));
    on("scrollend", () => { if (!this.isHeld) this.settle(); });
    on("wheel", () => this.input(side));
    // The end of a touch is sent to the element where it began, even if that has left the document since.
    on("touchstart", ({ target }) => {
      this.touch(side, true);
      this.fling = { side, restedAt: -Infinity };
      const ended = event => { if (event.touches.length === 0) this.touch(side, false); };
      for (const name of ["touchend", "touchcancel"]) on(name, ended, target, { once: true });
    });
    // These scroll too, in their time.
    for (const name of ["keydown", "focusin"]) on(name, () => { this.fling = null; });
    // The scroll bar is held with a pressed button.
    on("pointerdown", event => {
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      this.touch(side, true);
      // A link that is dragged away ends with no pointerup.
      const held = new AbortController(), ended = () => { held.abort(); this.touch(side, false); };
      for (const name of ["pointerup", "pointercancel", "dragend", "blur"]) {
        addEventListener(name, ended, { signal: AbortSignal.any([signal, held.signal]) });
      }
    });
  }

  detach() {
    this.end.abort();
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    for (const brake of this.brakes) brake.release();
  }

  get isHeld() { return this.motion.touching || this.frame !== 0; }

  input(side) {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.fling = null;
    this.brakes[side].release();
    const before = this.motion.input(side);
    if (before !== null) this.brakes[before].press();
    this.expectSilence();
  }

  touch(side, isTouching) {
    if (isTouching) this.input(side);
    this.motion.touch(side, isTouching);
    if (!isTouching) this.expectSilence();
  }

  scrolled(side) {
    const { axis } = this.scrollers[side];
    if (this.isLeftover(side)) {
      this.brakes[side].press();
      // While the cards settle, the next frame writes their place.
      if (this.frame === 0) axis.position = this.motion.placeOf(side, this.motion.exact);
    } else if (this.frame === 0) this.follow(() => this.motion.scrolled(side, axis.position, axis.isEcho));
    this.scrollers[side].delegate.drawn?.();
    this.expectSilence();
  }

  // Whether a scroll of this side is what is left of a fling that settles or has come to rest. Such a scroll would
  // begin a second movement, of a few pixels, after the rest.
  isLeftover(side) {
    if (this.fling?.side !== side || this.scrollers[side].axis.isEcho) return false;
    return this.frame !== 0 || !this.motion.moving && performance.now() - this.fling.restedAt < LEFTOVER;
  }

  // Runs a step of the machine, writes what it demands, and reports what changed.
  follow(step) {
    const { moving, index } = this.motion;
    for (const { side, position } of step()) {
      this.scrollers[side].axis.position = position;
      this.scrollers[side].delegate.drawn?.();
    }
    const now = this.motion;
    for (const { delegate } of this.scrollers) {
      if (now.moving !== moving) delegate.moved?.(now.moving);
      if (now.index !== index) delegate.crossed?.(now.index, index);
    }
  }

  expectSilence() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { if (!this.isHeld) this.settle(); }, SILENCE);
  }

  settle() {
    // An input without a movement, such as a wheel at the end of the way.
    if (!this.motion.moving) {
      this.motion.leader = null;
      return;
    }
    if (this.fling) this.brakes[this.fling.side].press();
    this.animate(this.motion.target);
  }

  // Puts all scrollers at a unit. Nothing moves, so nothing is reported.
  place(index) {
    Object.assign(this.motion, { index, exact: index });
    for (const scroller of this.scrollers) {
      scroller.axis.position = this.placeOf(scroller, index);
      scroller.delegate.drawn?.();
    }
  }

  // All scrollers get so many units, and are at one of them: nothing is drawn at a place of before.
  setCount(count, index = this.motion.index) {
    const place = Math.min(Math.max(0, index), Math.max(0, count - 1));
    if (!this.motion.moving) Object.assign(this.motion, { index: place, exact: place });
    for (const scroller of this.scrollers) scroller.count = count;
    for (const scroller of this.scrollers) scroller.resize();
  }

  placeOf(scroller, exact) { return this.motion.placeOf(this.scrollers.indexOf(scroller), exact); }

  // Rows have no place between their units, so a side without them leads.
  jump(side, index, isAnimated) {
    if (!this.motion.moving && this.motion.exact === index) return;
    if (this.scrollers[side].span > 1) side = Math.max(0, this.scrollers.findIndex(({ span }) => span === 1));
    this.input(side);
    clearTimeout(this.timer);
    this.motion.exact = this.motion.exactAt(side, this.scrollers[side].axis.position);
    const isNear = Math.abs(this.motion.exact - index) < 20;
    this.animate(index, !isAnimated || !isNear);
  }

  animate(index, isAtOnce = false) {
    const start = this.motion.exact, begin = performance.now();
    const { unit, span } = this.scrollers[this.motion.leader];
    if (isAtOnce || isReduced() || Math.abs(index - start) / span * unit <= 1) return this.finish(index);
    this.write(start);
    const step = now => {
      const part = Math.min(1, Math.max(0, now - begin) / SETTLING);
      if (part === 1) return this.finish(index);
      this.write(start + (index - start) * (1 - (1 - part) ** 3));
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  write(exact) {
    const { leader } = this.motion;
    this.follow(() => [{ side: leader, position: this.motion.placeOf(leader, exact) }, ...this.motion.lead(exact)]);
  }

  finish(index) {
    this.frame = 0;
    this.write(index);
    this.motion.rest();
    if (this.fling) this.fling.restedAt = performance.now();
    for (const { delegate } of this.scrollers) {
      delegate.moved?.(false);
      delegate.rested?.(this.motion.index);
    }
  }
}

// Ends a fling, with which the compositor goes on whatever scripts write. Two frames without overflow end it, unless the
// browser is late with its next step: then the scroll that arrives presses the brake again.
class Brake {
  constructor(element) {
    Object.assign(this, { element, frame: 0 });
  }

  press() {
    cancelAnimationFrame(this.frame);
    this.element.style.overflow = "hidden";
    this.frame = requestAnimationFrame(() => {
      this.frame = requestAnimationFrame(() => this.release());
    });
  }

  // A touch that begins must find an element that scrolls.
  release() {
    cancelAnimationFrame(this.frame);
    this.element.style.overflow = "";
  }
}
