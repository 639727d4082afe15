// A conversation: bubbles as high as their text. Only the visible ones exist; their heights are measured before.
import { isOwn } from "./card-chat.js";
import { AvatarView, button, element, emptyState, iconButton } from "./dom.js";
import { Heights } from "./heights.js";
import { PrefixLayout } from "./layout.js";
import { failedState, missing, noContact } from "./page.js";
import { VirtualList } from "./virtual.js";

const BLOCK = 200, GAP = 8;

const isOwnMessage = number => isOwn("", number);

export class ChatView {
  constructor(app) {
    Object.assign(this, { app, text: app.text, messages: [], from: 0, id: null });
    this.title = element("h2", { dir: "auto", tabindex: -1 });
    this.link = element("a", {}, this.text.get("detail"));
    this.own = element("a", { "aria-current": "page" }, this.text.get("chat"));
    this.avatar = new AvatarView(app.avatars);
    this.earlier = button(this.text.get("earlier"), () => this.showEarlier(), { class: "plain", hidden: true });
    this.rows = element("div", { class: "rows", role: "list", "aria-label": this.text.get("messages") });
    this.scroller = element("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": this.text.get("messages") });
    this.probe = element("div", { class: "probe-bubbles", "aria-hidden": "true" });
    this.empty = element("p", { class: "empty", role: "status" });
    this.element = element("section", { class: "chat-pane", "aria-label": this.text.get("chat") },
      element("header", {}, iconButton("back", this.text.get("back"), () => app.back("#/groups"), { class: "icon-button" }), this.avatar.element, this.title,
        element("div", { class: "tabs" }, this.link, this.own)),
      this.earlier, element("div", { class: "list-area" }, this.scroller, this.probe, this.empty));
    this.heights = new Heights((items, width) => this.measure(items, width));
    this.list = new VirtualList(this.scroller, new PrefixLayout([]), {
      rows: this.rows, make: () => element("div", { class: "message", role: "listitem" }, element("p", { class: "bubble", dir: "auto" })),
      fill: (row, index) => this.fill(row, index),
    });
    this.observer = new ResizeObserver(() => { if (this.messages.length && this.scroller.clientWidth !== this.width) this.lay(); });
    this.observer.observe(this.scroller);
    this.unsubscribe = app.store.subscribe((_, ids) => { if (ids.has(this.id)) this.load(this.id); });
  }

  close() {
    this.unsubscribe();
    this.hide();
    this.avatar.show(undefined);
    this.observer.disconnect();
    this.list.end();
  }

  show(id) {
    Object.assign(this, { id, messages: [], from: 0 });
    this.lay();
    this.link.href = `#/c/${encodeURIComponent(id)}`;
    this.own.href = `#/chat/${encodeURIComponent(id)}`;
    const known = this.app.store.get(id);
    this.element.classList.toggle("is-empty", !known);
    this.avatar.show(known);
    this.title.textContent = known?.displayName ?? this.text.get("loading");
    this.empty.textContent = "";
    return this.load(id);
  }

  async load(id) {
    this.end?.abort();
    const { signal } = this.end = new AbortController();
    try {
      this.received(await this.app.contacts.contact(id, signal));
    } catch (problem) {
      if (signal.aborted) return;
      if (problem.status !== 404 && this.messages.length > 0) return;
      this.messages = [];
      this.lay();
      const isGone = problem.status === 404;
      this.element.classList.toggle("is-empty", isGone || !this.app.store.get(id));
      if (isGone) this.title.textContent = "";
      this.empty.replaceChildren(...isGone ? noContact(this.app)
        : failedState(this.app, this.text.get(missing(this.app, problem)), () => this.show(id)));
    }
  }

  // New messages are shown at once if the end was in view.
  received(contact) {
    const { position, axis, layout } = this.list, known = this.messages.length;
    const isAtEnd = known === 0 || position + axis.viewport >= layout.length - 2 * GAP;
    this.element.classList.remove("is-empty");
    this.title.textContent = contact.displayName;
    this.avatar.show(contact);
    this.messages = contact.chatLog ?? [];
    if (known === 0) this.from = Math.max(0, this.messages.length - BLOCK);
    this.from = Math.min(this.from, this.messages.length);
    this.empty.replaceChildren(...this.messages.length === 0 ? emptyState("c-bubble", this.text.get("empty.chat"),
      this.text.get("empty.details"), () => this.app.go(`#/c/${encodeURIComponent(this.id)}`)) : []);
    this.lay();
    if (isAtEnd) this.list.scrollTo(Infinity);
  }

  hide() {
    this.id = null;
    this.end?.abort();
  }

  resized() { this.lay(); }

  lay() {
    this.width = this.scroller.clientWidth;
    const font = `${this.app.fontSize}`, shown = this.messages.slice(this.from);
    // The content is the revision: equal texts have equal heights.
    const items = shown.map((text, at) => ({ type: isOwnMessage(this.from + at) ? "own" : "other", revision: text, text }));
    this.list.setLayout(new PrefixLayout(this.heights.of(items, this.width, font, this.text.language), GAP));
    this.earlier.hidden = this.from === 0;
  }

  showEarlier() {
    const before = this.list.layout.length, { position } = this.list;
    this.from = Math.max(0, this.from - BLOCK);
    this.lay();
    this.list.scrollTo(position + this.list.layout.length - before);
  }

  // All at once: one layout for all bubbles.
  measure(items) {
    this.probe.replaceChildren(...items.map(({ text, type }) =>
      element("div", { class: type === "own" ? "message own" : "message" }, element("p", { class: "bubble", dir: "auto" }, text))));
    const heights = [...this.probe.children].map(child => child.getBoundingClientRect().height);
    this.probe.replaceChildren();
    return heights;
  }

  fill(row, index) {
    const number = this.from + index;
    row.classList.toggle("own", isOwnMessage(number));
    row.firstChild.textContent = this.messages[number];
    row.ariaPosInSet = String(number + 1);
    row.ariaSetSize = String(this.messages.length);
    row.ariaLabel = `${this.text.get(isOwnMessage(number) ? "message.own" : "message.other")}: ${this.messages[number]}`;
  }
}
