// Removing contacts with undo. The row goes at once and comes back to its place when the service refuses.

export class RemovalManager {
  constructor(api, contacts) { Object.assign(this, { api, contacts }); }

  // callback(type, message, isRefresh) with {contact, place, reason} as message: "removed"; "refused", with the key of the
  // reason. `undo` takes the message of "removed", so several removals may be under way.
  async remove(contact, callback) {
    const release = this.contacts.hold(), removal = { contact, place: this.contacts.takeOut(contact.id) };
    try {
      await this.api.json(this.path(contact), { method: "DELETE" });
      callback("removed", removal, true);
    } catch (problem) {
      if (problem.status === 404) return callback("removed", removal, true);
      this.contacts.putBack(removal.place);
      callback("refused", { ...removal, reason: RemovalManager.reason(problem) }, true);
    } finally {
      release();
    }
  }

  // callback as for `remove`: "restored"; "notRestored", with the key of the reason. It may be tried again.
  async undo(removal, callback) {
    // A refresh meanwhile could bring the contact before its place does.
    const release = this.contacts.hold();
    try {
      await this.api.json(`${this.path(removal.contact)}/restore`, { method: "POST", isRepeated: true });
      this.contacts.putBack(removal.place);
      callback("restored", removal, true);
    } catch (problem) {
      callback("notRestored", { ...removal, reason: RemovalManager.reason(problem, "restore") }, true);
    } finally {
      release();
    }
  }

  path({ id }) { return `/v1/contacts/${encodeURIComponent(id)}`; }

  static reason({ status, code }, action = "refusal") {
    if (code === "read-only") return "refusal.readOnly";
    const known = { 401: "refusal.401", 403: "refusal.401", 404: `${action}.404`, 409: `${action}.409`, 507: "refusal.507" };
    return known[status] ?? `${action}.other`;
  }
}
