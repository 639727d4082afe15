// The list of contacts: search, filter and sort, sections with index letters, and the rows.
import { button, element, iconButton } from "./dom.js";
import { SectionLayout } from "./layout.js";
import { choiceHere, choiceText, INITIAL, keepChoice } from "./route.js";
import { ContactRow } from "./rows.js";
import { openFilterSheet, openMenu, openSortSheet } from "./sheets.js";
import { watchSwipes } from "./gestures.js";
import { VirtualList } from "./virtual.js";

const SEARCH_DELAY = 60;

export class ListView {
  constructor(app) {
    Object.assign(this, { app, text: app.text, query: { ...INITIAL }, active: 0, current: null });
    this.build();
    this.list = new VirtualList(this.scroller, new SectionLayout([], 1, 1), {
      rows: this.rows, headers: this.headers,
      make: () => new ContactRow(app, row => this.openActions(row)).element,
      fill: (row, index) => this.fill(row, index),
      makeHeader: () => element("h2", { class: "section" }),
      fillHeader: (header, section) => { header.textContent = section.title; },
      shown: (from, to, position, seen) => this.shown(from, to, position, seen),
    });
    watchSwipes(this.rows, target => target.closest(".row:not(.loading)"), row => row.view.contact?.id, row => this.openActions(row));
    this.rows.addEventListener("keydown", event => this.pressed(event));
    this.rows.addEventListener("focusin", event => this.focused(event));
    this.rows.addEventListener("focusout", () => { this.list.focused = -1; });
    // A screen that is turned has room for another number of letters.
    this.observer = new ResizeObserver(() => this.drawIndex(this.app.contacts.sections));
    this.observer.observe(this.scroller);
    this.unsubscribe = app.store.subscribe((_, ids) => this.list.refill(index => ids.has(app.contacts.ids[index])));
  }

  // The view is replaced by one in another language.
  close() {
    this.unsubscribe();
    this.observer.disconnect();
    clearTimeout(this.timer);
    this.list.end();
    for (const row of this.list.elements) row.view.avatar.show(undefined);
    this.app.contacts.callback = () => {};
  }

  build() {
    const { text } = this;
    this.search = element("input", {
      type: "search", placeholder: text.get("search"), "aria-label": text.get("search"), autocomplete: "off", dir: "auto",
      enterkeyhint: "search", maxlength: 200, spellcheck: "false", oninput: () => this.searched(),
    });
    this.filter = iconButton("filter", text.get("filter"), () => openFilterSheet(text, this.query.filter, filter => this.choose({ filter })),
      { "aria-haspopup": "dialog" });
    this.sort = iconButton("sort", text.get("sort"), () => openSortSheet(text, this.query.sort, sort => this.choose({ sort })),
      { "aria-haspopup": "dialog" });
    this.rows = element("div", { class: "rows", role: "list", "aria-label": text.get("contacts") });
    this.headers = element("div", { class: "headers" });
    this.scroller = element("div", { class: "scroller" });
    this.sticky = element("div", { class: "section sticky", "aria-hidden": "true", hidden: true });
    this.index = element("div", {
      class: "index", role: "slider", tabindex: 0, "aria-orientation": "vertical", "aria-label": text.get("index"),
      "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0, hidden: true,
      onkeydown: event => this.indexKey(event), onpointerdown: event => this.indexPointer(event),
      onpointermove: event => { if (event.buttons) this.indexPointer(event); },
    });
    this.empty = element("p", { class: "empty", role: "status" });
    this.element = element("section", { class: "list-pane", "aria-label": text.get("contacts") },
      element("div", { class: "tools", role: "search" }, this.search, this.filter, this.sort),
      element("div", { class: "list-area" }, this.scroller, this.sticky, this.index, this.empty));
  }

  resized() { this.lay(true); }

  // The list is loaded when it is first shown, and keeps its place when it is shown again.
  show() {
    if (this.isRequested) return this.list.axis.measure();
    this.isRequested = true;
    this.request();
  }

  // The contacts may be shown no more: the next time, the list is requested again.
  forget() {
    this.isRequested = false;
    this.lay(false);
    this.empty.replaceChildren();
  }

  // A new list after a change of the language has the same choice.
  restore(query) {
    this.search.value = query.search;
    Object.assign(this.query, query);
    this.showBadges();
  }

  request() {
    const { contacts } = this.app;
    this.list.scrollTo(0);
    this.active = 0;
    contacts.request({ ...this.query }, (type, message, isRefresh) => this.received(type, message, isRefresh));
  }

  received(type, message, isRefresh) {
    const { contacts } = this.app;
    if (type === "page") this.list.refill(index => index >= message[0] && index < message[1]);
    if (type === "data") this.lay(isRefresh);
    if (type === "failed") {
      if (!contacts.isLoaded) this.lay(false);
      this.explain(message.status === 401 ? "denied" : "unreachable", () => contacts.load(contacts.isLoaded));
    }
    this.app.received(type, message, isRefresh);
  }

  // After a refresh the row at the top stays where it is, although rows above it may have come or gone.
  lay(isRefresh) {
    const { contacts, fontSize } = this.app;
    const anchor = isRefresh ? this.anchor : null;
    this.rowHeight = Math.round(4.5 * fontSize);
    const { sections, total } = contacts, layout = new SectionLayout(sections, this.rowHeight, Math.round(2 * fontSize));
    const by = anchor ? this.displacement(anchor) : 0;
    if (by !== 0) {
      anchor.index += by;
      this.list.shift(by);
      this.active = Math.max(0, this.active + by);
    }
    this.list.setLayout(layout, by === 0 ? undefined : layout.top(anchor.index) + anchor.distance);
    this.drawIndex(sections);
    if (total > 0) this.empty.replaceChildren();
    else this.explainEmpty();
    this.reveal();
  }

  // The rows that came before the one at the top, which may have been scrolled away from the page that was requested.
  displacement({ id, index }) {
    const { contacts } = this.app, now = contacts.ids.indexOf(id);
    return now >= 0 ? now - index : Math.max(-index, contacts.displacement);
  }

  explainEmpty() {
    const isSearch = this.query.search !== "", isFilter = this.query.filter.length > 0;
    this.explain(isFilter ? "empty.filter" : isSearch ? "empty.search" : "empty");
  }

  explain(key, retry) {
    if (retry && this.app.contacts.isLoaded) return;
    this.empty.replaceChildren(this.text.get(key), ...retry ? [button(this.text.get("retry"), retry, { class: "primary" })] : []);
  }

  fill(row, index) {
    const { contacts } = this.app, contact = contacts.at(index);
    row.view.fill(index, contacts.total, contact, {
      isCurrent: contact !== undefined && contact.id === this.current, isActive: index === this.active,
    });
  }

  shown(from, to, position, seen) {
    const { contacts } = this.app;
    const { layout } = this.list, section = layout.sectionAt(position), [index] = seen;
    // Its id may come with the next page.
    const known = this.anchor?.index === index ? this.anchor.id : undefined;
    this.anchor = position > 0 ? { id: contacts.ids[index] ?? known, index, distance: position - layout.top(index) } : null;
    if (contacts.isLoaded) contacts.show(from, to, this.anchor);
    this.stick(position, section, layout.sections);
    // One of the rows in view takes part in the order of the Tab key.
    if (this.list.focused < 0 && (this.active < from || this.active >= to) && seen[0] < seen[1]) this.activate(seen[0]);
  }

  // The letter of the rows at the top, pushed away by the next one.
  stick(position, number, sections) {
    const section = sections[number], isNeeded = Boolean(section?.title) && position > 0;
    if (section && this.letter !== number) {
      this.letter = number;
      this.index.ariaValueNow = String(number);
      this.index.ariaValueText = section.title;
    }
    if (this.sticky.hidden === isNeeded) this.sticky.hidden = !isNeeded;
    if (!isNeeded) return;
    if (this.sticky.textContent !== section.title) this.sticky.textContent = section.title;
    const next = sections[number + 1]?.top ?? Infinity;
    this.sticky.style.transform = `translateY(${Math.min(0, next - position - this.list.layout.headerHeight)}px)`;
  }

  drawIndex(sections) {
    const isNeeded = sections.length > 1;
    this.index.hidden = !isNeeded;
    this.element.classList.toggle("indexed", isNeeded);
    // A short screen shows every second letter, or fewer.
    const room = Math.max(2, Math.floor(this.list.axis.viewport / (1.1 * this.app.fontSize)));
    const step = Math.ceil(sections.length / room);
    const letters = sections.filter((_, number) => number % step === 0).map(({ title }) => title);
    this.index.ariaValueMax = String(Math.max(0, sections.length - 1));
    this.index.ariaValueNow = String(Math.min(this.letter ?? 0, Math.max(0, sections.length - 1)));
    this.index.ariaValueText = sections[this.letter ?? 0]?.title ?? "";
    if (letters.join() === this.letters) return;
    this.letters = letters.join();
    this.index.replaceChildren(...letters.map(letter => element("span", {}, letter)));
  }

  indexKey(event) {
    const { sections } = this.list.layout, now = this.list.layout.sectionAt(this.list.position);
    const to = { ArrowUp: now - 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - 5,
      PageDown: now + 5, Home: 0, End: sections.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.jumpToSection(Math.min(Math.max(0, to), sections.length - 1));
  }

  indexPointer(event) {
    const { top, height } = this.index.getBoundingClientRect(), { length } = this.list.layout.sections;
    this.jumpToSection(Math.min(length - 1, Math.max(0, Math.floor((event.clientY - top) / height * length))));
  }

  jumpToSection(number) { this.list.scrollTo(this.list.layout.sections[number].top); }

  searched() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.choose({ search: this.search.value.trim() }), SEARCH_DELAY);
  }

  choose(part) {
    Object.assign(this.query, part);
    keepChoice(this.query);
    this.showBadges();
    this.request();
  }

  // The page has come to another place, which may state another choice.
  arrive() {
    const choice = choiceHere(), isOther = choice !== null && choiceText(choice) !== choiceText(this.query);
    if (isOther) this.restore(choice);
    keepChoice(this.query);
    if (isOther && this.isRequested) this.request();
  }

  showBadges() {
    this.badge(this.filter, "filter", this.query.filter.length > 0);
    this.badge(this.sort, "sort", this.query.sort !== INITIAL.sort);
  }

  badge(target, key, isApplied) {
    target.classList.toggle("badge", isApplied);
    target.ariaLabel = this.text.get(isApplied ? `${key}.applied` : key);
  }

  // The contact of the detail pane. It is scrolled to unless it is in view.
  select(id, isRevealed) {
    this.current = id;
    this.list.refill();
    this.unrevealed = isRevealed ? id : null;
    if (this.app.contacts.isLoaded) this.reveal();
  }

  // A deep link may come before the list.
  async reveal() {
    const id = this.unrevealed;
    this.unrevealed = null;
    if (id === null || id === undefined) return;
    const index = await this.app.contacts.locate(id);
    if (index < 0 || this.current !== id) return;
    this.active = index;
    if (!this.list.row(index)) this.list.reveal(index, "middle");
    this.list.refill();
  }

  focused(event) {
    const index = event.target.closest(".row")?.view.index;
    if (index === undefined) return;
    this.list.focused = index;
    this.activate(index);
  }

  activate(index) {
    this.list.row(this.active)?.view.activate(false);
    this.active = index;
    this.list.row(index)?.view.activate(true);
  }

  pressed(event) {
    const row = event.target.closest(".row"), index = row?.view.index;
    if (row && event.key === "Delete") return this.openActions(row);
    const page = Math.max(1, Math.floor(this.list.axis.viewport / this.rowHeight) - 1), { total } = this.app.contacts;
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page, Home: 0, End: total - 1 }[event.key];
    if (index === undefined || to === undefined) return;
    event.preventDefault();
    this.focus(Math.min(Math.max(0, to), total - 1));
  }

  focus(index) {
    this.list.reveal(index, "nearest", this.list.layout.headerHeight);
    this.activate(index);
    this.list.row(index)?.view.link.focus({ preventScroll: true });
  }

  openActions(row) {
    const { contact, index } = row.view;
    if (contact) this.app.openRemoval(contact, () => this.focus(Math.min(index, this.app.contacts.total - 1)));
  }
}
