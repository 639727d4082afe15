// Which cards one contact has, in which order, and which of them share a surface.
import { ways } from "./ways.js";

// How to reach a contact; who it is; what the page does not know; what was said and written; where all of this comes from.
const SURFACES = [
  ["phones", "emails", "messengers", "social", "addresses", "websites"], ["birthday", "anniversary", "organisation", "name", "groups", "related"],
  [], ["chat", "note", "source"],
];
const ABOUT = 1, OTHER = 2, LAST = 3;
const PLACES = new Map(SURFACES.flatMap((types, surface) => types.map((type, place) => [type, { surface, place }])));
const placeOf = ({ type }) => PLACES.get(type) ?? { surface: OTHER, place: 0 };

// Pixels above a surface, and no line above cards on the same one.
const BETWEEN = 12;

// Rows that the head of the contact shows, or that are parts of the name.
const SHOWN = { organisation: new Set(["title", "organisation"]), name: new Set(["displayName", "prefix", "given", "additional", "family", "suffix", "formatted"]) };

// One card of names: what remains of it is shown at once.
function reduced(card) {
  // A conversation has a place of its own.
  if (card.type === "chat" && !card.error) return { ...card, header: undefined, fold: true };
  const shown = SHOWN[card.type];
  if (!shown || card.error) return card;
  const rows = [...card.rows ?? [], ...card.extension ?? []];
  const first = rows.findIndex(({ label }) => label === "organisation");
  return {
    ...card, title: "about", header: undefined, footer: undefined, extension: undefined, spacing: undefined,
    rows: rows.filter(({ label }, index) => !shown.has(label) || label === "organisation" && index !== first),
  };
}

// The cards of what lists know of a contact, for as long as its own ones do not come.
export function knownCards({ phones = [], emails = [], messengers = {}, birthday, groups = [] }) {
  const linked = (kind, value) => ways(kind)[0]?.link ?? undefined, [only] = phones;
  const rows = {
    phones: phones.map(phone => ({ label: phone.label ?? phone.types?.[0] ?? "phone", value: phone.formatted ?? phone.value, link: linked({ phones: [phone] }) })),
    emails: emails.map(email => ({ label: email.label ?? email.types?.[0] ?? "email", value: email.value, link: linked({ emails: [email] }) })),
    messengers: Object.entries(messengers).map(([label, value]) => ({ label, value, link: ways({ messengers: { [label]: value }, phones: only ? [only] : [] }).find(({ name }) => name === label)?.link })),
    birthday: birthday ? [{ label: "birthday", value: birthday }] : [],
    groups: groups.map(({ name }) => ({ label: "group", value: name })),
  };
  return arranged(Object.entries(rows).filter(([, found]) => found.length > 0).map(([type, found]) => ({ id: type, type, title: type, rows: found })));
}

// cards: as the service describes them. Cards of other types come before the notes, in their own order.
export function arranged(cards) {
  const kept = cards.map(reduced).filter(card => card.error || !SHOWN[card.type] || card.rows.length > 0);
  const placed = kept.map((card, index) => ({ card, index, ...placeOf(card) }));
  // A card that would be alone on its surface shares that of the others.
  const count = surface => placed.filter(each => each.surface === surface).length, isAlone = [ABOUT, LAST].some(surface => count(surface) === 1);
  const isOne = isAlone && count(OTHER) === 0;
  const sorted = placed
    .sort((one, other) => one.surface - other.surface || one.place - other.place || one.index - other.index);
  return sorted.map(({ card, surface }, index) => {
    const before = sorted[index - 1]?.surface, isJoined = surface !== OTHER && (surface === before || isOne && before === ABOUT && surface === LAST);
    return { ...card, spacing: card.spacing ?? (isJoined ? 0 : BETWEEN) };
  });
}
