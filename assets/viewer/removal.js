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

  // contacts: one or many. callback(type, message, isRefresh) with {contacts, refused, change, reason, total} as message: "taken", when
  // the rows go; "removed", with a reason if some of the total were refused; "refused", with the key of the reason. `undo` takes the
  // message of "removed", so several removals may be under way.
  async remove(contacts, callback) {
    const all = [contacts].flat(), [first] = all;
    // It may answer again by now.
    if (this.api.isOffline) await this.api.check?.();
    if (this.refusal) return callback("refused", { contacts: all, reason: this.refusal }, true);
    const change = this.contacts.withheld.begin(all.map(({ id }) => id)), isProof = !this.isProven;
    try {
      const reason = isProof ? await this.send(first) : null;
      if (reason !== null) return callback("refused", { contacts: all, reason }, true);
      change.take();
      callback("taken", { contacts: all }, true);
      const reasons = await inLanes(isProof ? all.slice(1) : all, contact => this.send(contact));
      this.finish(all, change, isProof ? [null, ...reasons] : reasons, callback);
    } finally {
      change.end();
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

  finish(all, change, reasons, callback) {
    const [contacts, refused] = [false, true].map(isRefused => all.filter((_, at) => (reasons[at] !== null) === isRefused));
    const reason = reasons.find(each => each !== null);
    change.putBack(refused.map(({ id }) => id));
    if (contacts.length === 0) return callback("refused", { contacts: all, reason }, true);
    callback("removed", { contacts, refused, change, reason, total: all.length }, true);
  }

  // callback as for `remove`: "restored"; "notRestored", with the key of the reason and those that are left as `contacts`, which may be
  // tried again.
  async undo({ contacts: all, change }, callback) {
    // A refresh meanwhile could bring some of them before the others.
    change.open(all.map(({ id }) => id));
    try {
      const reasons = await inLanes(all, contact => this.restore(contact)), reason = reasons.find(each => each !== null);
      const [restored, contacts] = [false, true].map(isLeft => all.filter((_, at) => (reasons[at] !== null) === isLeft));
      change.putBack(restored.map(({ id }) => id));
      if (contacts.length === 0) callback("restored", { contacts: all, change, total: all.length }, true);
      else callback("notRestored", { contacts, change, reason, total: all.length }, true);
    } finally {
      change.end();
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
