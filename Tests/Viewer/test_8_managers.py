"""Point 8: views never fetch, managers never touch the DOM; sizes of files; events."""
import pathlib
import re

import pytest

from browser import Chromium

ASSETS = pathlib.Path(__file__).resolve().parents[2] / "assets/viewer"
MANAGERS = {"api", "avatars", "contacts", "details", "events", "removal", "store", "statistics", "favourites", "vcards", "seen", "photo-change"}
PURE = {"layout", "motion", "heights", "ways", "photo-crop"}


def sources():
    return {path.stem: re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M) for path in ASSETS.glob("*.js")}


def test_views_never_fetch():
    for name, text in sources().items():
        # The service worker stands between the page and the service.
        if name not in MANAGERS | {"worker"}:
            assert not re.search(r"\bfetch\(|XMLHttpRequest|EventSource|sendBeacon|WebSocket", text), name


def test_managers_and_layouts_never_touch_the_dom():
    for name, text in sources().items():
        if name in MANAGERS | PURE:
            text = text.replace("page = document", "")
            assert not re.search(r"\bdocument\b|querySelector|createElement|\.style\b|innerHTML", text), name


def test_no_module_writes_markup_or_loads_from_elsewhere():
    for path in ASSETS.iterdir():
        if path.suffix == ".png":
            continue
        text = path.read_text()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text), path.name
        if path.suffix in (".css", ".html"):
            assert not re.search(r"https?:|//[a-z]|data:|\sstyle=|\son\w+=", text), path.name


def test_modules_are_small():
    for path in ASSETS.glob("*.js"):
        assert len(path.read_text().splitlines()) <= 320, path.name


def show(page, service):
    page.open(service.url)
    page.wait("document.querySelectorAll('.row .drawn').length > 5 && tondo.events.last !== null")


def write(service, name, text):
    (service.folder / "book" / (name + ".vcf")).write_text(text)


CARD = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:{id}\r\nFN:{name}\r\nN:;{name};;;\r\nEND:VCARD\r\n"


def test_changes_of_the_book_arrive(page, own):
    show(page, own)
    write(own, "anna", CARD.format(id="new-anna", name="Anna New"))
    page.wait("document.querySelector('.count')?.innerText === '15 contacts'")
    page.wait("[...document.querySelectorAll('.row:not([hidden]) .name')].some(name => name.textContent === 'Anna New')")
    # Its place is that of its name, not the end.
    assert page.js("return tondo.contacts.ids.indexOf('new-anna')") == 1
    write(own, "anna", CARD.format(id="new-anna", name="Anna Other"))
    page.wait("[...document.querySelectorAll('.row:not([hidden]) .name')].some(name => name.textContent === 'Anna Other')")
    (own.folder / "book/anna.vcf").unlink()
    page.wait("document.querySelector('.count')?.innerText === '14 contacts'")
    page.wait("![...document.querySelectorAll('.row:not([hidden]) .name')].some(name => name.textContent.startsWith('Anna'))")


def test_restarted_service_removes_what_is_gone(page, own):
    show(page, own)
    own.stop()
    (own.folder / "book/bo.vcf").unlink()
    own.restart()
    page.wait("document.querySelector('.count')?.innerText === '13 contacts'")
    page.wait("!tondo.contacts.ids.includes('sample-bo')")


def test_changed_photo_is_drawn_again(page, own):
    show(page, own)
    page.js("""window.pixel = () => { const row = [...document.querySelectorAll('.row:not([hidden])')].find(each => each.querySelector('.name').textContent.startsWith('Bo '));
        const canvas = row.querySelector('canvas'); return [...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data].join(); };
        window.before = pixel();""")
    ada, bo = ((own.folder / f"book/{name}.vcf").read_text() for name in ("ada", "bo"))
    photo = lambda text: text[text.index("PHOTO"):text.index("END:VCARD")]
    (own.folder / "book/bo.vcf").write_text(bo.replace(photo(bo), photo(ada)))
    page.wait("pixel() !== window.before")


def test_hidden_page_closes_its_stream_and_resumes(desktop, own):
    show(desktop, own)
    desktop.js("""Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => window.visibility ?? 'visible' });
        window.visibility = 'hidden'; document.dispatchEvent(new Event('visibilitychange'));
        await until(() => !tondo.events.isLeading);
        window.last = tondo.events.last;""")
    write(own, "anna", CARD.format(id="new-anna", name="Anna New"))
    desktop.js("""const send = tondo.api.fetch; window.paths = [];
        tondo.api.fetch = (path, options) => { paths.push(path); return send(path, options); };
        equal(tondo.events.last, window.last);
        window.visibility = 'visible'; document.dispatchEvent(new Event('visibilitychange'));
        await until(() => document.querySelector('.count').innerText === '15 contacts');
        equal(paths.some(path => path === `/v1/events?after=${window.last}`), true, paths);""")


def test_ten_tabs_share_one_stream_and_are_all_live(own):
    browser = Chromium(is_shell=True)
    try:
        driver = browser.driver
        for number in range(10):
            if number:
                driver.switch_to.new_window("tab")
            # Ten windows side by side: all of them are visible.
            browser.cdp("Page.addScriptToEvaluateOnNewDocument",
                        source="Object.defineProperty(document, 'visibilityState', { get: () => 'visible' })")
            if number:
                driver.get(own.url + "/")
            else:
                browser.open(own.url)
            browser.wait("document.querySelectorAll('.row').length > 5")
        write(own, "anna", CARD.format(id="new-anna", name="Anna New"))
        streams = 0
        for handle in driver.window_handles:
            driver.switch_to.window(handle)
            browser.wait("document.querySelector('.count')?.innerText === '15 contacts'")
            streams += browser.js("return tondo.events.isLeading ? 1 : 0")
        assert streams == 1
    finally:
        browser.close()


def test_burst_of_a_thousand_events_is_applied_in_frames_and_refreshes_twice_at_most(desktop, many):
    desktop.open(many.url)
    desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
    desktop.js("""const before = tondo.contacts.refreshes;
        for (let number = 0; number < 1000; number += 1) {
          const contact = structuredClone(tondo.store.get(tondo.contacts.ids[number % 50]));
          tondo.events.report('contactChanged', { contact, position: number % 50, total: 3000 }, false);
        }
        await until(() => tondo.updates.batch.items.length === 0);
        await until(() => tondo.contacts.refreshes > before);
        await frame(); await frame();
        equal(tondo.contacts.refreshes - before <= 2, true, 'refreshes');""")


def test_a_thousand_removals_are_drawn_once_per_frame(desktop, many):
    desktop.open(many.url)
    desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
    desktop.js("""let laid = 0;
        const { list } = tondo.views, lay = list.lay.bind(list), ids = tondo.contacts.ids.slice(0, 40);
        list.lay = isRefresh => { laid += 1; return lay(isRefresh); };
        for (const id of ids) tondo.updates.apply('contactRemoved', { id, total: 2999 });
        equal(laid, 0);
        tondo.updates.applied();
        equal(laid, 1);
        await until(() => tondo.contacts.total === 3000);""")


# Each row that is shown has its avatar, and the browser keeps it.
KEPT = """const rows = [...document.querySelectorAll('.rows .row:not([hidden])')], cache = await caches.open('tondo-avatars');
    const kept = await Promise.all(rows.map(row => cache.match(`/viewer-avatar/${tondo.avatars.keyOf(row.view.contact)}`)));
    return rows.length > 5 && kept.every(Boolean) && rows.every(row => row.querySelector('.avatar').matches('.drawn'));"""


def test_second_visit_requests_no_avatar(watched, sample):
    # Until all faces are found, avatars are drawn without them, and replaced later.
    sample.finish()
    watched.open(sample.url)
    watched.js(f"await until(async () => {{ {KEPT} }})")
    watched.requests()
    watched.driver.get("about:blank")
    watched.driver.get(sample.url + "/")
    watched.js(f"await until(async () => {{ {KEPT} }})")
    urls = [url for url in watched.requests() if "avatar" in url]
    assert not [url for url in urls if "/v1/avatars" in url or "/avatar?" in url], urls
