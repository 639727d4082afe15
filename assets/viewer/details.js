// The managers of the smaller views: groups, cards, and the state of the service.

class Requests {
  constructor(api) { this.api = api; }

  // callback("data", message, isRefresh) or callback("failed", problem, isRefresh). A new request of the same manager
  // aborts the one before.
  async request(path, callback, isRefresh = false) {
    this.end?.abort();
    const { signal } = this.end = new AbortController();
    let message;
    try {
      message = await this.api.json(path, { signal });
    } catch (problem) {
      if (!signal.aborted) callback("failed", problem, isRefresh);
      return;
    }
    if (!signal.aborted) callback("data", message, isRefresh);
  }

  abort() { this.end?.abort(); }
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

export class ServiceManager {
  constructor(api) { this.api = api; }

  // The state of the books, also while the service is not ready.
  async state(signal) {
    const response = await this.api.fetch("/readyz", { signal, credentials: "omit", headers: this.headers() });
    return response.json();
  }

  headers() { return this.api.token ? { Authorization: `Bearer ${this.api.token}` } : {}; }
}
