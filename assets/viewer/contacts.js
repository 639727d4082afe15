// One list of contacts: its number, its sections, and the pages that are in view. Never the whole list.
import { isUnanswered, pause } from "./api.js";
import { keptInOrder, keptMatches } from "./seen.js";
import { Withheld } from "./withheld.js";

export const PAGE = 50;
// Milliseconds until a list that failed is requested again.
const RETRY = 5_000;

export class ContactsManager {
  constructor(api, store, { locale = () => "en" } = {}) {
    Object.assign(this, { api, store, locale, query: {}, total: 0, ids: [], sections: [], revision: null });
    Object.assign(this, { callback: () => {}, pages: new Map(), run: 0, range: [0, PAGE], refreshes: 0, isLoaded: false });
    // anchor: {id, index} of the contact that stays in view, its id once it is known, and `lost`, the id of the one that was there,
    // which goes before it once it is back; displacement: how many contacts came before it by this refresh.
    Object.assign(this, { anchor: null, displacement: 0 });
    Object.assign(this, { held: 0, isLoading: false, isStale: false, isFailed: false, withheld: new Withheld(this) });
  }

  // callback(type, message, isRefresh): "data" (what is shown has changed; "taken" or "restored" by the page itself), "page" (from and to of the contacts that have
  // arrived), "failed" (a problem).
  request(query, callback = this.callback) {
    this.abort();
    Object.assign(this, { query, callback, range: [0, PAGE], anchor: null, isLoaded: false });
    return this.load(false);
  }

  // The same list once more, because the book has changed. One at a time: while changes keep coming, each refresh ends.
  refresh() {
    if (this.isLoading || this.held > 0) return void (this.isStale = true);
    return this.load(true);
  }

  // Keeps refreshes back until the returned function is called, such as while a contact that is gone here is being deleted. One that
  // is on its way is of the time before.
  hold() {
    this.held += 1;
    if (this.isLoading && this.isRefreshing) {
      this.end.abort();
      Object.assign(this, { isLoading: false, isStale: true });
    }
    return () => {
      this.held -= 1;
      if (this.held === 0 && this.isLoaded) this.schedule();
    };
  }

  abort() {
    this.run += 1;
    this.end?.abort();
    clearTimeout(this.retry);
    for (const end of this.pages.values()) end.abort();
    this.pages.clear();
    this.isLoading = false;
  }

  // Nothing is known any more, and nothing is requested.
  clear() {
    this.abort();
    clearTimeout(this.timer);
    Object.assign(this, { total: 0, ids: [], known: [], sections: [], revision: null, isLoaded: false, isFailed: false, since: undefined });
  }

  at(index) {
    const id = this.ids[index];
    return id === undefined ? undefined : this.store.get(id);
  }

  // All contacts of the list, page by page: for paper alone. What is chosen meanwhile makes another list.
  async *whole() {
    const query = { ...this.query };
    for (let cursor; cursor !== null;) {
      const page = await this.api.json(`/v1/contacts?${queryText(query, this.locale(), { limit: 500, cursor })}`);
      yield page.items;
      cursor = page.next ?? null;
    }
  }

  path(more) { return `/v1/contacts?${queryText(this.query, this.locale(), more)}`; }

  async load(isRefresh) {
    if (isRefresh && this.held > 0) return void (this.isStale = true);
    clearTimeout(this.retry);
    const run = this.run, { signal } = this.end = new AbortController();
    Object.assign(this, { isStale: false, isLoading: true, isFailed: false, isRefreshing: isRefresh });
    let pages, sections;
    try {
      [pages, sections] = await Promise.all([
        isRefresh && this.anchor?.id !== undefined ? this.pagesAround(this.anchor, signal) : this.pagesAt(this.range, signal),
        this.api.json(`/v1/sections?${queryText(this.query, this.locale())}`, { signal }),
      ]);
    } catch (problem) {
      if (run === this.run && !signal.aborted) this.fail(problem, isRefresh);
      return;
    }
    if (run !== this.run || signal.aborted) return;
    this.isLoading = false;
    const { items: [page], displacement } = pages;
    this.displacement = displacement;
    this.range = this.range.map(index => Math.max(0, index + displacement));
    this.total = page.total;
    const isOneList = sections.revision === page.revision && sections.total === page.total;
    this.sections = readSections(isOneList ? sections : { sections: [], total: page.total });
    this.ids = new Array(page.total);
    this.revision = page.revision;
    if (this.anchor) this.anchor = { ...this.anchor, index: this.anchor.index + displacement };
    for (const each of pages.items) this.keep(each, each.items);
    this.withheld.sift();
    Object.assign(this, { isLoaded: true, isPartial: false });
    if (this.isWhole) this.known = this.ids;
    this.callback("data", null, isRefresh);
    this.displacement = 0;
    // Changes that were reported while the list was on its way may not be in it.
    if (!isOneList || this.isStale || this.announced !== undefined && this.announced !== page.revision) this.schedule();
    this.announced = undefined;
  }

  async pagesAt([first, last], signal) {
    const offset = Math.floor(first / PAGE) * PAGE, limit = Math.min(10 * PAGE, Math.ceil((last - offset) / PAGE) * PAGE || PAGE);
    return { items: [await this.api.json(this.path({ offset, limit }), { signal })], displacement: 0 };
  }

  // Changes above what is in view move it: the page is that of the anchor, wherever it is now. What is in view may need
  // the page beside it too.
  async pagesAround({ lost, id, index }, signal) {
    const [from, to] = this.range, limit = Math.min(10 * PAGE, Math.ceil((to - from) / PAGE) * PAGE || PAGE);
    let page;
    try {
      page = await this.api.json(this.path({ around: lost ?? id, limit }), { signal });
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      // The anchor itself is gone.
      return lost === undefined ? this.pagesAt(this.range, signal) : this.pagesAround({ id, index }, signal);
    }
    id = lost ?? id;
    const end = page.offset + page.items.length, displacement = page.offset + page.items.findIndex(item => item.id === id) - index;
    const isBefore = from + displacement < page.offset, isAfter = to + displacement > end && end < page.total;
    if (!isBefore && !isAfter) return { items: [page], displacement };
    const beside = await this.api.json(this.path({ offset: isBefore ? Math.max(0, page.offset - limit) : end, limit }), { signal });
    return { items: beside.revision === page.revision ? [page, beside] : [page], displacement };
  }

  get isWhole() { return isWhole(this.query); }

  // What is known of the whole list answers for a service that does not. Returns whether anything does.
  showKept() {
    const { query, store } = this, people = (this.known ?? []).map(id => store.get(id)).filter(Boolean);
    if (people.length === 0 || query.group) return false;
    const found = keptInOrder(keptMatches(people, query), query.sort ?? "", this.locale());
    for (const { match, ...contact } of found) store.put([contact]);
    Object.assign(this, { ids: found.map(({ id }) => id), total: found.length, sections: [{ title: "", offset: 0, count: found.length }], revision: null, isLoaded: true, isPartial: people.length < this.known.length });
    this.callback("data", null, false);
    return true;
  }

  // The list of another query is not shown in its place. It is requested again, also without the user.
  fail(problem, isRefresh) {
    Object.assign(this, { isLoading: false, isFailed: true });
    if (!isRefresh && isUnanswered(problem) && this.showKept()) return void (this.retry = setTimeout(() => this.load(true), RETRY));
    if (!isRefresh) Object.assign(this, { total: 0, ids: [], sections: [] });
    if (problem.status !== 401) this.retry = setTimeout(() => this.load(isRefresh), RETRY);
    this.callback("failed", problem, isRefresh);
  }

  keep({ offset, items, revision }, shown = this.withheld.outside(items)) {
    this.store.put(items);
    // A page of an older list may reach beyond the end of this one.
    shown.slice(0, Math.max(0, this.total - offset)).forEach((item, index) => { this.ids[offset + index] = item.id; });
    if (this.anchor) this.anchor.id ??= this.ids[this.anchor.index];
    return revision === undefined || revision === this.revision;
  }

  // The rows from...to are in view: requests what is missing there, and aborts pages that have left. anchor: {id,
  // index} of the contact that must stay in its place, if there is one.
  show(from, to, anchor = null) {
    Object.assign(this, { range: [from, to], anchor });
    const first = Math.floor(from / PAGE), last = Math.floor(Math.max(from, Math.min(to, this.total) - 1) / PAGE);
    for (const [page, end] of this.pages) {
      if (page >= first - 1 && page <= last + 1) continue;
      end.abort();
      this.pages.delete(page);
    }
    for (let page = first; page <= last; page += 1) {
      if (this.pages.has(page)) continue;
      const end = Math.min((page + 1) * PAGE, this.total);
      for (let index = page * PAGE; index < end; index += 1) {
        if (this.at(index)) continue;
        this.fetch(page);
        break;
      }
    }
  }

  async fetch(page) {
    const end = new AbortController(), run = this.run;
    this.pages.set(page, end);
    let list;
    try {
      // While the list is thrown far, only the page where it stops is worth a request.
      await pause(15, end.signal);
      list = await this.api.json(this.path({ offset: page * PAGE, limit: PAGE }), { signal: end.signal });
    } catch (problem) {
      if (this.pages.get(page) === end) this.pages.delete(page);
      if (!end.signal.aborted && run === this.run) this.callback("failed", problem, true);
      return;
    }
    if (run !== this.run) return;
    const isCurrent = this.keep(list) && list.total === this.total;
    this.pages.delete(page);
    this.callback("page", [list.offset, list.offset + list.items.length], false);
    if (!isCurrent) this.schedule();
  }

  // The index of a contact in this list; -1 if the list does not hold it.
  async locate(id) {
    const known = this.ids.indexOf(id);
    if (known >= 0) return known;
    try {
      const run = this.run, list = await this.api.json(this.path({ around: id, limit: PAGE }));
      if (run === this.run && !this.keep(list)) this.schedule();
      return list.offset + list.items.findIndex(item => item.id === id);
    } catch {
      return -1;
    }
  }

  // The whole single contact, which lists may shorten.
  contact(id, signal) { return this.api.json(`/v1/contacts/${encodeURIComponent(id)}`, { signal }); }

  // A burst of changes refreshes the list once when it ends, and each second while it lasts.
  schedule() {
    const now = performance.now();
    this.since ??= now;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.since = undefined;
      if (!this.isLoading && this.held === 0) this.refreshes += 1;
      this.refresh();
    }, Math.max(0, Math.min(120, this.since + 1000 - now)));
  }

  // An event of the stream.
  apply(type, { contact, total, id, revision }) {
    if (type === "contactChanged") {
      const before = this.store.get(contact.id);
      if (before) this.store.put([contact]);
      this.store.changed(contact.id);
    }
    const { isLoaded } = this;
    // The service answers again.
    if (this.isFailed && !this.isLoading && ["hello", "total", "finished"].includes(type)) return void this.load(isLoaded);
    if (type === "hello" && !isLoaded) this.announced = revision;
    if (type === "hello" && (!isLoaded || revision === undefined || revision === this.revision)) return;
    if (!["contact", "contactChanged", "contactRemoved", "reset", "hello"].includes(type)) return;
    if (!isLoaded) return void (this.isStale = true);
    // What the page does itself is one change of the list: its parts are not shown.
    const isOwn = this.withheld.isOwn(id ?? contact?.id);
    if (type === "contactRemoved" && !isOwn && this.withheld.cut([id]).length > 0) this.isShorter = true;
    if (this.isWhole && !isOwn && this.held === 0 && total !== undefined && total !== this.total) this.callback("total", total, true);
    this.schedule();
  }

  // Reports the contacts that events have removed, once for all of a frame.
  report() {
    if (!this.isShorter) return;
    this.isShorter = false;
    this.callback("data", null, true);
  }

  // The ids of the rows from...to, in view or not. A list that is loaded meanwhile is read again; one that was cleared, no more.
  async idsBetween(from, to) {
    for (let offset = from, list = this.ids; ;) {
      while (this.isLoading) await pause(15);
      if (!this.isLoaded) return [];
      if (list !== this.ids) [offset, list] = [from, this.ids];
      while (offset < to && list[offset] !== undefined) offset += 1;
      if (offset >= to) return list.slice(from, to);
      const page = await this.api.json(this.path({ offset, limit: Math.min(10 * PAGE, to - offset) }));
      if (this.isLoading || list !== this.ids) continue;
      if (page.items.length === 0) return list.slice(from, offset);
      if (!this.keep(page)) this.schedule();
    }
  }
}

// {search, filter: ["phone", ...], sort, group, duplicates} as the query of a request, always in the same order.
export function queryText({ search = "", filter = [], sort = "", group = "", duplicates = "" }, locale, more = {}) {
  const order = sort === "book" ? "" : sort;
  const values = { search, filter: [...filter].sort().join(","), sort: order, group, duplicates, locale, ...more };
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined);
  // %20: a plus sign is a blank in forms alone.
  return given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

// Letters that come more than once show a list in another order than that of names: these have no sections.
export function readSections({ sections, total }) {
  // Names that begin with no letter come first, contacts without the name last: both are "#".
  const letters = sections.map(({ title }) => title).filter(title => title !== "#");
  const isSorted = new Set(letters).size === letters.length;
  return isSorted && sections.length > 0 ? sections : [{ title: "", offset: 0, count: total }];
}

// Whether nothing but the order is chosen.
export const isWhole = ({ search, filter, group, duplicates }) => queryText({ search, filter, group, duplicates: duplicates === "joined" ? "" : duplicates }) === "";
