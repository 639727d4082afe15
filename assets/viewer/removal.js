// Removing contacts with undo. The row goes at once and comes back to its place when the service refuses.

export class RemovalManager {
  constructor(api, contacts) { Object.assign(this, { api, contacts, last: null }); }

  // callback(type, message, isRefresh): "removed" with the contact, "refused" with the key of an explanation.
  async remove(contact, callback) {
    const place = this.contacts.take(contact.id);
    this.last = { contact, place };
    try {
      await this.api.json(`/v1/contacts/${encodeURIComponent(contact.id)}`, { method: "DELETE" });
      callback("removed", contact, true);
    } catch (problem) {
      if (problem.status === 404) return callback("removed", contact, true);
      this.last = null;
      if (place) this.contacts.putBack(place);
      callback("refused", RemovalManager.explanation(problem), true);
    }
  }

  async undo(callback) {
    const { last } = this;
    if (!last) return;
    this.last = null;
    try {
      await this.api.json(`/v1/contacts/${encodeURIComponent(last.contact.id)}/restore`, { method: "POST" });
      if (last.place) this.contacts.putBack(last.place);
      callback("restored", last.contact, true);
    } catch (problem) {
      callback("refused", RemovalManager.explanation(problem), true);
    }
  }

  static explanation({ status, code }) {
    if (code === "read-only") return "refusal.readOnly";
    return { 401: "refusal.401", 403: "refusal.401", 404: "refusal.404", 409: "refusal.409", 507: "refusal.507" }[status]
      ?? "refusal.other";
  }
}
