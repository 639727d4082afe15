"""Point 2: splash, question, refusal, a book that cannot be read; the token."""
import json

import pytest

from service import Service, generated_book, sample_books


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
    desktop.open(sample.url, show="no")
    desktop.wait("document.querySelector('.start')")
    assert not [url for url in desktop.requests() if "/v1/contacts" in url and url.startswith(sample.url) and "around" in url]
    desktop.js("equal(performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/contacts')).length, 0)")


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


def test_service_that_demands_a_token_gets_it_first(desktop, sample):
    # A request from another machine is refused; here by the page's own manager.
    desktop.open(sample.url, "#/settings")
    desktop.wait("document.querySelector('.settings-pane')")
    desktop.js("""tondo.api.fetch = async () => new Response('{"code":"token-required"}', { status: 401 });
        await tondo.contacts.refresh();
        await until(() => document.querySelector('#token'));
        equal(document.querySelector('.start h2').innerText, 'The service needs a token');""")
