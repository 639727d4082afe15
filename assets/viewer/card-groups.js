// The groups of a contact, each a link to its members.
import { element } from "./dom.js";

export const groupsCard = card => element("ul", { class: "chips" }, ...(card.rows ?? []).map(({ value, note }) =>
  element("li", {}, element("a", { href: `#/groups/${encodeURIComponent(value)}` }, element("bdi", {}, value)), note ? ` ${note}` : "")));
