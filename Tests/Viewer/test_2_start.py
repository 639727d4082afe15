"""Point 2: splash, question, refusal, a book that cannot be read; the token."""
import json

import pytest

from service import Service, generated_book, sample_books


# The service has one book, which it counts when the test calls `count()`.
COUNTING = """const send = fetch;
    let isCounted = false;
    globalThis.count = () => { isCounted = true; };
    globalThis.fetch = async (path, options) => {
      if (isCounted) return send(path, options);
      if (String(path).endsWith('/readyz')) return new Response('{"ready":false,"books":[{"book":1}]}', { status: 503 });
      if (String(path).includes('/v1/contacts')) return new Response('{"items":[],"total":0,"sections":[]}', { headers: { 'Content-Type': 'application/json' } });
      return send(path, options);
    };"""
# The service is open to other machines, and the page has no token.
CLOSED = """const send = fetch;
    globalThis.asked = [];
    globalThis.fetch = async (path, options) => {
      globalThis.asked.push(`${options?.method ?? 'GET'} ${path}`);
      return String(path).includes('/v1/') ? new Response('{"code":"token-required"}', { status: 401 }) : send(path, options);
    };"""


def test_splash_stays_until_the_book_is_counted(desktop, sample):
    with desktop.prepared(COUNTING):
        desktop.open(sample.url, show=None)
        desktop.wait("document.querySelector('.start [role=status]')?.innerText === 'Counting contacts…'")
        # Longer than the page waits between two looks at the state.
        desktop.js("await new Promise(done => setTimeout(done, 600)); equal(document.querySelectorAll('.start').length, 1);"
                   "equal(document.querySelector('.start button'), null); count();")
        desktop.wait("document.querySelector('.start .primary')")


def test_returning_user_sees_the_splash_until_a_contact_is_known(desktop, sample):
    with desktop.prepared(COUNTING):
        desktop.open(sample.url)
        desktop.wait("document.querySelector('.start [role=status]')?.offsetHeight > 0")
        desktop.js("""equal(document.querySelector('.split').offsetHeight, 0);
            location.hash = '#/settings'; await until(() => document.querySelector('.settings-pane')?.offsetHeight > 0);
            location.hash = '#/'; await until(() => document.querySelector('.start')?.offsetHeight > 0); count();""")
        desktop.wait("!document.querySelector('.start') && document.querySelector('.split').offsetHeight > 0")


def test_splash_and_question_come_first(page, sample):
    page.open(sample.url, show=None)
    page.wait("document.querySelector('.start h2')?.innerText === 'May this page show your contacts?'")
    assert "14" in page.text(".start p")
    assert page.js("return document.querySelectorAll('.row').length") == 0
    page.click(".start .primary")
    page.wait("document.querySelectorAll('.row .drawn').length > 5")
    assert page.js("return localStorage.getItem('tondo.show')") == "yes"


def test_refusal_leads_to_the_switch_in_the_settings(page, sample):
    page.open(sample.url, show=None)
    page.wait("document.querySelector('.start .plain')")
    page.click(".start .plain")
    page.wait("[...document.querySelectorAll('.start button')].some(each => each.innerText === 'I want to see my contacts')")
    assert page.js("return document.querySelectorAll('.row').length") == 0
    page.click(".start button")
    page.wait("document.querySelector('.settings-pane')?.offsetHeight > 0")
    page.js("equal(document.querySelector('#show-contacts').checked, false); document.querySelector('#show-contacts').click()")
    page.js("location.hash = '#/'")
    page.wait("document.querySelectorAll('.row .drawn').length > 5")


def test_refusal_requests_no_contact(desktop, sample):
    desktop.open(sample.url, show="yes")
    desktop.wait("document.querySelectorAll('.row .drawn').length > 5")
    contacts = lambda: [url for url in desktop.requests() if url.startswith(sample.url + "/v1/contacts")]
    assert contacts(), "requests to be seen are seen"
    desktop.open(sample.url, show="no")
    desktop.wait("document.querySelector('.start')?.offsetHeight > 0")
    desktop.js("await until(() => tondo.books)")
    assert contacts() == []


def test_unreadable_book_is_named_without_its_path(desktop):
    service = Service(lambda folder: [folder / "no-such-book.vcf", *sample_books(folder)])
    try:
        desktop.open(service.url)
        desktop.wait("document.querySelector('.notice')")
        text = desktop.text(".notice")
        assert text.startswith("Book 1 cannot be read") and "/" not in text and "no-such" not in text
        desktop.wait("document.querySelectorAll('.row .drawn').length > 5")
    finally:
        service.close()


def test_code_in_the_address_becomes_a_session_token(page, own):
    page.open(own.url, "#code=" + own.code())
    page.wait("document.querySelectorAll('.row').length > 5")
    assert page.js("return location.hash") == "#/"
    assert page.js("return sessionStorage.getItem('tondo.token').length > 20 && document.cookie === ''")
    page.js("location.hash = '#/settings'")
    page.wait("document.querySelector('.rights')?.innerText.includes('has a token')")


def test_used_code_is_no_token(page, own):
    code = own.code()
    assert own.request("/v1/session", "POST", {"code": code})[0] == 200
    page.open(own.url, "#code=" + code)
    page.wait("document.querySelectorAll('.row').length > 5")
    page.js("equal(sessionStorage.getItem('tondo.token'), null); location.hash = '#/settings'")
    page.wait("document.querySelector('.rights')?.innerText.includes('no token')")


@pytest.mark.parametrize("show", ["yes", None])
def test_service_that_demands_a_token_gets_it_first(desktop, sample, show):
    # The page takes this name for that of another machine.
    port = sample.url.rsplit(":", 1)[1]
    with desktop.prepared(CLOSED):
        desktop.open(f"http://tondo.localhost:{port}", show=show)
        desktop.wait("document.querySelector('#token')?.offsetHeight > 0")
        desktop.js("""equal(document.querySelector('.start h2').innerText, 'The service needs a token');
            equal([document.querySelectorAll('.start').length, document.querySelectorAll('.row .drawn').length], [1, 0]);
            equal(asked.some(request => request.includes('/v1/contacts')), true);""")
