// The list as a phone directory on paper: made when it is asked for, and gone after printing.
import { element } from "./dom.js";

// Of more contacts the initials are printed: canvases of all of them would take the memory of the browser.
const MOST_FACES = 2_000;
// Milliseconds that faces are waited for.
const PATIENCE = 15_000;
const SIDE = 64;

// print: opens the dialog of the browser.
export async function printList(app, print = () => globalThis.print()) {
  const { text, contacts } = app, entries = element("div", { class: "directory-entries" }), faces = [];
  app.notify(text.get("print.preparing", { count: contacts.total }));
  try {
    let title;
    for await (const page of contacts.whole()) {
      for (const contact of page) {
        if (contact.section !== title) entries.append(element("h3", {}, title = contact.section));
        entries.append(entry(app, contact, faces));
      }
    }
  } catch {
    return app.notify(text.get("unreachable"));
  }
  await Promise.race([Promise.all(faces), new Promise(end => setTimeout(end, PATIENCE))]);
  const date = new Intl.DateTimeFormat(text.language, { dateStyle: "long" }).format();
  const directory = element("section", { class: "directory", hidden: true },
    element("h2", {}, text.get("contacts")), element("p", {}, `${text.get("count", { count: contacts.total })} · ${date}`), entries);
  document.body.append(directory);
  document.body.dataset.printing = "list";
  addEventListener("afterprint", () => {
    directory.remove();
    delete document.body.dataset.printing;
  }, { once: true });
  app.toast.hide?.();
  print();
}

function entry(app, contact, faces) {
  const values = [...contact.phones ?? [], ...contact.emails ?? []].map(({ value }) => element("p", {}, element("bdi", {}, value)));
  return element("article", {}, face(app, contact, faces),
    element("div", {}, element("h4", { dir: "auto" }, contact.displayName), ...values));
}

function face(app, contact, faces) {
  const canvas = element("canvas", { width: SIDE, height: SIDE }), shown = element("span", { class: "avatar", "data-initials": contact.initials ?? "" }, canvas);
  if (faces.length >= MOST_FACES) return shown;
  faces.push(new Promise(drawn => app.avatars.subscribe(contact, bitmap => {
    canvas.getContext("2d").drawImage(bitmap, 0, 0, SIDE, SIDE);
    shown.classList.add("drawn");
    drawn();
  })));
  return shown;
}
