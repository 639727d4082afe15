// The contacts that this page knows, searched and filtered here while the service does not answer.
import { ways } from "./ways.js";

// Without marks and case; of numbers the digits.
const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
const digits = text => text.replace(/[^0-9]/g, "");

function textOf({ displayName = "", name = {}, nicknames = [], organisation = [], title = "", emails = [], phones = [] }) {
  const words = [displayName, ...Object.values(name), ...[nicknames].flat(), ...[organisation].flat(), title, ...emails.map(({ value }) => value), ...phones.map(({ value }) => digits(value))];
  return plain(words.filter(word => typeof word === "string").join("\n"));
}

// Those that have all words of the search and pass all filters.
export function keptMatches(contacts, { search = "", filter = [] }) {
  const words = plain(search).split(/\s+/).filter(Boolean), isNumber = /^[+\d][\d\s().\/-]{2,}$/.test(search.trim());
  const wanted = isNumber ? [digits(search)] : words;
  return contacts.filter(contact => {
    const own = textOf(contact), names = new Set(ways(contact).map(({ name }) => name));
    return wanted.every(word => own.includes(word)) && filter.every(name => name === "favourite" ? contact.favourite === true : names.has(name));
  });
}

// By the names of an order such as "family-desc".
export function keptInOrder(contacts, sort, locale) {
  const [part, direction] = sort.split("-"), collator = new Intl.Collator(locale, { numeric: true });
  if (part === "book") return contacts;
  const key = ({ name = {}, displayName = "" }) => [part === "family" ? name.family : name.given, displayName].filter(Boolean).join(" ");
  const sorted = contacts.toSorted((one, other) => collator.compare(key(one), key(other)));
  return direction === "desc" ? sorted.toReversed() : sorted;
}
