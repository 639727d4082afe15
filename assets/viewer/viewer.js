"use strict";
const total = document.getElementById("total"), list = document.getElementById("people");
const people = new Map();
// By contact: the key of its avatar (empty while only its list item is known), and whether it has this screen's scale.
const drawn = new Map();
const scale = Math.min(3, Math.max(1, Math.ceil(devicePixelRatio)));
let count = null;

function showState() {
  total.textContent = count === null ? "..." : `${count} contacts, ${[...people.keys()].filter(id => drawn.has(id)).length} avatars`;
}

function address(id, key, state) {
  const query = new URLSearchParams({ size: 96, scale, state });
  // In every state: v makes the URL a new one when the photo changes, so that the browser does not use its old copy.
  if (key) query.set("v", key);
  return `/v1/contacts/${encodeURIComponent(id)}/avatar?${query}`;
}

function show(person) {
  if (!drawn.has(person.id)) return;
  let image = person.button.querySelector("img");
  if (!image) {
    image = new Image(96, 96);
    image.className = "face";
    image.alt = "";
    person.button.querySelector(".face").replaceWith(image);
  }
  const selected = person.button.getAttribute("aria-pressed") === "true";
  image.src = address(person.id, drawn.get(person.id).key, selected ? "selected" : "normal");
}

// The formatted name, or the first other field that identifies the contact.
function called(contact) {
  const { formatted, given, family, nicknames } = contact.name ?? {};
  return formatted || [given, family].filter(Boolean).join(" ") || nicknames?.[0] || contact.organisation?.[0]
    || contact.emails?.[0]?.value || contact.phones?.[0]?.value || contact.id;
}

function add(contact) {
  let person = people.get(contact.id);
  if (!person) {
    const item = document.createElement("li"), button = document.createElement("button");
    const face = document.createElement("span"), name = document.createElement("span");
    face.className = "face";
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.append(face, name);
    button.onclick = () => {
      button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true");
      show(person);
    };
    item.append(button);
    list.append(item);
    person = { id: contact.id, button, name };
    people.set(contact.id, person);
  }
  person.name.textContent = called(contact);
  show(person);
}

// Events that arrive while the list is fetched are kept here and applied after it, so that no change is
// lost and no removed contact stays. Null: events are applied at once.
let waiting = [], run = 0;

const actions = {
  total: event => { count = event.count; },
  contact: event => add(event.contact),
  contactChanged: event => add(event.contact),
  contactRemoved: event => {
    drawn.delete(event.id);
    people.get(event.id)?.button.parentElement.remove();
    if (people.delete(event.id) && count) count -= 1;
  },
  avatar: event => {
    if (event.state !== "normal") return;
    const isOwn = event.scale === scale;
    // A key of another scale only means that the avatar has changed.
    if (!isOwn && drawn.get(event.contact)?.isOwn) return;
    drawn.set(event.contact, { key: event.key, isOwn });
    const person = people.get(event.contact);
    if (person) show(person);
  },
};

async function pages(visit) {
  let next = null;
  do {
    const query = new URLSearchParams({ limit: 500 });
    if (next) query.set("cursor", next);
    const answer = await fetch(`/v1/contacts?${query}`);
    if (!answer.ok) throw new Error(answer.status);
    const page = await answer.json();
    if (!visit(page)) return;
    next = page.next;
  } while (next);
}

async function begin() {
  const own = ++run;
  waiting = [];
  people.clear();
  drawn.clear();
  list.replaceChildren();
  try {
    await pages(page => {
      if (own !== run) return false;
      count = page.total;
      for (const contact of page.items) {
        drawn.set(contact.id, { key: "", isOwn: false });
        add(contact);
      }
      showState();
      return true;
    });
  } catch {
    if (own === run) setTimeout(begin, 1000);
    return;
  }
  if (own !== run) return;
  const late = waiting;
  waiting = null;
  for (const [name, event] of late) actions[name](event);
  showState();
}

// The stream is opened first. Its first line is the id of the last event, so that a broken connection is resumed
// there; the list is fetched once the stream is open.
const stream = new EventSource("/v1/events");
for (const name of Object.keys(actions)) {
  stream.addEventListener(name, event => {
    const data = JSON.parse(event.data);
    if (waiting) return waiting.push([name, data]);
    actions[name](data);
    showState();
  });
}
stream.addEventListener("open", begin, { once: true });
stream.addEventListener("reset", begin);
