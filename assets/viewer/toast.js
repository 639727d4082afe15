// A bar at the end of the page, for 10 s; as long as it has the focus or the pointer, it stays.
import { button, element } from "./dom.js";

const SHOWN = 10_000;

export class Toast {
  // closeLabel(): the text of the button that closes the bar, in the language of now.
  constructor(closeLabel) {
    this.closeLabel = closeLabel;
    this.element = element("div", { class: "toast", role: "status", hidden: true });
    for (const name of ["focusin", "pointerenter"]) this.element.addEventListener(name, () => clearTimeout(this.timer));
    for (const name of ["focusout", "pointerleave"]) this.element.addEventListener(name, () => this.start());
  }

  start() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), SHOWN);
  }

  hide() { this.element.hidden = true; }

  // label and action: of a button beside the text.
  show(message, label, action) {
    this.element.replaceChildren(element("span", { dir: "auto" }, message),
      ...label ? [button(label, () => { this.hide(); action(); }, { class: "undo" })] : [],
      button(this.closeLabel(), () => this.hide(), { class: "plain" }));
    this.element.hidden = false;
    this.start();
  }
}
