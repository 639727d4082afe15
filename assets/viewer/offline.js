// The service worker, by which the page opens without the service.

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
