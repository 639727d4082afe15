// A contact in few rows: what a long touch shows of a row.
import { AvatarView, element } from "./dom.js";
import { breakable, labelOf } from "./card-rows.js";
import { phoneOf } from "./rows.js";

// Of a contact as lists have it.
function rowsOf({ phones, emails }) {
  const [phone] = phones ?? [], [email] = emails ?? [];
  return [
    ...phone ? [{ type: "phones", label: phone.label ?? phone.types?.[0] ?? "phone", value: phoneOf({ phones }) }] : [],
    ...email ? [{ type: "emails", label: email.label ?? email.types?.[0] ?? "email", value: email.value }] : [],
  ];
}

// end() of the element: it is shown no more.
export function preview(app, contact) {
  const avatar = new AvatarView(app.avatars), about = [contact.title, contact.organisation?.find(Boolean)].filter(Boolean).join(", ");
  avatar.show(contact);
  const made = element("div", { class: "preview" }, avatar.element, element("div", {}, about ? element("p", { class: "about", dir: "auto" }, about) : "",
    element("dl", {}, ...rowsOf(contact).map(row => element("div", { class: "card-row" },
      element("dt", {}, labelOf(row, row.type, app.text)), element("dd", {}, element("bdi", {}, ...row.type === "emails" ? breakable(row.value) : [row.value])))))));
  made.end = () => avatar.show(undefined);
  return made;
}
