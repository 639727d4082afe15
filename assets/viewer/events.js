// The event stream, one for all tabs of the browser. A browser has six connections to a host; a stream keeps one.
import { backOff, pause } from "./api.js";

// Reads `text/event-stream` (WHATWG HTML 9.2.6) from pieces of text.
export class EventParser {
  constructor() { Object.assign(this, { rest: "", id: undefined, retry: undefined, event: {} }); }

  push(text) {
    const events = [], all = this.rest + text;
    let from = 0;
    for (let end = all.indexOf("\n"); end >= 0; end = all.indexOf("\n", from)) {
      this.line(all, from, end > from && all[end - 1] === "\r" ? end - 1 : end, events);
      from = end + 1;
    }
    this.rest = all.slice(from);
    return events;
  }

  // A service that draws a book sends thousands of events in a row: a line is never copied as a whole.
  line(all, from, end, events) {
    if (from === end) {
      if (this.event.data !== undefined) events.push({ name: this.event.name ?? "message", id: this.id, data: this.event.data });
      this.event = {};
      return;
    }
    const found = all.indexOf(":", from), colon = found < 0 ? end : Math.min(found, end);
    const field = all.slice(from, colon), value = all.slice(Math.min(end, all[colon + 1] === " " ? colon + 2 : colon + 1), end);
    if (field === "data") this.event.data = this.event.data === undefined ? value : `${this.event.data}\n${value}`;
    else if (field === "event") this.event.name = value;
    else if (field === "id") this.id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
  }
}

// The events that the page acts on. Of others the number counts alone.
const HEARD = new Set(["hello", "total", "finished", "contact", "contactChanged", "contactRemoved", "avatar"]);
// With the number of the form of its messages: a tab with the page of another version would not understand them.
const NAME = "tondo-events-2";
// Milliseconds without a byte after which a connection is given up: the service sends a comment every 15 s.
const SILENCE = 45_000;

// The visible tab that holds the lock reads the stream and sends each event to the others. Without Web Locks (pages that
// come neither over HTTPS nor from this machine) each visible tab reads its own.
export class EventsManager {
  constructor(api, { locks = navigator.locks, channel = new BroadcastChannel(NAME), page = document, silence = SILENCE } = {}) {
    Object.assign(this, { api, locks, channel, page, silence, last: null, isLeading: false, streams: 0, callbacks: new Set() });
    channel.onmessage = ({ data }) => { for (const message of [data].flat()) this.received(message); };
    page.addEventListener("visibilitychange", () => this.update());
    addEventListener("pagehide", () => this.stop());
    addEventListener("pageshow", () => this.update());
  }

  // callback(type, message, isRefresh): the name and the data of an event; isRefresh: events were missed, so everything
  // must be requested again.
  subscribe(callback) {
    this.callbacks.add(callback);
    this.update();
    return () => {
      this.callbacks.delete(callback);
      this.update();
    };
  }

  update() {
    if (this.page.visibilityState === "hidden" || this.callbacks.size === 0) return this.stop();
    if (this.end) return;
    this.end = new AbortController();
    const { signal } = this.end;
    const lead = () => this.lead(signal).catch(() => {});
    if (this.locks) {
      this.channel.postMessage({ join: true });
      this.locks.request(NAME, { signal }, lead).catch(() => {});
    } else lead();
  }

  // A hidden tab needs no events: it resumes after the last one it has seen.
  stop() {
    this.end?.abort();
    this.end = null;
  }

  async lead(signal) {
    this.isLeading = true;
    let wait = 2000;
    try {
      for (let attempt = 0; !signal.aborted; attempt += 1) {
        try {
          wait = await this.read(signal, () => { attempt = 0; }) ?? wait;
          // An end by itself says nothing of the service.
          this.api.check?.();
          await pause(wait, signal);
        } catch (problem) {
          if (signal.aborted || problem.status === 401) return;
          await pause(Math.max(backOff(attempt), (problem.retryAfter ?? 0) * 1000), signal);
        }
      }
    } finally {
      this.isLeading = false;
    }
  }

  // One connection, until it ends. Returns the wait that the service demands.
  async read(signal, opened) {
    const path = this.last === null ? "/v1/events" : `/v1/events?after=${this.last}`;
    const silent = new AbortController();
    let timer;
    const watch = () => { clearTimeout(timer); timer = setTimeout(() => silent.abort(new Error("the connection is silent")), this.silence); };
    try {
      watch();
      const both = AbortSignal.any([signal, silent.signal]);
      const response = await this.api.send(path, { signal: both, attempts: 1, accept: "text/event-stream" });
      opened();
      this.streams += 1;
      const parser = new EventParser(), decoder = new TextDecoder(), reader = response.body.getReader();
      for (;;) {
        watch();
        const { value, done } = await reader.read();
        if (done) return parser.retry;
        const events = parser.push(decoder.decode(value, { stream: true }));
        this.publish(...events.map(({ name, id, data }) => ({ seq: Number(id), name, data: HEARD.has(name) ? data : "{}" })));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  // Those that have come together go to the other tabs together.
  publish(...messages) {
    for (const message of messages) this.received(message);
    if (this.locks && messages.length > 0) this.channel.postMessage(messages);
  }

  received({ join, seq, name, data }) {
    // A hidden tab finds out what it missed when it is shown: another one sends the position then, or its own stream does.
    if (!this.end) return;
    if (join) {
      if (this.isLeading && this.last !== null) this.channel.postMessage({ seq: this.last, name: "position", data: "{}" });
      return;
    }
    // Ids rise by one. A tab that was frozen has missed what lies between; a service that was restarted counts from
    // elsewhere, which it marks with `reset`.
    const isKnown = this.last === null || name === "reset" || name === "hello" || name === "position";
    const isMissing = this.last !== null && (name === "position" ? seq > this.last : !isKnown && seq > this.last + 1);
    if (!isKnown && seq <= this.last) return;
    if (Number.isFinite(seq)) this.last = seq;
    if (isMissing || name === "reset") this.report("reset", {}, true);
    if (HEARD.has(name)) this.report(name, JSON.parse(data), false);
  }

  report(type, message, isRefresh) {
    for (const callback of this.callbacks) callback(type, message, isRefresh);
  }
}
