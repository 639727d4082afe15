// The cards of the whole book: its numbers, its groups, and what cannot be read.
import { CardList } from "./cards.js";
import { trouble } from "./api.js";
import { element, said } from "./dom.js";
import { troubles } from "./details.js";
import { failedState, missing } from "./page.js";

// Books share a surface, below one heading.
const joined = (cards, again) => cards.flatMap((card, index) => card.type !== "source" ? [card]
  : [...cards[index - 1]?.type === "source" ? [] : [{ type: "books", id: "books", title: "books", books: cards, again }], { ...card, spacing: 0 }]);

export class BookView {
  constructor(app) {
    this.app = app;
    this.cards = new CardList(app);
    this.element = element("section", { class: "book-pane scroller", "aria-label": app.text.get("book"), tabindex: 0 },
      element("h2", {}, app.text.get("book")), this.cards.element, this.empty = element("div", { class: "empty", role: "status" }));
  }

  show() { this.load(false); }

  refresh() { if (!this.element.hidden) this.load(true); }

  load(isRefresh) {
    this.app.cards.load(null, async (type, message, refresh) => {
      // The cards of books that cannot be read say so by the state of these.
      await this.app.updates.readState();
      if (this.element.hidden) return;
      if (type === "data") {
        this.empty.replaceChildren();
        this.cards.show(joined(message, own => this.again(own)), refresh);
      } else if (!refresh) this.fail(message);
      this.tried?.(type, message);
    }, isRefresh);
  }

  // Asks for the books once more: the service reads a file as soon as it changes. own: the pressed button. The answer makes all cards
  // again, so the focus goes to the new button, beside which it is said if the books have the same troubles as before.
  again(own) {
    const { app } = this, state = () => JSON.stringify(troubles(app.books)), before = state();
    own.disabled = true;
    own.nextElementSibling.textContent = "";
    this.tried = (type, problem) => {
      this.tried = null;
      const isOther = state() !== before, made = this.element.querySelector(".card-books .retry");
      if (isOther) app.contacts.schedule();
      if (made === null) return this.element.focus({ preventScroll: true });
      made.disabled = false;
      made.focus();
      const key = type === "failed" ? trouble(problem) : isOther ? "" : "book.still";
      this.element.querySelector(".retry-status").replaceChildren(...key ? said(app.text.get(key)) : []);
    };
    this.load(true);
  }

  fail(problem) {
    const { app } = this, hadFocus = this.empty.contains(document.activeElement);
    this.cards.show([]);
    this.empty.replaceChildren(...failedState(app, app.text.get(missing(app, problem)), () => this.load(false)));
    if (hadFocus) this.empty.querySelector("button").focus();
  }

  hide() {
    this.tried = null;
    this.cards.show([]);
  }

  close() {
    this.app.cards.abort();
    this.hide();
  }
}
