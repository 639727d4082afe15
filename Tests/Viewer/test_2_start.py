"""Point 2: splash, question, refusal, a book that cannot be read; the right to see and to change."""
import pytest

from browser import Chromium
from service import Service, sample_books
from test_recovery import wait_over_reload


def test_splash_and_question_come_first(page, sample):
    page.open(sample.url, show=None)
    page.wait("document.querySelector('.start h2')?.innerText === 'Show 14 contacts in this browser? They stay on this computer.'")
    assert page.js("return document.querySelectorAll('.row').length") == 0
    page.click(".start .primary")
    page.wait("document.querySelectorAll('.row .drawn').length > 5")
    assert page.js("return localStorage.getItem('tondo.show')") == "yes"
    # The button that had the focus is gone: the list has it.
    page.wait("document.activeElement.matches('.row .main')")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_question_of_ones_own_machine_is_a_line_without_a_picture(desktop, sample, size):
    desktop.resize(*size)
    desktop.open(sample.url, show=None)
    desktop.wait("document.querySelector('.start .primary')")
    desktop.js("""const start = document.querySelector('.start'), text = start.querySelector('h2'), lines = document.createRange();
        equal([document.querySelectorAll('.mark').length, start.querySelectorAll('p').length], [0, 1]);
        lines.selectNodeContents(text);
        const tops = new Set([...lines.getClientRects()].map(({ top }) => Math.round(top)));
        equal(tops.size <= (innerWidth > 768 ? 1 : 2), true, `${tops.size} lines`);
        equal(start.offsetHeight < innerHeight / 4, true, 'in passing');
        equal([...document.querySelectorAll('nav [aria-current]')].map(({ hash }) => hash), ['#/'], 'the tab of the place');""")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_question_on_another_machine_says_what_is_shown_and_where_it_stays(desktop, size):
    service = Service(arguments=["--host", "tondo.localhost", "--public", "viewer,contacts,avatars"], is_drawn=True)
    try:
        desktop.resize(*size)
        desktop.open(service.url.replace("127.0.0.1", "tondo.localhost"), show=None)
        desktop.wait("document.querySelector('.start .primary')")
        desktop.js("""equal(document.querySelector('.start h2').innerText, `Show contacts from ${location.host}?`);
            equal([...document.querySelectorAll('.start > p:not(.buttons)')].map(each => each.innerText), [
              'You’ll see 14 people, with photos, numbers and addresses.', 'Everything stays with Tondo and in this browser.']);
            equal(document.documentElement.scrollWidth <= innerWidth, true);""")
    finally:
        service.close()


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_buttons_of_the_question_stand_at_the_end(desktop, sample, width):
    desktop.resize(width, 844)
    desktop.open(sample.url, show=None)
    desktop.wait("document.querySelector('.start.line .primary')")
    desktop.js("""const line = document.querySelector('.start.line').getBoundingClientRect(), yes = document.querySelector('.start .primary').getBoundingClientRect();
        equal(Math.abs(line.right - yes.right - 16) <= 1, true, `${line.right} ${yes.right}`);""")


def test_code_is_the_answer_to_the_question(page, sample):
    page.open(sample.url, "#code=" + sample.code(), show=None)
    page.wait("document.querySelectorAll('.row').length > 5 && document.activeElement.matches('.row .main')")
    assert page.js("return [localStorage.getItem('tondo.show'), sessionStorage.getItem('tondo.entering'), document.querySelectorAll('.start').length]") == ["yes", None, 0]


def test_refusal_leads_to_the_switch_in_the_settings(page, sample):
    page.open(sample.url, show=None)
    page.wait("document.querySelector('.start .plain')")
    page.click(".start .plain")
    page.wait("[...document.querySelectorAll('.refused button')].some(each => each.innerText === 'Open settings')")
    assert page.js("return document.querySelectorAll('.row').length") == 0
    page.click(".refused button")
    page.wait("document.querySelector('.settings-pane')?.offsetHeight > 0")
    page.js("equal(document.querySelector('#show-contacts').checked, false); document.querySelector('#show-contacts').click()")
    page.js("location.hash = '#/'")
    page.wait("document.querySelectorAll('.row .drawn').length > 5")


def test_refusal_requests_no_contact(watched, sample):
    watched.driver.get("about:blank")
    watched.requests()
    watched.open(sample.url, show="no")
    watched.wait("document.querySelector('.refused')")
    watched.js("""await until(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/readyz')));
        for (const place of ['#/cards', '#/groups', '#/book', '#/c/sample-ada', '#/']) {
          location.hash = place;
          await frame(); await frame();
        }
        await new Promise(next => setTimeout(next, 300));
        const names = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
        equal(names.filter(name => name !== '/readyz' && name !== '/manifest.webmanifest' && !name.startsWith('/viewer/')), []);""")
    paths = [url.removeprefix(sample.url) for url in watched.requests() if url.startswith(sample.url)]
    assert "/readyz" in paths and not [path for path in paths if path.startswith("/v1/")], paths


def test_unreadable_book_is_named_without_its_path(desktop):
    service = Service(lambda folder: [folder / "no-such-book.vcf", *sample_books(folder)], is_drawn=True)
    try:
        desktop.open(service.url)
        desktop.wait("document.querySelector('.notice')")
        text = desktop.text(".notice")
        assert text.startswith("“no-such-book.vcf” can’t be read.") and "/" not in text
        desktop.wait("document.querySelectorAll('.row .drawn').length > 5")
    finally:
        service.close()


def test_code_in_the_address_becomes_a_session_token(page, sample):
    page.open(sample.url, "#code=" + sample.code())
    page.wait("document.querySelectorAll('.row').length > 5")
    assert page.js("return location.hash") == "#/"
    assert page.js("return sessionStorage.getItem('tondo.token').length > 20 && document.cookie === ''")
    page.js("location.hash = '#/settings'")
    page.wait("document.querySelector('.rights')?.innerText.startsWith('You can delete and restore contacts')")


def test_used_code_is_no_token(page, own):
    code = own.code()
    assert own.request("/v1/session", "POST", {"code": code})[0] == 200
    page.open(own.url, "#code=" + code)
    page.wait("document.querySelectorAll('.row').length > 5")
    page.js("equal(sessionStorage.getItem('tondo.token'), null); location.hash = '#/settings'")
    page.wait("document.querySelector('.rights')?.innerText.startsWith('To make changes, open Tondo')")


# The service reads its books until `counted()` is called; `screens` has all start screens that were shown.
READING = """const send = globalThis.fetch, screens = globalThis.screens = [];
    let books = [{ book: 1, total: 8, people: 3 }, { book: 2, people: 0 }], isHeld = HELD;
    globalThis.counted = () => { books = [{ book: 1, total: 8, people: 6 }, { book: 2, total: 6, people: 5 }]; };
    globalThis.fetch = async (path, options) => path === '/readyz' && isHeld
      ? new Response(JSON.stringify({ ready: false, contacts: 3, books }), { status: 503 }) : send(path, options);
    new MutationObserver(() => {
      const text = document.querySelector('.start [role=status]')?.textContent;
      if (text && screens.at(-1) !== text) screens.push(text);
    }).observe(document, { childList: true, subtree: true });"""
SPLASH = "document.querySelector('.start [role=status]')?.innerText === 'Counting contacts…' && document.querySelector('.start').offsetHeight > 0"


def test_splash_stays_until_the_books_are_counted(desktop, sample):
    with desktop.before_page(READING.replace("HELD", "true")):
        desktop.open(sample.url, show=None)
    desktop.wait(SPLASH)
    desktop.js("""let states = 0;
        const state = tondo.service.state.bind(tondo.service);
        tondo.service.state = signal => { states += 1; return state(signal); };
        await until(() => states >= 2);
        equal([document.querySelector('.start h2').innerText, document.querySelectorAll('.start button').length], ['Tondo', 0]);
        counted();
        await until(() => document.querySelector('.start h2')?.innerText.startsWith('Show '));
        // All that the books hold, not what the service has read so far.
        equal(document.querySelector('.start h2').innerText.includes('14'), true, document.querySelector('.start h2').innerText);""")


def test_splash_covers_a_permitted_list_while_the_books_are_read(desktop, sample):
    with desktop.before_page(READING.replace("HELD", "true")):
        desktop.open(sample.url)
    desktop.wait(SPLASH)
    desktop.js("""const rows = () => [...document.querySelectorAll('.row')].filter(row => row.offsetHeight > 0).length;
        await until(() => tondo.contacts.isLoaded);
        equal(rows(), 0, 'the list is covered');
        counted();
        await until(() => rows() > 5 && !document.querySelector('.start'));
        equal(location.hash, '#/');""")


def test_permitted_list_of_a_counted_book_has_no_splash(desktop, sample):
    with desktop.before_page(READING.replace("HELD", "false")):
        desktop.open(sample.url)
    desktop.wait("document.querySelectorAll('.row .drawn').length > 5")
    assert desktop.js("return screens") == []


def test_service_that_demands_a_token_gets_it_first():
    service = Service(arguments=["--host", "tondo.localhost", "--public", "viewer"], is_drawn=True)
    browser = Chromium(is_shell=True)
    try:
        with browser.behind_proxy():
            for show in (None, "yes", "no"):
                browser.open(service.url.replace("127.0.0.1", "tondo.localhost"), show=show)
                browser.js("""await until(() => document.querySelector('#token'));
                    equal(document.querySelector('.start h2').innerText, 'These contacts are private');
                    await new Promise(next => setTimeout(next, 300));
                    equal([document.querySelectorAll('.start').length, document.querySelectorAll('.row').length], [1, 0]);""")
            browser.js("document.querySelector('#token').value = args[0]; localStorage.removeItem('tondo.show'); setTimeout(() => document.querySelector('.start form').requestSubmit())", service.token)
            # The key is the answer: no question follows.
            wait_over_reload(browser, "document.querySelectorAll('.row .drawn').length > 5 && document.activeElement.matches('.row .main')")
            browser.js("equal([localStorage.getItem('tondo.show'), document.querySelectorAll('.start').length], ['yes', 0]);")
    finally:
        browser.close()
        service.close()


def test_phone_without_a_code_reads_plain_words(phone, sample):
    phone.open(sample.url)
    phone.wait("document.querySelectorAll('.row').length > 5")
    phone.js("""tondo.denied(false);
        await until(() => document.querySelector('.start details'));
        const text = document.querySelector('.start').innerText;
        equal([text.includes('scan the code'), text.includes('tondo open'), /token|\\b40[13]\\b|\\{/.test(text), document.querySelector('.start details').open], [true, false, false, false]);""")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_settings_are_groups_without_numbers_of_the_page(desktop, sample, size):
    desktop.resize(*size)
    desktop.open(sample.url, "#code=" + sample.code())
    desktop.wait("document.querySelectorAll('.row').length > 5")
    desktop.js("""location.hash = '#/settings';
        await until(() => document.querySelector('.settings-pane')?.offsetHeight > 0);
        const pane = document.querySelector('.settings-pane'), giveBack = document.querySelector('#may-change');
        equal([...pane.querySelectorAll('.group-card h3')].map(each => each.innerText).filter(title => title !== 'Phone'), ['Appearance', 'This browser', 'Keyboard shortcuts']);
        equal(/token|statistic|requested|displayed/i.test(pane.innerText), false);
        equal(document.documentElement.scrollWidth <= innerWidth, true);
        // The right can be given back here; it comes with a link alone.
        equal([giveBack.offsetHeight > 0, giveBack.role ?? giveBack.getAttribute('role'), giveBack.checked, giveBack.labels[0].innerText], [true, 'switch', true, 'Allow changes']);
        const headers = { Authorization: `Bearer ${tondo.api.token}` };
        giveBack.click();
        equal([giveBack.hidden, tondo.api.token, document.querySelector('.how summary').offsetHeight > 0], [true, null, true]);
        // The service has ended the session, too.
        await until(async () => (await fetch('/v1/session', { method: 'DELETE', headers })).status === 401);""")


def test_list_that_comes_late_takes_no_focus(page, sample):
    page.open(sample.url)
    page.wait("document.querySelectorAll('.row .drawn').length > 5")
    page.js("""const { entrance } = tondo, search = document.querySelector('input[type=search]');
        document.activeElement.blur(); entrance.isEntering = true; entrance.focusList();
        equal(document.activeElement.closest('.row') !== null, true, 'without a focus, the list has it');
        search.focus(); entrance.isEntering = true; entrance.focusList();
        equal([document.activeElement === search, entrance.isEntering], [true, false]);""")


def test_page_opens_with_few_requests(watched, sample):
    watched.resize(390, 844)
    watched.open(sample.url)
    watched.wait("document.querySelectorAll('.row .drawn').length > 5")
    watched.driver.get("about:blank")
    watched.requests()
    watched.driver.get(sample.url + "/")
    watched.wait("document.querySelectorAll('.row .drawn').length > 5 && tondo.views.list.lead?.isSettled && tondo.avatars.running === 0 && tondo.avatars.pending.size === 0")
    requests = [url for url in watched.requests() if url.startswith(sample.url)]
    assert 20 < len(requests) <= 40, requests
