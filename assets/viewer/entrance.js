// The way to the contacts: a code or a key, the question, the splash; then the focus goes to the list.
import { readRoute } from "./route.js";
import { accessForm, question, splash, totalOf, waitUntilCounted } from "./start.js";

// The service answers requests from its own machine without a token.
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/;
// Kept over the loading of the page that follows a code or a key.
const ENTERING = "tondo.entering";

export class Entrance {
  constructor(app) { Object.assign(this, { app, isDenied: false, problem: undefined }); }

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
      this.problem = problem.status ? "token.badCode" : "unreachable";
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
    const { name } = readRoute(location.hash), row = this.app.views.list.rows.querySelector(".row:not([hidden], .loading) .main");
    if (name === "list" && row) row.focus({ preventScroll: true });
    if (row || this.app.contacts.total === 0) this.isEntering = false;
  }

  async open() {
    if (!this.app.isPermitted) this.app.main.append(this.app.startScreen = splash(this.app.text));
    this.app.split.hidden = !this.app.isPermitted;
    const counted = waitUntilCounted(this.app.service, () => this.reading());
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
