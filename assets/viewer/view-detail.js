// One contact: its photo, the ways to reach it, and its cards.
import { button, element, icon, iconButton } from "./dom.js";
import { arranged, knownCards } from "./card-order.js";
import { CardList } from "./cards.js";
import { CardsManager } from "./details.js";
import { FavouritesManager } from "./favourites.js";
import { failedState, loadPart, missing, noContact, nothingChosen } from "./page.js";
import { openMenu } from "./sheets.js";
import { PhotoView } from "./view-photo.js";
import { PortraitView } from "./view-portrait.js";
import { ShareView } from "./view-share.js";
import { ways } from "./ways.js";

// The ways in the order in which people use them, and how many of them stand beside each other.
const ORDER = ["phone", "email", "telegram", "whatsapp", "signal", "viber", "threema"];
const SHOWN = 5;

export class DetailView {
  constructor(app) {
    const { text } = app;
    Object.assign(this, { app, text, id: null });
    this.portrait = new PortraitView(app);
    this.name = element("h2", { dir: "auto", tabindex: -1 });
    this.note = element("p", { class: "about", dir: "auto" });
    this.also = element("p", { class: "also" });
    this.presence = element("p", { class: "presence" });
    this.actions = element("ul", { class: "actions", "aria-label": text.get("ways") });
    this.photo = new PhotoView(app);
    this.share = new ShareView(app);
    this.cards = new CardList(app);
    this.message = element("p", { class: "empty", role: "status" });
    this.star = iconButton("c-star", text.get("favourite"), () => this.toggleFavourite(), { class: "icon-button star", "aria-pressed": "false", "data-needs": "service" });
    // The name again once the large one has left the top.
    this.barName = element("span", { class: "bar-name", "aria-hidden": "true", dir: "auto" });
    this.bar = element("div", { class: "detail-bar" }, iconButton("back", text.get("back"), () => app.go("#/"), { class: "icon-button back" }),
      this.barName, this.star, iconButton("c-share", text.get("share"), () => { if (this.contact) this.share.open(this.contact); }, { class: "icon-button share" }));
    this.tools = element("p", { class: "buttons" },
      button(text.get("print"), () => print(), { class: "plain" }),
      this.deletion = button(text.get("delete"), () => this.remove(), { class: "danger", "data-needs": "service" }));
    // Why there is no such button, in its place.
    this.right = element("p", { class: "right-missing" }, text.get("rights.none"), ". ", element("a", { href: "#/settings" }, text.get("rights.how")));
    this.press = button("", () => this.photo.open(), { class: "press", "aria-label": text.get("photo.show"), title: text.get("photo.show"), "aria-haspopup": "dialog" });
    this.changePhoto = iconButton("c-camera", "", () => this.offerPhoto(), { class: "icon-button change-photo", "data-needs": "service" });
    this.head = element("header", { class: "head" }, element("div", { class: "portrait-frame" }, this.portrait.element, this.changePhoto),
      element("div", { class: "titles" }, this.name, this.note, this.presence, this.also), this.actions);
    this.column = element("div", { class: "column" }, this.head, this.cards.element, this.tools, this.right);
    this.element = element("section", { class: "detail-pane", "aria-label": text.get("detail") }, this.bar, this.message, this.column);
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.observer = new ResizeObserver(() => { if (this.contact) this.fit(); });
    this.observer.observe(this.column);
    this.cardsManager = new CardsManager(app.api);
    this.favourites = app.favourites ??= new FavouritesManager(app.api, app.store);
    this.rest();
    this.unsubscribe = app.store.subscribe((_, ids) => { if (ids.has(this.id)) this.load(true); });
  }

  scrolled() {
    const { element: pane, name } = this;
    pane.classList.toggle("is-scrolled", pane.scrollTop > 0);
    pane.classList.toggle("is-below", name.getBoundingClientRect().bottom < this.bar.getBoundingClientRect().bottom);
  }

  close() {
    this.unsubscribe();
    this.observer.disconnect();
    this.rest();
  }

  // content: of the empty place.
  clear(...content) {
    Object.assign(this, { id: null, contact: null });
    this.end?.abort();
    this.cardsManager.abort();
    this.cards.show([]);
    this.showPhoto(null);
    this.element.classList.remove("is-loading");
    this.message.replaceChildren(...content);
    this.element.classList.add("is-empty");
  }

  // No contact is chosen.
  rest() { this.clear(...nothingChosen(this.app)); }

  // Nothing of the contact before stays: neither its ways nor the buttons that act on it.
  wait() {
    this.contact = null;
    this.name.textContent = this.text.get("loading");
    this.name.classList.remove("vip");
    for (const line of [this.barName, this.note, this.presence, this.also]) line.textContent = "";
    this.actions.replaceChildren();
    this.showPhoto(null);
    this.tools.hidden = this.right.hidden = true;
    this.star.hidden = true;
  }

  // Only a photo can be opened.
  showPhoto(contact) {
    this.portrait.show(contact ?? undefined);
    this.photo.show(contact);
    this.changePhoto.hidden = !contact;
    this.changePhoto.ariaLabel = this.changePhoto.title = this.text.get(contact?.photo === true ? "photo.change" : "photo.add");
    const { element: shown } = this.portrait, isPressed = contact?.photo === true;
    if (isPressed === shown.contains(this.press)) return;
    if (isPressed) shown.append(this.press);
    else this.press.remove();
    // The canvas says nothing to screen readers, the button does.
    if (isPressed) shown.removeAttribute("aria-hidden");
    else shown.setAttribute("aria-hidden", "true");
  }

  show(id) {
    if (id === null) return this.rest();
    this.id = id;
    this.element.classList.remove("is-empty");
    this.element.classList.add("is-loading");
    this.message.textContent = "";
    this.element.scrollTop = 0;
    this.cards.show([]);
    const known = this.app.store.get(id);
    if (known) this.fill(known);
    else this.wait();
    return this.load(false);
  }

  async load(isRefresh) {
    const { id, app } = this;
    this.end?.abort();
    const { signal } = this.end = new AbortController();
    this.cards.owner = id;
    this.cardsManager.load(id, (type, message, refresh) => {
      if (this.id !== id) return;
      if (type === "data") this.cards.show(arranged(message), refresh);
      else if (!refresh) this.cards.fail(message, () => this.load(false), app.api.isOffline && this.contact ? knownCards(this.contact) : []);
    }, isRefresh);
    try {
      const contact = await app.contacts.contact(id, signal);
      if (this.id === id) this.fill(contact);
    } catch (problem) {
      if (signal.aborted) return;
      if (problem.status === 404) this.clear(...noContact(app));
      else if (this.contact?.id !== id) this.lose(id, ...failedState(app, this.text.get(missing(app, problem)), () => this.show(id)));
    }
  }

  lose(id, ...content) {
    this.clear(...content);
    this.lost = id;
  }

  // What could not be loaded is known by the list, which has come since.
  found(id) { if (this.lost === id && this.id === null) this.show(id); }

  fill(contact) {
    const { text } = this;
    this.contact = contact;
    this.element.classList.remove("is-loading");
    this.tools.hidden = false;
    const { app, deletion, right } = this;
    // It still says why, and how to get the right.
    this.element.classList.toggle("view-only", app.api.token === null);
    deletion.hidden = !app.mayDelete;
    right.hidden = app.api.token !== null;
    this.name.textContent = contact.displayName;
    this.barName.textContent = contact.displayName;
    this.name.classList.toggle("vip", contact.vip === true);
    this.fit();
    this.note.textContent = [contact.title, contact.organisation?.find(Boolean)].filter(Boolean).join(" · ");
    this.presence.textContent = contact.online === undefined || contact.online === null ? "" : text.get(contact.online ? "online" : "offline");
    this.presence.classList.toggle("online", contact.online === true);
    this.showAlso(contact.also ?? []);
    this.showPhoto(contact);
    this.showActions(contact);
    this.showFavourite(contact.favourite === true);
    if (!this.element.closest("[hidden]")) document.title = `${contact.displayName} - Tondo`;
  }

  // The name at the largest size at which it takes two lines, or three of a smaller one.
  fit() {
    const { name } = this;
    for (const [size, lines] of [["", 2], ["l", 3], ["m", 3], ["s", 3]]) {
      name.dataset.size = size;
      if (name.offsetHeight < (lines + .5) * parseFloat(getComputedStyle(name).lineHeight)) return;
    }
  }

  // The same person in other books.
  showAlso(others) {
    const links = others.flatMap(({ id, book }, index) => [
      index > 0 ? ", " : "", element("a", { href: `#/c/${encodeURIComponent(id)}` }, element("bdi", {}, this.text.bookName(book)))]);
    this.also.replaceChildren(...links.length > 0 ? [this.text.get("also"), " ", ...links] : []);
  }

  showActions(contact) {
    const { text } = this, found = new Map(ways(contact).map(way => [way.name, way]));
    const actions = ORDER.filter(name => found.has(name)).map(name => ({ ...found.get(name), label: text.get(`action.${name}`) }));
    if (contact.chatLog?.length) actions.push({ name: "c-bubble", label: text.get("chat"), link: `#/chat/${encodeURIComponent(contact.id)}` });
    const further = actions.slice(SHOWN), shown = JSON.stringify([contact.id, actions]);
    // Links that are equal stay, and with them the focus.
    if (shown === this.shownActions && this.actions.firstChild) return;
    this.shownActions = shown;
    this.actions.replaceChildren(...actions.slice(0, SHOWN).map(action => element("li", {}, actionLink(action))),
      ...further.length > 0 ? [element("li", {}, this.moreButton(contact, further))] : []);
  }

  moreButton({ displayName }, further) {
    const label = this.text.get("more");
    return element("button", { type: "button", class: "way", "aria-haspopup": "dialog",
      onclick: () => openMenu(this.text, displayName, further.map(action => ({ label: action.label, action: () => actionLink(action).click() }))),
    }, element("span", { class: "disc" }, icon("more")), element("span", {}, label));
  }

  showFavourite(isFavourite) {
    const { star, text } = this;
    star.hidden = false;
    star.ariaPressed = String(isFavourite);
    star.firstChild.className = `icon icon-${isFavourite ? "c-starred" : "c-star"}`;
    star.title = text.get(isFavourite ? "favourite.remove" : "favourite");
  }

  // Shown at once, and taken back if the service refuses it.
  async toggleFavourite() {
    const { contact } = this;
    if (!contact) return;
    const { app, text } = this, isFavourite = contact.favourite !== true, changed = { ...contact, favourite: isFavourite || undefined };
    this.contact = changed;
    this.showFavourite(isFavourite);
    const reason = await this.favourites.set(contact, isFavourite);
    if (reason === null) return;
    if (this.contact === changed) {
      this.contact = contact;
      this.showFavourite(!isFavourite);
    }
    if (reason !== "favourite.notKept") return app.notify(text.get(reason));
    app.notify(text.get(reason), text.get("retry"), () => { if (this.contact?.id === contact.id) this.toggleFavourite(); });
  }

  async offerPhoto() {
    const { app, changePhoto, contact } = this, part = await loadPart(app, "photo-menu");
    if (contact) part?.photoChanges(app).offer(contact, changePhoto);
  }

  remove() {
    if (this.contact) this.app.remove([this.contact], () => this.app.keepFocus());
  }
}

function actionLink({ name, label, value, link }) {
  const isOutside = link.startsWith("http");
  return element("a", {
    class: `way way-${name}`, href: link, title: value ? `${label}: ${value}` : label,
    target: isOutside ? "_blank" : undefined, rel: isOutside ? "noopener noreferrer" : undefined,
  }, element("span", { class: "disc" }, icon(name)), element("span", {}, label));
}
