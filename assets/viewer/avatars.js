// Avatars as bitmaps, by the key of their content. A key that was seen once is in the browser's cache: a second visit
// requests no avatar. All others come together in few requests.
import { backOff } from "./api.js";

// Bitmaps that are kept. Sharp ones take four times as much memory each: 6 MB in all, as against 4.
const MEMORY = 120, SHARP = 40;
const BATCH = 40, REQUESTS = 2, KEPT = 4000, ATTEMPTS = 5;
// Characters of the ids of one request: the service takes bodies of 64 KiB.
const LONGEST = 8_000;
// Milliseconds until new keys are kept for later.
const REMEMBERING = 2_000;
const address = key => `/viewer-avatar/${key}`;

// The parts of a bulk response: {header, bytes}, from pieces of any length.
export class PartParser {
  constructor() { Object.assign(this, { rest: new Uint8Array(0), header: null }); }

  push(piece) {
    const data = new Uint8Array(this.rest.length + piece.length);
    data.set(this.rest);
    data.set(piece, this.rest.length);
    const view = new DataView(data.buffer), parts = [];
    let at = 0;
    while (at + 4 <= data.length) {
      const end = at + 4 + view.getUint32(at);
      if (end > data.length) break;
      const part = data.subarray(at + 4, end);
      if (this.header === null) this.header = JSON.parse(new TextDecoder().decode(part));
      else {
        parts.push({ header: this.header, bytes: part.slice() });
        this.header = null;
      }
      at = end;
    }
    this.rest = data.slice(at);
    return parts;
  }
}

export class AvatarManager {
  // caches: absent on pages that come neither over HTTPS nor from this machine.
  constructor(api, { scale = devicePixelRatio > 1 ? 2 : 1, caches = globalThis.caches } = {}) {
    Object.assign(this, { api, scale, caches, bitmaps: new Map(), pending: new Map(), running: 0, requested: 0 });
    Object.assign(this, { keys: new Map(), requests: new Set(), isSingle: false, stored: 0, failures: 0 });
    // isOver: the avatars in the browser's cache are forgotten; those on their way do not bring it back.
    this.isOver = false;
    // The contacts whose avatar changed while it was requested: that response is old.
    this.outdated = new Set();
  }

  // The current key of a contact's avatar, if it is known.
  keyOf(contact) { return this.keys.get(contact.id) ?? contact.avatars?.[this.scale]; }

  // What is known of keys may be old: of one contact, or of all.
  invalidate(id) {
    if (id === undefined) this.keys.clear();
    else this.keys.delete(id);
    for (const { ids } of this.requests) for (const each of ids) if (id === undefined || each === id) this.outdated.add(each);
  }

  // callback(bitmap, key) now or later. Returns a function that ends the interest.
  subscribe(contact, callback) {
    const key = this.keyOf(contact), bitmap = key && this.bitmaps.get(key);
    if (bitmap) {
      this.bitmaps.delete(key);
      this.bitmaps.set(key, bitmap);
      callback(bitmap, key);
      return () => {};
    }
    const { id } = contact, entry = this.pending.get(id) ?? { callbacks: new Set(), attempts: 0 };
    entry.key = key;
    entry.callbacks.add(callback);
    // The newest last: what was scrolled into view now is requested first.
    this.pending.delete(id);
    this.pending.set(id, entry);
    this.schedule();
    return () => {
      entry.callbacks.delete(callback);
      if (entry.callbacks.size > 0 || this.pending.get(id) !== entry) return;
      this.pending.delete(id);
      this.schedule();
    };
  }

  // Whether the avatar of an event is one of those that the page shows.
  isShown({ scale, state }) { return scale === this.scale && state === "normal"; }

  // An event: the avatar of a contact is another one.
  changed(message) {
    if (!this.isShown(message)) return false;
    const { contact, key } = message;
    for (const { ids } of this.requests) if (ids.includes(contact)) this.outdated.add(contact);
    this.learn(contact, key);
    return true;
  }

  learn(contact, key) {
    this.keys.delete(contact);
    this.keys.set(contact, key);
    if (this.keys.size > KEPT) this.keys.delete(this.keys.keys().next().value);
    // A list that was seen before its avatars were drawn has no keys.
    if (this.api.seen && this.api.token) this.remembering ??= setTimeout(() => this.rememberKeys(), REMEMBERING);
  }

  async rememberKeys() {
    clearTimeout(this.remembering);
    this.remembering = undefined;
    const { seen, token } = this.api;
    if (seen && token) await seen.keep(token, this.keysPath, new Response(JSON.stringify([...this.keys])));
  }

  get keysPath() { return `avatars at scale ${this.scale}`; }

  // The key of before, while the service does not answer.
  async seenKey(id) {
    const { seen, token, isOffline } = this.api;
    if (!isOffline || !seen || !token) return undefined;
    this.seenKeys ??= (async () => new Map(await (await seen.find(token, this.keysPath))?.json() ?? []))();
    return (await this.seenKeys).get(id);
  }

  // All that one frame demands goes together. The earliest of several times counts.
  schedule(wait = 0) {
    const time = performance.now() + wait;
    if (this.timer !== undefined && this.time <= time) return;
    clearTimeout(this.timer);
    this.time = time;
    this.timer = setTimeout(() => { this.timer = undefined; this.pump(); }, wait);
  }

  // The newest first, without those that are requested already or wait for their next attempt.
  next() {
    const requested = new Set([...this.requests].flatMap(({ ids }) => ids)), now = performance.now(), batch = [];
    let length = 0, later = Infinity;
    for (const [id, { time = 0 }] of [...this.pending].reverse()) {
      if (requested.has(id)) continue;
      if (time > now) later = Math.min(later, time);
      else if (batch.length < BATCH && length + id.length <= LONGEST || batch.length === 0) {
        batch.push(id);
        length += id.length;
      }
    }
    if (later < Infinity) this.schedule(later - now);
    return batch;
  }

  async pump() {
    // A request of which nothing is in view any more makes room for what is.
    for (const { ids, end } of this.requests) if (!ids.some(id => this.pending.has(id))) end.abort();
    if (this.requests.size >= REQUESTS) return;
    const ids = this.next(), end = new AbortController(), request = { ids, end };
    if (ids.length === 0) return;
    this.requests.add(request);
    this.running += 1;
    try {
      const missing = (await Promise.all(ids.map(id => this.lookUp(id)))).filter(id => id && this.pending.has(id));
      if (missing.length > 0 && !end.signal.aborted) await this.request(missing, end.signal);
      this.failures = 0;
    } catch {
      if (!end.signal.aborted) this.postpone(ids);
    } finally {
      this.requests.delete(request);
      for (const id of ids) this.outdated.delete(id);
      this.running -= 1;
    }
    this.schedule();
  }

  // A service that does not answer is asked less and less often; one that refuses an avatar, a few times.
  postpone(ids) {
    this.failures += 1;
    const time = performance.now() + backOff(this.failures);
    for (const id of ids) if (this.pending.has(id)) this.pending.get(id).time = time;
  }

  // Delivers from the browser's cache; returns the id if it is not there.
  async lookUp(id) {
    try {
      const key = this.pending.get(id)?.key ?? await this.seenKey(id);
      const cache = key && await this.kept();
      const response = await cache?.match(address(key));
      if (!response) return id;
      await this.deliver(id, key, await response.blob());
      return null;
    } catch {
      return id;
    }
  }

  async request(ids, signal) {
    if (this.isSingle) return this.requestSingly(ids, signal);
    this.requested += ids.length;
    try {
      const body = { size: 96, scale: this.scale, state: "normal", ids };
      const response = await this.api.send("/v1/avatars", { method: "POST", body, signal, accept: "application/octet-stream" });
      const parser = new PartParser(), reader = response.body.getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        await Promise.all(parser.push(value).map(part => this.receive(part)));
      }
    } catch (problem) {
      // A proxy that passes no POST still passes pictures.
      if (![404, 405, 401, 403].includes(problem.status)) throw problem;
      this.isSingle = true;
      await this.requestSingly(ids, signal);
    }
  }

  // With the key in the URL the browser's HTTP cache keeps these for ever.
  async requestSingly(ids, signal) {
    await Promise.all(ids.map(async id => {
      const query = new URLSearchParams({ size: 96, scale: this.scale, state: "normal" });
      const known = this.pending.get(id)?.key;
      if (known) query.set("v", known);
      try {
        const response = await this.api.send(`/v1/contacts/${encodeURIComponent(id)}/avatar?${query}`, { signal, accept: "image/png" });
        const key = response.headers.get("ETag")?.replace(/^W?\/?"|"$/g, "") ?? known;
        await this.deliver(id, key, await response.blob());
      } catch {
        if (!signal.aborted) this.pending.delete(id);
      }
    }));
  }

  async receive({ header: { id, status, key, type }, bytes }) {
    const entry = this.pending.get(id);
    if (status === 200) return this.deliver(id, key, new Blob([bytes], { type }), bytes);
    if (!entry) return;
    entry.attempts += 1;
    entry.time = performance.now() + backOff(entry.attempts);
    if (status === 404 || entry.attempts >= ATTEMPTS) this.pending.delete(id);
  }

  // fresh: bytes that are not in the browser's cache yet.
  async deliver(id, key, blob, fresh) {
    // Requested once more, with the key of now.
    if (this.outdated.has(id)) {
      if (this.pending.has(id)) this.pending.get(id).key = this.keys.get(id);
      return;
    }
    let bitmap;
    try { bitmap = await createImageBitmap(blob); } catch { return void this.pending.delete(id); }
    this.bitmaps.set(key, bitmap);
    for (const [old, unused] of this.bitmaps) {
      if (this.bitmaps.size <= (this.scale > 1 ? SHARP : MEMORY)) break;
      this.bitmaps.delete(old);
      unused.close();
    }
    if (fresh) this.store(key, blob);
    this.learn(id, key);
    const entry = this.pending.get(id);
    this.pending.delete(id);
    for (const callback of entry?.callbacks ?? []) callback(bitmap, key);
  }

  // The browser's cache, if there is one, until the avatars are forgotten.
  async kept() { return this.isOver ? undefined : this.cache ??= await this.caches?.open("tondo-avatars"); }

  async store(key, blob) {
    try {
      const cache = await this.kept();
      if (!cache) return;
      await cache.put(address(key), new Response(blob));
      this.stored += 1;
      if (this.stored % 500 !== 0) return;
      const kept = await cache.keys();
      for (const old of kept.slice(0, Math.max(0, kept.length - KEPT))) await cache.delete(old);
    } catch { /* A full disk: the avatars are requested again next time. */ }
  }

  // The page no longer shows contacts, so their avatars leave the browser, and no others come until it is loaded again.
  async forget() {
    this.isOver = true;
    clearTimeout(this.remembering);
    await this.caches?.delete("tondo-avatars");
    this.cache = this.seenKeys = this.remembering = undefined;
    this.bitmaps.clear();
  }
}
