// All requests of the page: the token, problems as errors, retries.

export class Problem extends Error {
  constructor(status, code = "", detail = "", retryAfter = 0) {
    super(detail || code || String(status));
    Object.assign(this, { status, code, detail, retryAfter });
  }
}

// Milliseconds before the next attempt: doubled each time, 30 s at most, spread so that tabs do not come together.
export function backOff(attempt, random = Math.random()) {
  return Math.min(30_000, 500 * 2 ** attempt) * (0.5 + random / 2);
}

export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => { clearTimeout(timer); reject(signal.reason); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", end); resolve(); }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}

// As `fetch`, for a body that may take long. progress(part): how much of it is sent, 0...1.
export const sending = progress => (path, { method, headers, body, signal }) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open(method, path);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener("progress", ({ loaded, total }) => progress(total > 0 ? loaded / total : 1));
  request.addEventListener("load", () => {
    const retry = request.getResponseHeader("Retry-After");
    resolve(new Response(request.responseText, { status: request.status, headers: retry ? { "Retry-After": retry } : {} }));
  });
  request.addEventListener("error", () => reject(new TypeError("the service does not answer")));
  signal?.addEventListener("abort", () => { request.abort(); reject(signal.reason); });
  request.send(body);
});

const KEY = "tondo.token";
// Milliseconds after which an answer that was seen takes the place of one that does not come.
const PATIENCE = 5_000;
// A proxy that does not reach the service.
const UNREACHED = new Set([502, 504]);
// Whether nothing is known of what the service did.
export const isUnanswered = problem => !(problem instanceof Problem) || UNREACHED.has(problem.status);
// The key of what to say where something could not be shown.
export function trouble({ status }) {
  if (status === undefined || UNREACHED.has(status)) return "unreachable";
  if (status === 401 || status === 403) return "denied";
  return status === 503 || status === 429 ? "busy" : "failed";
}

const isSendable = token => /^[\x21-\x7e]+$/.test(token ?? "");

export class API {
  // denied(wasToken): the service demands a token, or that of the page is wrong or no longer valid. seen: `SeenAnswers`, if
  // answers are kept; offline(isOffline): the service does not answer now, or does again; ended(): the session is over.
  constructor({ fetch = globalThis.fetch.bind(globalThis), storage = sessionStorage, denied = () => {}, seen = null,
    offline = () => {}, ended = () => {} } = {}) {
    Object.assign(this, { fetch, storage, denied, seen, offline, ended, isOffline: false });
  }

  get token() {
    const token = this.storage.getItem(KEY);
    return isSendable(token) ? token : null;
  }

  // Never a cookie: all ports of a host share those.
  set token(token) {
    // A token with other characters cannot be sent in a header.
    if (isSendable(token)) this.storage.setItem(KEY, token);
    else {
      this.storage.removeItem(KEY);
      this.ended();
    }
  }

  // The response of a request, or a Problem. isRepeated: while the service is busy. isNeeded: without it there is no page. body: a file goes as
  // it is, anything else as JSON. fetch: another way to send it.
  async send(path, options = {}) {
    const { method = "GET", body, signal, attempts = 5, accept = "application/json" } = options;
    const { isRepeated = method === "GET", isNeeded = method === "GET" || method === "HEAD" } = options;
    const isFile = body instanceof Blob, headers = { Accept: accept, ...options.headers };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined && !isFile) headers["Content-Type"] = "application/json";
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.reach(path, {
        method, headers, signal, credentials: "omit", body: body === undefined || isFile ? body : JSON.stringify(body),
      }, options.fetch);
      if (response.ok) return response;
      const problem = await API.problem(response);
      if (problem.status === 401) this.refused(isNeeded, headers);
      if (problem.status !== 503 || !isRepeated || attempt + 1 >= attempts) throw problem;
      await pause(Math.max(problem.retryAfter * 1000, backOff(attempt)), signal);
    }
  }

  // The answer of the service, or what was seen of it before.
  async reach(path, options, fetch = this.fetch) {
    const { token } = this, isKept = token !== null && options.method === "GET" && this.seen?.isKept(path);
    if (!isKept) {
      const response = await fetch(path, options).catch(problem => {
        if (!options.signal?.aborted) this.report(true);
        throw problem;
      });
      this.report(UNREACHED.has(response.status));
      return response;
    }
    const late = new AbortController(), { signal } = options;
    const timer = setTimeout(async () => { if (await this.seen.find(token, path)) late.abort(); }, PATIENCE);
    try {
      const response = await this.fetch(path, { ...options, signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal });
      if (UNREACHED.has(response.status)) return await this.seenAnswer(token, path) ?? response;
      this.report(false);
      if (response.ok) this.seen.keep(token, path, response.clone());
      return response;
    } catch (problem) {
      if (!signal?.aborted) this.report(true);
      const seen = signal?.aborted ? null : await this.seenAnswer(token, path);
      if (seen && !signal?.aborted) return seen;
      throw problem;
    } finally {
      clearTimeout(timer);
    }
  }

  async seenAnswer(token, path) {
    const found = await this.seen.find(token, path);
    if (found) this.report(true);
    return found;
  }

  // Whether the service answers now.
  async check() {
    await this.reach("/healthz", { method: "GET", credentials: "omit", headers: {} }).catch(() => {});
    return !this.isOffline;
  }

  report(isOffline) {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    this.offline(isOffline);
  }

  // A token that was refused is not sent again. What only a token may do leaves the page as it is.
  refused(isNeeded, { Authorization: used }) {
    const wasToken = used !== undefined;
    if (wasToken && used === `Bearer ${this.token}`) this.token = null;
    if (isNeeded) this.denied(wasToken);
  }

  async json(path, options) {
    const response = await this.send(path, options);
    return response.status === 204 ? null : response.json();
  }

  static async problem(response) {
    const retryAfter = Number(response.headers.get("Retry-After")) || 0;
    const { code, detail } = await response.json().catch(() => ({}));
    return new Problem(response.status, code, detail, retryAfter);
  }

  // The service forgets the session, too; one that does not answer now does so in its time.
  endSession() {
    const ended = this.json("/v1/session", { method: "DELETE" }).catch(() => {});
    this.token = null;
    return ended;
  }

  // Exchanges the single-use code of `tondo open` for a session token.
  async openSession(code) {
    const { token } = await this.json("/v1/session", { method: "POST", body: { code } });
    this.token = token;
  }
}
