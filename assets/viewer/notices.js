// What is wrong with the books, in one notice above the contacts: which files, what was read of them and what was not. It can be closed.
import { failedOf, troubles } from "./details.js";
import { button, element, icon, iconButton, said } from "./dom.js";
import { CLOSED } from "./page.js";

// As a list of those that are more than none; "" if there are none.
export function failedList(text, { books = 0, entries, photos }) {
  const parts = [["unread.books", books], ["joined", entries], ["unread.photos", photos]].filter(([, count]) => count > 0);
  return new Intl.ListFormat(text.language).format(parts.map(([key, count]) => String(text.get(key, { count }))));
}

// What of a book is shown, in one sentence.
export function shownOf(text, { code, read, lost }) {
  if (code === "book-files") return text.get("book.files", { count: lost });
  if (code === "book-partial") return read > 0 ? text.get("book.read", { count: read, lost: text.get("book.lost", { count: lost }) }) : text.get("book.none");
  return read > 0 ? text.get("book.shown", { count: read }) : text.get("book.missing");
}

// Of which books all is lost, of which a part, and what of which the contacts of before are still shown.
const lossOf = ({ code, read }) => (read === 0 ? "nothing" : code === "book-partial" || code === "book-files" ? "some" : "kept");

function closedTroubles(settings) {
  try { return [JSON.parse(settings.get(CLOSED) ?? "[]")].flat(); } catch { return []; /* Not from this page. */ }
}

// What was repaired is said when it is damaged once more. found: what is wrong now.
export function forgetRepaired({ books, settings }, found) {
  const closed = closedTroubles(settings), left = closed.filter(each => found.some(({ book }) => book === each?.book));
  const isRead = books.every(({ loaded, problem }) => loaded || problem);
  if (isRead && left.length < closed.length) settings.set(CLOSED, left.length ? JSON.stringify(left) : null);
}

// Whether the notice of these was closed: until a book has another trouble, or lost more.
function isClosed(settings, found) {
  const closed = closedTroubles(settings);
  return found.every(one => closed.some(each => each?.book === one.book && each.loss === lossOf(one) && one.lost <= each.lost));
}

export class BookNotice {
  // names: what the books are called, by their numbers. Who may not ask for them sees none.
  constructor(app) {
    Object.assign(this, { app, text: app.text, names: new Map() });
    this.title = element("span", {});
    this.list = element("div", {});
    this.status = element("output", { class: "notice-status" });
    this.again = button(this.text.get("retry"), () => this.retry(), { class: "plain", "data-needs": "service" });
    const todo = element("span", { class: "todo" }, this.text.get("book.todo"));
    this.details = element("details", { ontoggle: () => { todo.textContent = this.text.get(this.details.open ? "less" : "book.todo"); } },
      element("summary", {}, icon("alert"), element("span", {}, this.title, " ", todo)),
      this.list, element("p", { class: "notice-actions" }, this.again, this.status));
    this.element = element("div", { class: "notice", role: "alert" }, this.details, iconButton("close", this.text.get("close"), () => this.close()));
  }

  // What is open stays open, and what is equal is not said twice. The state of the books may be another one once their names are here.
  async show() {
    const { app } = this;
    if (troubles(app.books).some(({ book }) => !this.names.has(book))) this.names = await app.service.bookNames();
    const found = troubles(app.books);
    if (found.length === 0) return false;
    forgetRepaired(app, found);
    this.element.hidden = isClosed(app.settings, found);
    const shown = JSON.stringify([found, [...this.names]]);
    if (shown === this.shown) return false;
    this.shown = shown;
    this.title.textContent = this.sentence(found);
    this.element.classList.toggle("is-lost", found.some(({ read }) => read === 0));
    this.list.replaceChildren(...found.map(trouble => this.about(trouble, found.length > 1)));
    return true;
  }

  close() {
    const { app } = this, found = troubles(app.books);
    app.settings.set(CLOSED, JSON.stringify(found.map(one => ({ book: one.book, loss: lossOf(one), lost: one.lost }))));
    this.element.hidden = true;
    app.keepFocus();
  }

  // One sentence for each kind of loss: of one book with its name, of several with their number.
  sentence(found) {
    const { text } = this;
    return ["some", "kept", "nothing"].map(loss => [loss, found.filter(one => lossOf(one) === loss)]).filter(([, of]) => of.length > 0).map(([loss, of]) => {
      const name = of.length === 1 && this.names.get(of[0].book);
      return name ? text.get(`loss.${loss}`, { book: name }) : text.get(`losses.${loss}`, { count: of.length });
    }).join(text.get("sentences"));
  }

  about(trouble, isNamed) {
    const { text } = this, name = this.names.get(trouble.book) ?? text.bookName(String(trouble.book));
    return element("p", {}, ...isNamed ? [element("b", {}, element("bdi", {}, name)), ": "] : [], `${shownOf(text, trouble)} `, text.bookCure(trouble.code));
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
