// Numbers of the whole book, large. How many pictures were drawn of it, and that nothing failed, is no news; what did leads to the list of it.
import { element, icon } from "./dom.js";
import { troubleOf } from "./notices.js";
import { openProblems } from "./card-book.js";

const isNumber = ({ label }) => label !== "avatars" && label !== "failed";

// What is counted, in the form that its number asks for.
const nameOf = ({ label, value }, text) => (text.has(`number.${label}`) ? text.get(`number.${label}`, { count: Number(value) }) : text.title(label));

// Books of which nothing is read, and what cannot be read of all others, as one list.
function unread(text, books) {
  const lost = books.filter(book => troubleOf(book)?.read === 0), count = books.filter(book => !lost.includes(book)).reduce((sum, { failed = 0 }) => sum + failed, 0);
  const parts = [...lost.length > 0 ? [text.get("unread.books", { count: lost.length })] : [], ...count > 0 ? [text.get("joined", { count })] : []];
  return { isLost: lost.length > 0, list: new Intl.ListFormat(text.language).format(parts.map(String)) };
}

export function summaryCard({ rows = [] }, { app }) {
  const { isLost, list } = unread(app.text, app.books ?? []);
  return element("div", {}, element("dl", { class: "numbers" }, ...rows.filter(isNumber).map(row =>
    element("div", {}, element("dt", {}, nameOf(row, app.text)), element("dd", {}, row.value)))),
  list ? element("button", { type: "button", class: isLost ? "unread is-lost" : "unread", "aria-haspopup": "dialog", onclick: () => openProblems(app) },
    icon("alert"), element("span", {}, app.text.get("unread.list", { list })), icon("arrow")) : "");
}
