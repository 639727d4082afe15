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

// Calls back with the size of a font unit now and after each change, such as a zoom of the text alone. The style sheets learn how wide
// scrollbars are: these lie in the margin of what they scroll.
export function watchFontSize(callback) {
  const probe = element("div", { class: "probe", "aria-hidden": "true" });
  document.body.append(probe);
  const gauge = () => document.documentElement.style.setProperty("--scrollbar", `${probe.offsetWidth - probe.clientWidth}px`);
  gauge();
  const observer = new ResizeObserver(() => {
    gauge();
    callback(probe.offsetHeight / 10);
  });
  observer.observe(probe);
  return { size: probe.offsetHeight / 10, end: () => { observer.disconnect(); probe.remove(); } };
}
