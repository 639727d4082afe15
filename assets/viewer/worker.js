// The service worker: it keeps the files of the page, which hold nothing private, so that the page opens without the service.
// Answers with contacts never pass through it: seen.js keeps those.
//
// It touches two kinds of requests: that for the page, which comes from the service whenever that answers, and those for the
// files of this version, whose addresses never change. So it cannot show an old page, and never holds an event stream.

const BASE = "{{base}}", NAME = `tondo-page-${BASE.split("/").at(-1)}`;
const TYPES = { js: "text/javascript", css: "text/css", svg: "image/svg+xml", png: "image/png" };
// Milliseconds after which a service that does not answer is taken for one that is not there.
const PATIENCE = 4_000;

const typeOf = response => response.headers.get("Content-Type")?.split(";")[0];
// A proxy may answer for the service: with its form for a password, which must not be kept as the page.
const isGood = (response, type) => response.ok && !response.redirected && typeOf(response) === type;
const isOurs = text => text.includes("/viewer/") && text.includes("/app.js");

// The names of the files that a file refers to. Texts are imported by the name of their language, parts of the page by their own.
function named(name, text) {
  if (name === "text.js") return [...text.matchAll(/\b([a-z]{2}): "/g)].map(([, language]) => `lang-${language}.js`);
  const pattern = name.endsWith(".css") ? /url\("([\w.-]+)"\)/g : /["']\.\/([\w.-]+\.js)["']/g;
  const parts = [...text.matchAll(/\bloadPart\([\w.]+, "([\w-]+)"\)/g)].map(([, part]) => `${part}.js`);
  return [...text.matchAll(pattern)].map(([, found]) => found).concat(parts);
}

// All or nothing: a version with a part of its files would fail later, without the service.
async function keepPage() {
  const cache = await caches.open(NAME), page = await fetch("/", { cache: "no-cache" });
  if (!isGood(page, "text/html")) throw new Error("the page is not there");
  const html = await page.clone().text(), known = new Set();
  // The service was replaced meanwhile: its own worker keeps its files.
  if (!html.includes(`${BASE}/`)) throw new Error("the page is of another version");
  let names = [...html.matchAll(/\/viewer\/\w+\/([\w.-]+)/g)].map(([, name]) => name);
  while (names.length > 0) {
    const fresh = [...new Set(names)].filter(name => !known.has(name));
    for (const name of fresh) known.add(name);
    names = (await Promise.all(fresh.map(name => keepFile(cache, name)))).flat();
  }
  await cache.put("/", page);
}

async function keepFile(cache, name) {
  const response = await fetch(`${BASE}/${name}`);
  if (!isGood(response, TYPES[name.split(".").at(-1)])) throw new Error(`${name} is not there`);
  const found = /\.(js|css)$/.test(name) ? named(name, await response.clone().text()) : [];
  await cache.put(`${BASE}/${name}`, response);
  return found;
}

async function dropOthers() {
  for (const name of await caches.keys()) if (name.startsWith("tondo-page-") && name !== NAME) await caches.delete(name);
}

// Nothing of Tondo stays with a program that has taken its address, such as another one on the same port.
async function leave() {
  for (const name of await caches.keys()) if (name.startsWith("tondo-")) await caches.delete(name);
  await self.registration.unregister();
}

const kept = async key => (await caches.open(NAME)).match(key);

// As a request of the page itself: the service would take one that comes from a link of another site for no visit of a page,
// since browsers mark what a worker sends as a part of one.
async function page(event, path) {
  const network = fetch(path, { redirect: "manual" });
  let timer;
  // A phone that has left the network of the service waits for minutes.
  const late = new Promise(end => { timer = setTimeout(() => end(kept("/")), PATIENCE); });
  try {
    const response = await Promise.race([network, late]) ?? await network;
    // The browser asks for a password for answers of the network alone.
    if (response.status === 401) {
      await self.registration.unregister();
      return Response.redirect(event.request.url);
    }
    if (response.status === 502 || response.status === 504) return await kept("/") ?? response;
    if (response.ok) event.waitUntil(response.clone().text().then(text => isOurs(text) ? undefined : leave()));
    return response;
  } catch {
    return await kept("/") ?? Response.error();
  } finally {
    clearTimeout(timer);
  }
}

self.addEventListener("install", event => event.waitUntil(keepPage().then(() => self.skipWaiting())));
self.addEventListener("activate", event => event.waitUntil(dropOthers().then(() => self.clients.claim())));
self.addEventListener("fetch", event => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  const isVisit = request.mode === "navigate" && request.destination === "document" && url.pathname === "/";
  if (isVisit) event.respondWith(page(event, `/${url.search}`));
  else if (url.pathname.startsWith(`${BASE}/`)) event.respondWith(kept(request).then(found => found ?? fetch(request)));
});
