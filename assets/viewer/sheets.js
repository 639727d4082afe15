// Sheets: dialogs that slide in from below. Esc, the backdrop and pulling down dismiss them without applying.
import { button, element, remove } from "./dom.js";
import { watchPullDown } from "./gestures.js";

let number = 0;

export class Sheet {
  constructor(title, ...content) {
    const id = `sheet-${number += 1}`;
    this.handle = element("div", { class: "handle", "aria-hidden": "true" });
    this.element = element("dialog", { class: "sheet", "aria-labelledby": id },
      this.handle, element("h2", { id, dir: "auto" }, title), ...content);
    this.element.addEventListener("click", event => { if (event.target === this.element) this.dismissOutside(event); });
    // The page behind it has gone to another place.
    this.end = new AbortController();
    addEventListener("hashchange", () => this.close(), { signal: this.end.signal });
    this.element.addEventListener("close", () => this.closed());
    watchPullDown(this.element, this.handle, {
      moved: distance => { this.element.style.translate = `0 ${distance}px`; },
      ended: isDismissed => {
        // What is dismissed goes on from where it was pulled to.
        if (isDismissed) this.close();
        else this.element.style.translate = "";
      },
    });
  }

  // The backdrop belongs to the dialog: a click on it has a place outside of the box.
  dismissOutside({ clientX, clientY }) {
    const { left, right, top, bottom } = this.element.getBoundingClientRect();
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) this.close();
  }

  open() {
    document.body.append(this.element);
    this.element.showModal();
    return this;
  }

  close() { this.element.close(); }

  closed() {
    this.end.abort();
    return remove(this.element);
  }
}

export const choice = (type, name, value, label, isChecked) => element("label", { class: "choice" },
  element("input", { type, name, value, checked: isChecked }), label);

export function choiceButtons(text, apply, reset) {
  return element("p", { class: "buttons" },
    button(text.get("reset"), reset, { class: "plain" }), button(text.get("apply"), apply, { class: "primary" }));
}

// actions: [{label, action, isDangerous}]; Cancel is added.
export function openMenu(text, title, actions) {
  const sheet = new Sheet(title, element("div", { class: "menu" },
    ...actions.map(({ label, action, isDangerous, needs }) =>
      button(label, () => { sheet.close(); action(); }, { class: isDangerous ? "danger" : "plain", "data-needs": needs })),
    button(text.get("cancel"), () => sheet.close(), { class: "plain", autofocus: true })));
  return sheet.open();
}
