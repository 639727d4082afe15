// What cannot be read: for each book the number of its contacts and photos, or why all of it cannot, and the command that names each of
// them with its line. The service counts them alone.
import { copyText } from "./copy.js";
import { button, element, iconButton } from "./dom.js";
import { Sheet } from "./sheets.js";

// Prints the file, the line and the reason of each, for the books of the configuration.
const COMMAND = "tondo load --quiet";

export async function openProblems(app) {
  const { text } = app, [{ books = [] }, names] = await Promise.all([app.service.state().catch(() => app), app.service.bookNames()]);
  const found = books.filter(({ failed = 0, problem }) => failed > 0 || problem), status = element("output", { class: "off-screen" });
  const copy = iconButton("c-copy", text.get("copy", { value: COMMAND }), async () => {
    const isCopied = await copyText(COMMAND);
    copy.firstChild.className = `icon icon-${isCopied ? "check" : "c-copy"}`;
    status.textContent = String(text.get(isCopied ? "copied" : "copyFailed", { value: COMMAND }));
    status.classList.toggle("off-screen", isCopied);
  });
  const sheet = new Sheet(text.get("unread"),
    element("ul", { class: "problems" }, ...found.map(({ book, failed, problem, detail }) => element("li", {},
      element("bdi", {}, names.get(book) ?? text.bookName(String(book))), element("span", {}, problem ? "" : text.get("joined", { count: failed })),
      problem ? element("small", { dir: "ltr" }, [detail, problem].filter(Boolean).join(" · ")) : ""))),
    element("p", { class: "problems-how", dir: "auto" }, text.get("unread.how")),
    element("p", { class: "command", dir: "ltr" }, element("code", {}, COMMAND), copy), status,
    element("p", { class: "buttons" }, button(text.get("close"), () => sheet.close(), { class: "plain", autofocus: true })));
  return sheet.open();
}
