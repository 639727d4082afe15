// Numbers of the whole book, large. That nothing failed is no news.
import { element } from "./dom.js";

export const summaryCard = (card, { app }) => element("dl", { class: "numbers" }, ...(card.rows ?? []).filter(({ label, value }) => label !== "failed" || value !== "0").map(({ label, value }) =>
  element("div", {}, element("dt", {}, app.text.title(label)), element("dd", {}, value))));
