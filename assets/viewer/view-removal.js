// Deleting, without a question: the bar afterwards has the button that undoes it, one for all that was deleted together.
import { glide } from "./glide.js";
import { RemovalManager } from "./removal.js";
import { readRoute } from "./route.js";
import { isolated } from "./text.js";

// Contacts that a message names.
const NAMED = 3;

export class Removals {
  constructor(app) { Object.assign(this, { app, glide, manager: new RemovalManager(app.api, app.contacts) }); }

  // after(): once the rows are gone. What is refused is said before they go.
  remove(contacts, after = () => {}) {
    return this.manager.remove(contacts, (type, message) => this.received(type, message, after));
  }

  received(type, removal, after) {
    const { app } = this, { text } = app, { contacts, reason } = removal;
    if (type === "taken") return this.taken(contacts, after);
    if (type === "refused" && reason === "refusal.other") return app.notify(text.get(reason), text.get("retry"), () => this.remove(contacts, after));
    if (type === "refused") return app.notify(text.get(reason));
    const undo = () => this.manager.undo(removal, (kind, about) => this.received(kind, about));
    if (type === "removed") return app.notify(this.sentence("removed", removal), text.get("undo"), undo);
    if (type === "notRestored") return app.notify(this.sentence("restored", { ...removal, contacts: { length: removal.total - contacts.length }, refused: contacts }), text.get("undo"), undo);
    app.notify(this.sentence("restored", removal));
    // Its address may be open, without the contact.
    if (contacts.some(({ id }) => id === readRoute(location.hash).part)) app.route();
    this.focus(contacts[0].id);
  }

  // Of some that were refused it says who they are, and why.
  sentence(key, { contacts, refused = [], reason, total }) {
    const { text } = this.app, count = contacts.length;
    if (reason && count === 0) return text.get(reason);
    if (reason) return `${text.get(`${key}.some`, { count, total, names: this.names(refused) })} ${text.get(reason).sentence}`;
    return count === 1 ? text.get(key, { name: contacts[0].displayName }) : text.get(`${key}.many`, { count });
  }

  // As many as fit in a message, and how many others there are.
  names(contacts) {
    const { text } = this.app, named = contacts.slice(0, contacts.length > NAMED + 1 ? NAMED : NAMED + 1).map(({ displayName }) => isolated(displayName));
    const others = contacts.length - named.length;
    return new Intl.ListFormat(text.language).format(others > 0 ? [...named, text.get("others", { count: others })] : named);
  }

  taken(contacts, after) {
    if (contacts.some(({ id }) => id === readRoute(location.hash).part)) this.app.go("#/");
    after();
  }

  // The bar closed, and the focus with it: it goes to the row that came back.
  focus(id) {
    const { contacts, split, views } = this.app, index = contacts.ids.indexOf(id);
    if (index >= 0 && !split.hidden && document.activeElement === document.body) views.list.focus(index);
  }
}
