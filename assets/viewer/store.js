// What the page keeps: the contacts that it knows, and what the user has chosen.

const CAPACITY = 3000;

// The contacts by id, for all managers. The least recently stored ones are dropped.
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

// What the user has chosen, kept in the browser: "show" (yes, no), "language", "theme", "direction".
export class Settings {
  constructor(storage = localStorage) { Object.assign(this, { storage, callbacks: new Set() }); }

  get(name) { return this.storage.getItem(`tondo.${name}`); }

  set(name, value) {
    if (value === null) this.storage.removeItem(`tondo.${name}`);
    else this.storage.setItem(`tondo.${name}`, value);
    for (const callback of this.callbacks) callback(name, value);
  }

  changed(callback) { this.callbacks.add(callback); }
}
