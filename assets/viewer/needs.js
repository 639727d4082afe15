// Controls that act by the service alone have `data-needs="service"`. While it does not answer they are disabled, and say why; what is
// made meanwhile, such as a menu, too.
const ALL = '[data-needs="service"]';

export class ServiceNeeds {
  constructor(app) {
    Object.assign(this, { app, isMissing: false, titles: new WeakMap() });
    this.observer = new MutationObserver(() => this.mark());
    addEventListener("click", event => { if (this.isMissing) this.pressed(event); }, { capture: true });
  }

  set(isMissing) {
    const { offline, text } = this.app;
    if (offline) offline.textContent = isMissing ? text.get("offline.seen") : "";
    if (this.isMissing === isMissing) return;
    this.isMissing = isMissing;
    if (isMissing) this.observer.observe(document.body, { childList: true, subtree: true });
    else this.observer.disconnect();
    this.mark();
  }

  mark() {
    const reason = this.app.text?.get("offline.needs");
    for (const each of document.querySelectorAll(ALL)) {
      if (this.titles.has(each) === this.isMissing) continue;
      if (this.isMissing) {
        this.titles.set(each, each.title);
        Object.assign(each, { ariaDisabled: "true", ariaDescription: reason, title: reason });
      } else {
        Object.assign(each, { ariaDisabled: null, ariaDescription: null, title: each.title === reason ? this.titles.get(each) : each.title });
        this.titles.delete(each);
      }
    }
  }

  // It is asked whether it answers by now: then the next press acts.
  pressed(event) {
    const control = event.target.closest?.(ALL);
    if (!control) return;
    event.preventDefault();
    event.stopPropagation();
    // A sheet would lie above what is said.
    control.closest("dialog")?.close();
    this.app.notify(this.app.text.get("offline.needs"));
    this.app.api.check();
  }
}
