import { watchHold, watchSwipes } from "./gestures.js";
import { loadPart, vcards } from "./page.js";

// What is done with the rows of the list, by pointers and keys: their focus, menu, selection, removal. The list is a subclass, with `app`, `list`, `lead`, `tools`, `text` and `query`.
export class ListActions {
  focused(row) {
    const { index } = row.view;
    this.list.focused = Math.max(-1, index);
    this.activate(index);
  }

  row(index) { return index < 0 ? this.lead?.row(index) : this.list.row(index); }

  activate(index) {
    this.row(this.active)?.view.activate(false);
    this.active = index;
    this.row(index)?.view.activate(true);
  }

  get first() { return this.lead && !this.lead.element.hidden ? -this.lead.favourites.length : 0; }

  // By a key. isRange: what lies between is selected, too.
  async move(wanted, isRange) {
    const index = Math.min(Math.max(this.first, wanted), this.app.contacts.total - 1), from = this.active;
    this.focus(index);
    if (!isRange || index < 0 || from < 0) return;
    const selection = await this.selecting();
    selection.anchor ??= from;
    selection.range(index);
  }

  focus(index) {
    if (index < 0) this.list.scrollTo(Math.min(this.list.position, this.row(index)?.offsetTop ?? 0));
    else this.list.reveal(index, "nearest", this.list.layout.headerHeight);
    this.activate(index);
    this.row(index)?.view.link.focus({ preventScroll: true });
  }

  // The focus comes to the list: to the row that had it, or to the field if there are no rows.
  enter(index = this.active) {
    const { total } = this.app.contacts;
    if (total === 0) this.tools.search.focus();
    else this.focus(Math.min(Math.max(this.first, index), total - 1));
  }

  focusContact(id) {
    const index = this.app.contacts.ids.indexOf(id);
    if (index >= 0) this.focus(index);
  }

  focusCurrent() {
    if (this.app.contacts.ids.includes(this.current)) this.focusContact(this.current);
    else this.enter();
  }

  // The first contact whose name begins with what was typed. What was typed last decides, in whatever order the answers come,
  // and a row that has got the focus meanwhile keeps it.
  async typeTo(text) {
    const search = this.typing = Symbol(text);
    const { contacts, store } = this.app, collator = new Intl.Collator(this.text.language, { sensitivity: "base" });
    const section = contacts.sections.find(({ title }) => title && collator.compare(title, [...text][0]) === 0);
    if (!section) return;
    if ([...text].length === 1) return this.focus(section.offset);
    const { active } = this;
    const ids = await contacts.idsBetween(section.offset, section.offset + Math.min(section.count, 500)).catch(() => []);
    if (search !== this.typing || active !== this.active) return;
    const isFamily = this.query.sort.startsWith("family");
    const at = ids.findIndex(id => {
      const { name, displayName } = store.get(id) ?? {}, key = isFamily && name?.family || displayName || "";
      return collator.compare(key.slice(0, text.length), text) === 0;
    });
    if (at >= 0) this.focus(section.offset + at);
  }

  // Enter on a row: the focus goes to the contact, which may be open already.
  enterContact(id) {
    this.isEntered = true;
    if (id === this.current) this.takeEntered() && this.app.views.detail?.name.focus();
  }

  takeEntered() {
    const { isEntered } = this;
    this.isEntered = false;
    return isEntered === true;
  }

  openContact(id) {
    this.enterContact(id);
    this.app.go(`#/c/${encodeURIComponent(id)}`);
  }

  async openMenu(row, anchor, event) {
    const part = row.view.contact && await loadPart(this.app, "row-menu");
    if (part && row.view.contact) part.openRowMenu(this.app, this, row, anchor, event);
  }

  // A row that a finger holds. Among selected ones it is selected, too.
  async hold(row) {
    if (this.selection?.size > 0) return this.pick(row);
    const part = row.view.contact && await loadPart(this.app, "row-menu");
    if (part && row.view.contact) part.openPreview(this.app, this, row);
  }

  async selecting() {
    const part = await loadPart(this.app, "selection");
    if (part && !this.selection) this.area.after((this.selection = new part.Selection(this.app, this)).element);
    return this.selection;
  }

  async pick(row, isRange = false) {
    const { contact, index } = row.view, selection = await this.selecting();
    if (!selection) return;
    if (isRange && index >= 0 && selection.anchor !== null) selection.range(index);
    else selection.toggle(contact.id, index);
  }

  idsBetween(from, to) {
    const above = Array.from({ length: Math.max(0, Math.min(0, to) - from) }, (_, at) => this.lead.idAt(from + at));
    return this.app.contacts.idsBetween(Math.max(0, from), Math.max(0, to)).then(ids => [...above, ...ids]);
  }

  // The next row has the focus afterwards.
  async remove(contacts, index) {
    return this.app.remove(contacts, () => {
      this.selection?.forget(contacts.map(({ id }) => id));
      this.lead?.load();
      this.enter(index);
    });
  }

  removeByKey(row) {
    const { contact, index } = row.view, { selection } = this;
    if (selection?.size > 1 && selection.has(contact.id)) selection.remove();
    else if (contact) this.remove([contact], index);
  }
}

// Milliseconds after which a letter begins another name.
const TYPING = 900;
// Milliseconds of resting on a row until it shows its contact, as long as a finger has to hold it.
const REST = 500;
// Milliseconds of holding the mouse button until the vCard is fetched that a drag may take along.
const GRIP = 120;

const rowOf = target => target.closest?.(".row:not(.loading)");

export class ListInput {
  // view: the list. containers: the elements that hold rows.
  constructor(app, view) {
    Object.assign(this, { app, view, lit: null, typed: "" });
    // Whatever is done ends the preview.
    this.leaving = new AbortController();
    for (const name of ["pointerdown", "keydown", "scroll", "hashchange", "resize", "blur", "dragstart"]) {
      addEventListener(name, () => this.rest(null), { capture: true, passive: true, signal: this.leaving.signal });
    }
    // Whether a key was used last.
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => { this.isKeyed = name === "keydown"; }, { capture: true, passive: true, signal: this.leaving.signal });
  }

  watch(container) {
    const on = (name, action) => container.addEventListener(name, action);
    on("click", event => this.clicked(event));
    on("keydown", event => this.pressed(event));
    on("contextmenu", event => this.contextMenu(event));
    on("pointerover", event => { if (event.pointerType !== "touch") this.light(rowOf(event.target)); });
    on("pointerleave", () => this.light(null));
    on("focusin", event => this.focused(event));
    on("focusout", event => this.blurred(event));
    on("pointerdown", event => this.grip(event));
    on("dragstart", event => this.drag(event));
    watchSwipes(container, rowOf, row => row.view.contact?.id, row => this.view.openMenu(row, row.view.more), row => this.open(row));
    watchHold(container, rowOf, row => this.view.hold(row));
  }

  // One row is pointed at: its channels are shown. That of the focus keeps them, unless a pointer has put it there.
  light(row) {
    if (this.lit === row) return;
    if (this.lit && !this.lit.querySelector(":focus-visible")) this.lit.view.light(false);
    this.lit = row;
    row?.view.light(true);
    this.rest(row);
  }

  // A mouse that rests on a row shows a preview of its contact beside the list, unless something is open there.
  rest(row) {
    clearTimeout(this.resting);
    this.resting = null;
    this.peek?.end();
    this.peek = null;
    if (row?.view.contact) this.resting = setTimeout(() => this.preview(row), REST);
  }

  async preview(row) {
    const { view, app, resting } = this, { contact } = row.view, part = await import("./peek.js").catch(() => null);
    const isOver = resting !== this.resting || row.view.contact !== contact || view.current !== null || view.selection?.size > 0;
    if (part && contact && !isOver && !document.querySelector("dialog[open], :popover-open")) this.peek = part.showPeek(app, row);
  }

  // By a swipe.
  open(row) {
    if (row.classList.contains("open")) return this.shut();
    this.shut();
    row.view.light(true);
    row.classList.add("open");
    this.opened = row;
    this.outside = new AbortController();
    addEventListener("pointerdown", event => { if (!row.contains(event.target)) this.shut(); }, { capture: true, signal: this.outside.signal });
  }

  shut() {
    this.outside?.abort();
    this.opened?.view.light(false);
    this.opened = null;
  }

  focused(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    this.view.focused(row);
    // A finger needs neither box nor channels, which would stay on the row that was opened.
    if (event.target.matches(":focus-visible") && (this.app.hasMouse || this.isKeyed)) row.view.light(true);
  }

  blurred(event) {
    const row = event.target.closest(".row");
    if (!row || row.contains(event.relatedTarget)) return;
    this.view.list.focused = -1;
    if (row !== this.lit && row !== this.opened) row.view.light(false);
  }

  clicked(event) {
    const row = rowOf(event.target), { view } = this;
    if (!row) return;
    if (event.target.closest(".pick")) return view.pick(row, event.shiftKey);
    const link = event.target.closest(".main");
    if (!link || event.button !== 0) return;
    const isPicking = view.selection?.size > 0, isTouch = event.pointerType ? event.pointerType === "touch" : !this.app.hasMouse;
    const isToggle = event.ctrlKey || event.metaKey || isPicking && isTouch;
    if (event.shiftKey || isToggle) {
      event.preventDefault();
      return view.pick(row, event.shiftKey);
    }
    // A key, not a pointer: the focus goes to the contact.
    if (event.detail === 0) view.enterContact(row.view.contact.id);
  }

  contextMenu(event) {
    const row = rowOf(event.target);
    if (!row) return;
    event.preventDefault();
    // A long touch shows the preview, and a key has opened the menu already.
    if (event.pointerType === "touch" || document.querySelector(".popover:popover-open") || event.button !== 2) return;
    this.view.openMenu(row, null, event);
  }

  pressed(event) {
    const row = event.target.closest(".row");
    if (!row || event.target.closest(".way") && event.key.length === 1) return;
    const { view } = this, { index } = row.view, move = this.moved(index, event.key);
    if (move !== undefined) {
      event.preventDefault();
      return view.move(move, event.shiftKey);
    }
    const isMenu = event.key === "ContextMenu" || event.key === "F10" && event.shiftKey;
    const isLink = event.target === row.view.link, isSpace = event.key === " " && isLink && this.typed === "";
    if (isMenu || isSpace || event.key === "Delete") event.preventDefault();
    if (isMenu) return view.openMenu(row, row.view.more);
    if (isSpace) return view.pick(row, event.shiftKey);
    if (event.key === "Delete") return view.removeByKey(row);
    if (event.key === "Escape" && view.selection?.size > 0) return view.selection.clear();
    const isText = this.typed ? event.key.length === 1 : /^[\p{L}\p{N}]$/u.test(event.key);
    if (!isLink || !isText || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.type(event.key);
  }

  moved(index, key) {
    const { view } = this, page = Math.max(1, Math.floor(view.list.axis.viewport / view.rowHeight) - 1), { total } = this.app.contacts;
    return { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page, Home: -Infinity, End: total - 1 }[key];
  }

  type(letter) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.typed = ""; }, TYPING);
    this.typed += letter;
    this.view.typeTo(this.typed);
  }

  // What is dragged may be a vCard only if it is there when the drag begins.
  grip(event) {
    const row = rowOf(event.target);
    clearTimeout(this.held);
    this.vcard = null;
    if (!row || event.pointerType !== "mouse" || event.button !== 0) return;
    const { id } = row.view.contact;
    this.held = setTimeout(async () => {
      const text = await vcards(this.app).then(manager => manager.text([id])).catch(() => null);
      if (text) this.vcard = { id, text };
    }, GRIP);
    addEventListener("pointerup", () => clearTimeout(this.held), { once: true });
  }

  drag(event) {
    const row = rowOf(event.target), { dataTransfer } = event;
    if (!row || !this.app.hasMouse || !dataTransfer) return event.preventDefault();
    const { id, displayName, emails } = row.view.contact, url = new URL(`/v1/contacts/${encodeURIComponent(id)}/vcard`, location.origin).href;
    const name = `${displayName.replace(/[\\/:*?"<>|\p{Cc}]/gu, "_")}.vcf`, address = emails?.[0]?.value;
    dataTransfer.effectAllowed = "copy";
    dataTransfer.setData("DownloadURL", `text/vcard:${name}:${url}`);
    dataTransfer.setData("text/uri-list", url);
    dataTransfer.setData("text/plain", address ? `${displayName} <${address}>` : displayName);
    if (this.vcard?.id === id) dataTransfer.setData("text/vcard", this.vcard.text);
  }

  end() {
    this.rest(null);
    this.leaving.abort();
    for (const timer of [this.timer, this.held]) clearTimeout(timer);
  }
}
