// The cards of the whole book: its numbers, its groups, and what cannot be read.
import { CardList } from "./cards.js";
import { element } from "./dom.js";

// Books share a surface.
const joined = cards => cards.map((card, index) => card.type === "source" && cards[index - 1]?.type === "source" ? { ...card, spacing: 0 } : card);

export class BookView {
  constructor(app) {
    this.app = app;
    this.cards = new CardList(app);
    this.element = element("section", { class: "book-pane scroller", "aria-label": app.text.get("book"), tabindex: 0 },
      element("h2", {}, app.text.get("book")), this.cards.element);
  }

  show() { this.load(false); }

  refresh() { if (!this.element.hidden) this.load(true); }

  load(isRefresh) {
    this.app.cards.load(null, async (type, message, refresh) => {
      // The cards of books that cannot be read say so by the state of these.
      await this.app.updates.readState();
      if (this.element.hidden) return;
      if (type === "data") this.cards.show(joined(message), refresh);
      else if (!refresh) this.cards.fail(message, () => this.load(false));
    }, isRefresh);
  }

  hide() { this.cards.show([]); }

  close() {
    this.app.cards.abort();
    this.hide();
  }
}
