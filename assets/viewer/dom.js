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

// The same for a shape of SVG.
export function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// An icon is a mask over the text colour; its text alternative belongs to the button or link around it.
export const icon = name => element("span", { class: `icon icon-${name}`, "aria-hidden": "true" });

// A text as the page shows it: a string, or a `Message` with its headline and what it explains.
export function said(message) {
  if (message.headline === undefined) return [message];
  const { key, headline, detail } = message;
  return [element("b", { class: "headline", "data-message": key }, headline), " ", element("span", { class: "explanation" }, detail)];
}

// What stands in the place of what is missing: a sign, a headline with a line below it, and the one thing that leads on, if there is
// one. message: a `Message`; label, action: of the button.
export const emptyState = (sign, message, label, action) => [
  element("span", { class: "empty-sign", "aria-hidden": "true" }, icon(sign)), element("span", {}, ...said(message)),
  ...label ? [button(label, action, { class: "quiet" })] : []];

export function button(label, action, attributes = {}) {
  return element("button", { type: "button", onclick: action, ...attributes }, label);
}

export function iconButton(name, label, action, attributes = {}) {
  return element("button", {
    type: "button", class: "icon-button", "aria-label": label, title: label, onclick: action, ...attributes,
  }, icon(name));
}

// The code of a problem, for a report. It is folded.
export const technical = (text, code) => element("details", { class: "technical" }, element("summary", {}, text.get("technical")), element("code", {}, code));

// A command for a terminal, which few people need: folded below what it is for.
export const command = (purpose, sentence, line) => element("details", { class: "technical how" }, element("summary", {}, purpose),
  element("p", { dir: "auto" }, sentence), element("code", { dir: "ltr" }, line));

// Removes what is hidden or closed, once it has moved away: at once if the system asks for less motion.
export async function remove(made) {
  await Promise.allSettled(made.getAnimations().map(({ finished }) => finished));
  made.remove();
}

// Hides an element, and removes it.
export function leave(made) {
  made.hidden = true;
  return remove(made);
}

// Pixels of the size of the text now.
let fontSize = 16;

// Calls back with the size of a font unit now and after each change, such as a zoom of the text alone. The style sheets learn how wide
// scrollbars are: these lie in the margin of what they scroll.
export function watchFontSize(callback) {
  const probe = element("div", { class: "probe", "aria-hidden": "true" });
  document.body.append(probe);
  const gauge = () => document.documentElement.style.setProperty("--scrollbar", `${probe.offsetWidth - probe.clientWidth}px`);
  gauge();
  const observer = new ResizeObserver(() => {
    gauge();
    fontSize = probe.offsetHeight / 10;
    callback(fontSize);
  });
  observer.observe(probe);
  fontSize = probe.offsetHeight / 10;
  return { size: fontSize, end: () => { observer.disconnect(); probe.remove(); } };
}

// One avatar on the page: a canvas that is drawn from bytes, and the initials below it until these are there. An <img>
// could send no token.
export class AvatarView {
  // width: that on the page, in sizes of the text. The canvas has no more pixels than are seen: those of a list would take four times
  // the memory, and be scaled less well.
  constructor(avatars, { width = Infinity } = {}) {
    Object.assign(this, { avatars, width });
    this.side = this.sideNow;
    this.canvas = element("canvas", { width: this.side, height: this.side });
    this.element = element("span", { class: "avatar", "aria-hidden": "true" }, this.canvas);
    this.key = undefined;
  }

  get sideNow() { return Math.min(96, Math.ceil(this.width * fontSize)) * this.avatars.scale; }

  show(contact) {
    this.release?.();
    this.release = null;
    const id = contact?.id;
    if (this.id !== id) this.blank(contact);
    else this.element.dataset.initials = contact?.initials ?? "";
    this.id = id;
    if (!contact) return;
    // The avatar that is drawn already is the right one, and as large as the text of now needs it.
    if (this.key !== undefined && this.key === this.avatars.keyOf(contact) && this.side === this.sideNow) return;
    this.release = this.avatars.subscribe(contact, (bitmap, key) => this.draw(bitmap, key));
  }

  blank(contact) {
    if (this.key !== undefined) this.context.clearRect(0, 0, this.side, this.side);
    this.key = undefined;
    this.element.dataset.initials = contact?.initials ?? "";
    this.element.classList.remove("drawn");
  }

  draw(bitmap, key) {
    const { canvas, sideNow } = this;
    this.context ??= canvas.getContext("2d");
    // A new side clears it, and sets its context back.
    if (this.side !== sideNow) this.side = canvas.width = canvas.height = sideNow;
    else this.context.clearRect(0, 0, this.side, this.side);
    this.context.imageSmoothingQuality = "high";
    this.context.drawImage(bitmap, 0, 0, this.side, this.side);
    this.key = key;
    this.element.classList.add("drawn");
    if (!AvatarView.isFirstMarked) performance.mark("first-avatar");
    AvatarView.isFirstMarked = true;
  }
}
