// The birthdays that come next, for what stands beside the list.
import { localeOf, readDay, remaining, whenText } from "./card-birthday.js";
import { AvatarView, element } from "./dom.js";

// Birthdays that are shown.
const NEXT = 5;

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

// A row with the contact, the day, and how long it takes.
export function birthdayRow(app, { contact, days, age }) {
  const { text } = app, avatar = new AvatarView(app.avatars), { month, day } = readDay(contact.birthday), { language } = text;
  const date = new Intl.DateTimeFormat(localeOf(language), { month: "long", day: "numeric", timeZone: "UTC" }).format(new Date(Date.UTC(2000, month - 1, day)));
  const turns = age > 0 ? text.get("birthday.turns", { count: age }) : "";
  const made = element("li", {}, element("a", { class: "day", href: `#/c/${encodeURIComponent(contact.id)}` }, avatar.element,
    element("span", { class: "name", dir: "auto" }, contact.displayName), element("span", { class: "line" }, [date, turns].filter(Boolean).join(" · ")),
    element("span", { class: days === 0 ? "when today" : "when" }, whenText(days, language))));
  made.avatar = avatar;
  avatar.show(contact);
  return made;
}
