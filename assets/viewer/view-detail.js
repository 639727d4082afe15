// One contact: its avatar, the ways to reach it, and its cards.
import { button, element, iconButton } from "./dom.js";
import { AvatarView } from "./avatar-view.js";
import { CardList } from "./cards.js";
import { CardsManager } from "./details.js";
import { wayLink } from "./rows.js";
import { PhotoView } from "./view-photo.js";
import { ways } from "./ways.js";

export class DetailView {
  constructor(app) {
    const { text } = app;
    Object.assign(this, { app, text, id: null });
    this.avatar = new AvatarView(app.avatars, { isLarge: true });
    this.name = element("h2", { dir: "auto", tabindex: -1 });
    this.note = element("p", { class: "about", dir: "auto" });
    this.ways = element("p", { class: "ways" });
    this.photo = new PhotoView(app);
    this.cards = new CardList(app);
    this.message = element("p", { class: "empty", role: "status" });
    this.tools = element("p", { class: "buttons" },
      element("a", { class: "button", hidden: true }, text.get("chat")),
      button(text.get("print"), () => print(), { class: "plain" }),
      button(text.get("delete"), () => this.remove(), { class: "danger" }));
    this.head = element("header", { class: "head" }, this.avatar.element, this.name, this.note, this.ways);
    this.element = element("section", { class: "detail-pane", "aria-label": text.get("detail") },
      iconButton("back", text.get("back"), () => app.go("#/"), { class: "icon-button back" }),
      this.message, this.head, this.photo.element, this.cards.element, this.tools);
    this.cardsManager = new CardsManager(app.api);
    this.clear("choose");
    this.unsubscribe = app.store.subscribe((_, ids) => { if (ids.has(this.id)) this.load(true); });
  }

  close() {
    this.unsubscribe();
    this.clear("choose");
  }

  // retry: a function for a button below the text.
  clear(key, retry) {
    Object.assign(this, { id: null, contact: null });
    this.end?.abort();
    this.cardsManager.abort();
    this.cards.show([]);
    this.avatar.show(undefined);
    this.photo.show(null);
    this.message.replaceChildren(this.text.get(key), ...retry ? [button(this.text.get("retry"), retry, { class: "primary" })] : []);
    this.element.classList.add("is-empty");
  }

  // Nothing of the contact before stays: neither its ways nor the buttons that act on it.
  wait() {
    this.contact = null;
    this.name.textContent = this.text.get("loading");
    this.name.classList.remove("vip");
    this.note.textContent = "";
    this.ways.replaceChildren();
    this.avatar.show(undefined);
    this.photo.show(null);
    this.tools.hidden = true;
  }

  show(id) {
    if (id === null) return this.clear("choose");
    this.id = id;
    this.element.classList.remove("is-empty");
    this.message.textContent = "";
    this.element.scrollTop = 0;
    this.cards.show([]);
    const known = this.app.store.get(id);
    if (known) this.fill(known);
    else this.wait();
    return this.load(false);
  }

  async load(isRefresh) {
    const { id, app } = this;
    this.end?.abort();
    const { signal } = this.end = new AbortController();
    this.cardsManager.load(id, (type, message, refresh) => {
      if (this.id !== id) return;
      if (type === "data") this.cards.show(message, refresh);
      else if (!refresh) this.cards.fail(message, () => this.load(true));
    }, isRefresh);
    try {
      const contact = await app.contacts.contact(id, signal);
      if (this.id === id) this.fill(contact);
    } catch (problem) {
      if (signal.aborted) return;
      if (problem.status === 404) this.clear("gone");
      else if (this.contact?.id !== id) this.clear("unreachable", () => this.show(id));
    }
  }

  fill(contact) {
    this.contact = contact;
    this.tools.hidden = false;
    this.name.textContent = contact.displayName;
    this.name.classList.toggle("vip", contact.vip === true);
    this.note.textContent = [contact.title, contact.organisation?.[0]].filter(Boolean).join(", ");
    this.avatar.show(contact);
    this.photo.show(contact);
    this.ways.replaceChildren(...ways(contact).map(way =>
      wayLink(way, this.text.get(`way.${way.name}`, { name: contact.displayName }))));
    const chat = this.tools.firstChild;
    chat.hidden = !contact.chatLog?.length;
    chat.href = `#/chat/${encodeURIComponent(contact.id)}`;
    if (!this.element.closest("[hidden]")) document.title = `${contact.displayName} - Tondo`;
  }

  remove() {
    if (this.contact) this.app.openRemoval(this.contact);
  }
}
