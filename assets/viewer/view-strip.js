// The avatar strip and the cards below it, on a wide page in rows. Moving one moves the other, at the ratio of their units.
import { CellLine } from "./cells.js";
import { CircularCells } from "./circles.js";
import { AvatarView, element, emptyState } from "./dom.js";
import { ChosenChips, whyEmpty } from "./list-tools.js";
import { phoneOf, wayLink, workOf } from "./rows.js";
import { SnapScroller } from "./snap.js";
import { ways } from "./ways.js";

// Pixels from a face of the strip to the next one, and beside its ring.
const UNIT = 104, GAP = 4;
// Of a card, in font units. A wide page has as many columns as it has room for.
const WIDE = 700, LOW = 8.5, HIGH = 18.75, NARROWEST = 17, COLUMNS = 6;

export class StripView {
  constructor(app) {
    Object.assign(this, { app, text: app.text, shadowLog: [] });
    this.circles = new CircularCells({
      avatars: app.avatars, name: "strip", contactAt: index => app.contacts.at(index), total: () => app.contacts.total,
    });
    // On a wide page the faces lie in a layer that does not scroll with the strip.
    this.layer = element("div", { class: "layer", role: "presentation" });
    this.stripContent = element("div", { class: "content", role: "presentation" }, this.layer);
    this.strip = element("div", {
      class: "strip", role: "listbox", tabindex: 0, "aria-orientation": "horizontal", "aria-label": this.text.get("strip"),
      onkeydown: event => this.pressed(event), onclick: event => this.clicked(event),
    }, this.stripContent);
    this.shadow = element("div", { class: "shadow", "aria-hidden": "true" });
    this.feedContent = element("div", { class: "content" });
    this.feed = element("div", { class: "feed", role: "feed", "aria-label": this.text.get("cards"), onkeydown: event => this.feedPressed(event) },
      this.feedContent);
    this.empty = element("p", { class: "empty", role: "status" });
    const { list } = app.views;
    this.chips = new ChosenChips(this.text, list, () => this.strip, false);
    list.tools.lines.push(this.chips);
    this.chips.draw(list.query);
    this.element = element("section", { class: "strip-pane", "aria-label": this.text.get("cards") }, this.chips.element,
      this.strip, this.shadow, this.feed, this.empty);
    this.unsubscribe = app.store.subscribe((_, ids) => this.refill(index => ids.has(app.contacts.ids[index])));
  }

  close() {
    this.unsubscribe();
    this.observer?.disconnect();
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
      unit: UNIT, count: contacts.total, direction: "horizontal", delegate: {
        crossed: index => this.select(index),
        // Both move together, so one of the two logs the shadow.
        moved: isMoving => this.showShadow(isMoving),
        rested: index => Object.assign(this, { rested: contacts.at(index)?.id, lost: undefined }),
      },
    });
    this.cardScroller = new SnapScroller(this.feed, { unit: this.cardHeight, span: this.columns, count: contacts.total });
    this.feedContent.style.setProperty("--columns", this.columns);
    this.element.classList.toggle("grid", this.columns > 1);
    this.measure();
    SnapScroller.bind(this.circleScroller, this.cardScroller);
    this.line = new CellLine(this.circleScroller, this.layer, {
      make: () => this.circles.make(), fill: (cell, index) => this.circles.fill(cell, index), clear: cell => this.circles.clear(cell),
      inset: axis => this.isWide ? this.edge : (axis.viewport - UNIT) / 2, seen: axis => this.isWide ? this.seen(axis) : null,
    });
    this.cards = new CellLine(this.cardScroller, this.feedContent, {
      make: () => this.makeCard(), fill: (card, index) => this.fillCard(card, index), clear: card => card.avatar.show(undefined),
    });
    for (const scroller of [this.circleScroller, this.cardScroller]) {
      const { drawn } = scroller.delegate;
      scroller.delegate.drawn = () => { drawn(); this.demand(); };
    }
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.feed);
    this.select(0);
  }

  // Another text size, or another width of the page.
  resized() {
    if (!this.cards || this.element.hidden) return;
    const { columns } = this;
    this.element.classList.toggle("grid", columns > 1);
    this.feedContent.style.setProperty("--columns", columns);
    this.measure();
    this.cardScroller.setUnit(this.cardHeight, columns);
    this.cards.refill();
    this.line.draw();
  }

  // On a wide page the strip begins where the cards do; on a narrow one the selected face is in the middle.
  measure() {
    this.isWide = innerWidth >= WIDE;
    const padding = (this.columns > 1 ? 0.5 : 1) * this.app.fontSize, isMirrored = getComputedStyle(this.strip).direction === "rtl";
    const [cards, strip] = [this.feedContent, this.strip].map(each => each.getBoundingClientRect());
    // A scrollbar is at the end of the line alone.
    this.edge = (isMirrored ? strip.right - cards.right : cards.left - strip.left) + padding - GAP;
    this.strip.classList.toggle("wide", this.isWide);
  }

  // How far the faces are moved on a wide page: as far as the selected one comes to the middle, but not beyond the first and
  // the last face.
  seen({ position, viewport }) {
    const most = Math.max(0, this.app.contacts.total * UNIT - (viewport - 2 * this.edge)), wanted = this.edge + position + (UNIT - viewport) / 2;
    const seen = Math.min(most, Math.max(0, wanted));
    this.strip.classList.toggle("goes-before", seen > 0);
    this.strip.classList.toggle("goes-on", seen < most);
    return seen;
  }

  get columns() {
    const width = this.feedContent.clientWidth;
    return innerWidth < WIDE ? 1 : Math.min(COLUMNS, Math.max(1, Math.floor(width / (NARROWEST * this.app.fontSize))));
  }

  get cardHeight() { return Math.round((this.columns > 1 ? HIGH : LOW) * this.app.fontSize); }

  // Requests what both lines show.
  demand() {
    const { contacts } = this.app;
    // Another view shows the list now, and requests what it needs; a new list is requested once both lines have come to their place.
    if (!this.cards || this.element.hidden || !contacts.isLoaded || this.isLaying) return;
    // While they move, `rested` is the contact where the movement began: a refresh would lead back to it.
    const { index, isMoving } = this.circleScroller, id = isMoving ? contacts.ids[index] : this.rested;
    contacts.show(Math.min(this.line.from, this.cards.from), Math.max(this.line.to, this.cards.to), { id, index, lost: isMoving ? undefined : this.lost });
  }

  received(type, message, isRefresh) {
    const { contacts } = this.app;
    if (!this.cards || this.element.hidden) return;
    this.element.classList.toggle("is-waiting", !contacts.isLoaded && type !== "failed");
    if (type === "page") {
      this.refill(index => index >= message[0] && index < message[1]);
      if (!this.circleScroller.isMoving) this.rested ??= contacts.ids[this.circleScroller.index];
    }
    if (type !== "data") return;
    this.isLaying = true;
    this.lay(isRefresh);
    this.isLaying = false;
    this.refill();
    this.demand();
    const { filter = [], search = "" } = contacts.query, isEmpty = contacts.isLoaded && contacts.total === 0;
    this.empty.replaceChildren(...isEmpty ? this.reason(filter, search) : []);
  }

  // The selected contact stays selected when others come or go, also while its page is missing. One that is gone is replaced by
  // what is in its place, until it comes back or another one is selected: a book that is saved may be empty for a moment.
  lay(isRefresh) {
    const { app: { contacts }, circleScroller: scroller } = this, { ids, total, displacement } = contacts, { index: before, isMoving } = scroller;
    if (!isRefresh) this.lost = undefined;
    if (this.lost !== undefined && ids.includes(this.lost)) Object.assign(this, { rested: this.lost, lost: undefined });
    const found = isRefresh && this.rested ? ids.indexOf(this.rested) : -1;
    const by = !isRefresh || isMoving ? 0 : found >= 0 ? found - before : Math.max(-before, displacement);
    if (by !== 0) for (const line of [this.line, this.cards]) line.shift(by);
    scroller.link.setCount(total, before + by);
    this.select(scroller.index);
    if (found >= 0 || isMoving) return;
    const now = ids[scroller.index];
    if (isRefresh && this.rested && (now !== undefined || total === 0)) this.lost ??= this.rested;
    // Selected from the beginning, before anything moves; or in the place of one that is gone.
    this.rested = now ?? (isRefresh ? this.rested : undefined);
  }

  // Why there is no card, and the way back to all of them.
  reason(filter, search) {
    const { text, app } = this, { sign, key, values, label, part } = whyEmpty(text, { filter, search }, app.books);
    return emptyState(part ? sign : "cards", text.get(key, values), text.get(label), () => part ? app.views.list.choose(part) : app.go("#/book"));
  }

  refill(isMeant) {
    this.line?.refill(isMeant);
    this.cards?.refill(isMeant);
  }

  select(index) {
    if (!this.line) return;
    this.circles.select(index, this.line);
    for (const [at, card] of this.cards?.cells ?? []) card.classList.toggle("current", at === index);
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
    const row = this.cardScroller.span, isMirrored = getComputedStyle(this.feed).direction === "rtl";
    const forward = isMirrored ? "ArrowLeft" : "ArrowRight", back = isMirrored ? "ArrowRight" : "ArrowLeft";
    const to = { [forward]: now + 1, [back]: now - 1, ArrowDown: now + row, ArrowUp: now - row, PageDown: now + row, PageUp: now - row,
      Home: 0, End: this.app.contacts.total - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    // The card that gets the focus must exist.
    const target = Math.min(Math.max(0, to), this.app.contacts.total - 1);
    this.cardScroller.jump(target, this.cards.cells.has(target));
    this.cards.cells.get(target)?.focus({ preventScroll: true });
  }

  makeCard() {
    const card = element("article", { class: "person", tabindex: 0 });
    card.avatar = new AvatarView(this.app.faces);
    card.name = element("h2", { dir: "auto" });
    card.about = element("p", { class: "about", dir: "auto" });
    card.facts = element("ul", { class: "facts" });
    card.ways = element("p", { class: "ways" });
    // The whole card is its link; the keys reach the card itself, so that a row is not two stops for the Tab key.
    card.open = element("a", { class: "open", tabindex: -1, draggable: "false" });
    card.addEventListener("keydown", event => { if (event.key === "Enter" && event.target === card) card.open.click(); });
    card.append(element("div", { class: "card" }, card.avatar.element,
      element("div", { class: "words" }, card.name, card.about, card.facts), card.ways, card.open));
    return card;
  }

  fillCard(card, index) {
    const contact = this.app.contacts.at(index);
    card.style.height = `${this.cardScroller.unit}px`;
    card.ariaPosInSet = String(index + 1);
    card.ariaSetSize = String(this.app.contacts.total);
    card.ariaLabel = contact?.displayName ?? this.text.get("loading");
    card.avatar.show(contact);
    card.classList.toggle("current", index === this.circleScroller.index);
    card.classList.toggle("loading", !contact);
    card.name.textContent = contact?.displayName ?? "";
    card.classList.toggle("vip", contact?.vip === true);
    const about = contact ? workOf(contact) : "";
    // Two lines: all cards are as high as that, and none has a hole. The signs below lead to the rest.
    const facts = contact ? [phoneOf(contact), contact.emails?.[0]?.value].filter(Boolean).slice(0, about ? 1 : 2) : [];
    card.about.textContent = about;
    card.facts.replaceChildren(...facts.map(fact => element("li", { dir: "auto" }, fact)));
    card.facts.hidden = facts.length === 0;
    card.ways.replaceChildren(...contact ? ways(contact).map(way => wayLink(way, this.text.get(`way.${way.name}`, { name: contact.displayName }))) : []);
    card.open.hidden = !contact;
    if (!contact) return;
    card.open.href = `#/c/${encodeURIComponent(contact.id)}`;
    card.open.ariaLabel = `${this.text.get("open")}: ${contact.displayName}`;
  }
}
