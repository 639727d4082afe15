// What stands above the letters of the list: the contacts that were opened last, and the favourites. Wide windows have room for the
// former beside the list.
import { AvatarView, button, element, iconButton } from "./dom.js";
import { FavouritesManager, Recents, shortNames } from "./favourites.js";
import { loadPart } from "./page.js";
import { ContactRow } from "./rows.js";

// The rest of books of this size is loaded for their birthdays, once the page is idle for so many milliseconds.
const WHOLE = 500, IDLE = 600;

// Photos with the names below them.
function tiles(app, items, className = "tile") {
  const people = items.map(item => ({ ...item, name: (app.store.get(item.id) ?? item).name })), names = shortNames(people, app.text.language);
  return items.map((item, at) => tile(app, item, names[at], className));
}

function tile(app, item, name, className) {
  const avatar = new AvatarView(app.avatars), made = element("li", {},
    element("a", { class: className, href: `#/c/${encodeURIComponent(item.id)}`, title: item.displayName, "aria-label": item.displayName },
      avatar.element, element("span", { dir: "auto" }, name)));
  made.avatar = avatar;
  avatar.show(app.store.get(item.id) ?? item);
  return made;
}

export class Lead {
  // view: the list. changed(): its height is another one.
  constructor(app, view, changed) {
    const { text } = app;
    Object.assign(this, { app, view, text, changed, height: 0, favourites: [] });
    this.recents = new Recents(app.settings);
    this.manager = app.favourites ??= new FavouritesManager(app.api, app.store);
    this.circles = element("ul", { class: "recents" });
    this.recent = element("section", { class: "lead-section", "aria-label": text.get("recents"), hidden: true },
      element("div", { class: "lead-head" }, element("h2", { class: "section" }, text.get("recents")),
        iconButton("close", text.get("recents.hide"), () => this.hide(), { class: "icon-button" })), this.circles);
    this.rows = element("div", { class: "lead-rows", role: "list", "aria-label": text.get("favourites") });
    this.all = button("", () => view.choose({ filter: ["favourite"] }), { class: "plain all", hidden: true });
    this.pinned = element("section", { class: "lead-section", hidden: true }, element("h2", { class: "section" }, text.get("favourites")), this.rows, this.all);
    this.element = element("div", { class: "lead" }, this.recent, this.pinned);
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.element);
    this.settle = () => this.place();
    app.wide.addEventListener("change", this.settle);
  }

  end() {
    this.observer.disconnect();
    this.app.wide.removeEventListener("change", this.settle);
    this.home?.end();
    for (const row of this.favourites) row.view.avatar.show(undefined);
    for (const circle of this.circles.children) circle.avatar.show(undefined);
  }

  // A list of which only a part is shown has nothing above it.
  get isNeeded() { return this.view.query.search === "" && this.view.query.filter.length === 0; }

  // Wide windows have the favourites beside the list, and once.
  get items() { return this.app.wide.matches ? [] : this.manager.items; }

  get recentsChoice() {
    const { recents } = this;
    return { label: this.text.get("recents"), isChecked: !recents.isHidden, toggle: () => { recents.isHidden = !recents.isHidden; this.draw(); } };
  }

  hide() {
    this.recents.isHidden = true;
    this.draw();
    this.view.enter();
  }

  // Once with each list, and when the book or a favourite has changed.
  load() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.manager.load(this.view.query, this.text.language, () => this.settled()), 50);
  }

  settled() {
    this.isSettled = true;
    this.draw();
  }

  // Contacts may be shown no more.
  forget() {
    clearTimeout(this.timer);
    this.manager.clear();
    this.draw();
  }

  draw() {
    this.place();
    this.element.hidden = !this.isNeeded;
    if (this.isNeeded || this.home) this.drawRecents();
    if (this.isNeeded) this.drawFavourites();
    this.home?.draw();
    this.measure();
  }

  // Beside the list or above it.
  place() {
    const { app, recent, element: above } = this, { matches: isWide } = app.wide;
    if (isWide && !this.home) {
      this.home = new Home(this, () => this.view.choose({ filter: ["favourite"] }));
      app.split.append(this.home.element);
      return this.draw();
    }
    const place = isWide ? this.home.element : above;
    if (recent.parentElement === place) return;
    if (isWide) this.home.birthdays.before(recent);
    else place.prepend(recent);
    this.draw();
  }

  measure() {
    const height = this.element.hidden ? 0 : this.element.offsetHeight;
    if (height === this.height) return;
    this.height = height;
    this.changed();
  }

  drawRecents() {
    const items = this.recents.items, isShown = items.length > 1 && !this.recents.isHidden;
    this.recent.hidden = !isShown;
    const shown = isShown ? JSON.stringify(items) : "";
    if (shown === this.shown) return;
    this.shown = shown;
    for (const circle of this.circles.children) circle.avatar.show(undefined);
    this.circles.replaceChildren(...isShown ? tiles(this.app, items, "recent") : []);
  }

  drawFavourites() {
    const { items, manager: { total } } = this, { length } = items;
    this.pinned.hidden = length === 0;
    while (this.favourites.length > length) {
      const row = this.favourites.pop();
      row.view.avatar.show(undefined);
      row.remove();
    }
    while (this.favourites.length < length) this.favourites.push(new ContactRow(this.app, (row, anchor) => this.view.openMenu(row, anchor)).element);
    this.rows.append(...this.favourites.filter(row => !row.isConnected));
    this.refill();
    this.all.hidden = total <= length;
    this.all.textContent = this.text.get("favourites.all", { count: total });
  }

  // Rows above the letters are counted backwards: -1 is just above the first letter.
  refill() {
    const { length } = this.favourites;
    this.favourites.forEach((row, at) => this.view.fillRow(row, at - length, this.app.store.get(this.items[at]?.id) ?? this.items[at]));
  }

  row(index) { return this.favourites[index + this.favourites.length]; }

  idAt(index) { return this.items[index + this.favourites.length]?.id; }

  // A contact was opened. What is shown changes with the next list: nothing moves under the pointer.
  opened(contact) { this.recents.add(contact); }

  gone(id) {
    this.recents.remove(id);
    this.draw();
  }
}

// What stands beside the list on wide windows while no contact is open: the favourites, the contacts that were
// opened last, and the birthdays that come next, which are known last.
class Home {
  // lead: with the section of the contacts that were opened last, which stands above the list on narrow windows. showAll(): all favourites.
  constructor(lead, showAll) {
    const { app, text, recent } = lead;
    Object.assign(this, { lead, app, text, recent });
    this.all = button("", showAll, { class: "plain all", hidden: true });
    this.faces = element("ul", { class: "tiles" });
    this.days = element("ul", { class: "days" });
    this.favourites = this.section("favourites", this.faces);
    this.favourites.append(this.all);
    this.birthdays = this.section("birthdays", this.days);
    this.element = element("section", { class: "home-pane scroller", "aria-label": text.get("home"), hidden: true }, this.favourites, recent, this.birthdays);
    this.unsubscribe = app.store.subscribe(() => this.draw());
  }

  section(key, content) {
    return element("section", { class: "lead-section", hidden: true }, element("div", { class: "lead-head" }, element("h2", { class: "section" }, this.text.get(key))), content);
  }

  end() {
    clearTimeout(this.timer);
    this.unsubscribe();
    this.fill(this.faces, "", () => []);
    this.fill(this.days, "", () => []);
    this.element.remove();
  }

  draw() {
    const { app, faces, days, favourites, birthdays, recent } = this;
    if (!app.isPermitted) this.people = undefined;
    const starred = (app.favourites?.items ?? []).map(item => app.store.get(item.id) ?? item), next = this.next();
    favourites.hidden = starred.length === 0;
    const total = app.favourites?.total ?? 0;
    this.all.hidden = total <= starred.length;
    this.all.textContent = this.text.get("favourites.all", { count: total });
    birthdays.hidden = next.length === 0;
    this.fill(faces, starred.map(({ id, displayName, avatars }) => [id, displayName, avatars]), () => tiles(app, starred));
    this.fill(days, next.map(({ contact, days: until, age }) => [contact.id, contact.displayName, contact.avatars, until, age]), () => next.map(each => this.part.birthdayRow(app, each)));
    const hadFocus = this.element.contains(document.activeElement);
    const isEmpty = [favourites, birthdays, recent].every(({ hidden }) => hidden);
    this.element.hidden = isEmpty;
    app.split.classList.toggle("has-home", !isEmpty);
    if (hadFocus && isEmpty) app.keepFocus();
    app.split.classList.toggle("is-asking", this.isAsking);
  }

  // Whether something may come yet: until then the place does not say that it is empty.
  get isAsking() {
    const { lead: { isSettled, manager }, app: { contacts }, timer, isLoading, wanted, isPartKnown } = this;
    return !contacts.isLoaded || !isSettled && !manager.isUnknown || timer !== undefined || isLoading === true || wanted !== undefined && !isPartKnown;
  }

  // Equal content stays, and with it the focus.
  fill(list, key, make) {
    const shown = JSON.stringify(key);
    if (shown === list.shown) return;
    list.shown = shown;
    for (const item of list.children) item.avatar.show(undefined);
    list.replaceChildren(...make());
  }

  // Birthdays have a module of their own, which books without them do not need.
  next() {
    const people = this.whole();
    if (this.part) return this.part.nextBirthdays(people);
    if (people.some(({ birthday }) => birthday)) {
      this.wanted ??= loadPart(this.app, "birthdays").then(part => {
        Object.assign(this, { part, isPartKnown: true });
        if (this.element.isConnected) this.draw();
      });
    }
    return [];
  }

  // All people of the book; none as long as not all of them are known.
  whole() {
    const { contacts, store } = this.app, { search, filter, group } = contacts.query, isWhole = !search && !filter?.length && !group;
    if (!contacts.isLoaded || !isWhole) return this.people ?? [];
    if (contacts.total > WHOLE) return this.people = [];
    const found = Array.from(contacts.ids, id => store.get(id));
    if (found.every(Boolean)) return this.people = found;
    // Once for each list: what comes later is an event.
    if (this.asked !== contacts.ids) this.timer ??= setTimeout(() => this.load(), IDLE);
    return this.people ?? [];
  }

  async load() {
    const { contacts, wide } = this.app;
    this.timer = undefined;
    if (!wide.matches || !contacts.isLoaded || contacts.total > WHOLE) return;
    this.asked = contacts.ids;
    // Without them there are no birthdays: nothing else is missing.
    this.isLoading = true;
    await contacts.idsBetween(0, contacts.total).catch(() => {});
    this.isLoading = false;
    this.draw();
  }
}
