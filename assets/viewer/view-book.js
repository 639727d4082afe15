// The cards of the whole book: its numbers, its groups, and what cannot be read.
import { CardList } from "./cards.js";
import { element } from "./dom.js";
import { failedState, missing } from "./page.js";

// Books share a surface, below one heading.
const joined = cards => cards.flatMap((card, index) => card.type !== "source" ? [card]
  : [...cards[index - 1]?.type === "source" ? [] : [{ type: "books", id: "books", title: "books" }], { ...card, spacing: 0 }]);

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
        this.cards.show(joined(message), refresh);
      } else if (!refresh) this.fail(message);
    }, isRefresh);
  }

  fail(problem) {
    const { app } = this, hadFocus = this.empty.contains(document.activeElement);
    this.cards.show([]);
    this.empty.replaceChildren(...failedState(app, app.text.get(missing(app, problem)), () => this.load(false)));
    if (hadFocus) this.empty.querySelector("button").focus();
  }

  hide() { this.cards.show([]); }

  close() {
    this.app.cards.abort();
    this.hide();
  }
}
