// The page: its managers, its views, and the way from an address to a view.
import { API } from "./api.js";
import { AvatarManager } from "./avatars.js";
import { ContactsManager } from "./contacts.js";
import { CardsManager, GroupsManager, ServiceManager } from "./details.js";
import { element, icon, watchFontSize } from "./dom.js";
import { Entrance, refused } from "./entrance.js";
import { EventsManager } from "./events.js";
import { forgetPage, keepPage, ServiceNeeds } from "./offline.js";
import { countContacts, loadPart, markPlace, nextTask, nothingChosen, notify, paintTheme, showCount, showProblems, skipLink, Toast, transit, VIEWS, watchKeys } from "./page.js";
import { BESIDE, readRoute } from "./route.js";
import { SeenAnswers } from "./seen.js";
import { ContactStore, Settings } from "./store.js";
import { chooseDirection, chooseLanguage, Text } from "./text.js";
import { Updates } from "./updates.js";
import { ListView } from "./view-list.js";

const PLACES = [["list", "#/", "contacts"], ["cards", "#/cards", "cards"], ["groups", "#/groups", "groups"],
  ["book", "#/book", "book"], ["settings", "#/settings", "settings"]];

// Milliseconds from the start until what can wait.
const IDLE = 2_000;

class App {
  constructor() {
    this.settings = new Settings();
    this.seen = new SeenAnswers();
    this.api = new API({
      denied: wasToken => this.denied(wasToken), seen: this.seen, offline: isOffline => this.showOffline(isOffline), ended: () => this.forget(),
    });
    this.store = new ContactStore();
    this.avatars = new AvatarManager(this.api);
    // Large ones, sharp also where a pixel is a point.
    this.faces = this.avatars.scale > 1 ? this.avatars : new AvatarManager(this.api, { scale: 2 });
    this.contacts = new ContactsManager(this.api, this.store, { locale: () => this.text.language });
    this.groups = new GroupsManager(this.api);
    this.cards = new CardsManager(this.api);
    this.service = new ServiceManager(this.api);
    this.views = {};
    this.updates = new Updates(this);
    this.needs = new ServiceNeeds(this);
    this.entrance = new Entrance(this);
    this.navigations = 0;
    this.wide = matchMedia("(min-width: 768px)");
    watchKeys(this);
  }

  get isPermitted() { return this.settings.get("show") === "yes"; }

  async start() {
    const { entrance } = this;
    await entrance.openSession();
    await this.build();
    this.settings.changed(name => this.changed(name));
    addEventListener("hashchange", () => this.navigated());
    // Some browsers move by themselves when a finger leads back.
    addEventListener("popstate", event => { this.isMoved = event.hasUAVisualTransition === true; });
    addEventListener("languagechange", () => this.rebuild());
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") this.updates.refreshState(); });
    // A service of the same machine is there without a network, too: it is asked.
    for (const name of ["offline", "online"]) addEventListener(name, () => this.api.check());
    this.wide.addEventListener("change", () => this.route());
    await nextTask();
    // What the page does beside its contacts waits until they are there.
    setTimeout(() => this.tidy(), IDLE);
    await entrance.open();
    if (entrance.problem && !entrance.isDenied) this.notify(this.text.get(entrance.problem));
  }

  async navigated() {
    this.navigations += 1;
    // The service was replaced, and with it the modules that are not loaded yet.
    if (this.updates.isOutdated) return location.reload();
    const { entrance } = this;
    if (await entrance.openSession()) return location.reload();
    const { problem } = entrance;
    entrance.problem = undefined;
    this.toast.leave();
    await this.route(!this.isMoved);
    if (problem) this.notify(this.text.get(problem));
  }

  // The place before this one, if it belongs to the page.
  back(otherwise) {
    if (this.navigations > 0) history.back();
    else this.go(otherwise);
  }

  async build() {
    const { settings } = this, preferred = navigator.languages;
    this.text = await Text.load(chooseLanguage(settings.get("language"), preferred));
    // One task for all that follows would keep the page from its first frame.
    await nextTask();
    const root = document.documentElement;
    root.lang = this.text.language;
    root.dir = chooseDirection(settings.get("direction"), preferred);
    this.paint();
    this.font?.end();
    this.frame();
    this.font = watchFontSize(size => this.resized(size));
    this.fontSize = this.font.size;
    const { list } = this.views;
    this.views = { list: new ListView(this) };
    if (list) this.views.list.restore(list.query);
    this.views.list.element.prepend(this.notices);
    this.split = element("div", { class: "split is-asking" }, this.views.list.element);
    const isLoading = readRoute(location.hash).name === "detail";
    this.place = element("div", { class: "detail-pane is-empty" }, element("p", { class: "empty" }, ...isLoading ? [this.text.get("loading")] : nothingChosen(this)));
    this.split.append(this.place);
    this.main.append(this.split);
  }

  paint() { paintTheme(this.settings.get("theme")); }

  frame() {
    const { text } = this;
    this.count = element("output", { class: "count", dir: "auto" });
    this.offline = element("span", { class: "seen", role: "status" });
    this.showOffline(this.api.isOffline);
    this.links = PLACES.map(([name, href, key]) => [name, element("a", { href }, icon(name), element("span", {}, text.get(key)))]);
    this.notices = element("div", { class: "notices" });
    this.bookNotice = null;
    this.showProblems();
    this.main = element("main", {});
    this.toast ??= new Toast(() => this.text.get("close"));
    document.body.replaceChildren(
      element("header", { class: "bar" }, skipLink(this), element("h1", {}, "Tondo"), this.count, this.offline),
      element("nav", { "aria-label": text.get("navigation") }, ...this.links.map(([, link]) => link)),
      this.main, this.toast.element);
  }

  // Another language or direction: the same place, made again. The choice keeps the focus.
  async rebuild(name) {
    // The splash, the question or the form for the token.
    if (this.startScreen) return location.reload();
    this.contacts.abort();
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    for (const view of Object.values(this.views)) view.close?.();
    await this.build();
    await this.route();
    this.views.settings?.selects[name]?.focus();
  }

  resized(size) {
    if (this.fontSize === size || !this.text) return;
    this.fontSize = size;
    for (const view of Object.values(this.views)) view.resized?.();
  }

  enter() {
    this.startScreen?.remove();
    this.startScreen = null;
    // The lists come first: the stream carries what changes after them. `hello` shows whether something was missed.
    this.events ??= new EventsManager(this.api);
    this.unsubscribe ??= this.events.subscribe((type, message) => this.updates.add(type, message));
    return this.route();
  }

  permit(isYes) {
    this.settings.set("show", isYes ? "yes" : "no");
    if (isYes) {
      this.showProblems();
      return this.enter();
    }
    this.showProblems();
    this.unsubscribe?.();
    this.unsubscribe = null;
    this.updates.clear();
    this.contacts.clear();
    this.store.contacts.clear();
    this.views.list.forget();
    countContacts(this, "failed");
    this.forget();
    location.hash = "#/";
    this.showStart(null);
  }

  // The session is over, or contacts may not be shown: nothing of them stays in this browser.
  async forget() {
    this.settings.set("recents", null);
    await this.seen.forget();
    for (const avatars of new Set([this.avatars, this.faces])) await avatars.forget();
  }

  // The user wants it so: the files of the page go, too, until the page is opened the next time.
  async forgetAll() {
    this.isForgotten = true;
    // It may be about to keep them.
    await this.tidied;
    await this.forget();
    await forgetPage();
  }

  // One after the other.
  tidy() {
    return this.tidied = Promise.resolve(this.tidied).then(async () => {
      if (this.isForgotten) return;
      await this.seen.tidy(this.api.token).catch(() => {});
      if (this.isPermitted) await keepPage();
    });
  }

  showOffline(isOffline) { this.needs.set(isOffline); }

  showStart(screen) {
    this.startScreen?.remove();
    this.startScreen = screen;
    if (screen) this.main.append(screen);
    this.route();
  }

  denied(wasToken) { this.entrance.denied(wasToken); }

  // Of the state of the books: those that cannot be read, or not in full. Whether that is another one than before.
  showProblems(books = this.books) {
    this.books = books;
    return showProblems(this);
  }

  go(hash) { location.hash = hash; }
  async view(name) {
    if (!this.views[name]) {
      const View = await VIEWS[name]();
      // Two calls may have waited for the module.
      this.views[name] ??= new View(this);
      const { element: own } = this.views[name];
      if (name === "detail") { this.place.replaceWith(own); this.place = own; }
      else if (!own.isConnected) { own.hidden = name !== "chat"; (name === "chat" ? this.split : this.main).append(own); }
    }
    return this.views[name];
  }

  // isSeen: the way from one view to the next is shown.
  async route(isSeen = false) {
    const place = readRoute(location.hash), { name } = place, run = this.routes = (this.routes ?? 0) + 1;
    const isStart = this.startScreen !== null && this.startScreen !== undefined;
    const isAllowed = !isStart && (this.isPermitted || name === "settings");
    // While a start screen or a refusal is shown in the place of all views.
    document.body.classList.toggle("is-closed", !isAllowed);
    this.nothing?.remove();
    if (!isAllowed) {
      markPlace(this.links, name);
      for (const own of this.main.children) own.hidden = own !== this.startScreen;
      if (!isStart) this.main.append(this.nothing = refused(this.text, hash => this.go(hash)));
      return;
    }
    let view;
    try {
      view = await this.view(name);
    } catch {
      // A browser does not request a module again that it could not load.
      if (run === this.routes) this.notify(this.text.get("unreachable"), this.text.get("retry"), () => location.reload());
      return;
    }
    if (run !== this.routes) return;
    const change = () => { if (run === this.routes) return this.arrive(place, view); };
    await (isSeen && this.shown ? transit(this, this.shown, place, change) : change());
  }

  async arrive(place, view) {
    const { name, part } = place, isSplit = BESIDE.includes(name);
    this.shown = place;
    document.title = `${this.text.get(isSplit && name !== "chat" ? "contacts" : name)} - Tondo`;
    document.body.dataset.route = name;
    markPlace(this.links, name);
    showCount(this);
    const shown = isSplit ? this.split : view.element;
    for (const [, other] of Object.entries(this.views)) if (other !== view && !other.element.closest("[hidden]")) other.hide?.();
    for (const own of this.main.children) own.hidden = own !== shown;
    this.views.list.arrive();
    // Lists of contacts share one manager, so the strip and the list show the same filter and order.
    if (name !== "settings" && (isSplit || !this.views.list.isRequested)) this.views.list.show();
    await this.showParts(name, part, view);
  }

  async showParts(name, part, view) {
    const { list, detail } = this.views;
    if (name === "list") {
      list.select(null);
      return void detail?.show(null);
    }
    view.show(part);
    if (name === "detail" || name === "chat" && this.wide.matches) list.select(part, true);
    if (name !== "detail") return;
    if (list.takeEntered() || !this.wide.matches) view.name.focus({ preventScroll: true });
  }

  // From the manager of contacts, by way of the list.
  received(type, message, isRefresh) {
    countContacts(this, type, message);
    this.views.cards?.received(type, message, isRefresh);
    if (type === "data" || type === "page") this.entrance.focusList();
    if (type === "data" && isRefresh) this.updates.refreshViews();
  }

  changed(name) {
    if (name === "theme") this.paint();
    if (name === "language" || name === "direction") this.rebuild(name);
  }

  notify(message, label, action) { notify(this, message, label, action); }

  // What deletes contacts, which is loaded when the first one is to go; undefined if it cannot be.
  async removing() {
    const part = this.removals ? null : await loadPart(this, "view-removal");
    return this.removals ??= part ? new part.Removals(this) : undefined;
  }

  // Whether this page may try: what it may not do it does not offer.
  get mayDelete() { return this.api.token !== null && this.removals?.manager.isReadOnly !== true; }

  async remove(contacts, after) { return (await this.removing())?.remove(contacts, after); }
}

// For the tests, which look at statistics and at the managers.
globalThis.tondo = new App();
await globalThis.tondo.start();
