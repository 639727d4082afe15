// Small helpers for views.

// element("a", {class: "row", href: "..."}, child, "text").
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter(child => child !== undefined && child !== null && child !== ""));
  return made;
}

// An icon is a mask over the text colour; its text alternative belongs to the button or link around it.
export const icon = name => element("span", { class: `icon icon-${name}`, "aria-hidden": "true" });

export function button(label, action, attributes = {}) {
  return element("button", { type: "button", onclick: action, ...attributes }, label);
}

export function iconButton(name, label, action, attributes = {}) {
  return element("button", {
    type: "button", class: "icon-button", "aria-label": label, title: label, onclick: action, ...attributes,
  }, icon(name));
}

// Calls back with the size of a font unit now and after each change, such as a zoom of the text alone.
export function watchFontSize(callback) {
  const probe = element("div", { class: "probe", "aria-hidden": "true" });
  document.body.append(probe);
  const observer = new ResizeObserver(() => callback(probe.offsetHeight / 10));
  observer.observe(probe);
  return { size: probe.offsetHeight / 10, end: () => { observer.disconnect(); probe.remove(); } };
}

// Ends a task, so that the browser can paint and take input between two parts of a long one.
export function nextTask() {
  return new Promise(next => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); next(); };
    port2.postMessage(0);
  });
}

const ORDER_DELAY = 150;

// Keeps the order in the document that of the screen, for screen readers and the Tab key: once a line of used-again
// elements is at rest, and without moving the one with the focus, which would lose it. Elements have their place in `start`.
export class ReadingOrder {
  constructor(...parents) { this.parents = new Set(parents.filter(Boolean)); }

  // An element was placed.
  expect() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { for (const parent of this.parents) orderChildren(parent); }, ORDER_DELAY);
  }

  end() { clearTimeout(this.timer); }
}

function orderChildren(parent) {
  const shown = [...parent.children].filter(item => !item.hidden);
  const items = shown.toSorted((one, other) => one.start - other.start);
  if (items.every((item, at) => item === shown[at])) return;
  const focused = Math.max(0, items.findIndex(item => item.contains(document.activeElement)));
  for (let at = focused - 1; at >= 0; at -= 1) parent.insertBefore(items[at], items[at + 1]);
  for (let at = focused + 1; at < items.length; at += 1) items[at - 1].after(items[at]);
}
