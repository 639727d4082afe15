// A book among the cards: its name and its contacts, or what of them cannot be read and what to do. All books have this form, below one
// heading with one button that asks for them once more. And the sheet of all that cannot be read.
import { button, element, icon, said } from "./dom.js";
import { failedOf, troubleOf } from "./details.js";
import { shownOf } from "./notices.js";
import { loadPart } from "./page.js";

// What is wrong with the book of a card: what the card says, and what is known of its contacts.
function troubleOfCard({ id, error }, books = []) {
  const book = books.find(each => `book-${each.book}` === id), known = book && troubleOf(book);
  return error ? { read: 0, lost: 0, ...known, code: error.code } : known;
}

export function fillBook(app, box, card, title) {
  const found = troubleOfCard(card, app.books);
  box.classList.toggle("is-troubled", found !== undefined);
  box.classList.toggle("is-lost", found?.read === 0);
  box.replaceChildren(icon(found ? "alert" : "book"), element("h3", { class: "book-name" }, element("bdi", {}, title)),
    element("p", { class: "book-line" }, ...found ? brokenLine(app.text, found) : soundLine(app, card)));
}

const brokenLine = (text, found) => [element("span", {}, shownOf(text, found)), " ", text.bookCure(found.code)];

// A book without contacts says what that means. Of a sound book, what failed are photos.
function soundLine({ books = [], text }, { id, rows = [] }) {
  const count = Number(rows.find(({ label }) => label === "contacts")?.value ?? 0), { photos } = failedOf(books.find(({ book }) => `book-${book}` === id) ?? {});
  if (count === 0) return said(text.get("book.zero"));
  return [[text.get("count", { count }), ...photos > 0 ? [text.get("book.photos", { count: photos })] : []].join(" · ")];
}

// Beside the heading of the books, if any of them cannot be read, or not in full: the button that asks for all of them once more, and the
// place for what came of it. books: their cards. again(button): asks.
export function booksCard({ again, books = [] }, { app }) {
  if (!books.some(card => troubleOfCard(card, app.books))) return "";
  const own = button(app.text.get("retry"), () => again(own), { class: "plain retry", "data-needs": "service" });
  return element("p", { class: "retry-actions" }, own, element("output", { class: "retry-status" }));
}

export const openProblems = async app => (await loadPart(app, "view-problems"))?.openProblems(app);
