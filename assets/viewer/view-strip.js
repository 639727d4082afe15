// The avatar strip and the cards below it. Moving one moves the other, at the ratio of their units.
import { CellLine } from "./cells.js";
import { CircularCells } from "./circles.js";
import { element } from "./dom.js";
import { phoneOf, wayLink } from "./rows.js";
import { SnapScroller } from "./snap.js";
import { ways } from "./ways.js";

export class StripView {
  constructor(app) {
    Object.assign(this, { app, text: app.text, shadowLog: [] });
    this.circles = new CircularCells({
      avatars: app.avatars, name: "strip", contactAt: index => app.contacts.at(index), total: () => app.contacts.total,
    });
    this.stripContent = element("div", { class: "content", role: "presentation" });
    this.strip = element("div", {
      class: "strip", role: "listbox", tabindex: 0, "aria-orientation": "horizontal", "aria-label": this.text.get("strip"),
      onkeydown: event => this.pressed(event), onclick: event => this.clicked(event),
    }, this.stripContent);
    this.shadow = element("div", { class: "shadow", "aria-hidden": "true" });
    this.feedContent = element("div", { class: "content" });
    this.feed = element("div", { class: "feed", role: "feed", "aria-label": this.text.get("cards"), onkeydown: event => this.feedPressed(event) },
      this.feedContent);
    this.empty = element("p", { class: "empty", role: "status" });
    this.element = element("section", { class: "strip-pane", "aria-label": this.text.get("cards") },
      this.strip, this.shadow, this.feed, this.empty);
    this.unsubscribe = app.store.subscribe((_, ids) => this.refill(index => ids.has(app.contacts.ids[index])));
  }

  close() {
    this.unsubscribe();
    for (const scroller of [this.circleScroller, this.cardScroller]) scroller?.detach();
    for (const line of [this.line, this.cards]) line?.end();
  }

  show() {
    if (!this.cards) this.build();
    this.received("data");
  }

  build() {
    const { contacts } = this.app;
    this.circleScroller = new SnapScroller(this.strip, {
      unit: 104, count: contacts.total, direction: "horizontal", delegate: {
        crossed: index => this.select(index),
        // Both move together, so one of the two logs the shadow.
        moved: isMoving => this.showShadow(isMoving),
        rested: index => { this.rested = contacts.at(index)?.id; },
      },
    });
    this.cardScroller = new SnapScroller(this.feed, { unit: this.cardHeight, count: contacts.total });
    SnapScroller.bind(this.circleScroller, this.cardScroller);
    this.line = new CellLine(this.circleScroller, this.stripContent, {
      make: () => this.circles.make(), fill: (cell, index) => this.circles.fill(cell, index), clear: cell => this.circles.clear(cell),
      inset: axis => (axis.viewport - 104) / 2,
    });
    this.cards = new CellLine(this.cardScroller, this.feedContent, {
      make: () => this.makeCard(), fill: (card, index) => this.fillCard(card, index),
    });
    for (const scroller of [this.circleScroller, this.cardScroller]) {
      const { drawn } = scroller.delegate;
      scroller.delegate.drawn = () => { drawn(); this.demand(); };
    }
    this.select(0);
  }

  resized() {
    this.cardScroller?.setUnit(this.cardHeight);
    this.cards?.refill();
  }

  get cardHeight() { return Math.round(15 * this.app.fontSize); }

  // Requests what both lines show.
  demand() {
    const { contacts } = this.app;
    // Another view shows the list now, and requests what it needs.
    if (!this.cards || this.element.hidden || !contacts.isLoaded) return;
    // While they move, `rested` is the contact where the movement began: a refresh would lead back to it.
    const { index, isMoving } = this.circleScroller, id = isMoving ? contacts.ids[index] : this.rested;
    contacts.show(Math.min(this.line.from, this.cards.from), Math.max(this.line.to, this.cards.to), { id, index });
  }

  received(type, message, isRefresh) {
    const { contacts } = this.app;
    if (!this.cards || this.element.hidden) return;
    if (type === "page") {
      this.refill(index => index >= message[0] && index < message[1]);
      if (!this.circleScroller.isMoving) this.rested ??= contacts.ids[this.circleScroller.index];
    }
    if (type !== "data") return;
    const { index: before, isMoving } = this.circleScroller, found = isRefresh && this.rested ? contacts.ids.indexOf(this.rested) : -1;
    // The selected contact stays selected when others come or go, also while its page is missing.
    const by = !isRefresh || isMoving ? 0 : found >= 0 ? found - before : Math.max(-before, contacts.displacement);
    if (by !== 0) for (const line of [this.line, this.cards]) line.shift(by);
    for (const scroller of [this.circleScroller, this.cardScroller]) scroller.setCount(contacts.total);
    if (by !== 0) this.circleScroller.link.place(before + by);
    this.select(this.circleScroller.index);
    // Selected from the beginning, before anything moves; or in the place of one that is gone.
    if (found < 0 && !isMoving) this.rested = contacts.ids[this.circleScroller.index] ?? (isRefresh ? this.rested : undefined);
    this.refill();
    this.demand();
    const { filter = [], search = "" } = contacts.query, key = filter.length > 0 ? "empty.filter" : search === "" ? "empty" : "empty.search";
    this.empty.textContent = contacts.isLoaded && contacts.total === 0 ? this.text.get(key) : "";
  }

  refill(isMeant) {
    this.line?.refill(isMeant);
    this.cards?.refill(isMeant);
  }

  select(index) {
    if (!this.line) return;
    this.circles.select(index, this.line);
    if (this.line.cells.has(index)) this.strip.setAttribute("aria-activedescendant", `strip-${index}`);
    else this.strip.removeAttribute("aria-activedescendant");
  }

  showShadow(isMoving) {
    this.shadow.classList.toggle("visible", isMoving);
    this.feed.ariaBusy = String(isMoving);
    this.shadowLog.push(isMoving ? 1 : 0);
    if (this.shadowLog.length > 1000) this.shadowLog.splice(0, 500);
    if (!isMoving) this.select(this.circleScroller.index);
  }

  clicked(event) {
    const cell = event.target.closest(".circle");
    if (cell) this.circleScroller.jump(Number(cell.ariaPosInSet) - 1);
  }

  pressed(event) {
    const isMirrored = getComputedStyle(this.strip).direction === "rtl", now = this.circleScroller.index;
    const forward = isMirrored ? "ArrowLeft" : "ArrowRight", back = isMirrored ? "ArrowRight" : "ArrowLeft";
    if (event.key === "Enter" && this.app.contacts.at(now)) this.app.go(`#/c/${encodeURIComponent(this.app.contacts.at(now).id)}`);
    const to = { [forward]: now + 1, [back]: now - 1, PageDown: now + 10, PageUp: now - 10, Home: 0, End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.circleScroller.jump(to);
  }

  feedPressed(event) {
    const now = Number(event.target.closest(".person")?.ariaPosInSet ?? this.cardScroller.index + 1) - 1;
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + 1, PageUp: now - 1, Home: 0, End: this.app.contacts.total - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    // The card that gets the focus must exist.
    const target = Math.min(Math.max(0, to), this.app.contacts.total - 1);
    this.cardScroller.jump(target, this.cards.cells.has(target));
    this.cards.cells.get(target)?.focus({ preventScroll: true });
  }

  makeCard() {
    const card = element("article", { class: "person", tabindex: 0 });
    card.name = element("h2", { dir: "auto" });
    card.about = element("p", { class: "about", dir: "auto" });
    card.facts = element("ul", { class: "facts" });
    card.ways = element("p", { class: "ways" });
    card.open = element("a", { class: "button" }, this.text.get("open"));
    card.append(element("div", { class: "card" }, card.name, card.about, card.facts, card.ways, card.open));
    return card;
  }

  fillCard(card, index) {
    const contact = this.app.contacts.at(index);
    card.style.height = `${this.cardScroller.unit}px`;
    card.ariaPosInSet = String(index + 1);
    card.ariaSetSize = String(this.app.contacts.total);
    card.ariaLabel = contact?.displayName ?? this.text.get("loading");
    card.name.textContent = contact?.displayName ?? "…";
    card.classList.toggle("vip", contact?.vip === true);
    card.about.textContent = contact ? [contact.title, contact.organisation?.[0]].filter(Boolean).join(", ") : "";
    const facts = contact ? [phoneOf(contact), contact.emails?.[0]?.value, contact.groups?.map(({ name }) => name).join(", ")] : [];
    card.facts.replaceChildren(...facts.filter(Boolean).map(fact => element("li", {}, element("bdi", {}, fact))));
    card.facts.hidden = !facts.some(Boolean);
    card.ways.replaceChildren(...contact ? ways(contact).map(way => wayLink(way, this.text.get(`way.${way.name}`, { name: contact.displayName }))) : []);
    card.open.hidden = !contact;
    if (contact) card.open.href = `#/c/${encodeURIComponent(contact.id)}`;
  }
}
