// People around the contact: a link for those whom the book knows.
import { element } from "./dom.js";

const UID = /^(urn:uuid:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const relatedCard = (card, { row, app, relations, owner }) => {
  const list = element("dl", {});
  for (const each of card.rows ?? []) {
    // An identifier says nothing until the person is found.
    const isName = !UID.test(each.value);
    const made = row({ ...each, link: undefined, value: isName ? each.value : app.text.get("loading") }, card);
    list.append(made);
    relations.find(each.value, owner(), person => {
      if (!person) return void (isName || made.remove());
      made.replaceWith(row({ ...each, value: person.displayName, href: `#/c/${encodeURIComponent(person.id)}` }, card));
    });
  }
  return list;
};
