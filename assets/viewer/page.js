// What the whole page has: parts that are loaded when they are needed, the skip link, keys, the focus, which is never lost, the way
// from one view to the next, and the bar of messages.
import { trouble } from "./api.js";
import { troubles } from "./details.js";
import { button, element, emptyState, said } from "./dom.js";
import { watchPhotos } from "./gestures.js";
import { BESIDE } from "./route.js";

// The views that are loaded when they are first shown.
export const VIEWS = {
  detail: async () => (await import("./view-detail.js")).DetailView,
  cards: async () => (await import("./view-strip.js")).StripView,
  groups: async () => (await import("./view-groups.js")).GroupsView,
  chat: async () => (await import("./view-chat.js")).ChatView,
  book: async () => (await import("./view-book.js")).BookView,
  settings: async () => (await import("./view-settings.js")).SettingsView,
};

// A module of the page, such as "menus"; null and a message if it cannot be loaded.
export async function loadPart(app, name) {
  try {
    return await import(`./${name}.js`);
  } catch {
    // A browser does not request a module again that it could not load.
    app.notify(app.text.get("unreachable"), app.text.get("retry"), () => location.reload());
    return null;
  }
}

// links: [name, link] of the views. A contact and its chat belong to the list.
export function markPlace(links, name) {
  const place = { detail: "list", chat: "list" }[name] ?? name;
  for (const [target, link] of links) {
    if (target === place) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

// The key of what to say in the place of what could not be loaded: the bar says that the page is offline.
export const missing = ({ api }, problem) => api.isOffline && trouble(problem) === "unreachable" ? "page.unseen" : trouble(problem);

// What stands beside the list while no contact is chosen.
export const nothingChosen = ({ text, views }) => emptyState("list", text.get("choose"), text.get("choose.search"), () => views.list.tools.search.focus());

// A contact that is not there, or no more.
export const noContact = app => emptyState("list", app.text.get("gone"), app.text.get("clearFilter"), () => app.go("#/"));

// What could not be loaded, in the place of a view. message: why; what was not seen before is no failure.
export const failedState = ({ text }, message, again) => emptyState(message.key === "page.unseen" ? "c-offline" : "alert", message, text.get("retry"), again);

// The manager of vCards, which is loaded with the first of them.
export async function vcards(app) {
  const { VCardsManager } = await loadPart(app, "vcards");
  return app.vcards ??= new VCardsManager(app.api);
}

// What the bar counts: all contacts; of a list that is narrowed, how many of all are in it. type, message: from the manager of contacts.
export function countContacts(app, type, message) {
  const { contacts } = app, { revision } = contacts;
  // How many there are is not known any more.
  if (type === "failed" && !contacts.isLoaded) app.all = undefined;
  if (type === "total" || type === "data" && contacts.isWhole) app.all = { total: message?.toFixed ? message : contacts.total, revision };
  if (type === "data" && !contacts.isWhole && revision !== null && app.all?.revision !== revision) countAll(app, revision);
  showCount(app);
}

// A list that was opened narrowed says nothing of the others.
async function countAll(app, revision) {
  app.all = { ...app.all, revision };
  const { total } = await app.api.json("/v1/contacts?limit=1&duplicates=joined").catch(() => ({}));
  if (app.all?.revision === revision && total !== undefined) app.all = { total, revision };
  showCount(app);
}

export function showCount({ all: { total } = {}, contacts, count, shown, text }) {
  const isNarrowed = !contacts.isWhole && contacts.isLoaded && [...BESIDE, "cards"].includes(shown?.name);
  if (isNarrowed && total !== undefined) count.textContent = text.get("count.part", { count: contacts.total, total });
  else if (isNarrowed || total !== undefined) count.textContent = text.get("count", { count: isNarrowed ? contacts.total : total });
  else count.textContent = "";
}

export const skipLink = app => element("a", {
  class: "skip", href: "#/", onclick: event => { event.preventDefault(); focusMain(app); },
}, app.text.get("skip"));

function focusMain(app) {
  const { list } = app.views;
  if (list.element.offsetHeight > 0) return list.enter();
  const shown = [...app.main.children].find(own => own.offsetHeight > 0);
  const target = shown?.matches("[tabindex]") ? shown : shown?.querySelector("h2, a, button");
  if (target && !target.matches("[tabindex], a, button")) target.tabIndex = -1;
  target?.focus();
}

// Whether what had the focus is not seen any more. Browsers move it to the page only when they draw.
export function isFocusLost() {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || activeElement.offsetParent === null && !activeElement.closest("dialog, [popover], .skip");
}

// After something with the focus has gone: it goes to the list instead of the page.
export function keepFocus(app) {
  if (isFocusLost() && app.views.list?.element.offsetHeight > 0) app.views.list.enter();
}

// Whether something can be pointed at without touching it: what was used last decides, since some machines have both.
function watchPointers(app) {
  const use = hasMouse => {
    if (app.hasMouse === hasMouse) return;
    app.hasMouse = hasMouse;
    document.documentElement.dataset.pointer = hasMouse ? "mouse" : "touch";
    app.views.list?.refill();
  };
  // What can neither hover nor touch has keys alone.
  use(!matchMedia("(hover: none) and (pointer: coarse)").matches);
  for (const name of ["pointermove", "pointerdown"]) {
    addEventListener(name, ({ pointerType, isTrusted }) => { if (isTrusted) use(pointerType === "mouse"); }, { capture: true, passive: true });
  }
}

const isTyped = target => target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

export function watchKeys(app) {
  app.keepFocus = () => keepFocus(app);
  watchPointers(app);
  watchPhotos(app);
  addEventListener("keydown", event => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    // What browsers print by themselves is the part of the list that exists.
    if (key === "p" && ctrlKey !== metaKey && !altKey && app.isPermitted && document.body.dataset.route === "list") {
      event.preventDefault();
      return void app.views.list.tools.print();
    }
    if (event.defaultPrevented || event.isComposing || ctrlKey || metaKey || altKey || app.startScreen || !app.isPermitted) return;
    if (document.querySelector("dialog[open], :popover-open")) return;
    if (isTyped(target)) return;
    const action = { "/": () => search(app), "?": async () => (await loadPart(app, "keys"))?.openKeys(app), Escape: () => leave(app, target) }[key];
    if (!action) return;
    if (key !== "Escape") event.preventDefault();
    action();
  });
}

async function search(app) {
  const { list } = app.views;
  if (list.element.offsetHeight === 0) {
    app.go("#/");
    await new Promise(next => addEventListener("hashchange", next, { once: true }));
    for (let attempt = 0; attempt < 20 && list.element.offsetHeight === 0; attempt += 1) await new Promise(next => setTimeout(next, 10));
  }
  list.tools.search.focus();
  list.tools.search.select();
}

// From the contact back to its row; in the list, away from what is selected.
function leave(app, target) {
  const { list } = app.views;
  if (list.element.contains(target) && list.selection?.size > 0) return list.selection.clear();
  if (!target.closest?.(".detail-pane")) return;
  if (app.wide.matches) list.focusCurrent();
  else app.back("#/");
}

// Ends the task, so that the browser can paint and act on inputs before what follows.
export function nextTask() {
  if (globalThis.scheduler?.yield) return scheduler.yield();
  return new Promise(next => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); next(); };
    port2.postMessage(0);
  });
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

// The photo of a contact in the view that is shown, if it is in view: that of the link with the focus before others.
function photoOf(app, id) {
  const isFocused = link => link.parentElement.contains(document.activeElement);
  const links = [...app.main.querySelectorAll(`a[href="#/c/${encodeURIComponent(id)}"]`)].toSorted((one, other) => isFocused(other) - isFocused(one));
  const photos = links.map(link => (link.closest(".person") ?? link).querySelector(".avatar canvas"));
  return [app.views.detail?.portrait.element, ...photos].find(photo => {
    const { top, height } = photo?.getBoundingClientRect() ?? {}, middle = top + height / 2;
    const area = height > 0 ? photo.closest(".scroller, .feed, .detail-pane").getBoundingClientRect() : null;
    return area && middle > area.top && middle < area.bottom;
  });
}

// Shows another place: at once, or where browsers have it and the system does not ask for less motion, as a short transition, in
// which the photo of the contact that is opened or left grows into that of the other view. from, to: {name, part} of the places.
// What was there before is a picture that fades: pointers and keys act on the new place from the beginning.
export async function transit(app, from, to, change) {
  if (!document.startViewTransition || calm.matches || document.visibilityState === "hidden") return change();
  const { dataset } = document.documentElement, [isLeft, isOpened] = [from, to].map(({ name }) => name === "detail");
  const isBeside = app.wide.matches && [from, to].every(({ name }) => BESIDE.includes(name));
  const hasPhoto = isLeft !== isOpened && !isBeside, { part: id } = isOpened ? to : from, before = hasPhoto ? photoOf(app, id) : undefined;
  dataset.motion = !hasPhoto ? "views" : isOpened ? "deeper" : "back";
  dataset.left = "";
  before?.classList.add("growing");
  const run = app.transition = document.startViewTransition(async () => {
    delete dataset.left;
    before?.classList.remove("growing");
    await change();
    if (before) photoOf(app, id)?.classList.add("growing");
  });
  // One that another place has ended is not ready.
  run.ready.catch(() => {});
  run.finished.catch(() => {}).then(() => {
    if (app.transition !== run) return;
    delete dataset.motion;
    for (const grown of app.main.querySelectorAll(".growing")) grown.classList.remove("growing");
  });
  return run.updateCallbackDone;
}

// Refusals of what a session permits: the settings say how to get one.
const RIGHTS = new Set(["refusal.401", "export.refused", "share.refused", "photo.refused"]);

// What stands in the place of a view already is not said once more above it.
const isExplained = (app, { key }) => ["unreachable", "busy", "denied", "failed"].includes(key)
  && [...app.main.querySelectorAll(".empty .headline")].some(said => said.offsetHeight > 0 && said.dataset.message === key);

export function notify(app, message, label, action) {
  if (isExplained(app, message)) return;
  const { text, toast } = app, isRight = !label && RIGHTS.has(message.key);
  if (isRight) toast.show(message, text.get("settings"), () => app.go("#/settings"));
  else toast.show(message, label, action);
}

// Milliseconds, and the characters of a message that takes longer to read, such as what to do on another computer.
const SHOWN = 4_000, LONG = 90;

// A bar at the end of the page; as long as it has the focus or the pointer, it stays, and a long message, or one with something to do,
// until it is closed.
export class Toast {
  // closeLabel(): the text of the button that closes the bar, in the language of now.
  constructor(closeLabel) {
    this.closeLabel = closeLabel;
    this.element = element("div", { class: "toast", role: "status", hidden: true });
    this.observer = new ResizeObserver(([{ target }]) => document.documentElement.style.setProperty("--toast", `${target.offsetHeight}px`));
    this.observer.observe(this.element);
    for (const name of ["focusin", "pointerenter"]) this.element.addEventListener(name, () => clearTimeout(this.timer));
    for (const name of ["focusout", "pointerleave"]) this.element.addEventListener(name, () => this.start());
  }

  start() {
    clearTimeout(this.timer);
    if (this.duration < Infinity) this.timer = setTimeout(() => this.hide(), this.duration);
  }

  // Milliseconds that a message is shown.
  static duration(message, hasAction) { return hasAction || message.length > LONG ? Infinity : SHOWN; }

  hide() { this.toggle(false); }

  // What lies below it moves aside.
  toggle(isShown) {
    this.element.hidden = !isShown;
    document.body.classList.toggle("has-toast", isShown);
  }

  // Another view is shown: what failed in the one before is over. What can be undone stays.
  leave() { if (this.key !== undefined) this.hide(); }

  // A view says it itself, in its place.
  explained({ key }) { if (key !== undefined && this.key === key) this.hide(); }

  // message: a string, or a `Message` about a failure. label and action: of a button beside it.
  show(message, label, action) {
    this.element.replaceChildren(element("span", { dir: "auto" }, ...said(message)),
      ...label ? [button(label, () => { this.hide(); action(); }, { class: "undo" })] : [],
      button(this.closeLabel(), () => this.hide(), { class: "plain" }));
    this.key = message.key;
    this.toggle(true);
    this.duration = Toast.duration(message, Boolean(label));
    this.start();
  }
}

// theme: "light" or "dark"; otherwise that of the system.
export function paintTheme(theme) {
  const { dataset } = document.documentElement, colours = [...document.querySelectorAll("meta[name=theme-color]")];
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  // The frame that a system draws around the page follows a theme that was chosen.
  for (const meta of colours) meta.content = (colours.find(({ media }) => theme && media.includes(theme)) ?? meta).dataset.colour;
}

// The name of the setting with the troubles whose notice was closed.
export const CLOSED = "troubles.closed";

// The notice of the books that cannot be read, or not in full, above the contacts, and the sign at the place of the books. Whether it is
// another one than before.
// Sound books need no module for it.
export async function showProblems(app) {
  const { notices, settings } = app, isNeeded = app.isPermitted && (troubles(app.books).length > 0 || settings.get(CLOSED) !== null);
  const part = isNeeded ? await import("./notices.js").catch(() => null) : null;
  if (notices !== app.notices) return false;
  const found = part ? troubles(app.books) : [];
  markBooks(app, found);
  if (found.length === 0) {
    part?.forgetRepaired(app, found);
    const hadAny = notices.childElementCount > 0;
    notices.replaceChildren();
    app.bookNotice = null;
    return hadAny;
  }
  const notice = app.bookNotice ??= new part.BookNotice(app), isOther = await notice.show();
  if (app.bookNotice === notice && !notice.element.isConnected) notices.append(notice.element);
  return isOther;
}

// found: what is wrong with the books, of all that have something.
function markBooks({ links, text }, found) {
  const [, link] = links.find(([name]) => name === "book");
  link.querySelector(".off-screen")?.remove();
  link.classList.toggle("badge", found.length > 0);
  link.classList.toggle("is-lost", found.some(({ read }) => read === 0));
  if (found.length > 0) link.append(element("span", { class: "off-screen" }, text.get("books.troubled", { count: found.length })));
}
