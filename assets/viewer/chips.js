// What is chosen for the list, in a line: one press takes a part of it back, and one all of it.
import { button, element, icon } from "./dom.js";
import { INITIAL } from "./route.js";

export class ChosenChips {
  // choices: with `query` and `choose(part)`. rest(): what has the focus once nothing is chosen. hasField: the search has a field of its
  // own beside them.
  constructor(text, choices, rest, hasField) {
    Object.assign(this, { text, choices, rest, hasField });
    this.parts = element("div", { class: "chosen-parts" });
    this.all = button(text.get("clearAll"), () => choices.choose({ ...INITIAL }), { class: "chosen-all" });
    this.element = element("div", { class: "chosen", role: "group", "aria-label": text.get("chosen"), hidden: true }, this.parts, this.all);
  }

  draw({ search, filter, sort }) {
    const { element: line, parts, text, choices } = this, hadFocus = line.contains(document.activeElement);
    const taking = name => () => choices.choose({ filter: choices.query.filter.filter(other => other !== name) });
    const made = [
      ...search === "" || this.hasField ? [] : [this.chip(search, () => choices.choose({ search: "" }))],
      ...filter.map(name => this.chip(text.get(`filter.${name}`), taking(name))),
      ...sort === INITIAL.sort ? [] : [this.chip(text.get(`sort.${sort}`), () => choices.choose({ sort: INITIAL.sort }))],
    ];
    line.hidden = made.length === 0;
    this.all.hidden = made.length + (search !== "" && this.hasField ? 1 : 0) < 2;
    parts.replaceChildren(...made);
    // That of the field would bring the keyboard of a phone up.
    if (hadFocus) (made[0] ?? this.rest()).focus({ preventScroll: true });
  }

  chip(label, action) {
    const remove = this.text.get("chip.remove", { name: label });
    return element("button", { type: "button", class: "chosen-part", "aria-label": remove, title: remove, onclick: action },
      element("span", {}, element("bdi", {}, label), icon("close")));
  }
}
