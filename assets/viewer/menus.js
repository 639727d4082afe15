// Menus beside what opens them. Escape and a click elsewhere close them, and the focus goes back.
import { button, element, icon, remove } from "./dom.js";
import { ORDERS, INITIAL } from "./route.js";
import { choice, choiceButtons, Sheet } from "./sheets.js";

const GAP = 4;

export class Popover {
  // items: {label, action, icon, hint, kind ("checkbox" or "radio", with isChecked), isDangerous, isDisabled(), isIndented, needs}, {heading}, {},
  // which is a line. What has the kind "checkbox" leaves the menu open.
  constructor(label, items, app) {
    Object.assign(this, { app, typed: "", made: [] });
    this.element = element("div", { class: "popover", role: "menu", "aria-label": label, popover: "auto", tabindex: -1 },
      ...items.map(item => this.make(item)));
    this.element.addEventListener("keydown", event => this.pressed(event));
    this.element.addEventListener("toggle", event => { if (event.newState === "closed") this.closed(); });
    this.end = new AbortController();
    for (const name of ["hashchange", "resize"]) addEventListener(name, () => this.close(), { signal: this.end.signal });
  }

  make(item) {
    if (item.heading) return element("div", { class: "menu-heading", role: "presentation" }, item.heading);
    if (!item.label) return element("div", { class: "menu-line", role: "separator" });
    const { label, kind, value, isChecked, isDangerous, hint } = item;
    const made = element("button", {
      type: "button", role: kind ? `menuitem${kind}` : "menuitem", class: isDangerous ? "menu-item danger" : "menu-item", tabindex: -1,
      "aria-checked": kind ? String(isChecked === true) : undefined, "aria-disabled": item.isDisabled?.() ? "true" : undefined, "data-indented": item.isIndented, "data-value": value, "data-needs": item.needs,
      onclick: () => this.choose(made, item), onpointerenter: () => made.focus({ preventScroll: true }),
    }, kind ? element("span", { class: "menu-box", "aria-hidden": "true" }, icon("check")) : item.isIndented ? icon("check") : item.icon ? icon(item.icon) : "", element("span", { class: "menu-label" }, label),
    hint ? element("bdi", { class: "hint" }, hint) : "");
    this.made.push([made, item]);
    return made;
  }

  choose(made, { action, kind, isDisabled }) {
    if (isDisabled?.()) return;
    if (kind === "checkbox") made.ariaChecked = String(made.ariaChecked !== "true");
    else this.close();
    action();
    this.renew();
  }

  // What one item has chosen may be what another one takes back.
  renew() { for (const [made, { isDisabled }] of this.made) if (isDisabled) made.ariaDisabled = isDisabled() ? "true" : null; }

  get items() { return [...this.element.querySelectorAll(".menu-item")]; }

  // Below the end of a button, or above it if there is no room.
  openAt(anchor) {
    const { left, right, top, bottom } = anchor.getBoundingClientRect(), isMirrored = document.documentElement.dir === "rtl";
    this.opener = anchor;
    anchor.ariaExpanded = "true";
    this.open((width, height) => [isMirrored ? left : right - width, bottom + GAP + height > innerHeight ? top - GAP - height : bottom + GAP]);
  }

  // opener: what gets the focus back.
  openAtPoint(x, y, opener) {
    const isMirrored = document.documentElement.dir === "rtl";
    this.opener = opener;
    this.open((width, height) => [isMirrored ? x - width : x, y + height > innerHeight ? y - height : y]);
  }

  open(place) {
    this.app.main.append(this.element);
    this.element.showPopover();
    const { offsetWidth: width, offsetHeight: height } = this.element, [left, top] = place(width, height);
    this.element.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    this.element.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`;
    (this.items.find(({ ariaChecked, role }) => role === "menuitemradio" && ariaChecked === "true") ?? this.items[0])?.focus({ preventScroll: true });
    return this;
  }

  close() { if (this.element.matches(":popover-open")) this.element.hidePopover(); }

  // The focus may have gone on, such as to what an item has opened.
  closed() {
    this.end.abort();
    if (this.opener?.ariaExpanded) this.opener.ariaExpanded = null;
    const { activeElement } = document, isLost = activeElement === document.body || this.element.contains(activeElement) || activeElement === this.opener;
    remove(this.element);
    if (!isLost) return;
    if (this.opener?.isConnected) this.opener.focus({ preventScroll: true });
    this.app.keepFocus();
  }

  pressed(event) {
    const { items } = this, now = items.indexOf(document.activeElement), { length } = items;
    const to = { ArrowDown: (now + 1) % length, ArrowUp: (now - 1 + length) % length, Home: 0, End: length - 1 }[event.key];
    event.stopPropagation();
    if (event.key === "Tab" || event.key === "Escape") {
      event.preventDefault();
      return this.close();
    }
    if (to !== undefined) {
      event.preventDefault();
      return items[to].focus();
    }
    if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) this.type(event.key.toLocaleLowerCase(), items, now);
  }

  type(letter, items, now) {
    const after = [...items.slice(now + 1), ...items.slice(0, now + 1)];
    after.find(({ textContent }) => textContent.trim().toLocaleLowerCase().startsWith(letter))?.focus();
  }
}

// applied(names of the filters that a contact must pass).
export function openFilterSheet(text, names, current, applied) {
  const boxes = names.map(name => choice("checkbox", "way", name, text.get(`filter.${name}`), current.includes(name)));
  const finish = chosen => { sheet.close(); applied(chosen); };
  const chosen = () => boxes.map(({ firstChild }) => firstChild).filter(({ checked }) => checked).map(({ value }) => value);
  const sheet = new Sheet(text.get("filter"), element("fieldset", {}, element("legend", {}, text.get("filter.legend")), ...boxes),
    choiceButtons(text, () => finish(chosen()), () => finish([])));
  return sheet.open();
}

// applied(an order).
export function openSortSheet(text, current, applied) {
  const choices = ORDERS.map(order => choice("radio", "order", order, text.get(`sort.${order}`), order === current));
  const finish = order => { sheet.close(); applied(order); };
  const sheet = new Sheet(text.get("sort.legend"), element("fieldset", { "aria-label": text.get("sort.legend") }, ...choices),
    choiceButtons(text, () => finish(choices.find(({ firstChild }) => firstChild.checked)?.firstChild.value ?? INITIAL.sort), () => finish(INITIAL.sort)));
  return sheet.open();
}

// actions: {label, action}. switches: {label, isChecked, toggle}, which act at once.
export function openListSheet(text, title, actions, switches) {
  const boxes = switches.map(({ label, isChecked, toggle }) => {
    const made = choice("checkbox", "more", "more", label, isChecked);
    made.firstChild.addEventListener("change", toggle);
    return made;
  });
  const sheet = new Sheet(title, ...boxes, element("div", { class: "menu" },
    ...actions.map(({ label, action }) => element("button", { type: "button", class: "sheet-item", onclick: () => { sheet.close(); action(); } },
      boxes.length > 0 ? element("span", { class: "no-box", "aria-hidden": "true" }) : "", element("span", {}, label))),
    button(text.get("close"), () => sheet.close(), { class: "plain", autofocus: true })));
  return sheet.open();
}
