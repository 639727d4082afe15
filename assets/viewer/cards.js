// Cards by data: the service describes them, a registry maps each type to a view. A new type is one file and one line
// in the list below.
import { button, element } from "./dom.js";
import { isSafeLink } from "./ways.js";
import { Sheet } from "./sheets.js";
import { watchLongPress } from "./gestures.js";
import { nameCard } from "./card-name.js";
import { rowsCard } from "./card-rows.js";
import { noteCard } from "./card-note.js";
import { groupsCard } from "./card-groups.js";
import { birthdayCard } from "./card-birthday.js";
import { chatCard } from "./card-chat.js";
import { summaryCard } from "./card-summary.js";

// type -> (card, tools) -> the content of the card. tools: {row(row), rows(rows), app}.
export const registry = new Map([
  ["name", nameCard], ["phones", rowsCard], ["emails", rowsCard], ["messengers", rowsCard],
  ["addresses", rowsCard], ["websites", rowsCard], ["birthday", birthdayCard], ["organisation", rowsCard],
  ["source", rowsCard], ["books", rowsCard], ["note", noteCard], ["groups", groupsCard], ["chat", chatCard], ["summary", summaryCard],
]);

const SPACING = 6;

export class CardList {
  constructor(app) {
    this.app = app;
    this.registry = registry;
    this.element = element("div", { class: "cards" });
    this.shown = new Set();
    this.views = new Map();
    this.states = new Map();
    this.observer = new IntersectionObserver(changes => this.displayed(changes));
    this.tools = { app, row: row => this.row(row), rows: rows => this.rows(rows) };
  }

  // What the user has unfolded stays so when the same cards are shown again.
  show(cards, isRefresh = false) {
    if (!isRefresh) this.states = new Map();
    this.end();
    this.app.statistics.unknown += cards.filter(({ type, error }) => !error && !this.registry.has(type)).length;
    const known = cards.filter(({ type, error }) => error || this.registry.has(type));
    this.element.replaceChildren(...known.map(card => this.make(card)));
  }

  fail(problem, retry) {
    this.element.replaceChildren(element("div", { class: "card error" }, this.retryButton(retry)));
  }

  make(card) {
    const box = element("section", { class: `card card-${card.type}`, "data-id": card.id, "data-type": card.type });
    // Zero means no row between this card and the one before.
    if (card.spacing === 0) box.classList.add("joined");
    else box.style.marginBlockStart = `${card.spacing ?? SPACING}px`;
    this.fill(box, card);
    this.views.set(box, card);
    this.observer.observe(box);
    return box;
  }

  fill(box, card) {
    const { text } = this.app;
    // A book has a number for its header: the title of a folded card must name it.
    const isNumbered = card.title === "book" && card.header;
    const title = card.title && [text.title(card.title), ...isNumbered ? [card.header] : []].join(" ");
    box.classList.toggle("error", card.error !== undefined);
    if (card.error) return box.replaceChildren(this.errorContent(box, card, title));
    const state = this.states.get(card.id) ?? { isFolded: card.fold === true, isExtended: false };
    this.states.set(card.id, state);
    const body = element("div", { class: "body" });
    body.hidden = card.fold !== undefined && state.isFolded;
    body.append(this.registry.get(card.type)(card, this.tools) ?? "", ...this.extras(box, card, state));
    box.replaceChildren(
      // A suspended header stays at the top while its card scrolls below it.
      ...title ? [this.heading(card, title, state, body)] : [],
      ...card.header && !isNumbered ? [element("p", { class: "card-header", dir: "auto" }, text.title(card.header))] : [],
      body,
      ...card.footer ? [element("p", { class: "card-footer", dir: "auto" }, text.title(card.footer))] : []);
    if (card.preview) this.addPreview(box, card.preview);
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
    if (card.extension?.length) {
      const more = this.rows(card.extension);
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
    const failed = element("div", {}, ...title ? [element("h3", {}, title)] : []);
    failed.append(this.retryButton(async own => {
      own.disabled = true;
      try {
        const again = await this.app.cards.follow(card.error.retry);
        this.fill(box, again);
        this.views.set(box, again);
        box.querySelector("button, a")?.focus();
      } catch {
        own.disabled = false;
      }
    }));
    return failed;
  }

  retryButton(retry) {
    const own = button(this.app.text.get("failedRetry"), () => retry(own), { class: "retry" });
    return own;
  }

  addPreview(box, { title, rows }) {
    const { text } = this.app;
    const open = () => new Sheet(text.title(title), this.rows(rows), element("p", { class: "buttons" },
      button(text.get("close"), event => event.target.closest("dialog").close(), { class: "plain" }))).open();
    if (!box.isPreviewed) watchLongPress(box, () => box.openPreview());
    box.isPreviewed = true;
    box.openPreview = open;
    box.append(button(text.get("preview"), open, { class: "preview plain" }));
  }

  rows(rows) { return element("dl", {}, ...rows.map(row => this.row(row))); }

  row({ label, value, link, note }) {
    const shown = element("bdi", {}, value), { text } = this.app;
    return element("div", { class: "card-row" },
      element("dt", {}, label ? text.title(label) : ""),
      element("dd", {}, isSafeLink(link)
        ? element("a", { href: link, ...link.startsWith("http") ? { target: "_blank", rel: "noopener noreferrer" } : {} }, shown) : shown,
      note ? element("small", { dir: "auto" }, note) : ""));
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
    for (const box of this.shown) this.didEndDisplaying(box, this.views.get(box));
    this.observer.disconnect();
    this.views.clear();
  }
}
