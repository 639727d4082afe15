// Addresses of the page: a place such as #/c/ID, and after a question mark what is chosen of the list.
import { WAYS } from "./ways.js";

export const ORDERS = ["given-asc", "given-desc", "family-asc", "family-desc", "book"];
export const FILTERS = ["favourite", ...WAYS];
// What the list shows at first, and again after "Reset".
export const INITIAL = Object.freeze({ search: "", filter: Object.freeze([]), sort: "given-asc" });
const LONGEST_SEARCH = 200;
// The list, and what wide windows show beside it.
export const BESIDE = ["list", "detail", "chat"];

// {search, filter, sort} of the part after the question mark. What is unknown there counts as not given.
export function readChoice(text = "") {
  const values = new URLSearchParams(text), sort = values.get("sort");
  const filter = (values.get("filter") ?? "").split(",");
  return {
    search: (values.get("search") ?? "").trim().slice(0, LONGEST_SEARCH),
    filter: FILTERS.filter(name => filter.includes(name)),
    sort: ORDERS.includes(sort) ? sort : INITIAL.sort,
  };
}

// "?sort=family-asc&filter=phone&search=ada"; empty for what the list shows at first.
export function choiceText({ search, filter, sort }) {
  const values = { sort: sort === INITIAL.sort ? "" : sort, filter: filter.join(","), search };
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return given.length ? `?${given.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&")}` : "";
}

// {name, part, choice} of an address such as #/c/ID?search=ada. choice: null if the address states none.
export function readRoute(hash) {
  const [, place = "", part, query] = /^#\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(hash) ?? [];
  const choice = query === undefined ? null : readChoice(query);
  let id = null;
  try { id = part ? decodeURIComponent(part) : null; } catch { return { name: "list", part: null, choice }; }
  if (place === "c" && id !== null) return { name: "detail", part: id, choice };
  if (place === "chat" && id !== null) return { name: "chat", part: id, choice };
  if (["cards", "groups", "book", "settings"].includes(place)) return { name: place, part: id, choice };
  return { name: "list", part: null, choice };
}

// The places that show the list, or one contact of it.
const hasChoice = name => ["list", "detail", "cards"].includes(name);

// The choice of the address that the page is at now; null if the choice of before goes on: a link of the page states none,
// while going back to a place brings back what was chosen there.
export function choiceHere() {
  const { name, choice } = readRoute(location.hash);
  return hasChoice(name) ? choice ?? (history.state?.hasChoice ? INITIAL : null) : null;
}

// Writes the choice into the address of this place, so that it survives a reload and the way back.
export function keepChoice(choice) {
  if (!hasChoice(readRoute(location.hash).name)) return;
  const [place] = (location.hash || "#/").split("?");
  history.replaceState({ ...history.state, hasChoice: true }, "", `${location.pathname}${place}${choiceText(choice)}`);
}
