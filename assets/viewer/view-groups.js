// Groups by their names, closed at first. An open group loads its members in pages, as the list of all contacts does. On wide windows
// one group is open, with its members beside the groups.
import { trouble } from "./api.js";
import { ContactsManager } from "./contacts.js";
import { button, element, emptyState, icon } from "./dom.js";
import { groupCounts } from "./card-groups.js";
import { INITIAL } from "./route.js";
import { SectionLayout } from "./layout.js";
import { failedState, missing } from "./page.js";
import { fillMember, makeMember, MembersView } from "./view-members.js";
import { VirtualList } from "./virtual.js";

export class GroupsView {
  constructor(app) {
    Object.assign(this, { app, text: app.text, groups: [], open: new Map() });
    this.scroller = element("div", { class: "scroller" });
    this.body = element("div", { class: "rows" });
    this.empty = element("p", { class: "empty", role: "status" });
    this.members = new MembersView(app);
    this.element = element("section", { class: "groups-pane", "aria-label": this.text.get("groups") },
      element("h2", {}, this.text.get("groups")), element("div", { class: "list-area" }, this.scroller, this.empty), this.members.element);
    // Headers and members share a parent, so that the Tab key visits them in their order.
    this.list = new VirtualList(this.scroller, new SectionLayout([], 1, 1), {
      rows: this.body, headers: this.body,
      make: () => makeMember(app), fill: (row, index) => fillMember(row, this.friend(index), this.text),
      makeHeader: () => this.makeHeader(), fillHeader: (header, section) => this.fillHeader(header, section),
      shown: (from, to) => this.shown(from, to),
    });
    this.unsubscribe = app.store.subscribe((_, ids) => this.refill(id => ids.has(id)));
  }

  close() {
    this.unsubscribe();
    this.hide();
    this.list.end();
    this.members.end();
    for (const row of this.list.elements) row.parts.avatar.show(undefined);
    for (const members of this.open.values()) members.clear();
    this.open.clear();
  }

  // name: a group to open at once.
  show(name) {
    this.wanted = name;
    this.missing = null;
    if (this.groups.length === 0) this.list.wait();
    this.app.groups.load((type, message) => this.received(type, message));
  }

  hide() { this.app.groups.abort(); }

  resized() { this.lay(); }

  // After a change in the book, counts and members are loaded again.
  refresh() {
    if (this.element.hidden) return;
    this.app.groups.load((type, message, isRefresh) => this.received(type, message, isRefresh), true);
    for (const members of this.open.values()) members.refresh();
  }

  received(type, message, isRefresh) {
    this.list.known();
    if (type === "failed") {
      if (isRefresh) return;
      const reason = this.text.get(missing(this.app, message));
      this.app.toast.explained(this.text.get(trouble(message)));
      this.element.classList.add("is-empty");
      this.empty.replaceChildren(...failedState(this.app, reason, () => this.show()));
      return;
    }
    const collator = new Intl.Collator(this.text.language, { numeric: true });
    this.groups = message.toSorted((one, other) => collator.compare(one.name, other.name));
    const wanted = this.groups.find(({ id, name }) => [id, name].includes(this.wanted));
    if (this.wanted && !wanted) this.missing = this.wanted;
    this.wanted = null;
    this.explain();
    if (wanted && !this.open.has(wanted.id)) this.toggle(wanted);
    if (wanted) this.chosen = wanted.id;
    // The place beside the groups is not empty at first.
    else if (this.isWide && !isRefresh && this.missing === null && this.groups.length > 0 && !this.current) this.toggle(this.groups[0]);
    this.lay();
    if (wanted) this.list.scrollTo(this.list.layout.sections.find(({ group }) => group === wanted).top);
  }

  // A link may name a group that is gone, or was never there.
  explain() {
    const { text, groups, missing } = this;
    this.scroller.inert = missing !== null;
    this.element.classList.toggle("is-empty", missing !== null || groups.length === 0);
    if (groups.length === 0) return this.empty.replaceChildren(...emptyState("groups", ...this.noGroups()));
    this.empty.replaceChildren(...missing === null ? [] : emptyState("groups", text.get("group.gone", { name: missing }), text.get("group.all"), () => this.showAll()));
  }

  // Without contacts there is nothing to show but the books.
  noGroups() {
    const { app, text } = this, hasPeople = (app.books ?? []).some(({ people }) => people > 0) || app.contacts.total > 0;
    const [key, label, place] = hasPeople ? ["empty.groups", "clearFilter", "#/"] : ["empty.groups.none", "empty.books", "#/book"];
    return [text.get(key), text.get(label), () => app.go(place)];
  }

  showAll() {
    this.app.go("#/groups");
    this.missing = null;
    this.explain();
    this.lay();
    this.list.elements.find(({ hidden, button: own }) => own && !hidden)?.button.focus();
  }

  lay() {
    const { isWide, app: { fontSize } } = this, [group, friend] = [3.5, 3.5];
    const sections = this.groups.map(group => ({ title: group.name, group, count: isWide ? 0 : this.open.get(group.id)?.total ?? 0 }));
    this.list.setLayout(new SectionLayout(sections, Math.round(friend * fontSize), Math.round(group * fontSize)));
    if (isWide) this.members.show(this.current, this.open.get(this.chosen));
  }

  get isWide() { return this.app.wide.matches; }

  // The group whose members stand beside the groups.
  get current() { return this.open.has(this.chosen) ? this.groups.find(({ id }) => id === this.chosen) : undefined; }

  isOpen({ id }) { return this.open.has(id) && (!this.isWide || id === this.chosen); }

  refill(isMeant) {
    this.list.refill(isMeant && (index => isMeant(this.friend(index)?.id)));
    if (this.isWide) this.members.refill(isMeant);
  }

  shut(id) {
    this.open.get(id)?.abort();
    this.open.delete(id);
  }

  // On wide windows one takes the place of the other: each that is open is loaded again after every change of the book.
  toggle(group) {
    if (this.isWide && this.chosen !== group.id) this.shut(this.chosen);
    if (this.isOpen(group)) {
      this.shut(group.id);
    } else if (!this.open.has(group.id)) {
      const members = new ContactsManager(this.app.api, this.app.store, { locale: this.app.contacts.locale });
      this.open.set(group.id, members);
      members.request({ group: group.id, sort: INITIAL.sort }, (type, message) => {
        if (type === "data") this.lay();
        if (type === "page") this.refill();
        if (type === "failed" && !members.isLoaded) this.failed(group, this.text.get(missing(this.app, message)), () => members.load(false));
      });
    }
    this.chosen = group.id;
    this.lay();
  }

  // The place beside the groups says why it is empty; below a group there is none.
  failed(group, message, again) {
    if (this.isWide && group.id === this.chosen) this.members.fail(message, again);
    else this.app.notify(message, this.text.get("retry"), again);
  }

  makeHeader() {
    const header = element("h3", { class: "group" });
    header.name = element("bdi", { class: "name" });
    header.counts = element("span", { class: "counts", dir: "auto" });
    header.button = button("", () => this.toggle(header.group));
    header.button.append(element("span", { class: "sign" }, icon("groups")), header.name, header.counts, icon("arrow"));
    header.append(header.button);
    return header;
  }

  fillHeader(header, { group }) {
    header.group = group;
    header.button.ariaExpanded = String(this.isOpen(group));
    header.name.textContent = group.name;
    header.counts.textContent = groupCounts(this.text, group);
  }

  membersAt(index) {
    const section = this.list.layout.sections[this.list.layout.sectionOf(index)];
    return { members: this.open.get(section.group.id), at: index - section.offset };
  }

  friend(index) {
    const { members, at } = this.membersAt(index);
    return members?.at(at);
  }

  shown(from, to) {
    for (const { group, offset, count } of this.list.layout.sections) {
      const first = Math.max(from, offset), last = Math.min(to, offset + count);
      if (first < last) this.open.get(group.id)?.show(first - offset, last - offset);
    }
  }
}
