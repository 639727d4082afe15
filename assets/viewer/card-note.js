// A text with its line ends, its addresses as links.
import { element } from "./dom.js";

export const noteCard = (card, { copy }) => element("div", {}, ...(card.rows ?? []).map(({ value }) => element("div", { class: "card-row" },
  element("p", { class: "note", dir: "auto" }, ...linked(value)), copy(value))));

// A link ends before the punctuation of its sentence, and has as many closing brackets as opening ones.
const LINK = /\bhttps?:\/\/[^\s<>"“”«»]+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi;

// The parts of a text: strings and links.
export function linked(text) {
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const address = trimmed(found), isMail = !/^https?:/i.test(address);
    parts.push(text.slice(end, index), element("a", isMail ? { href: `mailto:${address}` }
      : { href: address, target: "_blank", rel: "noopener noreferrer" }, address));
    end = index + address.length;
  }
  return [...parts, text.slice(end)].filter(part => part !== "");
}

function trimmed(found) {
  let address = found;
  for (;;) {
    const isOpen = address.endsWith(")") && address.split("(").length < address.split(")").length;
    if (!isOpen && !/[.,;:!?'’…，。；：！？、]$/.test(address)) return address;
    address = address.slice(0, -1);
  }
}
