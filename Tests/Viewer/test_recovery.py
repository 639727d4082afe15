"""What comes late, fails, or changes meanwhile: nothing acts on another contact, and everything recovers."""
import json

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.support.ui import WebDriverWait

from service import Service, generated_book, replace
from test_5_delete import MENU
from test_8_managers import CARD, write

# `held(isMeant)` keeps the responses of such requests back: `hold.paths` has them, `hold.release()` lets them go.
HOLD = """const send = tondo.api.fetch;
    const holdBack = isMeant => {
      const hold = { paths: [], waiting: [] };
      tondo.api.fetch = async (path, options) => {
        if (!isMeant(path, options)) return send(path, options);
        hold.paths.push(path);
        return new Promise((resolve, reject) => {
          options.signal?.addEventListener('abort', () => reject(options.signal.reason));
          hold.waiting.push(() => resolve(send(path, options)));
        });
      };
      hold.release = () => { tondo.api.fetch = send; for (const go of hold.waiting.splice(0)) go(); };
      return hold;
    };
    const fail = (status, isMeant, fields = {}) => {
      tondo.api.fetch = async (path, options) => isMeant(path, options)
        ? new Response(JSON.stringify({ status, code: 'test' }), { status, headers: fields }) : send(path, options);
    };
"""
ROWS = "document.querySelectorAll('.row .drawn').length > 5"


def show(page, service, route="#/"):
    page.open(service.url, "#code=" + service.code())
    page.wait(ROWS)
    if route != "#/":
        page.js("location.hash = args[0]", route)


def remove(name):
    return f"find('{name}').querySelector('.more').click(); await menu(); press('Delete'); await gone();"


def wait_over_reload(page, expression):
    """Returns once the expression is true. The page loads itself again meanwhile, which ends scripts that wait in it."""
    WebDriverWait(page.driver, 20, ignored_exceptions=[WebDriverException]).until(lambda driver: driver.execute_script("return " + expression))


def test_undo_belongs_to_the_contact_that_its_bar_names(page, own):
    show(page, own)
    page.js(HOLD + MENU + remove("Ada Okafor") + """
        await until(() => document.querySelector('.toast:not([hidden]) .undo'));
        const hold = holdBack((path, options) => options.method === 'DELETE');""" + remove("Bo Lindqvist") + """
        document.querySelector('.toast .undo').click();
        await until(() => document.querySelector('.toast').innerText.startsWith('Ada Okafor restored.'));
        hold.release();
        await until(() => document.querySelector('.toast').innerText.startsWith('Bo Lindqvist deleted.'));
        await until(() => find('Ada Okafor') && !find('Bo Lindqvist'));
        document.querySelector('.toast .undo').click();
        await until(() => find('Bo Lindqvist') && tondo.contacts.total === 14);""")


def test_undo_that_fails_can_be_tried_again(desktop, own):
    show(desktop, own)
    desktop.js(HOLD + MENU + remove("Ada Okafor") + """
        const undo = () => until(() => document.querySelector('.toast:not([hidden]) .undo'));
        const isRestore = path => path.endsWith('/restore');
        await undo();
        fail(409, isRestore);
        (await undo()).click();
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.includes('Nothing was restored'));
        fail(503, isRestore, { 'Retry-After': '0' });
        (await undo()).click();
        await frame(); await frame();
        tondo.api.fetch = send;
        await until(() => find('Ada Okafor'));""")


def test_row_stays_away_while_its_deletion_is_slow_and_the_list_changes(desktop, own):
    show(desktop, own)
    desktop.js(HOLD + MENU + """window.hold = holdBack((path, options) => options.method === 'DELETE');
        // The service has permitted a removal before.
        (await tondo.removing()).manager.isProven = true;
        """ + remove("Ada Okafor") + "equal(find('Ada Okafor'), undefined); window.refreshes = tondo.contacts.refreshes; window.seq = tondo.events.last;")
    write(own, "zed", CARD.format(id="new-zed", name="Zed New"))
    desktop.wait("tondo.events.last > seq && tondo.contacts.isStale")
    desktop.js(MENU + """equal([find('Ada Okafor'), tondo.contacts.refreshes], [undefined, refreshes]);
        hold.release();
        await until(() => find('Zed New') || tondo.contacts.total === 14);
        equal(find('Ada Okafor'), undefined);""")


def test_refused_deletion_puts_nothing_into_another_list(desktop, own):
    show(desktop, own)
    desktop.js(HOLD + MENU + """const hold = holdBack((path, options) => options.method === 'DELETE');
        """ + remove("Ada Okafor") + """
        tondo.views.list.choose({ search: 'Greta' });
        await until(() => tondo.contacts.isLoaded && tondo.contacts.total === 1);
        fail(409, (path, options) => options.method === 'DELETE');
        const refused = tondo.api.fetch;
        hold.waiting.length = 0;
        tondo.removals.manager.remove(tondo.store.get('sample-ada') ?? { id: 'sample-ada', displayName: 'Ada Okafor' }, (type, message) => tondo.removals.received(type, message));
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.includes('Nothing was deleted'));
        equal([tondo.contacts.total, find('Ada Okafor')], [1, undefined]);""")


def test_details_of_the_contact_before_are_gone_while_the_next_one_loads(page, many):
    page.open(many.url, "#/c/person-1")
    page.wait("document.querySelector('.head .way') && document.querySelector('.head h2').textContent !== 'Loading…'")
    page.js(HOLD + """window.hold = holdBack(path => path.startsWith('/v1/contacts/person-2500'));
        location.hash = '#/c/person-2500';
        await until(() => document.querySelector('.head h2').textContent === 'Loading…');
        equal([document.querySelector('.head .way'), document.querySelector('.head .about').textContent], [null, '']);
        equal(document.querySelector('.column > .buttons').hidden, true);
        tondo.views.detail.remove();
        equal(document.querySelector('dialog'), null);
        hold.release();
        await until(() => !document.querySelector('.column > .buttons').hidden);""")


def test_details_survive_a_refresh_that_fails_and_a_first_load_that_fails_can_be_retried(desktop, sample):
    desktop.open(sample.url, "#/c/sample-greta")
    desktop.wait("document.querySelectorAll('.card').length > 2")
    desktop.js(HOLD + """fail(500, path => path.startsWith('/v1/contacts/sample-'));
        await tondo.views.detail.load(true);
        equal(document.querySelector('.head h2').textContent, 'Greta Møller');
        equal(document.querySelectorAll('.card').length > 2, true);
        tondo.store.contacts.clear();
        location.hash = '#/c/sample-bo';
        const retry = await until(() => document.querySelector('.detail-pane .empty button'));
        tondo.api.fetch = send;
        retry.click();
        await until(() => document.querySelector('.head h2').textContent === 'Bo Lindqvist');""")


def test_swipe_ends_when_its_row_shows_another_contact(phone, sample):
    phone.open(sample.url)
    phone.wait(ROWS)
    phone.js(MENU + """const row = find('Chidi Eze'), box = row.getBoundingClientRect(), y = box.top + 20;
        const send = (type, x, more = {}) => row.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, pointerId: 1, button: 0, buttons: 1, clientX: x, clientY: y, ...more }));
        row.parentElement.setPointerCapture = () => {};
        send('pointerdown', 340); send('pointermove', 300); send('pointermove', 200);
        equal(row.style.translate !== '', true);
        const { contact } = row.view;
        row.view.contact = { ...contact, id: 'sample-other' };
        send('pointermove', 40);
        equal([row.style.translate, row.classList.contains('swiping')], ['', false]);
        send('pointerup', 40);
        equal(document.querySelector('dialog'), null);
        row.view.contact = contact;
        send('pointerdown', 340); send('pointermove', 300); send('pointermove', 200);
        send('pointerdown', 100, { isPrimary: false, pointerId: 2 });
        equal([row.style.translate, row.classList.contains('swiping')], ['', false], 'a second finger');""")


def test_search_that_failed_comes_back_with_the_service(desktop, many):
    desktop.open(many.url)
    desktop.wait(ROWS)
    desktop.js(HOLD + """fail(500, path => path.startsWith('/v1/'));
        tondo.views.list.choose({ search: 'Lars' });
        await until(() => document.querySelector('.list-area .empty button'));
        equal([document.querySelectorAll('.row:not([hidden])').length, document.querySelector('.index').hidden], [0, true]);
        tondo.api.fetch = send;
        tondo.events.report('hello', { seq: tondo.events.last, revision: 'x', version: 'x' }, false);
        await until(() => tondo.contacts.isLoaded && document.querySelectorAll('.row:not([hidden]) .drawn').length > 3);
        equal(document.querySelector('.list-area .empty').textContent, '');""")


def test_list_that_changes_all_the_time_still_gets_its_pages(module):
    module("""const { ContactsManager } = await load('./contacts.js'), { ContactStore } = await load('./store.js');
        const waiting = [], api = { json: (path, { signal }) => new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          waiting.push(() => resolve(path.includes('sections') ? { total: 1, revision: '1', sections: [{ title: 'A', offset: 0, count: 1 }] }
            : { total: 1, offset: 0, revision: '1', items: [{ id: 'a' }] }));
        }) };
        const answer = async () => { for (const go of waiting.splice(0)) go(); await new Promise(next => setTimeout(next)); };
        const manager = new ContactsManager(api, new ContactStore()), calls = [];
        manager.request({}, type => calls.push(type));
        await answer();
        manager.refresh(); manager.refresh(); manager.refresh();
        equal(waiting.length, 2, 'one refresh at a time');
        await answer();
        equal([calls, manager.isStale, waiting.length], [['data', 'data'], true, 0]);
        await until(() => waiting.length === 2, 3000);
        manager.clear();""")


def test_silent_event_stream_is_given_up(module):
    module("""const { EventsManager } = await load('./events.js');
        let opened = 0;
        const page = { visibilityState: 'visible', addEventListener() {} }, channel = { postMessage() {} };
        const api = { send: async (path, { signal }) => {
          opened += 1;
          return { body: new ReadableStream({ start(controller) { signal.addEventListener('abort', () => controller.error(signal.reason)); } }) };
        } };
        const manager = new EventsManager(api, { locks: null, channel, page, silence: 20 });
        const end = manager.subscribe(() => {});
        await until(() => opened >= 2);
        end();
        await until(() => !manager.isLeading);""")


def test_refused_event_stream_is_requested_ever_more_rarely(module):
    module("""const { EventsManager } = await load('./events.js');
        const later = globalThis.setTimeout, waits = [], page = { visibilityState: 'visible', addEventListener() {} }, channel = { postMessage() {} };
        let retryAfter = 0, calls = 0, isRefused = false, end;
        const api = { send: async () => {
          if (++calls === 9) end();
          isRefused = calls < 9;
          throw Object.assign(new Error('busy'), { status: 503, retryAfter });
        } };
        const manager = new EventsManager(api, { locks: null, channel, page, silence: 1e9 });
        // The wait that follows a refusal takes no time here, and is recorded; others are those of the page that runs this.
        globalThis.setTimeout = (action, ms) => {
          if (isRefused) waits.push(ms);
          const own = later(action, isRefused ? 0 : ms);
          isRefused = false;
          return own;
        };
        const ended = () => new Promise(done => { const look = () => calls === 9 && !manager.isLeading ? done() : later(look, 5); look(); });
        try {
          end = manager.subscribe(() => {});
          await ended();
          equal(waits.length, 8);
          waits.forEach((ms, attempt) => {
            const most = Math.min(30_000, 500 * 2 ** attempt);
            if (ms < most / 2 || ms > most) throw new Error(`wait ${attempt} has ${ms} ms`);
          });
          retryAfter = 7; calls = 7; waits.length = 0;
          end = manager.subscribe(() => {});
          await ended();
          equal(waits, [7000], 'the service knows better');
        } finally { globalThis.setTimeout = later; }""")


def test_hidden_leader_gives_the_stream_to_another_tab(module):
    module("""const { EventsManager } = await load('./events.js');
        const tabs = ['one', 'two'].map(name => {
          const page = { visibilityState: 'visible', addEventListener() {} }, seen = [], opened = [];
          const api = { send: async (path, { signal }) => {
            opened.push(path);
            return { body: new ReadableStream({ start(controller) {
              controller.enqueue(new TextEncoder().encode(`id: ${opened.length + 3}\\nevent: contact\\ndata: {"by":"${name}"}\\n\\n`));
              signal.addEventListener('abort', () => controller.error(signal.reason));
            } }) };
          } };
          // The page that runs this has a stream of its own.
          const locks = { request: (lock, ...rest) => navigator.locks.request(`test-${lock}`, ...rest) };
          const manager = new EventsManager(api, { locks, channel: new BroadcastChannel('test-events'), page });
          return { page, seen, opened, manager };
        });
        const [one, two] = tabs;
        one.manager.subscribe((type, { by }) => one.seen.push(by));
        await until(() => one.manager.isLeading && one.seen.length === 1);
        two.manager.subscribe((type, { by }) => two.seen.push(by));
        await new Promise(done => setTimeout(done, 50));
        equal([two.manager.isLeading, two.opened], [false, []]);
        one.page.visibilityState = 'hidden'; one.manager.update();
        await until(() => two.manager.isLeading && two.opened.length === 1);
        equal([one.manager.isLeading, one.opened.length], [false, 1]);
        // The one that is shown again waits for its turn, and hears from the other.
        one.page.visibilityState = 'visible'; one.manager.update();
        await until(() => two.opened.length === 1);
        two.manager.publish({ seq: 20, name: 'contact', data: '{"by":"two, shared"}' });
        await until(() => one.seen.includes('two, shared'));
        equal(one.manager.isLeading, false);
        for (const { manager } of tabs) { manager.stop(); manager.channel.close(); }""")


def test_hidden_tab_leaves_events_to_the_visible_ones(module):
    module("""const { EventsManager } = await load('./events.js');
        const page = { visibilityState: 'hidden', addEventListener() {} }, seen = [];
        const manager = new EventsManager({ send: () => new Promise(() => {}) }, { locks: { request: async () => {} }, channel: { postMessage() {} }, page });
        manager.subscribe((...event) => seen.push(event));
        manager.received({ seq: 5, name: 'contact', data: '{}' });
        equal([seen, manager.last], [[], null]);
        page.visibilityState = 'visible'; manager.update();
        manager.received({ seq: 6, name: 'contact', data: '{}' });
        equal(seen, [['contact', {}, false]]);
        manager.received({ seq: 9, name: 'contact', data: '{}' });
        equal(seen.slice(1), [['reset', {}, true], ['contact', {}, false]], 'what lies between was missed');
        manager.stop();""")


def test_avatar_that_changed_while_it_was_requested_is_requested_again(module):
    module("""const { AvatarManager } = await load('./avatars.js');
        const canvas = document.createElement('canvas'); canvas.width = canvas.height = 1;
        const png = new Uint8Array(await (await new Promise(next => canvas.toBlob(next))).arrayBuffer());
        const requests = [];
        const api = { send: (path, { body }) => new Promise(resolve => requests.push({ body, answer: key => {
          const head = new TextEncoder().encode(JSON.stringify({ id: body.ids[0], status: 200, key, type: 'image/png' }));
          const data = new Uint8Array(8 + head.length + png.length), view = new DataView(data.buffer);
          view.setUint32(0, head.length); data.set(head, 4); view.setUint32(4 + head.length, png.length); data.set(png, 8 + head.length);
          resolve(new Response(data));
        } })) };
        const manager = new AvatarManager(api, { scale: 1, caches: null }), drawn = [];
        manager.subscribe({ id: 'a', avatars: {} }, (bitmap, key) => drawn.push(key));
        await until(() => requests.length === 1);
        manager.changed({ contact: 'a', scale: 1, state: 'normal', key: 'new' });
        requests[0].answer('old');
        await until(() => requests.length === 2);
        equal(drawn, []);
        requests[1].answer('new');
        await until(() => drawn.length === 1);
        equal([drawn, manager.keyOf({ id: 'a' })], [['new'], 'new']);""")


def test_slow_requests_for_what_left_the_view_make_room(module):
    module("""const { AvatarManager } = await load('./avatars.js');
        const requests = [], api = { send: (path, { body, signal }) => new Promise((_, reject) => {
          requests.push(body.ids); signal.addEventListener('abort', () => reject(signal.reason));
        }) };
        const manager = new AvatarManager(api, { scale: 1, caches: null });
        const ends = [];
        for (const id of ['a', 'b']) { ends.push(manager.subscribe({ id }, () => {})); await until(() => requests.length === ends.length); }
        manager.subscribe({ id: 'c' }, () => {});
        for (const end of ends) end();
        await until(() => requests.length === 3);
        equal(requests, [['a'], ['b'], ['c']]);""")


def test_chat_shows_its_own_contact_alone_and_follows_changes(desktop, own):
    desktop.open(own.url, "#/chat/2~sample-kira")
    desktop.wait("document.querySelectorAll('.message:not([hidden])').length >= 5")
    desktop.js(HOLD + """location.hash = '#/chat/nobody';
        await until(() => document.querySelector('.chat-pane .empty').textContent.startsWith('Contact not found'));
        equal([document.querySelectorAll('.message:not([hidden])').length, document.querySelector('.chat-pane h2').textContent], [0, '']);
        location.hash = '#/chat/2~sample-kira';
        await until(() => document.querySelectorAll('.message:not([hidden])').length >= 5);""")
    friends = own.folder / "friends.json"
    replace(friends, friends.read_text().replace("Bring Lars, he is awake anyway.", "Bring Lars and the map."))
    desktop.wait("document.querySelector('.rows[aria-label=Messages]').textContent.includes('Bring Lars and the map.')")


def test_chat_without_a_place_before_leads_back_to_the_groups(desktop, sample):
    desktop.open(sample.url, "#/chat/2~sample-kira")
    desktop.wait("document.querySelectorAll('.message:not([hidden])').length >= 5")
    desktop.js("document.querySelector('.chat-pane header .icon-button').click(); await until(() => location.hash === '#/groups');")


def test_contacts_are_shown_again_after_they_were_not(page, sample):
    page.open(sample.url)
    page.wait(ROWS)
    page.js(HOLD + """window.seen = [];
        tondo.api.fetch = (path, options) => { seen.push(path); return send(path, options); };
        tondo.permit(false);
        equal([document.querySelector('.count').textContent, tondo.store.contacts.size, tondo.contacts.ids.length], ['', 0, 0]);
        await until(() => !tondo.events.isLeading);
        seen.length = 0;
        tondo.updates.apply('contactRemoved', { id: 'x', total: 1 }); tondo.updates.applied();
        await frame();
        equal(seen.filter(path => path.startsWith('/v1/')), []);
        tondo.permit(true);
        await until(() => document.querySelectorAll('.row .drawn').length > 5 && tondo.events.isLeading);""")


def test_nothing_that_waits_requests_contacts_after_they_may_not_be_shown(desktop, sample):
    desktop.open(sample.url)
    desktop.wait(ROWS)
    desktop.js(HOLD + """await until(() => tondo.views.list.lead && tondo.events.isLeading);
        tondo.views.list.lead.load(); tondo.updates.refreshViews();
        tondo.permit(false);
        const seen = [];
        tondo.api.fetch = (path, options) => { seen.push(path); return send(path, options); };
        // Longer than what waits; timers go off in their order.
        await new Promise(next => setTimeout(next, 300));
        equal(seen.filter(path => path.startsWith('/v1/contacts') || path.startsWith('/v1/groups')), []);""")


def test_code_in_a_tab_that_shows_the_form_for_the_token(desktop, sample):
    desktop.open(sample.url)
    desktop.wait(ROWS)
    desktop.js("tondo.denied(false); await until(() => document.querySelector('#token'));")
    desktop.execute("location.hash = '#code=' + arguments[0]", sample.code())
    wait_over_reload(desktop, "document.querySelectorAll('.row .drawn').length > 5 && sessionStorage.getItem('tondo.token') !== null && !document.querySelector('#token')")


def test_used_code_and_wrong_token_are_reported(desktop, own):
    code = own.code()
    show(desktop, own)
    assert own.request("/v1/session", "POST", {"code": code})[0] == 200
    desktop.execute("location.hash = '#code=' + arguments[0]", code)
    desktop.wait("document.querySelector('.toast:not([hidden])')?.innerText.startsWith('This link has expired')")
    desktop.js("tondo.denied(true); equal(document.querySelector('.start .problem').textContent.startsWith('This access key doesn’t work'), true);")


@pytest.mark.parametrize("token", ["токен", "a b", "expired"])
def test_token_that_cannot_be_valid_does_not_lock_the_page(desktop, own, token):
    desktop.open(own.url)
    desktop.execute("sessionStorage.setItem('tondo.token', arguments[0])", token)
    desktop.get(own.url + "/#/")
    desktop.wait(ROWS)
    desktop.js("""tondo.remove([tondo.store.get('sample-ada')]);
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith('This browser can only view contacts'));
        equal(tondo.api.token, null);
        location.hash = '#/settings';
        await until(() => document.querySelector('.rights')?.textContent.startsWith('To make changes, open Tondo'));""")


def test_module_that_cannot_be_loaded_is_reported(desktop, sample):
    desktop.open(sample.url)
    desktop.wait(ROWS)
    desktop.cdp("Network.enable")
    desktop.cdp("Network.setBlockedURLs", urls=["*view-groups.js*"])
    try:
        desktop.js("location.hash = '#/groups'; await until(() => document.querySelector('.toast:not([hidden]) .undo')?.textContent === 'Try again');")
    finally:
        desktop.cdp("Network.setBlockedURLs", urls=[])
    desktop.js("document.querySelector('.toast .undo').click();")
    wait_over_reload(desktop, "document.querySelectorAll('.group').length > 2")


def test_language_changes_keep_the_search_and_the_bar(desktop, sample):
    desktop.open(sample.url)
    desktop.wait(ROWS)
    desktop.js("""tondo.views.list.choose({ search: 'Greta' });
        await until(() => tondo.contacts.total === 1);
        tondo.notify('Stays.');
        tondo.settings.set('language', 'ru');
        await until(() => document.documentElement.lang === 'ru' && tondo.contacts.isLoaded);
        equal([document.querySelector('input[type=search]').value, tondo.contacts.total, tondo.contacts.query.search], ['', 1, 'Greta'].with(0, 'Greta'));
        equal(document.querySelector('.toast:not([hidden])').innerText.startsWith('Stays.'), true);
        tondo.settings.set('language', null);""")


def test_group_of_the_address_is_scrolled_to_and_members_that_fail_are_reported(desktop, sample):
    desktop.open(sample.url, "#/groups")
    desktop.wait("document.querySelectorAll('.group').length > 2")
    desktop.js(HOLD + """fail(500, path => path.includes('group='));
        // The first group stands open.
        document.querySelectorAll('.group button')[1].click();
        // In their place, and nowhere else.
        const again = await until(() => [...document.querySelectorAll('main .empty button')].find(each => each.textContent === 'Try again'));
        equal(document.querySelector('.toast:not([hidden])'), null);
        tondo.api.fetch = send;
        again.click();
        await until(() => document.querySelectorAll('.friend:not([hidden]) .name').length > 0);""")


CIRCLES = "document.querySelectorAll('.circle .drawn').length > 2"

ADDED = """window.watch = (element, top) => {
      window.places = [];
      const step = () => { const found = element(); places.push(found ? Math.round(top(found)) : null); window.watching = requestAnimationFrame(step); };
      step();
    };"""


@pytest.fixture
def growing():
    """A service whose book gets 130 contacts before all others by `grow()`."""
    # Without initials: a book is read again when its avatars are drawn, which takes a debug build long for 400 of them.
    service = Service(lambda folder: generated_book(folder / "book.json", 400), arguments=("--initials", "off"))
    # A list that was requested while the book is read is requested again, which would clear what the test scrolls to.
    service.finish()
    path = service.folder / "book.json"
    whole = json.loads(path.read_text())

    def grow():
        added = [{"id": f"added-{number:03}", "name": {"given": "Aa", "family": f"Added {number:03}", "formatted": f"Aa Added {number:03}"}} for number in range(130)]
        replace(path, json.dumps(whole | {"contacts": added + whole["contacts"]}))

    def leave_out(isMeant):
        """The first book without some of its contacts."""
        replace(path, json.dumps(whole | {"contacts": [each for each in whole["contacts"] if not isMeant(each["id"])]}))
    service.grow, service.leave_out = grow, leave_out
    yield service
    service.close()


def test_burst_of_additions_above_moves_neither_the_rows_nor_the_focus(page, growing):
    page.open(growing.url)
    page.wait(ROWS + " && tondo.events.last !== null")
    page.js(ADDED + """const { list } = tondo.views;
        list.list.scrollTo(list.list.layout.top(205) + 20);
        await until(() => tondo.contacts.at(212) && list.list.row(212)?.querySelector('.drawn'));
        list.list.row(212).querySelector('.main').focus();
        window.focused = tondo.contacts.ids[212];
        watch(() => [...document.querySelectorAll('.row:not([hidden])')].find(row => row.view.contact?.id === window.focused), row => row.getBoundingClientRect().top);""")
    growing.grow()
    page.wait("tondo.contacts.total === 530 && tondo.contacts.ids.indexOf(focused) === 342 && !tondo.contacts.isLoading")
    page.js("""await new Promise(next => setTimeout(next, 500));
        cancelAnimationFrame(watching);
        equal([new Set(places).size, places[0] !== null], [1, true], `places ${[...new Set(places)]}`);
        const { view } = document.activeElement.closest('.row');
        equal([view.contact.id, view.index], [focused, 342]);""")
    page.key("ArrowDown", 40)
    page.js("equal(document.activeElement.closest('.row').view.index, 343)")


def test_burst_of_additions_above_moves_neither_the_cards_nor_the_focus(page, growing):
    page.open(growing.url, "#/cards")
    page.wait(CIRCLES + " && tondo.events.last !== null")
    page.js(ADDED + """const { cards } = tondo.views;
        cards.cardScroller.jump(205);
        await until(() => !cards.cardScroller.isMoving && tondo.contacts.at(205));
        const find = () => [...document.querySelectorAll('.person:not([hidden])')].find(card => card.querySelector('h2').textContent === window.focused);
        window.focused = tondo.contacts.at(205).displayName;
        await until(find);
        find().focus();
        watch(find, card => card.getBoundingClientRect().top);""")
    growing.grow()
    page.wait("tondo.contacts.total === 530 && !tondo.contacts.isLoading && tondo.views.cards.cardScroller.index === 335")
    page.js("""await new Promise(next => setTimeout(next, 500));
        cancelAnimationFrame(watching);
        equal([new Set(places).size, places[0] !== null], [1, true], `places ${[...new Set(places)]}`);
        equal([document.activeElement.querySelector('h2').textContent, document.activeElement.ariaPosInSet], [focused, '336']);
        const all = [...document.querySelectorAll('.person:not([hidden])')].map(card => Number(card.ariaPosInSet));
        equal(all, all.toSorted((one, other) => one - other), 'reading order');""")


CHOSEN = """const { cards } = tondo.views, { contacts } = tondo, { cardScroller } = cards;
    const card = () => [...document.querySelectorAll('.person.current:not([hidden]) h2')].map(each => each.textContent).join();
    const settled = (total, index) => until(() => contacts.total === total && !contacts.isLoading && cardScroller.index === index && contacts.ids[index] === cards.rested && cards.rested);
"""


def choose(page, growing):
    page.open(growing.url, "#/cards")
    page.wait(CIRCLES + " && tondo.events.last !== null")
    return page.js(CHOSEN + """cardScroller.jump(205);
        await until(() => !cardScroller.isMoving && contacts.at(205) && card());
        window.chosen = cards.rested;
        window.label = card();
        return [chosen, contacts.ids[206]];""")


def test_book_that_is_empty_while_it_is_written_leaves_the_cards_at_the_chosen_contact(page, growing):
    chosen, beside = choose(page, growing)
    # The service reports them one by one, so that another one is in the place of the chosen one before all are gone.
    growing.leave_out(lambda id: id == chosen)
    page.js(CHOSEN + "equal(await settled(399, 205), args[0])", beside)
    growing.leave_out(lambda _: True)
    page.wait("tondo.contacts.total === 0 && !tondo.contacts.isLoading")
    growing.grow()
    page.js(CHOSEN + """equal(await settled(530, 335), chosen);
        await until(() => card() === label);
        equal(document.querySelector('.circle[aria-selected=true]').ariaLabel, label);""")


def test_page_of_an_older_and_longer_list_adds_no_rows(page, growing):
    page.open(growing.url)
    page.wait(ROWS + " && !tondo.contacts.isLoading")
    # Its rows would be taken from the total when they go, which was -1 in the end.
    page.js("""const { contacts } = tondo, { total } = contacts, items = ["x", "y", "z"].map(id => ({ id }));
        contacts.keep({ offset: total - 1, items, revision: "older" });
        equal([contacts.ids.length, contacts.ids[total - 1]], [total, "x"]);
        contacts.keep({ offset: total + 50, items, revision: "older" });
        equal(contacts.ids.length, total);""")


def test_chosen_contact_that_comes_back_is_chosen_unless_another_one_is(page, growing):
    chosen, beside = choose(page, growing)
    growing.leave_out(lambda id: id == chosen)
    page.js(CHOSEN + "equal(await settled(399, 205), args[0])", beside)
    growing.leave_out(lambda _: False)
    page.js(CHOSEN + "equal(await settled(400, 205), chosen)")
    growing.leave_out(lambda id: id == chosen)
    page.js(CHOSEN + """await settled(399, 205);
        cardScroller.jump(210);
        await until(() => !cardScroller.isMoving && cardScroller.index === 210);
        window.other = await settled(399, 210);""")
    growing.leave_out(lambda _: False)
    page.js(CHOSEN + "equal(await settled(400, 211), other)")


def test_refresh_that_begins_with_a_jump_leaves_the_cards_there(page, many):
    page.open(many.url, "#/cards")
    page.wait(CIRCLES)
    page.js("""const { cards } = tondo.views, { contacts } = tondo;
        await until(() => !contacts.isLoading && contacts.since === undefined);
        cards.cardScroller.jump(1500);
        // In the same task: the browser has not reported yet that the cards were scrolled.
        await contacts.refresh();
        equal(cards.cardScroller.index, 1500);
        await until(() => contacts.at(1500));
        equal([cards.rested, contacts.anchor], [contacts.ids[1500], { id: contacts.ids[1500], index: 1500 }]);""")


def test_refresh_that_begins_in_a_movement_and_ends_after_it_leaves_the_cards_there(page, many):
    page.open(many.url, "#/cards")
    page.wait(CIRCLES)
    page.js(HOLD + """const { cards } = tondo.views, { contacts } = tondo, { element, unit, span } = cards.cardScroller;
        await until(() => !contacts.isLoading && contacts.since === undefined);
        const hold = holdBack(path => path.startsWith('/v1/sections'));
        let refreshed, wasMoving;
        element.addEventListener('scroll', () => { wasMoving = cards.cardScroller.isMoving; refreshed = contacts.refresh(); }, { once: true });
        element.scrollTop = 1500 / span * unit;
        await until(() => refreshed && !cards.cardScroller.isMoving);
        hold.release();
        await refreshed;
        equal([wasMoving, cards.cardScroller.index], [true, 1500]);
        await until(() => contacts.at(1500));
        equal([cards.rested, contacts.anchor], [contacts.ids[1500], { id: contacts.ids[1500], index: 1500 }]);""")


@pytest.mark.parametrize("isFailure", [False, True])
@pytest.mark.parametrize("place, path, shown", [("book", "/v1/cards", ".card-summary"), ("groups", "/v1/groups", ".group")])
def test_change_of_the_book_during_the_first_load(desktop, sample, place, path, shown, isFailure):
    desktop.open(sample.url, "#/settings")
    desktop.wait("document.querySelector('.settings-pane')")
    desktop.js("""const [place, path, shown, isFailure] = args, send = tondo.api.fetch, pane = () => tondo.views[place].element;
        let requests = 0;
        tondo.api.fetch = (own, options) => {
          if (own !== path) return send(own, options);
          requests += 1;
          // The first one takes until it is aborted.
          if (requests === 1) return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)));
          return isFailure ? Promise.resolve(new Response('{}', { status: 500 })) : send(own, options);
        };
        location.hash = `#/${place}`;
        await until(() => requests === 1);
        tondo.views[place].refresh();
        if (!isFailure) await until(() => pane().querySelector(shown)?.offsetHeight > 0);
        else await until(() => [...pane().querySelectorAll('button')].some(each => each.innerText === tondo.text.get('retry') || each.matches('.retry')));
        tondo.api.fetch = send;
        equal(requests, 2);""", place, path, shown, isFailure)


# Counts what observes elements, from the beginning of the page.
OBSERVERS = """globalThis.active = new Set();
    for (const name of ['ResizeObserver', 'IntersectionObserver']) {
      const { observe, disconnect } = globalThis[name].prototype;
      globalThis[name].prototype.observe = function (...values) { active.add(this); return observe.apply(this, values); };
      globalThis[name].prototype.disconnect = function () { active.delete(this); return disconnect.call(this); };
    }"""


def test_replaced_views_leave_nothing_behind(desktop, sample):
    with desktop.before_page(OBSERVERS):
        desktop.open(sample.url)
    desktop.wait(ROWS)

    def tour(language):
        """Opens every view, and ends in a list of the language."""
        desktop.js("""for (const [place, check] of [['#/cards', '.circle .drawn'], ['#/groups/Rowing%20club', '.friend:not([hidden])'],
              ['#/chat/2~sample-kira', '.message:not([hidden])'], ['#/book', '.card-summary'], ['#/c/sample-ada', '.head .drawn'], ['#/settings', '.settings-pane']]) {
              location.hash = place;
              await until(() => [...document.querySelectorAll(check)].some(each => each.offsetHeight > 0)).catch(() => { throw new Error(`${args[0]} ${place}`); });
            }
            tondo.settings.set('language', args[0]);
            await until(() => document.documentElement.lang === args[0]);
            location.hash = '#/';
            // The birthdays come last.
            await until(() => document.querySelectorAll('.row .drawn').length > 5 && document.querySelector('.day'));""", language)
        desktop.cdp("HeapProfiler.collectGarbage")
        values = {each["name"]: each["value"] for each in desktop.cdp("Performance.getMetrics")["metrics"]}
        sizes = desktop.js("""let calls = 0;
            const { received } = tondo;
            tondo.received = (type, ...rest) => { if (type === 'data') calls += 1; return received.call(tondo, type, ...rest); };
            await tondo.contacts.refresh();
            delete tondo.received;
            return [active.size, tondo.store.callbacks.size, tondo.settings.callbacks.size, calls];""")
        return sizes, values["JSEventListeners"], values["Nodes"]

    desktop.cdp("Performance.enable")
    desktop.cdp("HeapProfiler.enable")
    try:
        tour("ru")
        sizes, listeners, nodes = tour("en")
        for language in ("ru", "zh", "ru", "en"):
            last = tour(language)
        assert last[0] == sizes and sizes[3] == 1, (sizes, last)
        assert last[1] <= listeners * 1.1 and last[2] <= nodes * 1.1, ((listeners, nodes), last)
    finally:
        desktop.cdp("Performance.disable")
        desktop.cdp("HeapProfiler.disable")
        desktop.js("tondo.settings.set('language', null)")
