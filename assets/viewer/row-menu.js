// What can be done with a contact of the list, or with all that are selected: a menu on the desktop, a sheet on the phone.
import { preview } from "./card-preview.js";
import { button, element, icon } from "./dom.js";
import { Popover } from "./menus.js";
import { vcards } from "./page.js";
import { phoneOf, wayLink } from "./rows.js";
import { Sheet } from "./sheets.js";
import { ways } from "./ways.js";

// anchor: the button of the row; otherwise the event of the pointer says where.
export function openRowMenu(app, view, row, anchor, event) {
  const { contact } = row.view, { selection } = view;
  const isMany = selection?.size > 1 && selection.has(contact.id);
  const items = isMany ? manyItems(app, selection) : oneItems(app, view, row);
  const title = isMany ? app.text.get("picked", { count: selection.size }) : contact.displayName;
  if (!app.wide.matches) return openSheet(app, title, items, isMany ? [] : ways(contact), contact);
  const popover = new Popover(title, items, app);
  if (anchor) popover.openAt(anchor);
  else popover.openAtPoint(event.clientX, event.clientY, row.view.link);
}

// What is known of the contact, above what can be done with it.
export function openPreview(app, view, row) {
  const { contact } = row.view;
  openSheet(app, contact.displayName, oneItems(app, view, row), ways(contact), contact, preview(app, contact));
}

function oneItems(app, view, row) {
  const { text } = app, { contact } = row.view, number = phoneOf(contact), address = contact.emails?.[0]?.value;
  const isFavourite = contact.favourite === true;
  return [
    { label: text.get("open"), icon: "list", action: () => view.openContact(contact.id) },
    { label: text.get("select"), icon: "check", action: () => view.pick(row) },
    ...address ? [{ label: text.get("copyAddress"), icon: "copy", hint: address, action: () => copy(app, address) }] : [],
    ...number ? [{ label: text.get("copyNumber"), icon: "copy", hint: number, action: () => copy(app, number) }] : [],
    { label: text.get("export"), icon: "export", needs: "service", action: () => exportContacts(app, [contact]) },
    ...app.favourites?.isKnown && app.api.token !== null ? [{ label: text.get(isFavourite ? "favourite.takeOff" : "favourite.add"), icon: isFavourite ? "c-starred" : "c-star", needs: "service", action: () => toggleFavourite(app, contact) }] : [],
    ...app.mayDelete ? [{}, { label: text.get("delete"), icon: "delete", isDangerous: true, needs: "service", action: () => view.remove([contact], row.view.index) }] : [],
  ];
}

const manyItems = (app, selection) => [
  { label: app.text.get("export"), icon: "export", needs: "service", action: () => selection.export() },
  { label: app.text.get("unselect"), icon: "close", action: () => selection.clear() },
  ...app.mayDelete ? [{}, { label: app.text.get("delete"), icon: "delete", isDangerous: true, needs: "service", action: () => selection.remove() }] : [],
];

function openSheet(app, title, items, channels, contact, above = "") {
  const links = channels.map(way => wayLink(way, app.text.get(`way.${way.name}`, { name: contact.displayName })));
  const sheet = new Sheet(title, above, ...links.length ? [element("p", { class: "sheet-ways" }, ...links)] : [], element("div", { class: "menu" },
    ...items.filter(({ label }) => label).map(({ label, action, isDangerous, icon: sign, hint, needs }) =>
      element("button", { type: "button", class: isDangerous ? "sheet-item danger" : "sheet-item", "data-needs": needs, onclick: () => { sheet.close(); action(); } },
        icon(sign), element("span", { class: "menu-label" }, label), hint ? element("bdi", { class: "hint" }, hint) : "")),
    button(app.text.get("cancel"), () => sheet.close(), { class: "plain", autofocus: true })));
  sheet.element.addEventListener("close", () => { above.end?.(); setTimeout(() => app.keepFocus()); });
  sheet.open();
}

// Pages that came over plain HTTP from another machine have no clipboard, so the older way is tried too.
export async function copy(app, value) {
  const isCopied = await navigator.clipboard?.writeText(value).then(() => true, () => false) || copyByField(value);
  app.notify(isCopied ? app.text.get("copiedValue", { value }) : app.text.get("copyFailed"));
}

function copyByField(value) {
  const { activeElement } = document, field = element("textarea", { class: "off-screen", "aria-hidden": "true", tabindex: -1 });
  field.value = value;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  activeElement?.focus({ preventScroll: true });
  return isCopied;
}

export async function toggleFavourite(app, contact) {
  const refusal = app.api.token ? null : "refusal.401", isFavourite = contact.favourite !== true;
  const reason = refusal ?? await app.favourites.set(contact, isFavourite), { text } = app;
  if (reason === "favourite.notKept") return app.notify(text.get(reason), text.get("retry"), () => toggleFavourite(app, contact));
  if (reason) return app.notify(text.get(reason));
  app.views.list.lead?.load();
  app.notify(text.get(isFavourite ? "favourite.added" : "favourite.removed", { name: contact.displayName }));
}

const fileName = name => `${name.replace(/[\\/:*?"<>|\p{Cc}]/gu, "_").slice(0, 80).trim() || "contact"}.vcf`;

export async function exportContacts(app, contacts) {
  const { text } = app;
  try {
    const content = await (await vcards(app)).text(contacts.map(({ id }) => id));
    download(contacts.length === 1 ? fileName(contacts[0].displayName) : "contacts.vcf", content);
  } catch (problem) {
    if (problem.status === 401) return app.notify(text.get("export.refused"));
    app.notify(text.get("export.failed"), text.get("retry"), () => exportContacts(app, contacts));
  }
}

function download(name, content) {
  const url = URL.createObjectURL(new Blob([content], { type: "text/vcard" })), link = element("a", { href: url, download: name, class: "off-screen" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
