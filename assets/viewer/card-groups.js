// The groups of a contact or of the book, each a link to its members.
import { element } from "./dom.js";

// Whether no one is online or the book knows no presence, the service does not say: then only the people are counted.
export function groupCounts(text, { total, online = 0 }) {
  const people = text.get("people", { count: total });
  return online > 0 ? text.get("people.online", { people, online: text.numbers.format(online) }) : people;
}

// The note of a group of the book, such as 2/3, is how many are online; that of a contact's group says less.
function noteOf(text, note = "") {
  const [, online, total] = /^(\d+)\/(\d+)$/.exec(note) ?? [];
  return total === undefined ? "" : groupCounts(text, { total: Number(total), online: Number(online) });
}

const sorted = (rows = [], language) => rows.toSorted((one, other) => one.value.localeCompare(other.value, language, { numeric: true }));

export const groupsCard = (card, { app }) => element("ul", { class: "chips" }, ...sorted(card.rows, app.text.language).map(({ value, note }) => {
  const counts = noteOf(app.text, note);
  return element("li", {}, element("a", { href: `#/groups/${encodeURIComponent(value)}`, title: value }, element("bdi", {}, value)),
    counts ? element("small", { dir: "auto" }, counts) : "");
}));
