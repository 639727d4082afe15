// What cannot be read: for each book the number of its contacts and photos, or that all of it cannot, and why. Folded, the command that
// names each of them with its line: the service counts them alone.
import { copyText } from "./copy.js";
import { button, command, element, iconButton } from "./dom.js";
import { failedOf } from "./details.js";
import { failedList } from "./notices.js";
import { Sheet } from "./sheets.js";

// Prints the file, the line and the reason of each, for the books of the configuration.
const COMMAND = "tondo load --quiet";

const sentence = reason => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;

export async function openProblems(app) {
  const { text } = app, [{ books = [] }, names] = await Promise.all([app.service.state().catch(() => app), app.service.bookNames()]);
  const found = books.filter(({ failed = 0, problem }) => failed > 0 || problem), status = element("output", { class: "off-screen" });
  const copy = iconButton("c-copy", text.get("copy", { value: COMMAND }), async () => {
    const isCopied = await copyText(COMMAND);
    copy.firstChild.className = `icon icon-${isCopied ? "check" : "c-copy"}`;
    status.textContent = String(text.get(isCopied ? "copied" : "copyFailed", { value: COMMAND }));
    status.classList.toggle("off-screen", isCopied);
  });
  const how = command(text.get("unread.how"), text.get("unread.command"), COMMAND);
  how.append(copy, status);
  const amountOf = book => (failedOf(book).books ? text.get("unread.whole") : failedList(text, failedOf(book)));
  const sheet = new Sheet(text.get("unread"),
    element("ul", { class: "problems" }, ...found.map(each => element("li", {},
      element("bdi", {}, names.get(each.book) ?? text.bookName(String(each.book))), element("span", {}, amountOf(each)),
      each.problem ? element("small", { dir: "ltr" }, sentence(each.detail ?? each.problem)) : ""))), how,
    element("p", { class: "buttons" }, button(text.get("close"), () => sheet.close(), { class: "plain", autofocus: true })));
  return sheet.open();
}
