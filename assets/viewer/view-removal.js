// Deleting: the menu, and the bar with the button that undoes it.
import { readRoute } from "./route.js";
import { openMenu } from "./sheets.js";

export class Removals {
  constructor(app, manager) { Object.assign(this, { app, manager }); }

  // after(): once the row is gone.
  open(contact, after = () => {}) {
    const { app } = this;
    const action = () => {
      if (readRoute(location.hash).part === contact.id) app.go("#/");
      this.manager.remove(contact, (type, message) => this.received(type, message));
      after();
    };
    openMenu(app.text, contact.displayName, [{ label: app.text.get("delete"), action, isDangerous: true }]);
  }

  received(type, removal) {
    const { app } = this, { text } = app, name = removal.contact.displayName;
    const undo = () => this.manager.undo(removal, (kind, about) => this.received(kind, about));
    if (type === "refused") return app.notify(text.get(removal.reason));
    if (type === "removed") return app.notify(text.get("removed", { name }), text.get("undo"), undo);
    if (type === "notRestored") return app.notify(text.get(removal.reason), text.get("undo"), undo);
    app.notify(text.get("restored", { name }));
    // Its address may be open, without the contact.
    if (readRoute(location.hash).part === removal.contact.id) app.route();
    this.focus(removal.contact.id);
  }

  // The bar closed, and the focus with it: it goes to the row that came back.
  focus(id) {
    const { contacts, split, views } = this.app, index = contacts.ids.indexOf(id);
    if (index >= 0 && !split.hidden && document.activeElement === document.body) views.list.focus(index);
  }
}
