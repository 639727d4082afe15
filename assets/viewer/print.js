// The list as a phone directory on paper: made when it is asked for, and gone after printing.
import { element } from "./dom.js";

// Of more contacts the initials are printed: canvases of all of them would take the memory of the browser.
const MOST_FACES = 2_000;
// Milliseconds that faces are waited for.
const PATIENCE = 15_000;
const SIDE = 64;

let isPreparing = false;

// One at a time: who presses the keys again waits for the same paper.
export async function printList(app) {
  if (isPreparing || document.body.dataset.printing) return;
  isPreparing = true;
  const { text, contacts } = app, faces = [];
  app.notify(text.get("print.preparing", { count: contacts.total }));
  try {
    const directory = await make(app, faces);
    await Promise.race([Promise.all(faces.map(({ drawn }) => drawn)), new Promise(end => setTimeout(end, PATIENCE))]);
    show(directory);
    app.toast.hide();
  } catch {
    return app.notify(text.get("unreachable"), text.get("retry"), () => printList(app));
  } finally {
    // Faces that have not come are not drawn on what is gone.
    for (const { release } of faces) release();
    isPreparing = false;
  }
  print();
}

async function make(app, faces) {
  const { text } = app, entries = element("div", { class: "directory-entries" });
  let title, count = 0;
  for await (const page of app.contacts.whole()) {
    for (const contact of page) {
      if (contact.section !== title) entries.append(element("h3", {}, title = contact.section));
      entries.append(entry(app, contact, faces));
    }
    count += page.length;
  }
  const date = new Intl.DateTimeFormat(text.language, { dateStyle: "long" }).format();
  return element("section", { class: "directory", hidden: true },
    element("h2", {}, text.get("contacts")), element("p", {}, `${text.get("count", { count })} · ${date}`), entries);
}

function show(directory) {
  document.body.append(directory);
  document.body.dataset.printing = "list";
  addEventListener("afterprint", () => {
    directory.remove();
    delete document.body.dataset.printing;
  }, { once: true });
}

function entry(app, contact, faces) {
  const values = [...contact.phones ?? [], ...contact.emails ?? []].map(({ value }) => element("p", {}, element("bdi", {}, value)));
  return element("article", {}, face(app, contact, faces),
    element("div", {}, element("h4", { dir: "auto" }, contact.displayName), ...values));
}

function face(app, contact, faces) {
  const canvas = element("canvas", { width: SIDE, height: SIDE }), shown = element("span", { class: "avatar", "data-initials": contact.initials ?? "" }, canvas);
  if (faces.length >= MOST_FACES) return shown;
  const own = {};
  own.drawn = new Promise(done => {
    own.release = app.avatars.subscribe(contact, bitmap => {
      canvas.getContext("2d").drawImage(bitmap, 0, 0, SIDE, SIDE);
      shown.classList.add("drawn");
      done();
    });
  });
  faces.push(own);
  return shown;
}
