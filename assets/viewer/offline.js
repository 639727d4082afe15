// The page without the service: the worker by which it opens, and what cannot be done meanwhile.

// The one address that may become a worker (Trusted Types). The policy of the page permits one policy of this name, and this is it.
const trusted = (() => {
  try {
    return globalThis.trustedTypes?.createPolicy("tondo", {
      createScriptURL(url) {
        if (url !== "/worker.js") throw new TypeError("no script of the page");
        return url;
      },
    });
  } catch {
    return undefined;
  }
})();

// A page that comes neither over HTTPS nor from this machine has no workers: it works as before.
export async function keepPage(container = navigator.serviceWorker) {
  try {
    await container?.register(trusted?.createScriptURL("/worker.js") ?? "/worker.js", { scope: "/", updateViaCache: "none" });
  } catch { /* Private windows and browsers that keep nothing. */ }
}

// All that Tondo keeps in this browser but the choices of the user.
export async function forgetPage(container = navigator.serviceWorker, caches = globalThis.caches) {
  for (const registration of await container?.getRegistrations().catch(() => []) ?? []) await registration.unregister();
  for (const name of await caches?.keys() ?? []) if (name.startsWith("tondo-")) await caches.delete(name);
}

// Controls that act by the service alone have `data-needs="service"`. While it does not answer they are disabled, and say why; what is
// made meanwhile, such as a menu, too.
const ALL = '[data-needs="service"]';

export class ServiceNeeds {
  constructor(app) {
    Object.assign(this, { app, isMissing: false, titles: new WeakMap() });
    this.observer = new MutationObserver(() => this.mark());
    addEventListener("click", event => { if (this.isMissing) this.pressed(event); }, { capture: true });
  }

  set(isMissing) {
    const { api, offline, text } = this.app;
    // A browser that only views keeps no contacts.
    if (offline) offline.textContent = isMissing ? text.get(api.token === null ? "offline.bare" : "offline.seen") : "";
    if (this.isMissing === isMissing) return;
    this.isMissing = isMissing;
    document.body.classList.toggle("is-offline", isMissing);
    if (isMissing) this.observer.observe(document.body, { childList: true, subtree: true });
    else this.observer.disconnect();
    this.mark();
  }

  mark() {
    const reason = this.app.text?.get("offline.needs");
    for (const each of document.querySelectorAll(ALL)) {
      if (this.titles.has(each) === this.isMissing) continue;
      if (this.isMissing) {
        this.titles.set(each, each.title);
        Object.assign(each, { ariaDisabled: "true", ariaDescription: reason, title: reason });
      } else {
        Object.assign(each, { ariaDisabled: null, ariaDescription: null, title: each.title === reason ? this.titles.get(each) : each.title });
        this.titles.delete(each);
      }
    }
  }

  // It is asked whether it answers by now: then the next press acts.
  pressed(event) {
    const control = event.target.closest?.(ALL);
    if (!control) return;
    event.preventDefault();
    event.stopPropagation();
    // A sheet would lie above what is said.
    control.closest("dialog")?.close();
    this.app.notify(this.app.text.get("offline.needs"));
    this.app.api.check();
  }
}
