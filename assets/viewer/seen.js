// What works while the service does not answer: the last answers with contacts, and the search in the contacts that are known.
import { ways } from "./ways.js";

// Only a page with a session keeps answers, and only this session reads them: they are encrypted with a key that comes from its
// token, which is gone with its tab.
const PREFIX = "tondo-seen-", MOST = 400;
// Lists, sections, contacts, cards and groups; not what was typed into the search.
const KEPT = /^\/v1\/(?:(?:contacts|sections)\?(?!.*\bsearch=)|contacts\/[^/?]+(?:\/cards)?$|groups$|cards$)/;

const hexadecimal = bytes => [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, "0")).join("");

export class SeenAnswers {
  // caches and subtle are absent on pages that come neither over HTTPS nor from this machine.
  constructor({ caches = globalThis.caches, subtle = globalThis.crypto?.subtle, locks = navigator.locks } = {}) {
    // isOver: what was seen is forgotten. Answers that are on their way then would bring it back, so this page keeps nothing
    // until it is loaded again.
    Object.assign(this, { caches, subtle, locks, token: null, session: null, puts: 0, isOver: false });
  }

  isKept(path) { return !this.isOver && Boolean(this.caches && this.subtle) && KEPT.test(path); }

  digest(text) { return this.subtle.digest("SHA-256", new TextEncoder().encode(text)); }

  // {key, cache, name} of the session of a token. Fails when it is over, and opens no cache then.
  of(token) {
    if (token !== this.token) {
      this.token = token;
      this.session = (async () => {
        const name = PREFIX + hexadecimal(await this.digest(`name\n${token}`)).slice(0, 16);
        const key = await this.subtle.importKey("raw", await this.digest(`key\n${token}`), "AES-GCM", false, ["encrypt", "decrypt"]);
        if (this.isOver) throw new Error("forgotten");
        return { name, key, cache: await this.caches.open(name) };
      })();
    }
    return this.session;
  }

  // An address says nothing of the path, which holds names.
  async address(token, path) { return `/viewer-seen/${hexadecimal(await this.digest(`path\n${token}\n${path}`)).slice(0, 32)}`; }

  async keep(token, path, response) {
    try {
      const bytes = await response.arrayBuffer(), { key, cache } = await this.of(token), iv = crypto.getRandomValues(new Uint8Array(12));
      const data = await this.subtle.encrypt({ name: "AES-GCM", iv }, key, bytes);
      // The session may have ended meanwhile.
      if (token !== this.token) return;
      await cache.put(await this.address(token, path), new Response(new Blob([iv, data])));
      this.puts += 1;
      if (this.puts % 50 !== 0) return;
      const all = await cache.keys();
      for (const old of all.slice(0, Math.max(0, all.length - MOST))) await cache.delete(old);
    } catch { /* A full disk, or a reader that went away: there is no offline answer then. */ }
  }

  // The answer as a response, or null.
  async find(token, path) {
    try {
      const { key, cache } = await this.of(token), found = await cache.match(await this.address(token, path));
      if (!found) return null;
      const data = new Uint8Array(await found.arrayBuffer());
      const bytes = await this.subtle.decrypt({ name: "AES-GCM", iv: data.subarray(0, 12) }, key, data.subarray(12));
      return new Response(bytes, { headers: { "Content-Type": "application/json" } });
    } catch {
      return null;
    }
  }

  // Drops what was kept for sessions of which no page is open. While this page is, its own stays.
  async tidy(token) {
    if (this.isOver || !this.caches || !this.subtle || !this.locks) return;
    const own = token ? (await this.of(token)).name : null;
    if (own) this.locks.request(own, { mode: "shared" }, () => new Promise(end => { this.end = end; })).catch(() => {});
    const { held = [] } = await this.locks.query(), open = new Set(held.map(({ name }) => name));
    for (const name of await this.caches.keys()) {
      if (name.startsWith(PREFIX) && name !== own && !open.has(name)) await this.caches.delete(name);
    }
  }

  // Of all sessions.
  async forget() {
    Object.assign(this, { token: null, session: null, isOver: true });
    this.end?.();
    for (const name of await this.caches?.keys() ?? []) if (name.startsWith(PREFIX)) await this.caches.delete(name);
  }
}

// The search below compares texts without marks and case, and of numbers the digits.
const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
const digits = text => text.replace(/[^0-9]/g, "");

function textOf({ displayName = "", name = {}, nicknames = [], organisation = [], title = "", emails = [], phones = [] }) {
  const words = [displayName, ...Object.values(name), ...[nicknames].flat(), ...[organisation].flat(), title, ...emails.map(({ value }) => value), ...phones.map(({ value }) => digits(value))];
  return plain(words.filter(word => typeof word === "string").join("\n"));
}

// Of the contacts that this page knows, those that have all words of the search and pass all filters.
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
