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
