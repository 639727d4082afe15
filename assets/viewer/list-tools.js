// Around the list: the search field, filter and sort above it, the index of letters beside it.
import { troubles } from "./details.js";
import { button, element, icon, iconButton } from "./dom.js";
import { loadPart } from "./page.js";
import { INITIAL, ORDERS } from "./route.js";
import { WAYS } from "./ways.js";

const SEARCH_DELAY = 60;

// Filter and sort are menus at their buttons, and sheets on the phone.
export class ListTools {
  // view: the list, with `query`, `choose(part)` and `enter()`, which focuses its rows.
  constructor(app, view) {
    const { text } = app;
    Object.assign(this, { app, view, text });
    this.search = element("input", {
      type: "search", placeholder: text.get("search"), "aria-label": text.get("search"), autocomplete: "off", dir: "auto",
      enterkeyhint: "search", maxlength: 200, spellcheck: "false", "aria-keyshortcuts": "/", oninput: () => this.searched(),
      onkeydown: event => this.pressed(event),
    });
    this.clear = iconButton("close", text.get("clearSearch"), () => this.clearSearch(), { class: "clear", hidden: true });
    this.filter = iconButton("filter", text.get("filter"), () => this.open("filter"), { "aria-haspopup": "menu" });
    this.sort = iconButton("sort", text.get("sort"), () => this.open("sort"), { "aria-haspopup": "menu" });
    this.more = iconButton("more", text.get("list.menu"), () => this.open("more"), { "aria-haspopup": "menu" });
    this.element = element("div", { class: "tools", role: "search" },
      element("div", { class: "search" }, icon("search"), this.search, this.clear), this.filter, this.sort, this.more);
    this.chips = new ChosenChips(text, view, () => this.filter, true);
    // The cards have the same line.
    this.lines = [this.chips];
  }

  end() { clearTimeout(this.timer); }

  searched() {
    clearTimeout(this.timer);
    this.clear.hidden = this.search.value === "";
    this.timer = setTimeout(() => this.view.choose({ search: this.search.value.trim() }), SEARCH_DELAY);
  }

  clearSearch() {
    clearTimeout(this.timer);
    this.view.choose({ search: "" });
    this.search.focus();
  }

  pressed(event) {
    if (event.key === "ArrowDown" || event.key === "Enter" && this.search.value !== "") {
      event.preventDefault();
      this.view.enter();
    }
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (this.search.value === "") this.view.enter();
    else this.clearSearch();
  }

  show({ search, filter, sort }) {
    if (this.search.value.trim() !== search) this.search.value = search;
    this.clear.hidden = this.search.value === "";
    this.badge(this.filter, "filter", filter.length > 0);
    this.badge(this.sort, "sort", sort !== INITIAL.sort);
    for (const line of this.lines) line.draw({ search, filter, sort });
  }

  badge(target, key, isApplied) {
    target.classList.toggle("badge", isApplied);
    target.title = target.ariaLabel = this.text.get(isApplied ? `${key}.applied` : key);
  }

  async open(name) {
    const menus = await loadPart(this.app, "menus");
    if (!menus) return;
    ({ filter: () => this.openFilter(menus), sort: () => this.openSort(menus), more: () => this.openMore(menus) })[name]();
  }

  get filters() { return [...this.app.favourites?.isKnown ? ["favourite"] : [], ...WAYS]; }

  openFilter({ openFilterSheet, Popover }) {
    const { text, view } = this, { filter } = view.query;
    if (!this.app.wide.matches) return openFilterSheet(text, this.filters, filter, chosen => view.choose({ filter: chosen }));
    const toggle = name => {
      const now = view.query.filter, chosen = now.includes(name) ? now.filter(other => other !== name) : [...now, name];
      view.choose({ filter: this.filters.filter(other => chosen.includes(other)) });
    };
    new Popover(text.get("filter"), [
      { heading: text.get("filter.legend") },
      ...this.filters.map(name => ({ label: text.get(`filter.${name}`), isChecked: filter.includes(name), kind: "checkbox", value: name, action: () => toggle(name) })),
      {}, { label: text.get("reset"), action: () => view.choose({ filter: [] }), isDisabled: () => view.query.filter.length === 0, isIndented: true },
    ], this.app).openAt(this.filter);
  }

  openSort({ openSortSheet, Popover }) {
    const { app, text, view } = this, { sort } = view.query;
    if (!app.wide.matches) return openSortSheet(text, sort, chosen => view.choose({ sort: chosen }));
    new Popover(text.get("sort.legend"), [
      { heading: text.get("sort.legend") },
      ...ORDERS.map(order => ({ label: text.get(`sort.${order}`), isChecked: order === sort, kind: "radio", value: order, action: () => view.choose({ sort: order }) })),
      {}, { label: text.get("reset"), action: () => view.choose({ sort: INITIAL.sort }), isDisabled: () => sort === INITIAL.sort, isIndented: true },
    ], app).openAt(this.sort);
  }

  // What is done with the whole list, and what stands above it.
  openMore({ openListSheet, Popover }) {
    const { app, text, view: { lead } } = this, print = { label: text.get("print.list"), action: () => this.print() };
    const recents = lead ? [{ ...lead.recentsChoice, kind: "checkbox", action: lead.recentsChoice.toggle }] : [];
    if (!app.wide.matches) return openListSheet(text, text.get("list.menu"), [print], recents);
    new Popover(text.get("list.menu"), [...recents, ...recents.length > 0 ? [{}] : [], { ...print, isIndented: recents.length > 0 }], app).openAt(this.more);
  }

  async print() { (await loadPart(this.app, "print"))?.printList(this.app); }
}

// What is chosen for the list, in a line: one press takes a part of it back, and one all of it.
export class ChosenChips {
  // choices: with `query` and `choose(part)`. rest(): what has the focus once nothing is chosen. hasField: the search has a field of its
  // own beside them.
  constructor(text, choices, rest, hasField) {
    Object.assign(this, { text, choices, rest, hasField });
    this.parts = element("div", { class: "chosen-parts" });
    this.all = button(text.get("clearAll"), () => choices.choose({ ...INITIAL }), { class: "chosen-all" });
    this.element = element("div", { class: "chosen", role: "group", "aria-label": text.get("chosen"), hidden: true }, this.parts, this.all);
  }

  draw({ search, filter, sort }) {
    const { element: line, parts, text, choices } = this, hadFocus = line.contains(document.activeElement);
    const taking = name => () => choices.choose({ filter: choices.query.filter.filter(other => other !== name) });
    const made = [
      ...search === "" || this.hasField ? [] : [this.chip(search, () => choices.choose({ search: "" }))],
      ...filter.map(name => this.chip(text.get(`filter.${name}`), taking(name))),
      ...sort === INITIAL.sort ? [] : [this.chip(text.get(`sort.${sort}`), () => choices.choose({ sort: INITIAL.sort }))],
    ];
    line.hidden = made.length === 0;
    this.all.hidden = made.length + (search !== "" && this.hasField ? 1 : 0) < 2;
    parts.replaceChildren(...made);
    // That of the field would bring the keyboard of a phone up.
    if (hadFocus) (made[0] ?? this.rest()).focus({ preventScroll: true });
  }

  chip(label, action) {
    const remove = this.text.get("chip.remove", { name: label });
    return element("button", { type: "button", class: "chosen-part", "aria-label": remove, title: remove, onclick: action },
      element("span", {}, element("bdi", {}, label), icon("close")));
  }
}

// Why a list shows no contact: {sign, key, values, label, part}, of which the button takes back what hides all, or leads to the books.
// books: their state; where none can be read, to add contacts would be no help.
export function whyEmpty(text, { search, filter }, books = []) {
  const filters = text.filters(filter), all = { search: "", filter: [] };
  const [first] = filter, one = { favourite: "empty.favourites", phone: "empty.phone", email: "empty.email" }[first] ?? "empty.messenger";
  if (first && search) return { sign: "search", key: "empty.both", values: { search, filters, count: filter.length }, label: "clearAll", part: all };
  if (filter.length === 1) return { sign: first === "favourite" ? "star" : first, key: one, values: { filters }, label: "clearFilter", part: all };
  if (first) return { sign: "filter", key: "empty.filter", values: { filters }, label: "clearFilter", part: all };
  if (search) return { sign: "search", key: "empty.search", values: { search }, label: "clearSearch", part: all };
  const isLost = books.length > 0 && troubles(books).filter(({ read }) => read === 0).length === books.length;
  return { sign: "book", key: isLost ? "empty.unread" : "empty", values: {}, label: "empty.books", part: null };
}

// The parts of an index of `count` sections, at most `room` of them: {from, count, isDot}, a letter or those between two letters.
export function thinned(count, room) {
  let step = 1;
  const length = () => step === 1 ? count : 2 * Math.ceil(count / step) - (count % step === 1 ? 1 : 0);
  while (length() > room) step += 1;
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step).flatMap(from => {
    const others = Math.min(step - 1, count - from - 1);
    return [{ from, count: 1 }, ...others > 0 ? [{ from: from + 1, count: others, isDot: true }] : []];
  });
}

// The index of letters: a slider that scrolls to a section. While a finger or the mouse is on it, its letter is shown large
// beside it.
export class IndexBar {
  // layout(): the layout of the list, with its sections. go(number of a section).
  constructor(label, layout, go) {
    Object.assign(this, { layout, go, now: 0, parts: [] });
    this.element = element("div", {
      class: "index", role: "slider", tabindex: 0, "aria-orientation": "vertical", "aria-label": label,
      "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0, hidden: true,
      onkeydown: event => this.pressed(event), onpointerdown: event => this.scrub(event),
      onpointermove: event => { if (event.buttons) this.scrub(event); },
      onpointerup: () => this.end(), onpointercancel: () => this.end(),
    });
  }

  // room: how many letters there is room for. On a short screen some are left out: a dot stands for those between two letters.
  draw(sections, room) {
    const isNeeded = sections.length > 1;
    this.element.hidden = !isNeeded;
    this.parts = thinned(sections.length, Math.max(3, room));
    this.element.ariaValueMax = String(Math.max(0, sections.length - 1));
    this.mark(Math.min(this.now, Math.max(0, sections.length - 1)), sections);
    const shown = this.parts.map(({ from, isDot }) => isDot ? "•" : sections[from].title);
    if (shown.join() !== this.shown) this.element.replaceChildren(...shown.map(letter => element("span", letter === "•" ? { class: "dot" } : {}, letter)));
    this.shown = shown.join();
    return isNeeded;
  }

  // The section at the top of the list.
  mark(number, sections) {
    this.now = number;
    this.element.ariaValueNow = String(number);
    this.element.ariaValueText = sections[number]?.title ?? "";
  }

  pressed(event) {
    const last = this.layout().sections.length - 1, { now } = this;
    const to = { ArrowUp: now - 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - 5, PageDown: now + 5,
      Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(Math.min(Math.max(0, to), last));
  }

  // share: of the height, 0...1.
  sectionAt(share) {
    const { parts } = this, place = Math.min(Math.max(0, share), 1) * parts.length, at = Math.min(Math.floor(place), parts.length - 1);
    const { from, count } = parts[at];
    return from + Math.min(count - 1, Math.floor((place - at) * count));
  }

  scrub(event) {
    const { top, height } = this.element.getBoundingClientRect(), share = (event.clientY - top) / height;
    // A finger that leaves the narrow bar goes on.
    if (event.type === "pointerdown" && event.isTrusted) this.element.setPointerCapture(event.pointerId);
    const number = this.sectionAt(share);
    this.go(number);
    this.enlarge(this.layout().sections[number]?.title ?? "", this.element.offsetTop + Math.min(1, Math.max(0, share)) * height);
  }

  enlarge(letter, y) {
    this.letter ??= element("div", { class: "scrubbed", "aria-hidden": "true" });
    this.letter.textContent = letter;
    this.letter.style.insetBlockStart = `${y}px`;
    if (!this.letter.isConnected) this.element.after(this.letter);
  }

  end() { this.letter?.remove(); }
}
