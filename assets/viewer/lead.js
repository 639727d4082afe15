// What stands above the letters of the list: the contacts that were opened last, and the favourites. Wide windows have room for the
// former beside the list.
import { AvatarView } from "./avatar-view.js";
import { button, element, iconButton } from "./dom.js";
import { FavouritesManager, Recents } from "./favourites.js";
import { loadPart } from "./page.js";
import { ContactRow } from "./rows.js";

export class Lead {
  // view: the list. changed(): its height is another one.
  constructor(app, view, changed) {
    const { text } = app;
    Object.assign(this, { app, view, text, changed, height: 0, favourites: [] });
    this.recents = new Recents(app.settings);
    this.manager = app.favourites ??= new FavouritesManager(app.api, app.store);
    this.circles = element("ul", { class: "recents" });
    this.recent = element("section", { class: "lead-section", "aria-label": text.get("recents"), hidden: true },
      element("div", { class: "lead-head" }, element("h2", { class: "section" }, text.get("recents")),
        iconButton("close", text.get("recents.hide"), () => this.hide(), { class: "icon-button" })), this.circles);
    this.rows = element("div", { class: "lead-rows", role: "list", "aria-label": text.get("favourites") });
    this.all = button("", () => view.choose({ filter: ["favourite"] }), { class: "plain all", hidden: true });
    this.pinned = element("section", { class: "lead-section", hidden: true }, element("h2", { class: "section" }, text.get("favourites")), this.rows, this.all);
    this.element = element("div", { class: "lead" }, this.recent, this.pinned);
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.element);
    this.settle = () => this.place();
    app.wide.addEventListener("change", this.settle);
  }

  end() {
    this.observer.disconnect();
    this.app.wide.removeEventListener("change", this.settle);
    this.isEnded = true;
    this.home?.end();
    for (const row of this.favourites) row.view.avatar.show(undefined);
    for (const circle of this.circles.children) circle.avatar.show(undefined);
  }

  // A list of which only a part is shown has nothing above it.
  get isNeeded() { return this.view.query.search === "" && this.view.query.filter.length === 0; }

  get recentsChoice() {
    const { recents } = this;
    return { label: this.text.get("recents"), isChecked: !recents.isHidden, toggle: () => { recents.isHidden = !recents.isHidden; this.draw(); } };
  }

  hide() {
    this.recents.isHidden = true;
    this.draw();
    this.view.enter();
  }

  // Once with each list, and when the book or a favourite has changed.
  load() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.manager.load(this.view.query, this.text.language, () => this.draw()), 50);
  }

  // Contacts may be shown no more.
  forget() {
    clearTimeout(this.timer);
    this.manager.clear();
    this.draw();
  }

  draw() {
    this.place();
    this.element.hidden = !this.isNeeded;
    if (this.isNeeded || this.home) this.drawRecents();
    if (this.isNeeded) this.drawFavourites();
    this.home?.draw();
    this.measure();
  }

  // Beside the list or above it.
  async place() {
    const { app, recent, element: above } = this, { matches: isWide } = app.wide;
    if (isWide && !this.home) {
      const { Home } = await (this.part ??= loadPart(app, "home")) ?? {};
      if (!Home || this.home || this.isEnded) return;
      this.home = new Home(app, recent);
      app.split.append(this.home.element);
      return this.draw();
    }
    const place = isWide ? this.home.element : above;
    if (recent.parentElement === place) return;
    if (isWide) place.append(recent);
    else place.prepend(recent);
    this.draw();
  }

  measure() {
    const height = this.element.hidden ? 0 : this.element.offsetHeight;
    if (height === this.height) return;
    this.height = height;
    this.changed();
  }

  drawRecents() {
    const items = this.recents.items, isShown = items.length > 1 && !this.recents.isHidden;
    this.recent.hidden = !isShown;
    const shown = isShown ? JSON.stringify(items) : "";
    if (shown === this.shown) return;
    this.shown = shown;
    for (const circle of this.circles.children) circle.avatar.show(undefined);
    this.circles.replaceChildren(...isShown ? items.map(item => this.circle(item)) : []);
  }

  circle(item) {
    const avatar = new AvatarView(this.app.avatars), circle = element("li", {},
      element("a", { class: "recent", href: `#/c/${encodeURIComponent(item.id)}`, title: item.displayName, "aria-label": item.displayName },
        avatar.element, element("span", { dir: "auto" }, item.given || item.displayName)));
    circle.avatar = avatar;
    avatar.show(this.app.store.get(item.id) ?? item);
    return circle;
  }

  drawFavourites() {
    const { items, total } = this.manager, { length } = items;
    this.pinned.hidden = length === 0;
    while (this.favourites.length > length) {
      const row = this.favourites.pop();
      row.view.avatar.show(undefined);
      row.remove();
    }
    while (this.favourites.length < length) this.favourites.push(new ContactRow(this.app, (row, anchor) => this.view.openMenu(row, anchor)).element);
    this.rows.append(...this.favourites.filter(row => !row.isConnected));
    this.refill();
    this.all.hidden = total <= length;
    this.all.textContent = this.text.get("favourites.all", { count: total });
  }

  // Rows above the letters are counted backwards: -1 is just above the first letter.
  refill() {
    const { length } = this.favourites;
    this.favourites.forEach((row, at) => this.view.fillRow(row, at - length, this.app.store.get(this.manager.items[at]?.id) ?? this.manager.items[at]));
  }

  row(index) { return this.favourites[index + this.favourites.length]; }

  idAt(index) { return this.manager.items[index + this.favourites.length]?.id; }

  // A contact was opened. What is shown changes with the next list: nothing moves under the pointer.
  opened(contact) { this.recents.add(contact); }

  gone(id) {
    this.recents.remove(id);
    this.draw();
  }
}
