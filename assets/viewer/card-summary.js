// Numbers of the whole book, large. How many pictures were drawn of it, and that nothing failed, is no news.
import { element } from "./dom.js";

const isNews = ({ label, value }) => label !== "avatars" && (label !== "failed" || value !== "0");

export const summaryCard = (card, { app }) => element("dl", { class: "numbers" }, ...(card.rows ?? []).filter(isNews).map(({ label, value }) =>
  element("div", {}, element("dt", {}, app.text.title(label)), element("dd", {}, value))));
