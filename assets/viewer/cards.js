// Cards by data: the service describes them, a registry maps each type to a view. A new type is one file and one line
// in the list below.
import { trouble } from "./api.js";
import { button, element, icon, iconButton, said, technical } from "./dom.js";
import { isSafeLink } from "./ways.js";
import { copyText } from "./copy.js";
import { RelationsManager } from "./details.js";
import { booksCard, fillBook } from "./card-book.js";
import { nameCard } from "./card-name.js";
import { breakable, labelOf, rowsCard } from "./card-rows.js";
import { socialCard } from "./card-social.js";
import { relatedCard } from "./card-related.js";
import { noteCard } from "./card-note.js";
import { groupsCard } from "./card-groups.js";
import { birthdayCard } from "./card-birthday.js";
import { chatCard } from "./card-chat.js";
import { sourceCard } from "./card-source.js";
import { summaryCard } from "./card-summary.js";
import { Statistics } from "./statistics.js";

// type -> (card, tools) -> the content of the card. tools: {row(row, card), rows(rows, card), copy(value), app, ...}.
export const registry = new Map([
  ["name", nameCard], ["phones", rowsCard], ["emails", rowsCard], ["messengers", rowsCard], ["social", socialCard],
  ["addresses", rowsCard], ["websites", rowsCard], ["birthday", birthdayCard], ["anniversary", birthdayCard], ["organisation", rowsCard],
  ["source", sourceCard], ["books", booksCard], ["note", noteCard], ["groups", groupsCard], ["related", relatedCard], ["chat", chatCard],
  ["summary", summaryCard],
]);

const ICONS = {
  phones: "phone", emails: "email", addresses: "c-place", birthday: "c-cake", anniversary: "c-heart", messengers: "c-bubble", social: "c-at",
  groups: "groups", related: "list", websites: "c-web", organisation: "c-work", name: "c-info", chat: "c-bubble", note: "c-note", source: "c-info",
};
// What one copies out of an address book.
const COPIED = new Set(["phones", "emails", "addresses", "websites", "messengers", "social"]);
const MESSENGERS = new Set(["telegram", "whatsapp", "viber", "signal", "threema"]);

// A title above a few rows says what their icon and their labels say.
const FEW = 5;

export class CardList {
  constructor(app) {
    this.app = app;
    this.registry = registry;
    this.element = element("div", { class: "cards" });
    this.shown = new Set();
    this.views = new Map();
    this.states = new Map();
    this.observer = new IntersectionObserver(changes => this.displayed(changes));
    this.relations = new RelationsManager(app.api);
    this.owner = null;
    app.statistics ??= new Statistics();
    this.tools = {
      app, relations: this.relations, owner: () => this.owner, row: (...values) => this.row(...values), rows: (rows, card) => this.rows(rows, card),
      copy: value => this.copyButton(value),
    };
  }

  // What the user has unfolded stays so when the same cards are shown again.
  show(cards, isRefresh = false) {
    if (!isRefresh) this.states = new Map();
    this.end();
    this.app.statistics.unknown += cards.filter(({ type, error }) => !error && !this.registry.has(type)).length;
    const known = cards.filter(({ type, error }) => error || this.registry.has(type));
    this.element.replaceChildren(...known.map(card => this.make(card)));
  }

  // known: cards of what is known without them.
  fail(problem, retry, known = []) {
    const before = this.element.querySelector(":scope > .error"), again = before !== null, code = problem.code || problem.status;
    const key = this.app.api.isOffline ? "card.unseen" : trouble(problem) === "denied" ? "denied" : again ? "card.notLoadedAgain" : "card.notLoaded";
    const hadFocus = before?.contains(document.activeElement);
    this.end();
    this.element.replaceChildren(...known.map(card => this.make(card)), element("div", { class: "card error" }, icon("alert"), this.reason(key), this.retryButton(retry),
      ...code ? [technical(this.app.text, String(code))] : []));
    if (hadFocus) this.element.querySelector(".retry").focus();
  }

  make(card) {
    const box = element("section", { class: `card card-${card.type}`, "data-id": card.id, "data-type": card.type });
    // Zero means no row between this card and the one before. Without it the style sheet says how much there is.
    if (card.spacing === 0) box.classList.add("joined");
    else if (card.spacing) box.style.marginBlockStart = `${card.spacing}px`;
    this.fill(box, card);
    this.views.set(box, card);
    this.observer.observe(box);
    return box;
  }

  fill(box, card) {
    const { text } = this.app;
    // A book has its name for a header, or its number.
    const isBook = card.title === "book" && card.header;
    const title = isBook ? text.bookName(card.header) : card.title && text.title(card.title);
    if (isBook) return fillBook(this.app, box, card, title);
    box.classList.toggle("error", card.error !== undefined);
    if (card.error) return box.replaceChildren(icon("alert"), this.errorContent(box, card, title));
    const state = this.states.get(card.id) ?? { isFolded: card.fold === true, isExtended: false };
    this.states.set(card.id, state);
    const body = element("div", { class: "body" });
    body.hidden = card.fold !== undefined && state.isFolded;
    body.append(this.registry.get(card.type)(card, this.tools) ?? "", ...this.extras(box, card, state));
    const name = ICONS[card.type], isFew = card.fold === undefined && (card.rows?.length ?? 0) <= FEW && name !== undefined;
    box.classList.toggle("few", isFew);
    box.replaceChildren(
      ...name ? [icon(name)] : [],
      // A suspended header stays at the top while its card scrolls below it.
      ...title ? [this.heading(card, title, state, body)] : [],
      ...card.header ? [element("p", { class: "card-header", dir: "auto" }, text.title(card.header))] : [],
      body,
      ...card.footer ? [element("p", { class: "card-footer", dir: "auto" }, text.title(card.footer))] : []);
  }

  heading(card, title, state, body) {
    if (card.fold === undefined) return element("h3", { class: "suspended" }, title);
    const toggle = button(title, () => {
      state.isFolded = !state.isFolded;
      body.hidden = state.isFolded;
      toggle.ariaExpanded = String(!state.isFolded);
    }, { class: "fold" });
    toggle.ariaExpanded = String(!state.isFolded);
    return element("h3", { class: "suspended" }, toggle);
  }

  extras(box, card, state) {
    const { text } = this.app, extras = [];
    // Where nothing else is folded, one press shows it.
    if (card.extension?.length && card.fold !== undefined && !card.rows?.length) extras.push(this.rows(card.extension, card));
    else if (card.extension?.length) {
      const more = this.rows(card.extension, card);
      more.hidden = !state.isExtended;
      const toggle = button(text.get(state.isExtended ? "less" : "more"), () => {
        state.isExtended = !state.isExtended;
        more.hidden = !state.isExtended;
        toggle.textContent = text.get(state.isExtended ? "less" : "more");
        toggle.ariaExpanded = String(state.isExtended);
      }, { class: "extend plain" });
      toggle.ariaExpanded = String(state.isExtended);
      extras.push(more, toggle);
    }
    if (card.more) extras.push(this.loader(card, card.more, card.rows?.length ?? 0));
    return extras;
  }

  // A button that becomes the next rows, and the button for those after them. offset: the rows before them.
  loader(card, path, offset) {
    const { text, cards } = this.app;
    const load = button(text.get("loadMore"), async () => {
      load.disabled = true;
      try {
        const { rows, more } = await cards.follow(path);
        load.replaceWith(
          this.registry.get(card.type)({ ...card, rows, offset }, this.tools),
          ...more ? [this.loader(card, more, offset + rows.length)] : []);
      } catch {
        load.disabled = false;
        load.textContent = text.get("failedRetry");
      }
    }, { class: "load plain" });
    return load;
  }

  errorContent(box, card, title) {
    const { text } = this.app, { code } = card.error, reason = this.reason();
    const failed = element("div", {}, ...title ? [element("h3", {}, title)] : [], reason);
    failed.append(this.retryButton(async own => {
      own.disabled = true;
      try {
        const again = await this.app.cards.follow(card.error.retry);
        this.fill(box, again);
        this.views.set(box, again);
        box.querySelector("button, a")?.focus();
      } catch {
        own.disabled = false;
        reason.replaceChildren(...said(text.get("card.notLoadedAgain")));
      }
    }));
    if (code) failed.append(technical(text, code));
    return failed;
  }

  // What is behind a card is the service's business; that it is missing is the reader's.
  reason(key = "card.notLoaded") { return element("p", { class: "reason", role: "status" }, ...said(this.app.text.get(key))); }

  retryButton(retry) {
    const own = button(this.app.text.get("retry"), () => retry(own), { class: "retry" });
    return own;
  }

  rows(rows, card) { return element("dl", {}, ...rows.map(row => this.row(row, card))); }

  // href: of a place of this page. about: smaller behind the value. copied: what is copied instead of the value.
  row({ label, value, link, note, href, about, isToday, copied = value }, { type } = {}) {
    const { text } = this.app, isMessenger = type === "messengers" && MESSENGERS.has(label);
    const name = labelOf({ label, note }, type, text), shown = element("bdi", {}, ...type === "emails" && value ? breakable(value) : [value || name]);
    const isTyped = COPIED.has(type) || type === "related", isOutside = link?.startsWith("http");
    const target = href ?? (isSafeLink(link) ? link : undefined);
    return element("div", { class: isToday ? "card-row today" : "card-row" },
      element("dt", {}, isMessenger ? icon(label) : "", value ? name : ""),
      element("dd", {},
        target ? element("a", { href: target, ...!href && isOutside ? { target: "_blank", rel: "noopener noreferrer" } : {} }, shown) : shown,
        about ? element("span", { class: "row-about", dir: "auto" }, about) : "",
        note && !isTyped ? element("small", { dir: "auto" }, note) : "",
        COPIED.has(type) && value ? this.copyButton(copied) : ""));
  }

  copyButton(value) {
    const { text } = this.app, short = value.replace(/\s*\n\s*/g, ", ");
    return iconButton("c-copy", text.get("copy", { value: short }), async () => {
      const isCopied = await copyText(value);
      this.app.notify(text.get(isCopied ? "copied" : "copy.failed", { value: short.length > 60 ? `${short.slice(0, 60)}…` : short }));
    }, { class: "icon-button copy" });
  }

  // Each card that comes into view is counted once, and once when it leaves.
  displayed(changes) {
    for (const { target, isIntersecting } of changes) {
      const card = this.views.get(target);
      if (!card || isIntersecting === this.shown.has(target)) continue;
      if (isIntersecting) this.willDisplay(target, card);
      else this.didEndDisplaying(target, card);
    }
  }

  willDisplay(box, { type }) {
    this.shown.add(box);
    this.app.statistics.count(type, "willDisplay");
  }

  didEndDisplaying(box, { type }) {
    this.shown.delete(box);
    this.app.statistics.count(type, "didEndDisplaying");
  }

  end() {
    this.relations.abort();
    for (const box of this.shown) this.didEndDisplaying(box, this.views.get(box));
    this.observer.disconnect();
    this.views.clear();
  }
}
