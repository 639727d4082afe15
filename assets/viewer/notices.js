// What is wrong with the books, in one notice above all views: which files, what was read of them and what was not.
import { button, element, icon, said } from "./dom.js";

// {book, code, read, lost} of a book that cannot be read, or only in part; undefined of a sound one. The service counts all contacts
// of a book before it reads them: those that are missing once it has are lost, while any failed. What was repaired since may still be counted. A file that ends early may have had more.
export function troubleOf({ book, problem, total = 0, people = 0, failed = 0, loaded = false, unreadable = 0 }) {
  const lost = total - people;
  if (problem) return { book, code: problem, read: people, lost: 0 };
  if (unreadable > 0) return { book, code: "book-files", read: people, lost: unreadable };
  return lost > 0 && failed > 0 && (loaded || failed >= lost) ? { book, code: "book-partial", read: people, lost } : undefined;
}

export const troubles = (books = []) => books.map(troubleOf).filter(Boolean);

// What of a book is shown, in one sentence.
export function shownOf(text, { code, read, lost }) {
  if (code === "book-files") return text.get("book.files", { count: lost });
  if (code === "book-partial") return read > 0 ? text.get("book.read", { count: read, lost: text.get("book.lost", { count: lost }) }) : text.get("book.none");
  return read > 0 ? text.get("book.shown", { count: read }) : text.get("book.missing");
}

export class BookNotice {
  // names: what the books are called, by their numbers. Who may not ask for them sees none.
  constructor(app) {
    Object.assign(this, { app, text: app.text, names: new Map() });
    this.title = element("span", {});
    this.list = element("div", {});
    this.status = element("output", { class: "notice-status" });
    this.again = button(this.text.get("retry"), () => this.retry(), { class: "plain" });
    this.details = element("details", {},
      element("summary", {}, icon("alert"), element("span", {}, this.title, " ", element("span", { class: "todo" }, this.text.get("book.todo")))),
      this.list, element("p", { class: "notice-actions" }, this.again, this.status));
    this.element = element("div", { class: "notice", role: "alert" }, this.details);
  }

  // What is open stays open, and what is equal is not said twice. The state of the books may be another one once their names are here.
  async show() {
    const { app } = this;
    if (troubles(app.books).some(({ book }) => !this.names.has(book))) this.names = await app.service.bookNames();
    const found = troubles(app.books);
    if (found.length === 0) return false;
    const shown = JSON.stringify([found, [...this.names]]);
    if (shown === this.shown) return false;
    this.shown = shown;
    this.title.textContent = this.sentence(found);
    this.list.replaceChildren(...found.map(trouble => this.about(trouble, found.length > 1)));
    return true;
  }

  sentence(found) {
    const { text } = this, [first] = found, names = found.map(({ book }) => this.names.get(book));
    if (found.length === 1) {
      const key = { "book-partial": "book.damaged", "book-files": "book.part" }[first.code] ?? "book.unreadable";
      return `${text.get(key, { book: names[0] ?? text.get("book.one") })} ${shownOf(text, first)}`;
    }
    const several = text.get("books.troubled", { count: found.length });
    return names.every(Boolean) ? `${several}: ${new Intl.ListFormat(text.language).format(names)}.` : `${several}.`;
  }

  about(trouble, isNamed) {
    const { text } = this, name = this.names.get(trouble.book) ?? text.get("book.one");
    return element("p", {}, ...isNamed ? [element("b", {}, element("bdi", {}, name)), `: ${shownOf(text, trouble)} `] : [], text.bookCure(trouble.code));
  }

  // The service reads a file as soon as it changes: what is known of it is asked for once more, and the list with it.
  async retry() {
    const { app, again, status, text } = this;
    again.disabled = true;
    status.textContent = "";
    const state = await app.service.state().catch(() => null), isOther = state && await app.showProblems(state.books);
    again.disabled = false;
    if (!this.element.isConnected) return app.keepFocus();
    again.focus();
    if (isOther) app.contacts.schedule();
    else status.replaceChildren(...said(text.get(state ? "book.still" : "unreachable")));
  }
}
