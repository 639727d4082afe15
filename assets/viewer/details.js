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

// Points of the longer side of a photo.
const PHOTO = 512;

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
      const options = { signal, isNeeded: false }, query = new URLSearchParams({ size: PHOTO, scale: this.scale });
      const [photo, report] = await Promise.all([
        this.api.send(`${path}/photo?${query}`, { ...options, accept: "image/webp, image/png" }), this.api.json(`${path}/crop`, options)]);
      return { bitmap: await createImageBitmap(await photo.blob()), report };
    }, callback, false);
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
