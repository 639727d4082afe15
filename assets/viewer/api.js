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

const KEY = "tondo.token";
const isSendable = token => /^[\x21-\x7e]+$/.test(token ?? "");

export class API {
  // denied(wasToken): the service demands a token, or that of the page is wrong or no longer valid.
  constructor({ fetch = globalThis.fetch.bind(globalThis), storage = sessionStorage, denied = () => {} } = {}) {
    Object.assign(this, { fetch, storage, denied });
  }

  get token() {
    const token = this.storage.getItem(KEY);
    return isSendable(token) ? token : null;
  }

  // Never a cookie: all ports of a host share those.
  set token(token) {
    // A token with other characters cannot be sent in a header.
    if (isSendable(token)) this.storage.setItem(KEY, token);
    else this.storage.removeItem(KEY);
  }

  // The response of a request, or a Problem. isRepeated: while the service is busy. isNeeded: without it there is no page.
  async send(path, options = {}) {
    const { method = "GET", body, signal, attempts = 5, accept = "application/json" } = options;
    const { isRepeated = method === "GET", isNeeded = method === "GET" || method === "HEAD" } = options;
    const headers = { Accept: accept };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.fetch(path, {
        method, headers, signal, credentials: "omit", body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (response.ok) return response;
      const problem = await API.problem(response);
      if (problem.status === 401) this.refused(isNeeded, headers);
      if (problem.status !== 503 || !isRepeated || attempt + 1 >= attempts) throw problem;
      await pause(Math.max(problem.retryAfter * 1000, backOff(attempt)), signal);
    }
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

  // Exchanges the single-use code of `tondo open` for a session token.
  async openSession(code) {
    const { token } = await this.json("/v1/session", { method: "POST", body: { code } });
    this.token = token;
  }
}
