// The contacts that the page knows, by id, for all managers. The least recently stored ones are dropped.

const CAPACITY = 3000;

export class ContactStore {
  constructor(capacity = CAPACITY) {
    Object.assign(this, { capacity, contacts: new Map(), callbacks: new Set(), touched: new Set() });
  }

  get(id) { return this.contacts.get(id); }

  // Each id moves to the end, so the first ones are the oldest.
  put(contacts) {
    for (const contact of contacts) {
      this.contacts.delete(contact.id);
      this.contacts.set(contact.id, contact);
    }
    for (const id of this.contacts.keys()) {
      if (this.contacts.size <= this.capacity) break;
      this.contacts.delete(id);
    }
  }

  // callback(type, message, isRefresh) with type "contacts" and the set of their ids.
  subscribe(callback) {
    this.callbacks.add(callback);
    return () => this.callbacks.delete(callback);
  }

  // Notes that a contact or its avatar is another one. Views learn it from `report`, once per frame.
  changed(id) { this.touched.add(id); }

  report() {
    if (this.touched.size === 0) return;
    const ids = this.touched;
    this.touched = new Set();
    for (const callback of this.callbacks) callback("contacts", ids, true);
  }
}
