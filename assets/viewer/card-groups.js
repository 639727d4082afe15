// The groups of a contact, each a link to its members.
import { element } from "./dom.js";

export const groupsCard = (card, { app }) => element("ul", { class: "chips" }, ...(card.rows ?? []).map(({ value, note }) =>
  element("li", {}, element("a", { href: `#/groups/${encodeURIComponent(value)}` }, element("bdi", {}, value)),
    note ? element("small", {}, /^\d+$/.test(note) ? `${note} ${app.text.get("online")}` : note) : "")));
