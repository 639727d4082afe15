// The page: its managers, its views, and the way from an address to a view.
import { API } from "./api.js";
import { AvatarManager } from "./avatars.js";
import { ContactsManager } from "./contacts.js";
import { CardsManager, GroupsManager, ServiceManager } from "./details.js";
import { button, element, icon, watchFontSize } from "./dom.js";
import { EventsManager } from "./events.js";
import { FrameBatch } from "./frames.js";
import { RemovalManager } from "./removal.js";
import { Settings } from "./settings.js";
import { openMenu } from "./sheets.js";
import { problems, question, refused, splash, tokenForm, waitUntilCounted } from "./start.js";
import { Statistics } from "./statistics.js";
import { ContactStore } from "./store.js";
import { chooseDirection, chooseLanguage, Text } from "./text.js";
import { ListView } from "./view-list.js";

const LAZY = {
  detail: async () => (await import("./view-detail.js")).DetailView,
  cards: async () => (await import("./view-strip.js")).StripView,
  groups: async () => (await import("./view-groups.js")).GroupsView,
  chat: async () => (await import("./view-chat.js")).ChatView,
  book: async () => (await import("./view-book.js")).BookView,
  settings: async () => (await import("./view-settings.js")).SettingsView,
};
const PLACES = [["list", "#/", "contacts"], ["cards", "#/cards", "cards"], ["groups", "#/groups", "groups"],
  ["book", "#/book", "book"], ["settings", "#/settings", "settings"]];

// {name, part} of an address such as #/c/ID.
export function readRoute(hash) {
  const [, place = "", part] = /^#\/([^/]*)(?:\/(.*))?$/.exec(hash) ?? [];
  let id = null;
  try { id = part ? decodeURIComponent(part) : null; } catch { return { name: "list", part: null }; }
  if (place === "c" && id !== null) return { name: "detail", part: id };
  if (place === "chat" && id !== null) return { name: "chat", part: id };
  if (["cards", "groups", "book", "settings"].includes(place)) return { name: place, part: id };
  return { name: "list", part: null };
}

class App {
  constructor() {
    this.settings = new Settings();
    this.api = new API({ denied: () => this.denied() });
    this.store = new ContactStore();
    this.avatars = new AvatarManager(this.api);
    this.contacts = new ContactsManager(this.api, this.store, { locale: () => this.text.language });
    this.groups = new GroupsManager(this.api);
    this.cards = new CardsManager(this.api);
    this.service = new ServiceManager(this.api);
    this.removal = new RemovalManager(this.api, this.contacts);
    this.statistics = new Statistics();
    this.views = {};
    this.batch = new FrameBatch(([type, message]) => this.apply(type, message), () => this.store.report());
  }

  get isPermitted() { return this.settings.get("show") === "yes"; }

  async start() {
    await this.openSession();
    await this.build();
    this.settings.changed(name => this.changed(name));
    addEventListener("hashchange", () => this.openSession().then(() => this.route()));
    addEventListener("languagechange", () => this.rebuild());
    this.wide = matchMedia("(min-width: 900px)");
    this.wide.addEventListener("change", () => this.route());
    await this.open();
  }

  // A single-use code in the address becomes a session token; the address is cleared first.
  async openSession() {
    const [, code] = /^#code=(.+)$/.exec(location.hash) ?? [];
    if (!code) return;
    history.replaceState(null, "", `${location.pathname}#/`);
    try {
      await this.api.openSession(decodeURIComponent(code));
      this.isDenied = false;
    } catch {
      this.codeProblem = "token.badCode";
    }
  }

  async build() {
    const { settings } = this, preferred = navigator.languages;
    this.text = await Text.load(chooseLanguage(settings.get("language"), preferred));
    const root = document.documentElement;
    root.lang = this.text.language;
    root.dir = chooseDirection(settings.get("direction"), preferred);
    this.paint();
    this.font?.end();
    this.frame();
    this.font = watchFontSize(size => this.resized(size));
    this.fontSize = this.font.size;
    this.views = { list: new ListView(this) };
    this.split = element("div", { class: "split" }, this.views.list.element);
    this.place = element("div", { class: "detail-pane is-empty" }, element("p", { class: "empty" }, this.text.get("choose")));
    this.split.append(this.place);
    this.main.append(this.split);
  }

  paint() {
    const { dataset } = document.documentElement, theme = this.settings.get("theme");
    if (theme) dataset.theme = theme;
    else delete dataset.theme;
  }

  frame() {
    const { text } = this;
    this.count = element("output", { class: "count", dir: "auto" });
    this.links = PLACES.map(([name, href, key]) => [name, element("a", { href }, icon(name), element("span", {}, text.get(key)))]);
    this.notices = element("div", { class: "notices" });
    this.main = element("main", {});
    this.toast = element("div", { class: "toast", role: "status", hidden: true });
    document.body.replaceChildren(
      element("header", { class: "bar" }, element("h1", {}, "Tondo"), this.count),
      element("nav", { "aria-label": text.get("navigation") }, ...this.links.map(([, link]) => link)),
      this.notices, this.main, this.toast);
  }

  // Another language or direction: the same place, made again. The choice keeps the focus.
  async rebuild(name) {
    this.store.callbacks.clear();
    this.contacts.abort();
    await this.build();
    await this.route();
    this.views.settings?.selects[name]?.focus();
  }

  resized(size) {
    if (this.fontSize === size || !this.text) return;
    this.fontSize = size;
    this.views.list?.lay(true);
  }

  async open() {
    if (!this.isPermitted) this.main.append(this.startScreen = splash(this.text));
    this.split.hidden = !this.isPermitted;
    const counted = waitUntilCounted(this.service);
    counted.then(({ books }) => this.notices.replaceChildren(...problems(this.text, books)));
    if (this.isPermitted) return this.enter();
    if (this.settings.get("show") === "no") return this.showStart(null);
    const { contacts, books = [] } = await counted;
    const total = contacts ?? books.reduce((sum, book) => sum + (book.total ?? 0), 0);
    this.showStart(question(this.text, total, isYes => this.permit(isYes)));
  }

  enter() {
    this.startScreen?.remove();
    this.startScreen = null;
    // The lists come first: the stream carries what changes after them. `hello` shows whether something was missed.
    if (!this.events) {
      this.events = new EventsManager(this.api);
      this.events.subscribe((type, message) => this.batch.add([type, message]));
    }
    return this.route();
  }

  permit(isYes) {
    this.settings.set("show", isYes ? "yes" : "no");
    if (isYes) return this.enter();
    this.contacts.abort();
    this.avatars.forget();
    location.hash = "#/";
    this.showStart(null);
  }

  showStart(screen) {
    this.startScreen?.remove();
    this.startScreen = screen;
    if (screen) this.main.append(screen);
    this.route();
  }

  denied() {
    if (this.isDenied) return;
    this.isDenied = true;
    this.api.token = null;
    this.showStart(tokenForm(this.text, token => {
      this.api.token = token;
      this.isDenied = false;
      location.reload();
    }, this.codeProblem));
  }

  go(hash) { location.hash = hash; }

  async view(name) {
    if (!this.views[name]) {
      const View = await LAZY[name]();
      // Two calls may have waited for the module.
      this.views[name] ??= new View(this);
      const { element: own } = this.views[name];
      if (name === "detail") { this.place.replaceWith(own); this.place = own; }
      else if (!own.isConnected) { own.hidden = true; this.main.append(own); }
    }
    return this.views[name];
  }

  async route() {
    const { name, part } = readRoute(location.hash), run = this.routes = (this.routes ?? 0) + 1;
    const isStart = this.startScreen !== null && this.startScreen !== undefined;
    const isAllowed = !isStart && (this.isPermitted || name === "settings");
    this.nothing?.remove();
    if (!isAllowed) {
      for (const own of this.main.children) own.hidden = own !== this.startScreen;
      if (!isStart) this.main.append(this.nothing = refused(this.text, hash => this.go(hash)));
      return;
    }
    const isSplit = name === "list" || name === "detail";
    const view = await this.view(name);
    if (run !== this.routes) return;
    document.title = `${this.text.get(isSplit ? "contacts" : name)} - Tondo`;
    document.body.dataset.route = name;
    for (const [place, link] of this.links) {
      if (place === name || place === "list" && isSplit || place === "groups" && name === "chat") link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const shown = isSplit ? this.split : view.element;
    for (const [, other] of Object.entries(this.views)) if (other !== view && !other.element.closest("[hidden]")) other.hide?.();
    for (const own of this.main.children) own.hidden = own !== shown;
    if (name !== "settings") this.request(isSplit);
    await this.showParts(name, part, view);
  }

  // Lists of contacts share one manager, so the strip and the list show the same filter and order.
  request(isSplit) {
    const { list } = this.views;
    if (isSplit || !list.isRequested) list.show();
  }

  async showParts(name, part, view) {
    if (name === "list") {
      this.views.list.select(null);
      this.views.detail?.show(null);
      return;
    }
    view.show(part);
    if (name !== "detail") return;
    this.views.list.select(part, true);
    if (!this.wide.matches) view.name.focus({ preventScroll: true });
  }

  // From the manager of contacts, by way of the list.
  received(type, message, isRefresh) {
    if (type === "data" || type === "total") {
      const count = type === "total" ? message : this.contacts.total;
      this.count.textContent = this.text.get("count", { count });
    }
    this.views.cards?.received(type, message, isRefresh);
    if (type === "data" && isRefresh) {
      this.views.groups?.refresh();
      this.views.book?.refresh();
    }
  }

  apply(type, message) {
    if (type === "avatar") {
      if (this.avatars.changed(message)) this.store.changed(message.contact);
      return;
    }
    if (type === "reset") this.avatars.doubt();
    if (type === "contactChanged") this.avatars.doubt(message.contact.id);
    this.contacts.apply(type, message);
    if (type === "contactRemoved" && readRoute(location.hash).part === message.id) this.go("#/");
  }

  changed(name) {
    if (name === "theme") this.paint();
    if (name === "language" || name === "direction") this.rebuild(name);
  }

  openRemoval(contact, after = () => {}) {
    const { text } = this;
    const remove = () => {
      if (readRoute(location.hash).part === contact.id) this.go("#/");
      this.removal.remove(contact, (type, message) => this.removed(type, message));
      after();
    };
    openMenu(text, contact.displayName, [{ label: text.get("delete"), action: remove, isDangerous: true }]);
  }

  removed(type, message) {
    const { text } = this;
    if (type === "refused") return this.notify(text.get(message));
    if (type === "restored") return this.notify(text.get("restored", { name: message.displayName }));
    this.notify(text.get("removed", { name: message.displayName }), text.get("undo"),
      () => this.removal.undo((kind, about) => this.removed(kind, about)));
  }

  // A bar at the end of the page, for 10 s; as long as it has the focus or the pointer, it stays.
  notify(message, label, action) {
    const hide = () => { this.toast.hidden = true; };
    const restart = () => { clearTimeout(this.timer); this.timer = setTimeout(hide, 10_000); };
    this.toast.replaceChildren(element("span", { dir: "auto" }, message),
      ...label ? [button(label, () => { hide(); action(); }, { class: "undo" })] : [],
      button(this.text.get("close"), hide, { class: "plain" }));
    this.toast.hidden = false;
    for (const name of ["focusin", "pointerenter"]) this.toast.addEventListener(name, () => clearTimeout(this.timer));
    for (const name of ["focusout", "pointerleave"]) this.toast.addEventListener(name, restart);
    restart();
  }
}

// For the tests, which look at statistics and at the managers.
globalThis.tondo = new App();
await globalThis.tondo.start();
