// The keys of the page, in a sheet and in the settings.
import { button, element } from "./dom.js";
import { Sheet } from "./sheets.js";

const KEYS = [["/", "search"], ["↑ ↓", "move"], ["A…Z", "type"], ["Enter", "open"], ["Esc", "leave"], ["Space", "pick"],
  ["Shift + ↑ ↓", "range"], ["Shift + F10", "menu"], ["Delete", "delete"], ["?", "help"]];

const signs = key => key.split(" + ").flatMap((part, at) => [at ? " + " : "", element("kbd", {}, part)]);

// mayDelete: a browser that only views has no key for it.
export const keyList = (text, mayDelete) => element("dl", { class: "keys" }, ...KEYS.map(([key, name]) =>
  element("div", { hidden: name === "delete" && !mayDelete }, element("dt", {}, ...signs(key)), element("dd", {}, text.get(`key.${name}`)))));

export function openKeys({ text, mayDelete }) {
  const sheet = new Sheet(text.get("keys"), keyList(text, mayDelete),
    element("p", { class: "buttons" }, button(text.get("close"), () => sheet.close(), { class: "plain", autofocus: true })));
  return sheet.open();
}
