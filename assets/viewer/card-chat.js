// The last messages of a conversation.
import { element } from "./dom.js";

export const isOwn = ({ label }) => label === "own";

export const chatCard = card => element("div", { class: "bubbles" }, ...(card.rows ?? []).map(row =>
  element("p", { class: isOwn(row) ? "bubble own" : "bubble", dir: "auto" }, row.value)));
