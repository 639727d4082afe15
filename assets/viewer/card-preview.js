// A contact in few rows, in a sheet: what a long press shows in a list.
import { button, element } from "./dom.js";
import { AvatarView } from "./avatar-view.js";
import { labelOf } from "./card-rows.js";
import { watchLongPress } from "./gestures.js";
import { phoneOf } from "./rows.js";
import { Sheet } from "./sheets.js";

// Of a contact as lists have it: the rows of a preview. `preview` of a card has the same members.
export function previewOf({ displayName, title, organisation, phones, emails }) {
  const [phone] = phones ?? [], [email] = emails ?? [];
  return {
    title: displayName, about: [title, organisation?.[0]].filter(Boolean).join(", "),
    rows: [
      ...phone ? [{ type: "phones", label: phone.label ?? phone.types?.[0] ?? "phone", value: phoneOf({ phones }) }] : [],
      ...email ? [{ type: "emails", label: email.label ?? email.types?.[0] ?? "email", value: email.value }] : [],
    ],
  };
}

// The content of a sheet or of a box beside the pointer. contact: for its avatar.
export function previewContent({ app, about, rows, contact }) {
  const avatar = contact && new AvatarView(app.avatars, { isLarge: true });
  avatar?.show(contact);
  return element("div", { class: "preview" }, avatar?.element, about ? element("p", { class: "about", dir: "auto" }, about) : "",
    element("dl", {}, ...rows.map(row => element("div", { class: "card-row" },
      element("dt", {}, labelOf(row, row.type, app.text)), element("dd", {}, element("bdi", {}, row.value))))));
}

// preview: {title, about, rows} of `previewOf` or of a card.
export function openPreview(app, preview, contact) {
  const { text } = app, buttons = element("p", { class: "buttons" },
    button(text.get("close"), () => sheet.close(), { class: "plain" }),
    contact ? element("a", { class: "button primary", href: `#/c/${encodeURIComponent(contact.id)}` }, text.get("open")) : "");
  const sheet = new Sheet(text.title(preview.title), previewContent({ app, contact, ...preview }), buttons);
  return sheet.open();
}

// contact(): what the element shows now.
export function watchPreview(app, target, contact) {
  watchLongPress(target, () => {
    const shown = contact();
    if (shown) openPreview(app, previewOf(shown), shown);
  });
}
