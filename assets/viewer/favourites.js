// Favourites, which the service keeps, and the contacts that were opened last, which this browser keeps.
import { queryText } from "./contacts.js";

// How many are pinned on top of the list; all of them are a filter away.
export const PINNED = 20;
const KEPT = 8;

export class FavouritesManager {
  constructor(api, store) {
    // isKnown, isUnknown: whether the service keeps favourites, once it has answered. One without them refuses to filter by them.
    Object.assign(this, { api, store, items: [], total: 0, isKnown: false });
  }

  // callback(type, message, isRefresh): "data".
  async load(query, locale, callback) {
    if (this.isUnknown) return;
    this.end?.abort();
    const { signal } = this.end = new AbortController(), before = this.items.map(({ id }) => id).join();
    try {
      const choice = { sort: query.sort, duplicates: query.duplicates, filter: ["favourite"] };
      const page = await this.api.json(`/v1/contacts?${queryText(choice, locale, { limit: PINNED })}`, { signal, isNeeded: false });
      if (signal.aborted) return;
      const items = page.items.filter(({ favourite }) => favourite === true);
      Object.assign(this, { items, isKnown: true, total: items.length < page.items.length ? items.length : page.total });
      this.store.put(items);
    } catch (problem) {
      if (signal.aborted) return;
      if (problem.status === 400) Object.assign(this, { items: [], total: 0, isKnown: false, isUnknown: true });
    }
    if (!signal.aborted) callback("data", null, before === this.items.map(({ id }) => id).join());
  }

  // Nothing is known any more, and nothing is requested.
  clear() {
    this.end?.abort();
    Object.assign(this, { items: [], total: 0, isKnown: false });
  }

  // The key of the reason why it could not be kept; null if it is.
  async set({ id }, isFavourite) {
    try {
      await this.api.json(`/v1/contacts/${encodeURIComponent(id)}/favourite`, { method: isFavourite ? "PUT" : "DELETE" });
    } catch (problem) {
      if (problem.code === "read-only") return "refusal.readOnly";
      return problem.status === 401 || problem.status === 403 ? "refusal.401" : "favourite.notKept";
    }
    const contact = this.store.get(id);
    if (contact) this.store.put([{ ...contact, favourite: isFavourite }]);
    this.store.changed(id);
    this.store.report();
    return null;
  }
}

const isIdeographic = name => /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name);

// What stands below the photos of several contacts, in their order: the first name where no other has it, else with the initial of the
// family name, else the whole name. items: contacts, or {displayName, given, family}.
export function shortNames(items, language) {
  const parts = items.map(({ displayName, name, given, family }) => ({ whole: displayName, given: name?.given || given, family: name?.family ?? family }));
  const forms = [({ whole, given }) => given || whole,
    ({ whole, given, family }) => given && family && !isIdeographic(given) ? `${given} ${[...family][0].toLocaleUpperCase(language)}.` : whole, ({ whole }) => whole];
  let names = parts.map(forms[0]);
  for (const form of forms.slice(1)) {
    const key = name => name.toLocaleLowerCase(language), seen = new Map();
    for (const name of names) seen.set(key(name), (seen.get(key(name)) ?? 0) + 1);
    names = names.map((name, at) => seen.get(key(name)) > 1 ? form(parts[at]) : name);
  }
  return names;
}

export class Recents {
  constructor(settings) { this.settings = settings; }

  // {id, displayName, initials, given, family} of each, the last one first.
  get items() {
    try {
      const items = JSON.parse(this.settings.get("recents") ?? "[]");
      return Array.isArray(items) ? items.filter(item => typeof item?.id === "string").slice(0, KEPT) : [];
    } catch {
      return [];
    }
  }

  get isHidden() { return this.settings.get("recents.hidden") === "yes"; }

  set isHidden(isHidden) { this.settings.set("recents.hidden", isHidden ? "yes" : null); }

  write(items) { this.settings.set("recents", items.length ? JSON.stringify(items) : null); }

  add({ id, displayName, initials, name }) {
    this.write([{ id, displayName, initials, given: name?.given, family: name?.family }, ...this.items.filter(item => item.id !== id)].slice(0, KEPT));
  }

  remove(id) { this.write(this.items.filter(item => item.id !== id)); }

  clear() { this.write([]); }
}
