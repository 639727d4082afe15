// The managers of the smaller views: groups, cards, photos, and the state of the service.

class Requests {
  constructor(api) { Object.assign(this, { api, isFirst: false }); }

  // callback("data", message, isRefresh) or callback("failed", problem, isRefresh). A new request of the same manager
  // aborts the one before. A refresh that aborts the first request for what is shown takes its place: a failure is to be
  // seen, since nothing else is.
  request(path, callback, isRefresh = false) {
    return this.run(signal => this.api.json(path, { signal }), callback, isRefresh);
  }

  async run(send, callback, isRefresh) {
    const isFirst = !isRefresh || this.isFirst;
    this.abort();
    const { signal } = this.end = new AbortController();
    this.isFirst = isFirst;
    let answer;
    try {
      answer = ["data", await send(signal)];
    } catch (problem) {
      answer = ["failed", problem];
    }
    if (signal.aborted) return;
    this.isFirst = false;
    callback(...answer, !isFirst);
  }

  abort() {
    this.end?.abort();
    this.isFirst = false;
  }
}

export class GroupsManager extends Requests {
  load(callback, isRefresh) { return this.request("/v1/groups", callback, isRefresh); }
}

export class CardsManager extends Requests {
  // id: of a contact; null for the cards of the whole book.
  load(id, callback, isRefresh) {
    const path = id === null ? "/v1/cards" : `/v1/contacts/${encodeURIComponent(id)}/cards`;
    return this.request(path, (type, message, refresh) => callback(type, type === "data" ? message.items : message, refresh), isRefresh);
  }

  // Rows or a card of a path that the service gave: only paths of this service are followed.
  follow(path) {
    if (!/^\/(?!\/)/.test(path)) return Promise.reject(new Error("a path of another host"));
    return this.api.json(path);
  }
}

// Pixels of the longer side of a photo: the service draws no larger ones.
const PHOTO = 1024;

export class PhotosManager extends Requests {
  constructor(api, scale) {
    super(api);
    this.scale = scale;
  }

  // The message of "data": all of a contact's photo as a bitmap, and the report of what its avatar shows of it. A service that
  // opens avatars may refuse both: the page stays.
  load(id, callback) {
    const path = `/v1/contacts/${encodeURIComponent(id)}`;
    return this.run(async signal => {
      const options = { signal, isNeeded: false }, query = new URLSearchParams({ size: PHOTO / this.scale, scale: this.scale });
      const [photo, report] = await Promise.all([
        this.api.send(`${path}/photo?${query}`, { ...options, accept: "image/webp, image/png" }), this.api.json(`${path}/crop`, options)]);
      return { bitmap: await createImageBitmap(await photo.blob()), report };
    }, callback, false);
  }
}

export class PortraitsManager extends Requests {
  // The message of "data": the avatar of a contact as a bitmap, without room for a ring. size: CSS pixels.
  load(id, size, scale, callback) {
    const query = new URLSearchParams({ size, scale });
    return this.run(async signal => {
      const response = await this.api.send(`/v1/contacts/${encodeURIComponent(id)}/avatar?${query}`, { signal, isNeeded: false, accept: "image/webp, image/png" });
      return createImageBitmap(await response.blob());
    }, callback, false);
  }
}

// A contact for other programs.
export class SharesManager extends Requests {
  // The message of "data": {size, rows}, a row for each line of modules: "0110".
  code(id, callback) {
    return this.run(signal => this.api.json(`/v1/contacts/${encodeURIComponent(id)}/qr`, { signal, isNeeded: false }), callback, false);
  }

  async file(id) {
    const response = await this.api.send(`/v1/contacts/${encodeURIComponent(id)}/vcard`, { isNeeded: false, accept: "text/vcard" });
    return response.blob();
  }
}

// The contacts behind the names and identifiers of related people.
export class RelationsManager {
  constructor(api) {
    this.api = api;
    this.end = new AbortController();
  }

  abort() {
    this.end.abort();
    this.end = new AbortController();
  }

  // callback({id, displayName}), or undefined if there is none, or if several people have the name. owner: the id of the
  // contact that names the other one: a second book has a prefix before its ids.
  async find(value, owner, callback) {
    const { signal } = this.end;
    let found;
    try {
      found = /^[^\s@]*\d[^\s@]*$/.test(value) ? await this.identified(value, owner, signal) : await this.named(value, owner, signal);
    } catch { /* A link is missing then, and nothing else. */ }
    if (!signal.aborted) callback(found);
  }

  async identified(value, owner, signal) {
    const id = value.replace(/^urn:uuid:/i, ""), [book] = /^\d+~/.exec(owner ?? "") ?? [""];
    return this.api.json(`/v1/contacts/${encodeURIComponent(book + id)}`, { signal, isNeeded: false });
  }

  async named(value, owner, signal) {
    const name = value.trim().toLowerCase(), query = new URLSearchParams({ search: value.trim(), limit: 20 }).toString().replaceAll("+", "%20");
    const { items } = await this.api.json(`/v1/contacts?${query}`, { signal, isNeeded: false });
    const same = items.filter(({ id, displayName }) => id !== owner && displayName.toLowerCase() === name);
    return same.length === 1 ? same[0] : undefined;
  }
}

export class ServiceManager {
  constructor(api) { this.api = api; }

  // The state of the books, also while the service is not ready.
  async state(signal) {
    const response = await this.api.fetch("/readyz", { signal, credentials: "omit", headers: this.headers() });
    return response.json();
  }

  // What the books are called, by their numbers: those whose name is not that of another one.
  async bookNames() {
    const { items } = await this.api.json("/v1/cards", { isNeeded: false }).catch(() => ({ items: [] }));
    return new Map(items.filter(({ id, header }) => /^book-\d+$/.test(id) && header && !/^\d+$/.test(header)).map(({ id, header }) => [Number(id.slice(5)), header]));
  }

  headers() { return this.api.token ? { Authorization: `Bearer ${this.api.token}` } : {}; }
}

// {book, code, read, lost} of a book that cannot be read, or only in part; undefined of a sound one. The service counts all contacts
// of a book before it reads them: those that are missing once it has are lost, while any failed. What was repaired since may still be counted. A file that ends early may have had more.
export function troubleOf({ book, problem, total = 0, people = 0, failed = 0, loaded = false, unreadable = 0 }) {
  const lost = total - people;
  if (problem) return { book, code: problem, read: people, lost: 0 };
  if (unreadable > 0) return { book, code: "book-files", read: people, lost: unreadable };
  return lost > 0 && failed > 0 && (loaded || failed >= lost) ? { book, code: "book-partial", read: people, lost } : undefined;
}

export const troubles = (books = []) => books.map(troubleOf).filter(Boolean);

// How many entries and photos of a book failed, for people: a book of which nothing is read counts as one.
export function failedOf(book) {
  const found = troubleOf(book), { failed = 0 } = book;
  if (found?.read === 0) return { books: 1, entries: 0, photos: 0 };
  const entries = found?.code === "book-partial" ? Math.min(found.lost, failed) : 0;
  return { books: 0, entries, photos: failed - entries };
}
