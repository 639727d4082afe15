// Numbers of the whole book, large. How many pictures were drawn of it, and that nothing failed, is no news; what did leads to the list of it.
import { element, icon } from "./dom.js";
import { openProblems } from "./view-trouble.js";

const isNumber = ({ label }) => label !== "avatars" && label !== "failed";

// What is counted, in the form that its number asks for.
const nameOf = ({ label, value }, text) => (text.has(`number.${label}`) ? text.get(`number.${label}`, { count: Number(value) }) : text.title(label));

export function summaryCard({ rows = [] }, { app }) {
  const failed = Number(rows.find(({ label }) => label === "failed")?.value ?? 0);
  return element("div", {}, element("dl", { class: "numbers" }, ...rows.filter(isNumber).map(row =>
    element("div", {}, element("dt", {}, nameOf(row, app.text)), element("dd", {}, row.value)))),
  failed > 0 ? element("button", { type: "button", class: "unread", "aria-haspopup": "dialog", onclick: () => openProblems(app) },
    icon("alert"), element("span", {}, app.text.get("unread.count", { count: failed })), icon("arrow")) : "");
}
