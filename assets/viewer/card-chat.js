// The messages of a conversation.
import { element } from "./dom.js";

// Most books have texts alone: then the contact begins, and the sides take turns. number: from 0.
export const isOwn = (label, number) => label === "own" || !label && number % 2 === 1;

export const chatCard = ({ rows = [], offset = 0 }) => element("div", { class: "bubbles" }, ...rows.map(({ label, value }, at) =>
  element("p", { class: isOwn(label, offset + at) ? "bubble own" : "bubble", dir: "auto" }, value)));
