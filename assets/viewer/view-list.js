// The list of contacts: what is chosen, sections with index letters, and the rows.
import { trouble } from "./api.js";
import { element, emptyState } from "./dom.js";
import { SectionLayout } from "./layout.js";
import { ListActions, ListInput } from "./list-actions.js";
import { IndexBar, ListTools, whyEmpty } from "./list-tools.js";
import { isFocusLost, loadPart } from "./page.js";
import { choiceHere, choiceText, INITIAL, keepChoice } from "./route.js";
import { ContactRow } from "./rows.js";
import { VirtualList } from "./virtual.js";

// Pixels from an open contact, or from the last one, to the lower edge of the list.
const BELOW = 8;

export class ListView extends ListActions {
  constructor(app) {
    super();
    // duplicates: those who are in several books are one row. A service that does not know it shows each.
    Object.assign(this, { app, text: app.text, query: { ...INITIAL }, active: 0, current: null, rowHeight: 0 });
    this.tools = new ListTools(app, this);
    this.input = new ListInput(app, this);
    this.build();
    this.list = new VirtualList(this.scroller, new SectionLayout([], 1, 1), {
      rows: this.rows, headers: this.headers, below: BELOW,
      make: () => new ContactRow(app, (row, anchor) => this.openMenu(row, anchor)).element,
      fill: (row, index) => this.fillRow(row, index, app.contacts.at(index)),
      makeHeader: () => element("h2", { class: "section" }),
      // A letter beside rows that have gone would lie on that of the next ones.
      fillHeader: (header, { title, count }) => { header.textContent = count > 0 || !this.isBeside ? title : ""; },
      shown: (from, to, position, seen) => this.shown(from, to, position, seen),
    });
    this.list.content.append(this.probe.element);
    this.input.watch(this.rows);
    // A screen that is turned has room for another number of letters, and text of another size makes other rows.
    this.observer = new ResizeObserver(() => this.measured());
    for (const each of [this.scroller, this.probe.element]) this.observer.observe(each);
    this.unsubscribe = app.store.subscribe((_, ids) => {
      this.list.refill(index => ids.has(app.contacts.ids[index]));
      this.lead?.refill();
    });
  }

  // The view is replaced by one in another language.
  close() {
    this.unsubscribe();
    this.observer.disconnect();
    this.tools.end();
    this.input.end();
    this.lead?.end();
    this.list.end();
    for (const row of this.list.elements) row.view.avatar.show(undefined);
    this.app.contacts.callback = () => {};
  }

  build() {
    const { text, app } = this;
    this.rows = element("div", { class: "rows", role: "list", "aria-label": text.get("contacts") });
    this.headers = element("div", { class: "headers" });
    this.scroller = element("div", { class: "scroller" });
    this.sticky = element("div", { class: "section sticky", "aria-hidden": "true", hidden: true });
    this.index = new IndexBar(text.get("index"), () => this.list.layout, number => this.jumpToSection(number));
    this.empty = element("div", { class: "empty", role: "status" });
    this.area = element("div", { class: "list-area" }, this.scroller, this.sticky, this.index.element, this.empty);
    this.element = element("section", { class: "list-pane lettered", "aria-label": text.get("contacts") }, this.tools.element, this.tools.chips.element, this.area);
    // All rows are as high as this one, whose name has as many lines as there is room for.
    this.probe = new ContactRow(app, () => {});
    this.probe.element.className = "probe-row";
    this.probe.element.inert = true;
    this.probe.element.removeAttribute("role");
    this.probe.line.textContent = "0";
  }

  resized() { this.measured(); }

  measured() {
    this.measureRow();
    if (this.measuredHeight !== this.rowHeight || this.measuredFont !== this.app.fontSize || this.measuredBeside !== this.isBeside) this.lay(true);
    else this.drawIndex(this.app.contacts.sections);
  }

  measureRow() {
    const { element: probe, name } = this.probe;
    if (probe.offsetHeight === 0) return;
    const style = getComputedStyle(name), lines = Number(style.getPropertyValue("--lines")) || 2;
    this.isBeside = style.getPropertyValue("--letters").trim() === "beside";
    if (this.lines !== lines) name.textContent = Array(this.lines = lines).fill("0").join("\n");
    this.rowHeight = probe.offsetHeight;
  }

  // The list is loaded when it is first shown, and keeps its place when it is shown again.
  show() {
    if (this.isRequested) return this.list.axis.measure();
    this.isRequested = true;
    this.request();
  }

  // The contacts may be shown no more: the next time, the list is requested again.
  forget() {
    this.isRequested = false;
    this.list.known();
    this.app.settings.set("recents", null);
    this.selection?.clear();
    this.lead?.forget();
    this.lay(false);
    this.explainNothing();
  }

  // A new list after a change of the language has the same choice.
  restore(query) {
    Object.assign(this.query, query);
    this.tools.show(this.query);
  }

  request() {
    const { contacts } = this.app;
    this.list.scrollTo(0);
    this.active = 0;
    this.lead?.draw();
    if (!contacts.isLoaded) this.list.wait();
    contacts.request({ ...this.query, duplicates: "joined" }, (type, message, isRefresh) => this.received(type, message, isRefresh));
  }

  received(type, message, isRefresh) {
    const { contacts } = this.app;
    if (type === "page") this.list.refill(index => index >= message[0] && index < message[1]);
    if (type === "data" || type === "failed") this.list.known();
    if (type === "data") {
      // Of what the page has taken or put back itself.
      if (message) this.app.removals.glide(this.list, () => this.lay(isRefresh), message === "taken");
      else this.lay(isRefresh);
      this.loadLead();
    }
    if (type === "failed") {
      if (!contacts.isLoaded) this.lay(false);
      if (!contacts.isLoaded) this.explain("alert", this.text.get(trouble(message)), "retry", () => contacts.load(contacts.isLoaded), true);
    }
    this.app.received(type, message, isRefresh);
  }

  // Favourites and recently opened contacts wait until the list is there.
  async loadLead() {
    if (this.lead) return this.lead.load();
    if (this.isLeading) return;
    this.isLeading = true;
    const part = await loadPart(this.app, "lead");
    if (!part) this.app.split.classList.remove("is-asking");
    if (!part || this.app.views.list !== this) return;
    this.lead = new part.Lead(this.app, this, () => this.lay(true));
    this.list.content.prepend(this.lead.element);
    this.input.watch(this.lead.rows);
    this.lead.draw();
    // Contacts may be shown no more, since the module was requested.
    if (this.isRequested) this.lead.load();
  }

  // After a refresh the row at the top stays where it is, although rows above it may have come or gone.
  lay(isRefresh) {
    const { contacts, fontSize } = this.app, { axis } = this.list, hadFocus = this.rows.contains(document.activeElement);
    const anchor = isRefresh ? this.anchor : null, lead = this.lead?.height ?? 0, { sections, total } = contacts;
    // Without letters the rows need no room beside them.
    this.element.classList.toggle("lettered", !contacts.isLoaded || sections.some(({ title }) => title));
    this.measureRow();
    this.rowHeight ||= Math.round(3.5 * fontSize);
    const { rowHeight, isBeside } = this;
    Object.assign(this, { measuredHeight: rowHeight, measuredFont: fontSize, measuredBeside: isBeside });
    this.area.style.setProperty("--row", `${rowHeight}px`);
    const layout = new SectionLayout(sections, rowHeight, isBeside ? 0 : Math.round(2 * fontSize), lead);
    const by = anchor ? this.displacement(anchor) : 0, isMoved = anchor && anchor.lead !== lead && axis.position >= anchor.lead;
    if (by !== 0) {
      anchor.index += by;
      this.list.shift(by);
      this.active = Math.max(0, this.active + by);
    }
    this.list.setLayout(layout, by === 0 && !isMoved ? undefined : layout.top(anchor.index) + anchor.distance);
    this.drawIndex(sections);
    if (total > 0) this.explainNothing();
    else if (contacts.isLoaded) this.explainEmpty();
    if (hadFocus && isFocusLost()) this.enter(this.active);
    this.reveal();
  }

  // The rows that came before the one at the top, which may have been scrolled away from the page that was requested.
  displacement({ id, index }) {
    const { contacts } = this.app, now = contacts.ids.indexOf(id);
    return now >= 0 ? now - index : Math.max(-index, contacts.displacement);
  }

  explainEmpty() {
    const { text, app: { books, contacts } } = this, { sign, key, values, label, part } = whyEmpty(text, this.query, books);
    if (contacts.isPartial) this.explain(sign, text.get("empty.known"), "retry", () => contacts.load(false));
    else if (part === null) this.explain(sign, text.get(key), label, () => this.app.go("#/book"), true);
    else this.explain(sign, text.get(key, values), label, () => { if (key === "empty.search") this.tools.clearSearch(); else this.choose(part, true); });
  }

  // isWhole: there is nothing to choose beside it, either.
  explain(sign, message, label, action, isWhole = false) {
    this.app.toast.explained(message);
    this.showEmpty(emptyState(sign, message, label && this.text.get(label), action), isWhole);
  }

  // The rows are there.
  explainNothing() { this.showEmpty([], false); }

  showEmpty(content, isWhole) {
    this.element.classList.toggle("is-empty", content.length > 0);
    document.body.classList.toggle("is-bare", isWhole);
    this.empty.replaceChildren(...content);
  }

  fillRow(row, index, contact) {
    const { app, selection } = this;
    row.view.fill(index, app.contacts.total, contact, {
      isCurrent: contact !== undefined && contact.id === this.current, isActive: index === this.active,
      isPicked: contact !== undefined && selection?.has(contact.id) === true, isPicking: selection?.size > 0,
      isJoined: index >= 0 && selection?.size > 1 ? [index - 1, index + 1].map(other => this.isPickedBeside(index, other)) : [],
    });
  }

  // Whether the row beside this one is selected, too, and no heading is between them.
  isPickedBeside(index, other) {
    const { app: { contacts }, list: { layout }, selection } = this;
    return other >= 0 && other < contacts.total && selection.has(contacts.ids[other]) && Math.abs(layout.top(other) - layout.top(index)) <= this.rowHeight;
  }

  refill() {
    this.list.refill();
    this.lead?.refill();
  }

  shown(from, to, position, seen) {
    const { contacts } = this.app;
    const { layout } = this.list, section = layout.sectionAt(position), [index] = seen;
    // Its id may come with the next page.
    const known = this.anchor?.index === index ? this.anchor.id : undefined;
    this.anchor = position > 0 ? { id: contacts.ids[index] ?? known, index, distance: position - layout.top(index), lead: layout.lead } : null;
    if (contacts.isLoaded) contacts.show(from, to, this.anchor);
    this.area.classList.toggle("is-scrolled", position > 0);
    this.stick(position, section, layout.sections);
    // One of the rows in view takes part in the order of the Tab key.
    if (this.list.focused < 0 && (this.active < from || this.active >= to) && seen[0] < seen[1]) this.activate(seen[0]);
  }

  // The letter of the rows at the top, pushed away by the next one.
  stick(position, number, sections) {
    const section = sections[number], isNeeded = Boolean(section?.title) && position > this.list.layout.lead && position >= section.top;
    if (section && this.index.now !== number) this.index.mark(number, sections);
    if (this.sticky.hidden === isNeeded) this.sticky.hidden = !isNeeded;
    if (!isNeeded) return;
    if (this.sticky.textContent !== section.title) this.sticky.textContent = section.title;
    const next = sections[number + 1]?.top ?? Infinity;
    const height = this.list.layout.headerHeight || this.rowHeight;
    this.sticky.style.transform = `translateY(${Math.min(0, next - position - height)}px)`;
  }

  drawIndex(sections) {
    const { axis: { viewport }, layout } = this.list;
    // What is all in view needs no way to its parts.
    const isNeeded = this.index.draw(layout.length > viewport ? sections : [], Math.floor(viewport / (1.1 * this.app.fontSize)));
    this.element.classList.toggle("indexed", isNeeded);
  }

  jumpToSection(number) { this.list.scrollTo(number === 0 ? 0 : this.list.layout.sections[number].top); }

  // isKept: the button that was pressed goes, and the focus with it.
  choose(part, isKept = false) {
    Object.assign(this.query, part);
    keepChoice(this.query);
    this.tools.show(this.query);
    // On a phone the field would bring the keyboard up.
    if (isKept) (this.app.hasMouse ? this.tools.search : this.tools.filter).focus({ preventScroll: true });
    this.request();
  }

  // The page has come to another place, which may state another choice.
  arrive() {
    const choice = choiceHere(), isOther = choice !== null && choiceText(choice) !== choiceText(this.query);
    if (isOther) this.restore(choice);
    keepChoice(this.query);
    if (isOther && this.isRequested) this.request();
  }

  // The contact of the detail pane. It is scrolled to unless it is in view.
  select(id, isRevealed) {
    const before = this.current;
    this.current = id;
    this.refill();
    this.unrevealed = isRevealed ? id : null;
    if (this.app.contacts.isLoaded) this.reveal();
    // Back from a contact, on the phone: its row has the focus.
    if (id !== null || before === null) return;
    this.lead?.draw();
    if (isFocusLost()) this.focusContact(before);
  }

  // A deep link may come before the list.
  async reveal() {
    const id = this.unrevealed, { contacts, store } = this.app;
    this.unrevealed = null;
    if (id === null || id === undefined) return;
    const index = await contacts.locate(id);
    if (this.current !== id) return;
    if (store.get(id)) {
      this.remember(store.get(id));
      this.app.views.detail?.found(id);
    }
    if (index < 0) return;
    this.active = index;
    // Behind a contact on the phone the list stays where it is; the row is shown with the way back.
    if (this.area.offsetHeight === 0) return this.list.refill();
    // A row of which only an edge is in view is made for the list, but is not seen.
    if (!this.list.row(index)) this.list.reveal(index, "middle");
    else this.list.reveal(index, "nearest", this.list.layout.headerHeight);
    this.list.refill();
  }

  async remember(contact) {
    const { Recents } = await loadPart(this.app, "favourites") ?? {};
    if (Recents && this.app.isPermitted) new Recents(this.app.settings).add(contact);
  }
}
