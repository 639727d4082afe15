// Contacts that are kept out of a list while the service removes them or brings them back: one change of the list, however many
// they are, and whatever comes in the middle.

// Ids whose events are known to be the page's own doing. The oldest are dropped.
const OWN = 5_000;

export class Withheld {
  // list: a ContactsManager, with `ids`, `sections`, `total`, `run`, `store`, `hold()` and `callback`.
  constructor(list) { Object.assign(this, { list, out: new Map(), own: new Set() }); }

  // Whether the page changes this contact, or has: the number that comes with its event is one in the middle.
  isOwn(id) { return this.own.has(id); }

  outside(items) { return this.out.size > 0 ? items.filter(({ id }) => !this.out.has(id)) : items; }

  // A list that has come meanwhile shows none of them either.
  sift() { if (this.out.size > 0) this.cut(this.out.keys()); }

  // One change of the list with contacts of these ids.
  begin(ids) { return new ListChange(this, ids); }

  count(ids, by) {
    for (const id of ids) {
      const count = (this.out.get(id) ?? 0) + by;
      if (count > 0) this.out.set(id, count);
      else this.out.delete(id);
    }
  }

  know(ids) {
    for (const id of ids) {
      this.own.delete(id);
      this.own.add(id);
    }
    for (const id of this.own) {
      if (this.own.size <= OWN) break;
      this.own.delete(id);
    }
  }

  // Takes contacts out of the list. Returns the places of those that were in one of its pages: {id, index, title of the section, contact}.
  cut(ids) {
    const { list } = this, wanted = new Set(ids), taken = [];
    if (wanted.size === 1 && !list.ids.includes([...wanted][0])) return taken;
    let to = 0, number = 0;
    for (let index = 0; index < list.ids.length; index += 1) {
      const id = list.ids[index];
      while (list.sections[number + 1]?.offset <= index) number += 1;
      if (id === undefined || !wanted.has(id)) list.ids[to++] = id;
      else taken.push({ id, index, section: list.sections[number], title: list.sections[number]?.title, contact: list.store.get(id) });
    }
    list.ids.length = to;
    list.total -= taken.length;
    for (const { section } of taken) if (section) section.count -= 1;
    this.renumber();
    return taken.map(({ section, ...place }) => place);
  }

  // Puts contacts into the list in one pass. slots: {place, slot}, the index in the list of now before which each one comes.
  insert(slots) {
    const { list } = this, ids = [];
    let from = 0;
    for (const { place, slot } of slots.toSorted((one, other) => one.slot - other.slot)) {
      while (from < slot) ids.push(list.ids[from++]);
      this.countIn(place, ids.length);
      ids.push(place.id);
    }
    while (from < list.ids.length) ids.push(list.ids[from++]);
    list.total += slots.length;
    // Who has the list of the whole book keeps this one.
    for (let at = 0; at < ids.length; at += 1) list.ids[at] = ids[at];
  }

  // at: the index of a contact that comes back to the section of this title, which may have gone with its last one.
  countIn({ title, contact }, at) {
    const { list } = this, { sections } = list;
    if (contact) list.store.put([contact]);
    let section = sections.length === 1 && sections[0].title === "" ? sections[0] : sections.find(each => each.title === title);
    if (!section) {
      const next = sections.findIndex(({ offset }) => offset >= at);
      section = { title: title ?? "", offset: at, count: 0 };
      sections.splice(next < 0 ? sections.length : next, 0, section);
    }
    section.count += 1;
    this.renumber();
  }

  renumber() {
    let offset = 0;
    for (const section of this.list.sections) {
      section.offset = offset;
      offset += section.count;
    }
  }
}

// It keeps refreshes back from its beginning to its end. `take` and `putBack` each change and report the list once.
class ListChange {
  constructor(withheld, ids) {
    Object.assign(this, { withheld, list: withheld.list, places: new Map(), isTaken: false });
    this.open(ids);
  }

  // Once more, after its end: those of these ids are about to come back.
  open(ids) {
    this.ids = [...ids];
    this.withheld.know(this.ids);
    if (this.isTaken) this.withheld.count(this.ids, 1);
    this.release = this.list.hold();
  }

  take() {
    const { withheld, list, ids } = this;
    Object.assign(this, { order: list.ids.slice(), run: list.run, isTaken: true });
    withheld.count(ids, 1);
    this.places = new Map(withheld.cut(ids).map(place => [place.id, place]));
    list.callback("data", "taken", true);
  }

  // Those of these ids that are out come back to their places; in another list, with its next refresh.
  putBack(ids) {
    const { withheld, list, places, run } = this, back = ids.map(id => places.get(id)).filter(Boolean).toSorted((one, other) => one.index - other.index);
    if (!list.isLoaded || back.length === 0) return;
    if (run === list.run) withheld.insert(this.slots(back));
    for (const { id } of back) places.delete(id);
    list.callback("data", "restored", true);
  }

  // Where contacts come back: after the one that came before each of them; where that is unknown, by the number. back: by their indices.
  slots(back) {
    const { list, order, places } = this, slots = new Map(), returning = new Set(back.map(({ id }) => id));
    const present = new Map(), out = [...places.values()].map(({ index }) => index).toSorted((one, other) => one - other);
    let gone = 0;
    // Of pages that were not in view, nothing is known.
    list.ids.forEach((id, index) => { if (id !== undefined) present.set(id, index); });
    for (const place of back) {
      if (present.has(place.id)) continue;
      while (out[gone] < place.index) gone += 1;
      let at = place.index - 1;
      while (at >= 0 && places.has(order[at]) && !returning.has(order[at])) at -= 1;
      const before = at >= 0 ? order[at] : undefined, beside = slots.get(before)?.slot ?? (present.has(before) ? present.get(before) + 1 : undefined);
      slots.set(place.id, { place, slot: beside ?? Math.min(place.index - gone, list.ids.length) });
    }
    return [...slots.values()];
  }

  end() {
    if (this.isTaken) this.withheld.count(this.ids, -1);
    this.release();
  }
}
