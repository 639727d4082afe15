// The keys of the page, in a sheet and in the settings.
import { button, element } from "./dom.js";
import { Sheet } from "./sheets.js";

const KEYS = [["/", "search"], ["↑ ↓", "move"], ["A…Z", "type"], ["Enter", "open"], ["Esc", "leave"], ["Space", "pick"],
  ["Shift + ↑ ↓", "range"], ["Shift + F10", "menu"], ["Delete", "delete"], ["?", "help"]];

const signs = key => key.split(" + ").flatMap((part, at) => [at ? " + " : "", element("kbd", {}, part)]);

export const keyList = text => element("dl", { class: "keys" }, ...KEYS.map(([key, name]) =>
  element("div", {}, element("dt", {}, ...signs(key)), element("dd", {}, text.get(`key.${name}`)))));

export function openKeys({ text }) {
  const sheet = new Sheet(text.get("keys"), keyList(text),
    element("p", { class: "buttons" }, button(text.get("close"), () => sheet.close(), { class: "plain", autofocus: true })));
  return sheet.open();
}
