// The row of a contact: avatar, name, and one line. What acts on it (channels, the box that selects it) is made when it is
// pointed at or focused: the name has the room until then, and the page has few elements.
import { AvatarView, element, icon } from "./dom.js";
import { ways } from "./ways.js";

// The width of the avatar of a row, as --avatar-row and --avatar-m have it.
export const ROW = 3.25;

export function wayLink({ name, value, link }, label, attributes = {}) {
  const isOutside = link.startsWith("http");
  return element("a", {
    class: `way way-${name}`, href: link, "aria-label": label, title: value ? `${label}: ${value}` : label,
    target: isOutside ? "_blank" : undefined, rel: isOutside ? "noopener noreferrer" : undefined, ...attributes,
  }, icon(name));
}

export const phoneOf = contact => contact.phones?.[0] ? contact.phones[0].formatted ?? contact.phones[0].value : "";

// What people do, and where. A company that has its own name needs no second one.
export const workOf = ({ title, organisation, displayName }) => [title, organisation?.find(Boolean)].filter(part => part && part !== displayName).join(" · ");

// The line below the name: what distinguishes people before the ways to reach them.
export const lineOf = contact => workOf(contact) || phoneOf(contact) || contact.emails?.[0]?.value || "";

// The pieces of a text, with those of the ranges ([start, length] in UTF-16 units) as marks.
export function marked(text, ranges = []) {
  const pieces = [];
  let end = 0;
  for (const [start, length] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start < end || length <= 0 || start + length > text.length) continue;
    pieces.push(text.slice(end, start), element("mark", {}, text.slice(start, start + length)));
    end = start + length;
  }
  return [...pieces, text.slice(end)].filter(piece => piece !== "");
}

// Pieces around a match that would be cut off at the end of a line.
const LEAD = 18;

function shortened({ text, ranges = [] }) {
  const first = Math.min(...ranges.map(([start]) => start));
  if (!(first > 2 * LEAD)) return { text, ranges };
  const from = first - LEAD, cut = `…${text.slice(from)}`;
  return { text: cut, ranges: ranges.map(([start, length]) => [start - from + 1, length]) };
}

// Makes `content` (texts and elements) what an element holds. A single text goes into the text node that is there: for a new node, a
// browser would make and measure more.
function setContent(place, content) {
  const [text] = content, { firstChild, childNodes } = place;
  if (content.length !== 1 || typeof text !== "string" || childNodes.length !== 1 || firstChild.nodeType !== Node.TEXT_NODE) place.replaceChildren(...content);
  else if (firstChild.data !== text) firstChild.data = text;
}

export class ContactRow {
  // actions(row, button): opens the menu of the row.
  constructor(app, actions) {
    const { text } = app;
    Object.assign(this, { app, text, isActive: false, isLit: false });
    this.avatar = new AvatarView(app.avatars, { width: ROW });
    this.name = element("span", { class: "name", dir: "auto" });
    this.line = element("span", { class: "line", dir: "auto" });
    this.link = element("a", { class: "main", tabindex: -1, draggable: "false" }, this.avatar.element, element("span", { class: "texts" }, this.name, this.line));
    this.more = element("button", { type: "button", class: "icon-button more", tabindex: -1, "aria-haspopup": "menu" }, icon("more"));
    this.more.addEventListener("click", () => actions(this.element, this.more));
    this.element = element("div", { class: "row", role: "listitem" }, this.link, this.more);
    this.element.view = this;
  }

  fill(index, total, contact, { isCurrent = false, isActive = false, isPicked = false, isPicking = false, isJoined = [] } = {}) {
    const { element: row, text } = this, isOther = contact?.id !== this.contact?.id;
    Object.assign(this, { index, contact, isPicked, isPicking });
    if (index >= 0) row.ariaPosInSet = String(index + 1);
    if (index >= 0) row.ariaSetSize = String(total);
    row.classList.toggle("loading", !contact);
    row.classList.toggle("vip", contact?.vip === true);
    row.classList.toggle("favourite", contact?.favourite === true);
    row.classList.toggle("current", isCurrent);
    row.classList.toggle("picked", isPicked);
    // Selected rows that meet are one surface.
    ["after-picked", "before-picked"].forEach((name, at) => row.classList.toggle(name, isPicked && isJoined[at] === true));
    // Browsers compute the style of the row again when an attribute is set, even to the value that it has.
    const isDraggable = contact !== undefined && this.app.hasMouse === true;
    if (row.draggable !== isDraggable) row.draggable = isDraggable;
    this.avatar.show(contact);
    this.fillTexts(contact);
    if (contact) {
      this.link.href = `#/c/${encodeURIComponent(contact.id)}`;
      this.more.ariaLabel = text.get("actions", { name: contact.displayName });
    } else {
      this.link.removeAttribute("href");
      this.more.ariaLabel = text.get("loading");
    }
    if (isCurrent) this.link.setAttribute("aria-current", "true");
    else this.link.removeAttribute("aria-current");
    if (isOther) row.classList.remove("open");
    this.activate(isActive);
    this.equip();
  }

  fillTexts(contact) {
    const match = contact?.match, name = contact?.displayName ?? "";
    const isInName = match?.field === "name" && match.text === name;
    const pieces = isInName ? marked(name, match.ranges) : [name], isVIP = contact?.vip === true;
    // The badge stands at the end of the page's direction, whatever that of the name is.
    const direction = isVIP ? "" : "auto";
    if (this.name.dir !== direction) this.name.dir = direction;
    setContent(this.name, isVIP ? [element("bdi", {}, ...pieces)] : pieces);
    this.name.title = name;
    setContent(this.line, contact ? this.lineFor(contact, isInName ? null : match) : []);
  }

  // A match that is not in the name says which field it is in.
  lineFor(contact, match) {
    const { text } = this;
    if (!match || !text.has(`field.${match.field}`)) {
      const entries = 1 + (contact.also?.length ?? 0), line = lineOf(contact);
      const joined = entries > 1 ? text.get("joined", { count: entries }) : "";
      return [[line, joined].filter(Boolean).join(" · ")];
    }
    const { text: found, ranges } = shortened(match);
    return [`${text.get(`field.${match.field}`)}: `, element("bdi", {}, ...marked(found, ranges))];
  }

  // Shows the channels and the box, or takes them away.
  light(isLit) {
    if (this.isLit === isLit) return;
    this.isLit = isLit;
    if (!isLit) this.element.classList.remove("open");
    this.equip();
  }

  equip() {
    const { contact, element: row } = this, hasBox = contact !== undefined && (this.isLit || this.isPicking);
    if (hasBox) {
      this.box ??= element("input", { type: "checkbox", class: "pick", tabindex: -1 });
      this.box.checked = this.isPicked;
      this.box.ariaLabel = this.text.get("pick", { name: contact.displayName });
      if (!this.box.isConnected) row.prepend(this.box);
    } else if (this.box?.isConnected) {
      this.box.remove();
    }
    this.fillWays(this.isLit && !this.isPicking ? contact : undefined);
  }

  // Links that are equal stay.
  fillWays(contact) {
    const found = contact ? ways(contact) : [], shown = JSON.stringify([contact?.displayName, found]);
    if (shown === (this.shown ?? "[null,[]]")) return;
    this.shown = shown;
    this.ways ??= element("span", { class: "ways" });
    this.ways.replaceChildren(...found.map(way =>
      wayLink(way, this.text.get(`way.${way.name}`, { name: contact.displayName }), { tabindex: this.isActive ? 0 : -1 })));
    if (found.length === 0) this.ways.remove();
    else if (!this.ways.isConnected) this.more.before(this.ways);
  }

  // Only the active row takes part in the order of the Tab key.
  activate(isActive) {
    this.isActive = isActive;
    const order = isActive ? 0 : -1;
    this.link.tabIndex = order;
    this.more.tabIndex = order;
    for (const link of this.ways?.children ?? []) link.tabIndex = order;
  }
}
