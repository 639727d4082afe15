// Contacts as vCards, from the service.

const LANES = 4;

export class VCardsManager {
  constructor(api) { this.api = api; }

  // The vCards of these contacts, one after the other.
  async text(ids, signal) {
    const texts = [], queue = ids.entries();
    const lane = async () => { for (const [at, id] of queue) texts[at] = await this.one(id, signal); };
    await Promise.all(Array.from({ length: LANES }, lane));
    return texts.map(text => text.endsWith("\n") ? text : `${text}\r\n`).join("");
  }

  async one(id, signal) {
    const response = await this.api.send(`/v1/contacts/${encodeURIComponent(id)}/vcard`, { accept: "text/vcard", isNeeded: false, signal });
    return response.text();
  }
}
