// Numbers of the whole book, large. How many pictures were drawn of it, and that nothing failed, is no news.
import { element } from "./dom.js";

const isNews = ({ label, value }) => label !== "avatars" && (label !== "failed" || value !== "0");

// What is counted, in the form that its number asks for.
const nameOf = ({ label, value }, text) => (text.has(`number.${label}`) ? text.get(`number.${label}`, { count: Number(value) }) : text.title(label));

export const summaryCard = (card, { app }) => element("dl", { class: "numbers" }, ...(card.rows ?? []).filter(isNews).map(row =>
  element("div", {}, element("dt", {}, nameOf(row, app.text)), element("dd", {}, row.value))));
