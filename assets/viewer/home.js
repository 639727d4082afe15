// What stands beside the list on wide windows while no contact is open: the favourites, the birthdays that come next, and the
// contacts that were opened last. All of it is known to the page already.
import { AvatarView } from "./avatar-view.js";
import { localeOf, readDay, remaining } from "./card-birthday.js";
import { element } from "./dom.js";

// Birthdays of larger books are not looked for: the page would have to load all of them.
const WHOLE = 500;
// Birthdays that are shown; days after which months are counted, and how many these have.
const NEXT = 5, DAYS = 60, MONTH = 30.44;
// Milliseconds after which the rest of the book is loaded, if it is needed.
const IDLE = 3_000;

// The birthdays that come next, the nearest first: {contact, days, age}, without an age where the year is not known.
export function nextBirthdays(contacts, now = new Date()) {
  const today = { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
  const found = contacts.flatMap(contact => {
    const until = contact.birthday ? remaining(contact.birthday, today) : null;
    if (!until) return [];
    return [{ contact, days: until.days, age: until.years === null ? null : until.years + (until.days === 0 ? 0 : 1) }];
  });
  return found.toSorted((one, other) => one.days - other.days).slice(0, NEXT);
}

// A photo with the name below it.
export function tile(app, item, className = "tile") {
  const avatar = new AvatarView(app.avatars), made = element("li", {},
    element("a", { class: className, href: `#/c/${encodeURIComponent(item.id)}`, title: item.displayName, "aria-label": item.displayName },
      avatar.element, element("span", { dir: "auto" }, item.name?.given || item.given || item.displayName)));
  made.avatar = avatar;
  avatar.show(app.store.get(item.id) ?? item);
  return made;
}

export class Home {
  // recent: the section of the contacts that were opened last, which stands above the list on narrow windows.
  constructor(app, recent) {
    const { text } = app;
    Object.assign(this, { app, text, recent });
    this.faces = element("ul", { class: "tiles" });
    this.days = element("ul", { class: "days" });
    this.favourites = this.section("favourites", this.faces);
    this.birthdays = this.section("birthdays", this.days);
    this.element = element("section", { class: "home-pane scroller", "aria-label": text.get("home"), hidden: true }, this.favourites, this.birthdays, recent);
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
    const starred = app.favourites?.items ?? [], next = nextBirthdays(this.whole());
    favourites.hidden = starred.length === 0;
    birthdays.hidden = next.length === 0;
    this.fill(faces, starred.map(({ id, displayName }) => [id, displayName]), () => starred.map(item => tile(app, item)));
    this.fill(days, next.map(({ contact, days: until, age }) => [contact.id, contact.displayName, until, age]), () => next.map(each => this.day(each)));
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = [favourites, birthdays, recent].every(({ hidden }) => hidden);
    if (hadFocus && this.element.hidden) app.keepFocus();
  }

  // Equal content stays, and with it the focus.
  fill(list, key, make) {
    const shown = JSON.stringify(key);
    if (shown === list.shown) return;
    list.shown = shown;
    for (const item of list.children) item.avatar.show(undefined);
    list.replaceChildren(...make());
  }

  // All people of the book; none as long as not all of them are known.
  whole() {
    const { contacts, store } = this.app, { search, filter, group } = contacts.query, isWhole = !search && !filter?.length && !group;
    if (!contacts.isLoaded || !isWhole) return this.people ?? [];
    if (contacts.total > WHOLE) return this.people = [];
    const found = Array.from(contacts.ids, id => store.get(id));
    if (found.every(Boolean)) return this.people = found;
    this.timer ??= setTimeout(() => this.load(), IDLE);
    return this.people ?? [];
  }

  async load() {
    const { contacts, wide } = this.app;
    this.timer = undefined;
    if (!wide.matches || !contacts.isLoaded || contacts.total > WHOLE) return;
    // Without them there are no birthdays: nothing else is missing.
    await contacts.idsBetween(0, contacts.total).then(() => this.draw(), () => {});
  }

  day({ contact, days, age }) {
    const { app, text } = this, avatar = new AvatarView(app.avatars), { month, day } = readDay(contact.birthday), { language } = text;
    const date = new Intl.DateTimeFormat(localeOf(language), { month: "long", day: "numeric", timeZone: "UTC" }).format(new Date(Date.UTC(2000, month - 1, day)));
    const turns = age > 0 ? text.get("birthday.turns", { count: age }) : "";
    const far = days > DAYS, when = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(far ? Math.round(days / MONTH) : days, far ? "month" : "day");
    const made = element("li", {}, element("a", { class: "day", href: `#/c/${encodeURIComponent(contact.id)}` }, avatar.element,
      element("span", { class: "name", dir: "auto" }, contact.displayName), element("span", { class: "line" }, [date, turns].filter(Boolean).join(" · ")),
      element("span", { class: days === 0 ? "when today" : "when" }, when)));
    made.avatar = avatar;
    avatar.show(contact);
    return made;
  }
}
