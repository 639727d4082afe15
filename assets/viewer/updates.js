// Events of the service, applied to what the page knows and shows.
import { readRoute } from "./route.js";

// Milliseconds of a frame that changes may take: no task may keep the page from scrolling.
const BUDGET = 8;
// Milliseconds after the last change until smaller views are loaded again.
const QUIET = 200;

export class Updates {
  constructor(app) {
    Object.assign(this, { app, isOutdated: false, pictures: [...new Set([app.avatars, app.faces])] });
    this.batch = new FrameBatch(([type, message]) => this.apply(type, message), () => this.applied());
  }

  add(type, message) {
    // Most avatars that are drawn have a scale or a state that the page does not show.
    if (type === "avatar" && !this.pictures.some(avatars => avatars.isShown(message))) return;
    this.batch.add([type, message]);
  }

  clear() {
    this.batch.items.length = 0;
    clearTimeout(this.timer);
  }

  apply(type, message) {
    const { app } = this, { contacts, store } = app;
    if (type === "avatar") {
      for (const avatars of this.pictures) if (avatars.changed(message)) store.changed(message.contact);
      return;
    }
    // Another version has other modules: the page is loaded again when it goes to another place.
    if (type === "hello") this.isOutdated = (this.version ??= message.version) !== message.version;
    if (type === "reset") for (const avatars of this.pictures) avatars.invalidate();
    if (type === "contactChanged") for (const avatars of this.pictures) avatars.invalidate(message.contact.id);
    contacts.apply(type, message);
    if (type === "hello" || type === "finished") this.refreshState();
    if (type === "contactRemoved" && readRoute(location.hash).part === message.id) app.go("#/");
  }

  // After the events of a frame.
  applied() {
    this.app.contacts.report();
    this.app.store.report();
  }

  // What else shows the book, once after a burst of changes.
  refreshViews() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const { views } = this.app;
      views.groups?.refresh();
      views.book?.refresh();
      await this.readState();
    }, QUIET);
  }

  // A book may be lost, or be there again, without a change of its contacts.
  refreshState() {
    clearTimeout(this.stating);
    this.stating = setTimeout(() => this.readState(), QUIET);
  }

  async readState() {
    const state = this.app.isPermitted && await this.app.service.state().catch(() => null);
    if (state) this.app.showProblems(state.books);
  }
}

// Work that is done once per frame, and in several frames if it is much.
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
