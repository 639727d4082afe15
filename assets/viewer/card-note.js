// A text, with its line ends.
import { element } from "./dom.js";

export const noteCard = card => element("div", {}, ...(card.rows ?? []).map(({ value }) => element("p", { class: "note", dir: "auto" }, value)));
