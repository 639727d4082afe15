"""The page installed, and without its service: what was seen, and for whom."""
import http.server
import json
import threading
import time
import urllib.request

import pytest

# The worker controls the page, and what is shown is kept.
KEPT = """await tondo.tidy();
    await until(() => navigator.serviceWorker.controller);
    const names = async () => (await caches.keys()).filter(name => name.startsWith('tondo-')).sort();
    const entries = async start => { const name = (await caches.keys()).find(each => each.startsWith(start)); return name ? (await (await caches.open(name)).keys()) : []; };
    """
ROWS = "document.querySelectorAll('.row .drawn').length > 5"


def with_session(page, service):
    """Sees the list and one contact, with the right to change contacts."""
    page.open(service.url, "#code=" + service.code())
    page.wait(ROWS)
    page.js(KEPT + """location.hash = '#/c/sample-ada'; await until(() => document.querySelectorAll('.card').length > 2);
        location.hash = '#/groups'; await until(() => document.querySelectorAll('.group').length >= 5);
        location.hash = '#/'; await until(() => document.querySelectorAll('.row .drawn').length > 5);
        await tondo.avatars.rememberKeys();
        await until(async () => (await entries('tondo-seen-')).length >= 6);""")


class Elsewhere:
    """Another program at the address of a service that has ended."""

    def __init__(self, url, status=200, fields=(), body=b"<!doctype html><title>Another program</title><p>Hello"):
        paths, sites = self.paths, self.sites = [], []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                paths.append(self.path)
                sites.append(self.headers["Sec-Fetch-Site"])
                self.send_response(status)
                for name, value in [("Content-Type", "text/html"), ("Content-Length", str(len(body))), *fields]:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", int(url.rsplit(":", 1)[1])), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def test_manifest_makes_the_page_installable(sample):
    with urllib.request.urlopen(sample.url + "/manifest.webmanifest") as response:
        assert response.headers["Content-Type"] == "application/manifest+json"
        manifest = json.load(response)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    for icon in manifest["icons"]:
        with urllib.request.urlopen(sample.url + icon["src"]) as response:
            data = response.read()
            assert response.headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            assert data[:8] == b"\x89PNG\r\n\x1a\n" and f"{int.from_bytes(data[16:20])}x{int.from_bytes(data[20:24])}" == icon["sizes"]
            assert len(data) < 8_000


def test_chromium_finds_nothing_that_hinders_the_installation(desktop, sample):
    desktop.open(sample.url)
    desktop.wait(ROWS)
    assert desktop.cdp("Page.getInstallabilityErrors")["installabilityErrors"] == []
    assert desktop.cdp("Page.getAppManifest")["errors"] == []


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_colour_of_the_frame_follows_the_theme(desktop, sample, size):
    desktop.resize(*size)
    for theme, colours in (("dark", ["#0e1014", "#0e1014"]), ("light", ["#f2f4f8", "#f2f4f8"]), (None, ["#f2f4f8", "#0e1014"])):
        desktop.open(sample.url, theme=theme)
        desktop.wait("globalThis.tondo?.main")
        assert desktop.js("return [...document.querySelectorAll('meta[name=theme-color]')].map(each => each.content)") == colours
    desktop.js("equal(getComputedStyle(document.querySelector('link[rel=apple-touch-icon]')).display, 'none')")


def test_page_without_its_service_shows_what_was_seen_and_says_so(page, own):
    with_session(page, own)
    page.js("equal(document.querySelector('.seen').textContent, '')")
    own.stop()
    page.reload(ROWS + " && document.querySelector('.seen').textContent === 'Offline: saved contacts'")
    page.js("""location.hash = '#/c/sample-ada';
        await until(() => document.querySelector('.detail-pane h2')?.innerText === 'Ada Okafor' && document.querySelectorAll('.card').length > 2);
        location.hash = '#/groups'; await until(() => document.querySelectorAll('.group:not([hidden])').length === 5);
        equal(document.documentElement.scrollWidth <= innerWidth, true);
        // What was not seen is not there, and the page says that, too.
        location.hash = '#/c/sample-bo';
        await until(() => /More details aren’t available offline/.test(document.querySelector('.detail-pane').innerText));""")
    own.restart()
    page.wait("document.querySelector('.seen').textContent === ''", 30_000)


def test_page_that_is_not_left_says_it_too(phone, own):
    with_session(phone, own)
    own.stop()
    phone.js("""tondo.contacts.refresh();
        await until(() => document.querySelector('.seen').textContent === 'Offline: saved contacts');
        const { right } = document.querySelector('.seen').getBoundingClientRect();
        equal([right <= innerWidth, document.documentElement.scrollWidth <= innerWidth], [true, true]);""")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_lost_service_is_said_at_once_and_the_bar_stays_in_one_line(desktop, own, width):
    desktop.resize(width, 844)
    with_session(desktop, own)
    # Between two views there is no bar.
    height = desktop.js("return await until(() => document.querySelector('.bar').offsetHeight)")
    desktop.js("const { api } = tondo, own = api.check.bind(api); window.checks = 0; api.check = () => { checks += 1; return own(); };")
    own.stop()
    # Nothing is done in the page: the end of the stream of events has it ask.
    desktop.wait("document.querySelector('.seen').textContent === 'Offline: saved contacts' && checks > 0")
    desktop.js("""const bar = document.querySelector('.bar'), [seen, count] = ['.seen', '.count'].map(of => document.querySelector(of));
        equal([bar.offsetHeight - args[0] <= 4, count.getClientRects().length, seen.scrollWidth <= seen.clientWidth, seen.getBoundingClientRect().right <= innerWidth], [true, innerWidth < 360 ? 0 : 1, true, true]);
        equal([count.offsetHeight < 30, document.documentElement.scrollWidth <= innerWidth], [true, true]);""", height)


@pytest.mark.parametrize("width", [390, 1280])
def test_search_and_filter_go_on_with_what_is_known(desktop, own, width):
    desktop.resize(width, 844)
    desktop.open(own.url, "#code=" + own.code())
    desktop.wait(ROWS)
    desktop.js("await until(() => tondo.contacts.ids.length === 14 && tondo.contacts.at(13)); window.whole = tondo.contacts.ids.join();")
    own.stop()
    desktop.js("""const { list } = tondo.views, names = () => [...document.querySelectorAll('.rows .row:not([hidden]) .name')].map(each => each.textContent);
        list.choose({ search: 'ada' });
        await until(() => tondo.contacts.isLoaded && names().join() === 'Ada Okafor');
        equal([document.querySelector('.count').innerText, document.querySelector('.toast').hidden], ['1 of 14', true], 'no second signal');
        await until(() => document.querySelector('.seen').textContent === 'Offline: saved contacts');
        list.choose({ search: 'movak' });
        await until(() => document.querySelector('.list-area .empty .headline')?.innerText.startsWith('No results for “movak”'));
        list.choose({ search: 'novak' });
        await until(() => names().join() === 'Dóra Novák');
        list.choose({ search: '', filter: ['telegram', 'whatsapp'] });
        await until(() => names().join() === 'Farid Haddad');
        list.choose({ filter: [], sort: 'given-asc' });
        await until(() => tondo.contacts.total === 14 && tondo.contacts.isLoaded);""")
    own.restart()
    desktop.wait("document.querySelector('.seen').textContent === ''", 30_000)


def test_browser_without_a_session_keeps_no_contacts(page, sample):
    page.open(sample.url)
    page.wait(ROWS)
    page.js(KEPT + """location.hash = '#/c/sample-ada'; await until(() => document.querySelectorAll('.card').length > 2);
        await new Promise(next => setTimeout(next, 300));
        equal((await names()).filter(name => name.startsWith('tondo-seen')), []);
        for (const { url } of await entries('tondo-page-')) equal(/\\/v1\\/|healthz|readyz/.test(url), false, url);""")


def test_browser_that_refused_keeps_no_page(desktop, own):
    desktop.open(own.url, show="no")
    desktop.wait("document.querySelector('.refused')")
    desktop.js("await tondo.tidy(); equal([await caches.keys(), (await navigator.serviceWorker.getRegistrations()).length], [[], 0]);")


def test_end_of_the_session_is_the_end_of_what_was_seen(page, own):
    with_session(page, own)
    page.js(KEPT + """tondo.api.token = null;
        await until(async () => (await names()).every(name => name.startsWith('tondo-page-')));""")


def test_answers_of_a_session_whose_tab_is_gone_are_dropped_by_the_next_one(desktop, own):
    with_session(desktop, own)
    desktop.js(KEPT + """const [seen] = (await names()).filter(name => name.startsWith('tondo-seen-'));
        await caches.open('tondo-seen-0123456789abcdef');
        await tondo.seen.tidy(tondo.api.token);
        equal((await names()).filter(name => name.startsWith('tondo-seen-')), [seen]);""")
    # A tab without the session, while the other one is open, and when it is closed.
    other = desktop.driver.current_window_handle
    desktop.driver.switch_to.new_window("tab")
    desktop.get(own.url + "/#/book")
    desktop.wait("globalThis.tondo?.main")
    desktop.js("equal([tondo.api.token, (await tondo.tidy(), await caches.keys()).some(name => name.startsWith('tondo-seen-'))], [null, true]);")
    mine = desktop.driver.current_window_handle
    desktop.driver.switch_to.window(other)
    desktop.driver.close()
    desktop.driver.switch_to.window(mine)
    desktop.js("await until(async () => (await tondo.tidy(), !(await caches.keys()).some(name => name.startsWith('tondo-seen-'))));")


def test_what_was_seen_is_unreadable_without_the_token_of_its_session(page, own):
    with_session(page, own)
    page.js(KEPT + """for (const request of await entries('tondo-seen-')) {
          const text = new TextDecoder('latin1').decode(await (await caches.match(request)).arrayBuffer());
          equal([/Ada|displayName|items|example/.test(text), /sample|contacts|group/.test(request.url)], [false, false]);
        }
        const { token } = tondo.api, path = '/v1/contacts/sample-ada';
        equal([Boolean(await tondo.seen.find(token, path)), await tondo.seen.find('0'.repeat(48), path)], [true, null]);""")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_settings_forget_what_this_browser_saw(desktop, own, size):
    desktop.resize(*size)
    with_session(desktop, own)
    desktop.js(KEPT + """location.hash = '#/settings';
        (await until(() => document.querySelector('.forget'))).click();
        await until(() => document.querySelector('.toast').innerText.startsWith('Offline contacts removed'));
        equal([await names(), (await navigator.serviceWorker.getRegistrations()).length], [[], 0]);
        // The choices of the user and the session stay.
        equal([tondo.isPermitted, tondo.api.token !== null], [true, true]);""")


def wait_without_worker(page, service):
    """A browser removes a worker later, and not while a page is its own, which a page that opens meanwhile may become: each look is
    another page."""
    end = time.monotonic() + 20
    left = None
    while left != 0 and time.monotonic() < end:
        page.get("about:blank")
        page.get(service.url + "/healthz")
        left = page.js("return (await navigator.serviceWorker.getRegistrations()).length;")
    assert left == 0


def test_worker_keeps_all_files_of_the_page_and_those_of_no_other_version(page, own):
    # What an older version has left goes with the first start of a worker. A worker that is removed and comes back may be the same
    # one, which starts once: so the old files come before the page.
    page.get(own.url + "/healthz")
    page.js("await (await caches.open('tondo-page-0123456789abcdef')).put('/', new Response('old'));")
    page.open(own.url)
    page.wait(ROWS)
    page.js(KEPT + """await until(async () => !(await names()).includes('tondo-page-0123456789abcdef'));
        const base = new URL('.', document.querySelector('script[type=module]').src).pathname, [name] = (await names()).filter(each => each.startsWith('tondo-page-'));
        equal(name, `tondo-page-${base.split('/').at(-2)}`);
        const found = (await entries('tondo-page-')).map(({ url }) => new URL(url).pathname);
        for (const file of ['view-strip.js', 'view-groups.js', 'view-settings.js', 'lang-ru.js', 'lang-zh.js', 'icons.svg', 'viewer.css', 'icon-180.png']) equal(found.includes(base + file), true, file);
        equal(found.includes('/'), true);""")


def test_worker_leaves_the_page_in_peace_and_reloads_nothing(desktop, own):
    # The page of the test before may miss its service, which has ended.
    desktop.get("about:blank")
    desktop.messages()
    with desktop.before_page("sessionStorage.setItem('loads', Number(sessionStorage.getItem('loads')) + 1);"):
        desktop.open(own.url)
        desktop.wait(ROWS)
        desktop.js("sessionStorage.setItem('loads', 0);" + KEPT + """await new Promise(next => setTimeout(next, 500));
            equal(sessionStorage.getItem('loads'), '0');
            // The stream of events goes on.
            await until(() => tondo.events.streams === 1);""")
        desktop.reload(ROWS)
        desktop.js("await new Promise(next => setTimeout(next, 500)); equal(sessionStorage.getItem('loads'), '1');")
    assert desktop.messages() == []


def test_link_of_another_site_opens_the_page_through_the_worker(desktop, own):
    """The service permits visits of the page from other sites, and no other requests of them."""
    desktop.open(own.url)
    desktop.wait(ROWS)
    desktop.js(KEPT)
    own.stop()
    other, linking = Elsewhere(own.url), Elsewhere("http://localhost:0", body=f"<!doctype html><a href='{own.url}/?from=link'>open</a>".encode())
    try:
        desktop.get(f"http://localhost:{linking.server.server_address[1]}/")
        desktop.execute("document.querySelector('a').click()")
        desktop.wait("document.title === 'Another program'")
        assert (other.paths[0], other.sites[0]) == ("/?from=link", "same-origin")
    finally:
        other.close()
        linking.close()


def test_another_program_at_the_address_gets_nothing_of_it(page, own):
    with_session(page, own)
    own.stop()
    other = Elsewhere(own.url)
    try:
        page.get(own.url + "/")
        page.wait("document.title === 'Another program'")
        page.js("await until(async () => (await caches.keys()).length === 0 && (await navigator.serviceWorker.getRegistrations()).length === 0);")
    finally:
        other.close()


def test_password_of_a_proxy_is_asked_by_the_browser(desktop, own):
    desktop.open(own.url)
    desktop.wait(ROWS)
    desktop.js(KEPT)
    own.stop()
    other = Elsewhere(own.url, 401, [("WWW-Authenticate", 'Basic realm="proxy"')], b"<!doctype html><title>Password</title>")
    try:
        desktop.get(own.url + "/")
        assert desktop.js("return document.title") != "Contacts - Tondo"
        assert 1 <= other.paths.count("/") <= 3
    finally:
        other.close()
    own.restart()
    # The worker has given itself up.
    wait_without_worker(desktop, own)


@pytest.mark.parametrize("status, body", [(502, b"Bad gateway"), (504, b"Gateway time-out")])
def test_proxy_without_the_service_counts_as_no_service(desktop, own, status, body):
    with_session(desktop, own)
    own.stop()
    other = Elsewhere(own.url, status, (), body)
    try:
        desktop.reload(ROWS + " && document.querySelector('.seen').textContent !== ''")
    finally:
        other.close()


def test_only_the_worker_may_become_a_script(desktop, sample):
    desktop.open(sample.url)
    desktop.wait(ROWS)
    desktop.js("""const refused = make => { try { make(); return false; } catch { return true; } };
        // The one policy is taken, and no other may be made.
        equal([refused(() => trustedTypes.createPolicy('tondo', { createScriptURL: url => url })), refused(() => trustedTypes.createPolicy('other', {}))], [true, true]);
        equal(refused(() => { document.createElement('script').src = '/worker.js'; }), true);""")


def test_page_works_where_there_are_no_workers(module):
    module("""const { keepPage, forgetPage } = await load('./offline.js'), { SeenAnswers } = await load('./seen.js');
        await keepPage(null); await forgetPage(null, undefined);
        await keepPage({ register: () => Promise.reject(new DOMException('private window')) });
        const seen = new SeenAnswers({ caches: null, subtle: null, locks: null });
        await seen.tidy('token'); await seen.forget();
        equal(seen.isKept('/v1/groups'), false);""")


def test_answers_that_are_kept_and_that_are_not(module):
    module("""const { SeenAnswers } = await load('./seen.js'), seen = new SeenAnswers();
        const kept = ['/v1/contacts?locale=en&offset=50&limit=50', '/v1/sections?locale=en', '/v1/contacts/sample-ada', '/v1/contacts/2~a%2Fb/cards', '/v1/groups', '/v1/cards'];
        const other = ['/v1/contacts?search=ada&locale=en', '/v1/events', '/v1/events?after=3', '/v1/session', '/v1/session/phone', '/v1/contacts/a/photo?size=512',
          '/v1/contacts/a/avatar?size=96', '/v1/avatars', '/readyz', '/v1/contacts/a/vcard'];
        equal([...kept, ...other].filter(path => seen.isKept(path)), kept);""")


def test_refused_and_failed_answers_are_not_kept(module):
    module("""const { API } = await load('./api.js'), calls = [], store = new Map([['tondo.token', 'abc']]);
        const storage = { getItem: key => store.get(key) ?? null, setItem: (...all) => store.set(...all), removeItem: key => store.delete(key) };
        const seen = { isKept: path => path.startsWith('/v1/'), keep: (...all) => calls.push(['keep', all[1]]), find: async (_, path) => path === '/v1/known' ? new Response('{"old":1}') : null };
        let answer = () => new Response('{}', { status: 404 }), states = [];
        const api = new API({ storage, seen, fetch: async () => answer(), offline: is => states.push(is) });
        const failed = promise => promise.then(() => null, problem => problem.status ?? problem.message);
        equal([await failed(api.json('/v1/known')), calls], [404, []]);
        answer = () => new Response('{"new":1}'); equal([await api.json('/v1/known'), calls], [{ new: 1 }, [['keep', '/v1/known']]]);
        answer = () => { throw new TypeError('no network'); };
        equal([await api.json('/v1/known'), states], [{ old: 1 }, [true]]);
        equal([await failed(api.json('/v1/other')), states], ['no network', [true]]);
        answer = () => new Response('', { status: 504 }); equal([await api.json('/v1/known'), await failed(api.json('/v1/other'))], [{ old: 1 }, 504]);
        answer = () => new Response('{}'); await api.json('/readyz'); equal(states, [true, false]);
        // A change is never answered from what was seen.
        answer = () => { throw new TypeError('no network'); };
        equal(await failed(api.json('/v1/known', { method: 'DELETE' })), 'no network');""")


def test_what_is_on_its_way_does_not_bring_back_what_was_forgotten(module):
    module("""const { SeenAnswers } = await load('./seen.js'), { AvatarManager } = await load('./avatars.js');
        const seen = new SeenAnswers(), avatars = new AvatarManager({}), names = async () => (await caches.keys()).filter(name => /^tondo-(seen|avatars)/.test(name));
        const kept = seen.keep('token', '/v1/groups', new Response('{}'));
        await seen.forget(); await kept;
        await avatars.forget(); await avatars.store('key', new Blob(['']));
        equal([await names(), seen.isKept('/v1/groups'), await seen.find('token', '/v1/groups'), await names()], [[], false, null, []]);""")


def test_page_that_is_about_to_be_kept_is_forgotten_too(desktop, own):
    with_session(desktop, own)
    desktop.js(KEPT + """const before = tondo.tidy(), forgotten = tondo.forgetAll(), after = tondo.tidy();
        await Promise.all([before, forgotten, after]);
        equal([await names(), (await navigator.serviceWorker.getRegistrations()).length], [[], 0]);""")


def test_what_was_seen_is_bounded(module):
    module("""const { SeenAnswers } = await load('./seen.js'), seen = new SeenAnswers(), token = `bounded-${Math.random()}`;
        for (let number = 0; number < 450; number += 1) await seen.keep(token, `/v1/contacts/${number}`, new Response('{}'));
        const { cache } = await seen.of(token);
        equal([(await cache.keys()).length <= 400, await seen.find(token, '/v1/contacts/0'), Boolean(await seen.find(token, '/v1/contacts/449'))], [true, null, true]);
        await seen.forget();""")


def test_list_of_which_a_part_is_known_says_so_where_nothing_is_found(module):
    module("""const { ContactsManager } = await load('./contacts.js'), { ContactStore } = await load('./store.js');
        const items = [{ id: 'a', displayName: 'Ada' }], found = total => ({
          json: async path => path.startsWith('/v1/sections') ? { sections: [], total, revision: 1 } : { items, total, offset: 0, revision: 1 } });
        for (const [total, isPartial] of [[1, false], [100, true]]) {
          const api = found(total), manager = new ContactsManager(api, new ContactStore()), list = { search: '', filter: [], sort: 'given-asc' };
          await manager.request(list, () => {});
          equal(manager.isPartial, false);
          api.json = async () => { throw new TypeError('no service'); };
          await manager.request({ ...list, search: 'zzz' });
          equal([manager.isLoaded, manager.total, manager.isPartial], [true, 0, isPartial]);
          manager.clear();
        }""")


def test_search_in_a_part_of_the_list_finds_nothing_for_certain(desktop, own):
    desktop.open(own.url, "#code=" + own.code())
    desktop.wait(ROWS)
    own.stop()
    desktop.wait("document.querySelector('.seen').textContent === 'Offline: saved contacts'")
    desktop.js("""tondo.contacts.known = [...tondo.contacts.known, ...new Array(50)];
        tondo.views.list.choose({ search: 'zzz' });
        await until(() => document.querySelector('.list-area .empty .headline')?.innerText === 'No results offline');""")


@pytest.mark.parametrize("width", [390, 1280])
def test_what_needs_the_service_is_disabled_without_it_and_comes_back(desktop, own, width):
    # An event that comes later would say that the service is there.
    own.finish()
    desktop.resize(width, 844)
    with desktop.counting():
        desktop.open(own.url, "#code=" + own.code())
        desktop.wait(ROWS)
    desktop.js("""const { api, views } = tondo, send = api.fetch, sent = [], isOff = each => [each.ariaDisabled, each.ariaDescription, each.title];
        location.hash = '#/c/sample-chidi';
        const pane = await until(() => views.detail?.contact?.id === 'sample-chidi' && document.querySelectorAll('.detail-pane .card').length > 2 && views.detail.element);
        const [remove, photo] = ['.danger', '.change-photo'].map(of => pane.querySelector(of));
        api.fetch = (path, options) => { sent.push(options?.method ?? 'GET'); return Promise.reject(new TypeError('Failed to fetch')); };
        // An earlier request would be answered yet.
        await until(() => underWay === 0);
        await api.check();
        await until(() => remove.ariaDisabled === 'true');
        equal([remove, photo].map(isOff), Array(2).fill(['true', 'Not available offline.', 'Not available offline.']));
        for (const each of [remove, photo]) {
          document.querySelector('.toast').hidden = true;
          each.click();
          equal([document.querySelector('.toast').innerText.startsWith('Not available offline.'), document.querySelector('dialog[open], .popover')], [true, null]);
        }
        await frame();
        equal([sent.includes('DELETE'), location.hash], [false, '#/c/sample-chidi']);
        // What is made meanwhile is disabled, too: menus, and the bar of what is selected.
        location.hash = '#/';
        await until(() => views.list.element.offsetHeight > 0);
        document.querySelector('.rows .row .more').click();
        const menu = await until(() => document.querySelector('dialog[open], .popover')), item = [...menu.querySelectorAll('button')].find(each => each.innerText === 'Delete');
        await until(() => item.ariaDisabled === 'true');
        document.querySelector('.toast').hidden = true;
        item.click();
        equal([tondo.contacts.total, document.querySelector('.toast').hidden, document.querySelector('dialog[open]')], [14, false, null], 'what is said lies below nothing');
        if (!menu.matches('dialog')) menu.hidePopover();
        await views.list.pick(document.querySelector('.rows .row'));
        const deletion = await until(() => document.querySelector('.picked-bar .danger'));
        await until(() => deletion.ariaDisabled === 'true');
        views.list.selection.clear();
        api.fetch = send;
        await api.check();
        equal([remove, photo, deletion].map(isOff), [[null, null, ''], [null, null, 'Add photo'], [null, null, '']]);""")
