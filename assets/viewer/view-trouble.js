// A book that cannot be read, or not in full, among the cards of the books: its name, what of it is shown, what to do, and one button
// that tries again. All such books have this form. Below, the sheet that says how many contacts and photos cannot be read.
import { trouble as reasonOf } from "./api.js";
import { button, element, icon, said } from "./dom.js";
import { shownOf, troubleOf } from "./notices.js";
import { loadPart } from "./page.js";

// What is wrong with the book of a card: what the card says, and what is known of its contacts.
export function troubleOfCard({ id, error }, books = []) {
  const book = books.find(each => `book-${each.book}` === id), known = book && troubleOf(book);
  return error ? { read: 0, lost: 0, ...known, code: error.code } : known;
}

// filled(card): the state of the books and of this one were asked for once more.
export function troubleContent(app, card, title, trouble, filled) {
  const { text } = app;
  const status = element("output", { class: "retry-status" }), again = button(text.get("retry"), () => retry(app, card, { again, status, filled }), { class: "retry", "data-needs": "service" });
  const details = button(text.get("book.todo"), () => openProblems(app), { class: "plain", "aria-haspopup": "dialog" });
  return [icon("alert"), element("h3", { class: "troubled-name" }, element("bdi", {}, title)),
    element("p", { class: "troubled" }, element("span", {}, shownOf(text, trouble)), " ", text.bookCure(trouble.code)),
    element("p", { class: "retry-actions" }, again, details, status)];
}

async function retry(app, card, { again, status, filled }) {
  again.disabled = true;
  status.textContent = "";
  try {
    const [{ books }, next] = await Promise.all([app.service.state(), app.cards.follow(card.error?.retry ?? `/v1/cards/${encodeURIComponent(card.id)}`)]);
    if (await app.showProblems(books)) app.contacts.schedule();
    filled(next);
  } catch (problem) {
    again.disabled = false;
    status.replaceChildren(...said(app.text.get(reasonOf(problem))));
  }
}

// The form is made again by a try: what has the focus keeps it, and what has not changed is said.
export function focusAgain(app, box) {
  box.querySelector(".retry, button, a")?.focus();
  const status = box.querySelector(".retry-status");
  if (status) status.textContent = app.text.get("book.still");
}

export const openProblems = async app => (await loadPart(app, "view-problems"))?.openProblems(app);
