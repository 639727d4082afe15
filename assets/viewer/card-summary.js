// Numbers of the whole book, large. How many pictures were drawn of it, and that nothing failed, is no news; what did leads to the list of it.
import { element, icon } from "./dom.js";
import { failedOf } from "./details.js";
import { failedList } from "./notices.js";
import { openProblems } from "./card-book.js";

const isNumber = ({ label }) => label !== "avatars" && label !== "failed";

// What is counted, in the form that its number asks for.
const nameOf = ({ label, value }, text) => (text.has(`number.${label}`) ? text.get(`number.${label}`, { count: Number(value) }) : text.title(label));

export function summaryCard({ rows = [] }, { app }) {
  const parts = (app.books ?? []).map(failedOf), sum = name => parts.reduce((total, part) => total + part[name], 0);
  const books = sum("books"), list = failedList(app.text, { books, entries: sum("entries"), photos: sum("photos") });
  return element("div", {}, element("dl", { class: "numbers" }, ...rows.filter(isNumber).map(row =>
    element("div", {}, element("dt", {}, nameOf(row, app.text)), element("dd", {}, row.value)))),
  list ? element("button", { type: "button", class: books > 0 ? "unread is-lost" : "unread", "aria-haspopup": "dialog", onclick: () => openProblems(app) },
    icon("alert"), element("span", {}, app.text.get("unread.list", { list })), icon("arrow")) : "");
}
