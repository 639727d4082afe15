// Rows of a value and what it is: phone numbers, addresses, messengers.
import { element } from "./dom.js";

export const rowsCard = (card, { rows }) => rows((card.rows ?? []).map(row => shown(row, card.type)), card);

function shown(row, type) {
  if (type === "phones" && !isCalled(row)) return { ...row, link: undefined };
  if (type === "websites") return { ...row, value: bare(row.value), copied: row.value };
  return row;
}

// An address of the web as people say it.
export const bare = address => address.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "");

// Types that say nothing to people: every e-mail address is "internet", every phone has a "voice".
const HIDDEN = /^(internet|voice|pref|msg|text|dom|intl|postal|parcel|x400|x-.*|.*=.*)?$/i;
// Cards whose `note` has further types of the same value.
const TYPED = new Set(["phones", "emails", "addresses", "websites", "social", "related"]);

export const typesOf = ({ label = "", note = "" }, type) => [label, ...TYPED.has(type) ? note.split(",") : []]
  // The way in which some programs write their own words.
  .map(word => word.trim().replace(/^_\$!<(.*)>!\$_$/, "$1")).filter(word => !HIDDEN.test(word));

// Where an e-mail address is longer than its line, it breaks at its signs, not within its words.
export const breakable = address => address.split(/(?=[@.])/).flatMap((part, index) => index > 0 ? [element("wbr"), part] : [part]);

// What a value is, in words: "Mobile · Work". Without any type it is what all of its card are.
export function labelOf(row, type, text) {
  const words = [...new Set(typesOf(row, type).map(word => text.title(text.has(`card.${word.toLowerCase()}`) ? word.toLowerCase() : word)))];
  return words.length > 0 ? words.join(" · ") : row.label ? text.title(USUAL[type] ?? "") : "";
}

const USUAL = { phones: "phone", emails: "email", addresses: "address", websites: "website" };

// A fax machine answers no call.
const isCalled = row => !typesOf(row, "phones").some(word => /^(fax|pager|telex|tlx|modem)$/i.test(word));
