// Several contacts that are selected together, and the bar of what can be done with them.
import { element, icon, iconButton } from "./dom.js";
import { exportContacts } from "./row-menu.js";

export class Selection {
  // view: the list. The selection belongs to it and goes on while its search or filter changes.
  constructor(app, view) {
    const { text } = app;
    Object.assign(this, { app, view, text, ids: new Set(), anchor: null });
    this.count = element("output", { class: "picked-count" });
    const action = (name, key, act, kind = "") => element("button", { type: "button", class: `bar-action ${kind}`, "data-needs": "service", onclick: act }, icon(name), element("span", {}, text.get(key)));
    this.element = element("div", { class: "picked-bar", role: "toolbar", "aria-label": text.get("selection"), hidden: true },
      iconButton("close", text.get("unselect"), () => this.clear()), this.count,
      action("export", "export.short", () => this.export()), this.deletion = action("delete", "delete", () => this.remove(), "danger"));
    // Messages stand above it.
    this.observer = new ResizeObserver(([{ target }]) => {
      const room = target.offsetHeight && innerHeight - target.getBoundingClientRect().top;
      document.documentElement.style.setProperty("--picked", `${Math.max(0, room)}px`);
    });
    this.observer.observe(this.element);
    this.element.addEventListener("keydown", event => { if (event.key === "Escape") this.clear(); });
  }

  get size() { return this.ids.size; }

  has(id) { return this.ids.has(id); }

  toggle(id, index) {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.anchor = index;
    this.draw();
  }

  // From the contact that was selected last to this one. Rows that were never in view are asked for.
  async range(index) {
    const { view } = this, from = Math.min(this.anchor ?? index, index), to = Math.max(this.anchor ?? index, index) + 1;
    const ids = await view.idsBetween(from, to).catch(() => null);
    if (ids === null) return this.app.notify(this.text.get("unreachable"), this.text.get("retry"), () => this.range(index));
    for (const id of ids) this.ids.add(id);
    this.anchor ??= index;
    this.draw();
  }

  clear() {
    const { anchor } = this, hadFocus = this.element.contains(document.activeElement);
    this.ids.clear();
    this.anchor = null;
    this.draw();
    if (hadFocus) this.view.enter(anchor ?? undefined);
  }

  // Contacts that have gone are not selected.
  forget(ids) {
    const before = this.size;
    for (const id of ids) this.ids.delete(id);
    if (this.size !== before) this.draw();
  }

  draw() {
    this.element.hidden = this.size === 0;
    this.view.element.classList.toggle("is-picking", this.size > 0);
    this.deletion.hidden = !this.app.mayDelete;
    this.count.textContent = this.size ? this.text.get("picked", { count: this.size }) : "";
    this.view.refill();
  }

  get contacts() { return [...this.ids].map(id => this.app.store.get(id) ?? { id, displayName: id }); }

  export() { return exportContacts(this.app, this.contacts); }

  remove() {
    const { contacts, view } = this, indexes = contacts.map(({ id }) => this.app.contacts.ids.indexOf(id)).filter(index => index >= 0);
    view.remove(contacts, indexes.length ? Math.min(...indexes) : 0);
  }
}
