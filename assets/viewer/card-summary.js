// Numbers of the whole book, large.
import { element } from "./dom.js";

export const summaryCard = (card, { app }) => element("dl", { class: "numbers" }, ...(card.rows ?? []).map(({ label, value }) =>
  element("div", {}, element("dt", {}, app.text.title(label)), element("dd", {}, value))));
