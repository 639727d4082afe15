// Removing contacts with undo. Rows go at once and come back to their places when the service refuses. Until the service has
// permitted a first removal, the row stays until it answers: what may not be deleted does not move.

// Requests that run at a time.
const LANES = 4;

async function inLanes(items, action) {
  const results = [], queue = items.entries();
  const lane = async () => { for (const [at, item] of queue) results[at] = await action(item); };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

export class RemovalManager {
  constructor(api, contacts) { Object.assign(this, { api, contacts, isProven: false, isReadOnly: false }); }

  // The key of the reason why this page may change no contacts, as far as it is known; null if it may try.
  get refusal() {
    if (!this.api.token) return "refusal.401";
    if (this.api.isOffline) return "refusal.offline";
    return this.isReadOnly ? "refusal.readOnly" : null;
  }

  // contacts: one or many. callback(type, message, isRefresh) with {contacts, places, reason, total} as message: "taken", when the
  // rows go; "removed", with a reason if some of the total were refused; "refused", with the key of the reason. `undo` takes the
  // message of "removed", so several removals may be under way.
  async remove(contacts, callback) {
    const all = [contacts].flat(), [first] = all;
    // It may answer again by now.
    if (this.api.isOffline) await this.api.check?.();
    if (this.refusal) return callback("refused", { contacts: all, places: [], reason: this.refusal }, true);
    const release = this.contacts.hold();
    try {
      const before = this.contacts.placeOf(first.id), isProof = !this.isProven;
      const reason = isProof ? await this.send(first) : null;
      if (reason !== null) return callback("refused", { contacts: all, places: [], reason }, true);
      const places = all.map(({ id }) => this.contacts.takeOut(id, true));
      if (isProof) places[0] ??= before;
      this.contacts.callback("data", null, true);
      callback("taken", { contacts: all, places }, true);
      const rest = isProof ? all.slice(1) : all, reasons = await inLanes(rest, contact => this.send(contact));
      this.finish(all, places, isProof ? [null, ...reasons] : reasons, callback);
    } finally {
      release();
    }
  }

  // The key of the reason of a refusal; null if the contact is gone.
  async send(contact) {
    try {
      await this.api.json(this.path(contact), { method: "DELETE" });
    } catch (problem) {
      if (problem.status !== 404) return this.learn(problem);
    }
    this.isProven = true;
    return null;
  }

  learn(problem) {
    if (problem.code === "read-only") this.isReadOnly = true;
    if (problem.status === 401) this.isProven = false;
    return RemovalManager.reason(problem);
  }

  finish(contacts, places, reasons, callback) {
    const refused = places.filter((_, at) => reasons[at] !== null), reason = reasons.find(each => each !== null);
    this.putBack(refused);
    const removal = {
      contacts: contacts.filter((_, at) => reasons[at] === null), places: places.filter((_, at) => reasons[at] === null), total: contacts.length,
    };
    if (removal.contacts.length === 0) return callback("refused", { contacts, places, reason }, true);
    callback("removed", { ...removal, reason }, true);
  }

  // In the other order than they were taken: then each place is that of its time.
  putBack(places) {
    if (places.length === 0) return;
    for (const place of places.toReversed()) this.contacts.putBack(place, true);
    if (this.contacts.isLoaded) this.contacts.callback("data", null, true);
  }

  // callback as for `remove`: "restored"; "notRestored", with the key of the reason and what is left. It may be tried again.
  async undo(removal, callback) {
    // A refresh meanwhile could bring the contact before its place does.
    const release = this.contacts.hold();
    try {
      const reasons = await inLanes(removal.contacts, contact => this.restore(contact));
      const part = isLeft => ({ ...removal, contacts: removal.contacts.filter((_, at) => (reasons[at] !== null) === isLeft),
        places: removal.places.filter((_, at) => (reasons[at] !== null) === isLeft) });
      this.putBack(part(false).places);
      const reason = reasons.find(each => each !== null);
      if (reason === undefined) callback("restored", removal, true);
      else callback("notRestored", { ...part(true), reason }, true);
    } finally {
      release();
    }
  }

  async restore(contact) {
    try {
      await this.api.json(`${this.path(contact)}/restore`, { method: "POST", isRepeated: true });
      return null;
    } catch (problem) {
      return RemovalManager.reason(problem, "restore");
    }
  }

  path({ id }) { return `/v1/contacts/${encodeURIComponent(id)}`; }

  static reason({ status, code }, action = "refusal") {
    if (code === "read-only") return "refusal.readOnly";
    const known = { 401: "refusal.401", 403: "refusal.401", 404: `${action}.404`, 409: `${action}.409`, 507: "refusal.507" };
    return known[status] ?? `${action}.${status === undefined ? "unreached" : "other"}`;
  }
}
