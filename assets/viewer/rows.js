// The row of a contact: avatar, name, phone number, and an icon for each way to reach the contact.
import { element, icon } from "./dom.js";
import { AvatarView } from "./avatar-view.js";
import { ways } from "./ways.js";

export function wayLink({ name, value, link }, label, attributes = {}) {
  const isOutside = link.startsWith("http");
  return element("a", {
    class: `way way-${name}`, href: link, "aria-label": label, title: value ? `${label}: ${value}` : label,
    target: isOutside ? "_blank" : undefined, rel: isOutside ? "noopener noreferrer" : undefined, ...attributes,
  }, icon(name));
}

export const phoneOf = contact => contact.phones?.[0] ? contact.phones[0].formatted ?? contact.phones[0].value : "";

export class ContactRow {
  // actions(row): opens the menu of the row.
  constructor(app, actions) {
    const { text } = app;
    this.app = app;
    this.avatar = new AvatarView(app.avatars);
    this.name = element("span", { class: "name", dir: "auto" });
    this.phone = element("bdi", { class: "phone" });
    this.link = element("a", { class: "main", tabindex: -1, draggable: "false" }, this.avatar.element, this.name, this.phone);
    this.ways = element("span", { class: "ways" });
    this.more = element("button", { type: "button", class: "icon-button more", tabindex: -1, "aria-haspopup": "dialog" }, icon("more"));
    this.more.addEventListener("click", () => actions(this.element));
    this.element = element("div", { class: "row", role: "listitem" }, this.link, this.ways, this.more);
    this.element.view = this;
    this.text = text;
  }

  fill(index, total, contact, { isCurrent = false, isActive = false } = {}) {
    const { element: row, text } = this;
    this.index = index;
    this.contact = contact;
    row.ariaPosInSet = String(index + 1);
    row.ariaSetSize = String(total);
    row.classList.toggle("loading", !contact);
    this.avatar.show(contact);
    this.name.textContent = contact?.displayName ?? "";
    this.phone.textContent = contact ? phoneOf(contact) : "";
    row.classList.toggle("vip", contact?.vip === true);
    if (contact) {
      this.link.href = `#/c/${encodeURIComponent(contact.id)}`;
      this.more.ariaLabel = text.get("actions", { name: contact.displayName });
    } else {
      this.link.removeAttribute("href");
      this.more.ariaLabel = text.get("loading");
    }
    this.fillWays(contact);
    if (isCurrent) this.link.setAttribute("aria-current", "true");
    else this.link.removeAttribute("aria-current");
    this.activate(isActive);
  }

  // Links that are equal stay.
  fillWays(contact) {
    const found = contact ? ways(contact) : [], shown = JSON.stringify([contact?.displayName, found]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.ways.replaceChildren(...found.map(way =>
      wayLink(way, this.text.get(`way.${way.name}`, { name: contact.displayName }), { tabindex: -1 })));
  }

  // Only the active row takes part in the order of the Tab key.
  activate(isActive) {
    const order = isActive ? 0 : -1;
    this.link.tabIndex = order;
    this.more.tabIndex = order;
    for (const link of this.ways.children) link.tabIndex = order;
  }
}
