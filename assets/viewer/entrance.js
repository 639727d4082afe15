// The way to the contacts: a code or a key, the question, the splash; then the focus goes to the list. Below, what is shown meanwhile.
import { pause } from "./api.js";
import { button, element, emptyState, said } from "./dom.js";
import { readRoute } from "./route.js";

// The service answers requests from its own machine without a token.
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/;
// Kept over the loading of the page that follows a code or a key.
const ENTERING = "tondo.entering";

export class Entrance {
  constructor(app) { Object.assign(this, { app, isDenied: false, isReached: true, problem: undefined }); }

  // A single-use code in the address becomes a session token; the address is cleared first. Returns whether it did.
  async openSession() {
    const [, code] = /^#code=(.+)$/.exec(location.hash) ?? [];
    if (!code) return false;
    // A page that is loaded in advance may never be seen; it does not use the code up.
    if (document.prerendering) await new Promise(seen => document.addEventListener("prerenderingchange", seen, { once: true }));
    history.replaceState(null, "", `${location.pathname}#/`);
    try {
      await this.app.api.openSession(decodeURIComponent(code));
      this.entered();
      return true;
    } catch (problem) {
      this.problem = problem.status ? "token.badCode" : "token.unreached";
      return false;
    }
  }

  // Who brings a code or a key wants to see the contacts: no second question. The page may be loaded again before they are there.
  entered() {
    this.app.settings.set("show", "yes");
    this.isEntering = true;
  }

  get isEntering() { return sessionStorage.getItem(ENTERING) !== null; }

  set isEntering(isEntering) {
    if (isEntering) sessionStorage.setItem(ENTERING, "yes");
    else sessionStorage.removeItem(ENTERING);
  }

  // After the question the focus would be nowhere: the list gets it.
  focusList() {
    if (!this.isEntering) return;
    // A list that comes late takes no focus away once the page is in use.
    if (document.activeElement && document.activeElement !== document.body) return void (this.isEntering = false);
    const { name } = readRoute(location.hash), row = this.app.views.list.rows.querySelector(".row:not([hidden], .loading) .main");
    if (name === "list" && row) {
      row.focus({ preventScroll: true });
      // The page has put it there: nothing is chosen yet.
      row.closest(".row").view.light(false);
    }
    if (row || this.app.contacts.total === 0) this.isEntering = false;
  }

  async open() {
    if (!this.app.isPermitted) this.app.main.append(this.app.startScreen = splash(this.app.text));
    this.app.split.hidden = !this.app.isPermitted;
    const counted = waitUntilCounted(this.app.service, () => this.reading(), isReached => this.reached(isReached));
    counted.then(({ books }) => this.counted(books));
    // The first list needs no count: the splash covers it only if the service still reads its books.
    if (this.app.isPermitted) return this.app.enter();
    // On another machine the service may demand a token: that comes before the question.
    if (!LOCAL.test(location.hostname)) await this.app.api.send("/v1/contacts?limit=1", { method: "HEAD" }).catch(() => {});
    if (this.isDenied) return;
    if (this.app.settings.get("show") === "no") return this.app.showStart(null);
    const state = await counted;
    if (this.isDenied) return;
    const about = { total: totalOf(state), host: location.host, isOwn: LOCAL.test(location.hostname) };
    this.app.showStart(question(this.app.text, about, isYes => {
      this.isEntering = isYes;
      this.app.permit(isYes);
    }));
  }

  reading() {
    if (this.app.isPermitted && !this.app.startScreen) this.app.showStart(this.cover = splash(this.app.text));
  }

  // A splash that waits for a service that is gone says so. It goes on by itself.
  reached(isReached) {
    const status = this.app.startScreen?.querySelector(".counting");
    if (status && this.isReached !== isReached) status.replaceChildren(...said(this.app.text.get(isReached ? "counting" : "unreachable")));
    this.isReached = isReached;
  }

  counted(books) {
    this.app.showProblems(books);
    // Another screen, such as the form for the token, stays.
    if (this.cover && this.app.startScreen === this.cover) this.app.showStart(null);
    this.cover = null;
  }

  denied(wasToken) {
    if (this.isDenied) return;
    this.isDenied = true;
    // A phone whose code or session has ended: the page of the service says how to get in.
    if (location.pathname === "/phone") { location.replace("/"); return; }
    const message = this.problem ?? (wasToken ? "token.wrong" : undefined);
    this.problem = undefined;
    this.app.showStart(accessForm(this.app.text, location.host, token => {
      this.app.api.token = token;
      this.entered();
      location.reload();
    }, message));
  }
}

const screen = (...content) => element("section", { class: "start" }, element("div", { class: "mark", "aria-hidden": "true" }), ...content);

export const splash = text => screen(element("h2", {}, "Tondo"), element("p", { class: "counting", role: "status" }, text.get("counting")));

// Resolves with the state of the books once they are counted. reading(): they are not, yet; reached(whether the service answers).
export async function waitUntilCounted(service, reading = () => {}, reached = () => {}) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const state = await service.state();
      reached(true);
      if (state.books?.length > 0 && state.books.every(({ total, problem }) => total !== undefined || problem)) return state;
      if (state.ready) return state;
      reading();
    } catch {
      // The service is starting, or gone.
      reached(false);
    }
    await pause(Math.min(2000, 250 * 2 ** attempt));
  }
}

// While a service still reads a book, it serves only a part of it. What cannot be read is never shown.
const shownOf = ({ total = 0, people = 0, failed = 0, loaded, problem }) => (problem || failed > 0 && (loaded || failed >= total - people) ? people : total);

// The contacts of the books that can be shown.
export const totalOf = ({ contacts = 0, books = [] }) => Math.max(contacts, books.reduce((sum, book) => sum + shownOf(book), 0));

// Asked once. isOwn: of the machine where the service runs, which needs one line; answered(whether the page may show contacts).
export function question(text, { total, host, isOwn }, answered) {
  const buttons = element("p", { class: "buttons" },
    button(text.get("no"), () => answered(false), { class: "plain" }), button(text.get("yes"), () => answered(true), { class: "primary" }));
  if (isOwn) return element("section", { class: "start line" }, element("h2", {}, text.get("question.local", { count: total })), buttons);
  return screen(element("h2", {}, text.get("question", { host })),
    element("p", {}, text.get("question.what", { count: total })), element("p", {}, text.get("question.where")), buttons);
}

// The user has refused.
export const refused = (text, go) => element("section", { class: "empty refused" },
  ...emptyState("list", text.get("refused"), text.get("refused.button"), () => go("#/settings")));

// For a browser that has no right to see contacts, such as that of a phone without a code. entered(an access token); message: why
// the one before was not accepted.
export function accessForm(text, host, entered, message) {
  const input = element("input", { type: "password", id: "token", autocomplete: "off", required: true, "aria-describedby": "token-help" });
  const form = element("form", { onsubmit: event => { event.preventDefault(); entered(input.value.trim()); } },
    element("label", { for: "token" }, text.get("access.key")), input, element("small", { id: "token-help" }, text.get("access.help")),
    element("button", { class: "primary" }, text.get("access.use")));
  return screen(element("h2", {}, text.get("access.title")),
    ...message ? [element("p", { class: "problem", role: "alert" }, ...said(text.get(message)))] : [],
    element("p", {}, text.get("access.how")), element("p", { class: "soft" }, text.get("access.what", { host })),
    element("details", { open: Boolean(message) }, element("summary", {}, text.get("access.other")), form));
}
