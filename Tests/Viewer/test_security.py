"""The policy, the headers, and that no request leaves the service."""
import re
import urllib.error
import urllib.request

import pytest

from browser import Chromium

ROUTES = ["#/", "#/c/sample-ada", "#/cards", "#/groups/Chess", "#/chat/2~sample-kira", "#/book", "#/settings"]
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
          "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types tondo")


def test_headers_of_the_page_and_its_modules(sample):
    with urllib.request.urlopen(sample.url + "/") as response:
        page, headers = response.read().decode(), response.headers
    assert headers["Cache-Control"] == "no-cache"
    base = re.search(r'src="(/viewer/[0-9a-f]{16})/app.js"', page)[1]
    assert "{{" not in page
    for path, kind in [("/app.js", "text/javascript"), ("/base.css", "text/css"), ("/icons.svg", "image/svg+xml")]:
        with urllib.request.urlopen(sample.url + base + path) as response:
            assert response.headers["Content-Type"].startswith(kind)
            assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            for each in (headers, response.headers):
                assert each["Content-Security-Policy"] == POLICY
                assert each["X-Content-Type-Options"] == "nosniff" and each["Referrer-Policy"] == "no-referrer"
                assert each["Cross-Origin-Resource-Policy"] == "same-origin"
    # Those whose addresses browsers know are never kept without asking, and change with the version.
    for path, kind in [("/worker.js", "text/javascript"), ("/manifest.webmanifest", "application/manifest+json")]:
        with urllib.request.urlopen(sample.url + path) as response:
            assert response.headers["Content-Type"].startswith(kind) and response.headers["Cache-Control"] == "no-cache"
            assert response.headers["Content-Security-Policy"] == POLICY
            text = response.read().decode()
            assert base in text and "{{" not in text
    for path in (base[:-1] + ("0" if base[-1] != "0" else "1") + "/app.js", base + "/no.js", base + "/../app.js"):
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.urlopen(sample.url + path)
        assert error.value.code == 404


@pytest.fixture
def fresh():
    """A browser that has no pages and workers of other tests, which may still make requests."""
    browser = Chromium(is_shell=True, is_watched=True)
    browser.resize(1280, 900)
    yield browser
    browser.close()


def test_every_view_sends_requests_to_the_service_alone_and_reports_nothing(fresh, sample):
    desktop = fresh
    for route in ROUTES:
        desktop.open(sample.url, route)
        desktop.execute("window.reports = []; document.addEventListener('securitypolicyviolation', event => reports.push(event.violatedDirective))")
        desktop.wait("document.querySelector('main > :not([hidden])') && document.readyState === 'complete'")
        desktop.js("await until(() => tondo.avatars.running === 0 && tondo.avatars.pending.size === 0); equal(reports, []);")
    urls = [url for url in desktop.requests() if not url.startswith(("about:", "chrome", "data:"))]
    assert urls and all(url.startswith(sample.url + "/") for url in urls), [url for url in urls if not url.startswith(sample.url)]
    assert desktop.messages() == []


def test_no_cookie_and_no_token_in_the_address(desktop, sample):
    desktop.open(sample.url, "#code=" + sample.code())
    desktop.wait("sessionStorage.getItem('tondo.token') && document.querySelectorAll('.row').length > 3")
    desktop.js("equal([document.cookie, location.hash], ['', '#/']); equal(localStorage.getItem('tondo.token'), null);")
