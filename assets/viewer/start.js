// What is shown before the contacts: the splash, the question, the way to the right to see them.
import { pause } from "./api.js";
import { button, element } from "./dom.js";

const screen = (...content) => element("section", { class: "start" }, element("div", { class: "mark", "aria-hidden": "true" }), ...content);

export const splash = text => screen(element("h2", {}, "Tondo"), element("p", { role: "status" }, text.get("counting")));

// Resolves with the state of the books once they are counted. reading(): they are not, yet.
export async function waitUntilCounted(service, reading = () => {}) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const state = await service.state();
      if (state.books?.length > 0 && state.books.every(({ total, problem }) => total !== undefined || problem)) return state;
      if (state.ready) return state;
      reading();
    } catch { /* The service is starting. */ }
    await pause(Math.min(2000, 250 * 2 ** attempt));
  }
}

// The contacts of the books. While a service still reads them, it serves only a part.
export const totalOf = ({ contacts = 0, books = [] }) => Math.max(contacts, books.reduce((sum, { total = 0 }) => sum + total, 0));

// Asked once. isOwn: of the machine where the service runs, which needs one line; answered(whether the page may show contacts).
export function question(text, { total, host, isOwn }, answered) {
  const buttons = element("p", { class: "buttons" },
    button(text.get("no"), () => answered(false), { class: "plain" }), button(text.get("yes"), () => answered(true), { class: "primary" }));
  if (isOwn) return element("section", { class: "start line" }, element("h2", {}, text.get("question.local", { count: total })), buttons);
  return screen(element("h2", {}, text.get("question", { host })),
    element("p", {}, text.get("question.what", { count: total })), element("p", {}, text.get("question.where")), buttons);
}

// The user has refused.
export const refused = (text, go) => screen(
  element("p", {}, text.get("refused")),
  button(text.get("refused.button"), () => go("#/settings"), { class: "primary" }));

// For a browser that has no right to see contacts, such as that of a phone without a code. entered(an access token); message: why
// the one before was not accepted.
export function accessForm(text, host, entered, message) {
  const input = element("input", { type: "password", id: "token", autocomplete: "off", required: true, "aria-describedby": "token-help" });
  const form = element("form", { onsubmit: event => { event.preventDefault(); entered(input.value.trim()); } },
    element("label", { for: "token" }, text.get("access.key")), input, element("small", { id: "token-help" }, text.get("access.help")),
    element("button", { class: "primary" }, text.get("access.use")));
  return screen(element("h2", {}, text.get("access.title")),
    ...message ? [element("p", { class: "problem", role: "alert" }, text.get(message))] : [],
    element("p", {}, text.get("access.how")), element("p", { class: "soft" }, text.get("access.what", { host })),
    element("details", { open: Boolean(message) }, element("summary", {}, text.get("access.other")), form));
}

// Books that cannot be read, by their number: a path is the business of the service alone.
export const problems = (text, books = []) => books.filter(({ problem }) => problem).map(({ book, problem }) =>
  element("p", { class: "notice", role: "alert" }, text.get("book.unreadable", { book: String(book), problem })));
