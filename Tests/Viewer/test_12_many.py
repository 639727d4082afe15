"""Several contacts together, the menu of a row, vCards."""
import pytest

from test_10_choice import both  # noqa: F401
from test_3_list import show
from test_5_delete import MENU

PICK = MENU + """const row = name => find(name);
    const click = (name, keys = {}) => row(name).querySelector('.main').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, ...keys }));
    const picked = () => [...document.querySelectorAll('.rows .row.picked:not([hidden]) .name')].map(({ textContent }) => textContent);
    const count = () => document.querySelector('.picked-bar:not([hidden]) .picked-count')?.textContent ?? null;
    const action = label => [...document.querySelectorAll('.picked-bar button')].find(each => each.innerText === label).click();
"""
# The service of these tests may not know vCards yet.
VCARDS = """const files = [], sent = tondo.api.fetch;
    tondo.api.fetch = async (path, options) => String(path).endsWith('/vcard')
      ? new Response(`BEGIN:VCARD\\r\\nUID:${decodeURIComponent(path.split('/')[3])}\\r\\nEND:VCARD\\r\\n`, { headers: { 'Content-Type': 'text/vcard' } }) : sent(path, options);
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => { files.push(blob); return make.call(URL, blob); };
    let name;
    HTMLAnchorElement.prototype.click = function () { if (this.download) name = this.download; else this.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })); };
"""


def with_token(page, service):
    page.open(service.url, "#code=" + service.code())
    page.wait("document.querySelectorAll('.row .drawn').length > 4")


def test_control_and_shift_select(page, sample):
    show(page, sample)
    page.js(PICK + """click('Bo Lindqvist', { ctrlKey: true });
        await until(() => count() === '1 selected');
        equal(location.hash, '#/', 'nothing is opened');
        tondo.hasMouse = true;
        click('Farid Haddad', { shiftKey: true });
        await until(() => count() === '4 selected');
        equal(picked(), ['Bo Lindqvist', 'Chidi Eze', 'Dóra Novák', 'Farid Haddad']);
        click('Chidi Eze', { metaKey: true });
        await until(() => count() === '3 selected');
        equal(document.querySelectorAll('.rows .row .pick:checked').length, 3);
        // A click beside them opens a contact and loses nothing.
        click('Greta Møller'); await frame();
        equal(count(), '3 selected');""")
    page.js("document.querySelector('.rows .row .main').focus()")
    page.key("Escape", 27)
    page.js(PICK + "await until(() => count() === null); equal([picked(), document.querySelector('.rows .pick:checked')], [[], null]);")


def test_range_reaches_over_rows_that_were_never_in_view(desktop, many):
    show(desktop, many)
    desktop.js("""const { list, app } = { list: tondo.views.list };
        await list.pick(list.list.row(2));
        list.list.reveal(1400, 'start');
        const row = await until(() => list.list.row(1400)?.view.contact && list.list.row(1400));
        await list.pick(row, true);
        await until(() => document.querySelector('.picked-count').textContent === '1,399 selected');
        list.choose({ search: 'Kira' });
        await until(() => tondo.contacts.isLoaded && tondo.contacts.total < 300);
        equal(document.querySelector('.picked-count').textContent, '1,399 selected', 'a search keeps the selection');""")


def test_keys_select(page, sample):
    show(page, sample)
    page.js("document.querySelector('.rows .row .main').focus()")
    page.key(" ", 32)
    page.wait("document.querySelector('.picked-count')?.textContent === '1 selected'")
    page.js(PICK + """const strike = keys => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...keys }));
        strike({ key: 'ArrowDown', shiftKey: true }); await until(() => count() === '2 selected');
        strike({ key: 'ArrowDown', shiftKey: true }); await until(() => count() === '3 selected');
        equal(picked(), ['Ada Okafor', 'Bo Lindqvist', 'Chidi Eze']);""")


def test_long_touch_shows_the_contact_and_what_can_be_done(phone, sample):
    show(phone, sample)
    x, y = phone.js("const box = document.querySelectorAll('.rows .row')[1].getBoundingClientRect(); return [box.left + 120, box.top + box.height / 2]")
    phone.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    phone.wait("document.querySelector('dialog[open] .preview .drawn')")
    phone.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    phone.js(MENU + """await frame();
        const sheet = document.querySelector('dialog[open]'), parts = selector => [...sheet.querySelectorAll(selector)].map(each => each.innerText);
        equal([parts('h2'), parts('.about'), parts('.preview dd')], [['Bo Lindqvist'], ['Lindqvist Clocks'], ['+46 8 465 004 12', 'bo@example.org']]);
        press('Select'); await gone();
        await until(() => document.querySelector('.picked-count')?.textContent === '1 selected');
        equal(location.hash, '#/');""")
    phone.touch((x, y + 104))
    phone.wait("document.querySelector('.picked-count').textContent === '2 selected'")
    assert phone.js("return location.hash") == "#/"
    phone.touch((x, y))
    phone.wait("document.querySelector('.picked-count').textContent === '1 selected'")
    phone.js("""const bar = document.querySelector('.picked-bar');
        equal([...bar.querySelectorAll('button:not([hidden])')].every(each => each.offsetHeight >= 44), true);
        equal(bar.getBoundingClientRect().right <= innerWidth, true);
        bar.querySelector('button').click();
        await until(() => bar.hidden && document.activeElement.closest('.row'));""")


def test_many_are_deleted_with_one_undo(both, own):
    with_token(both, own)
    both.js(PICK + """const before = tondo.contacts.ids.join();
        for (const name of ['Bo Lindqvist', 'Dóra Novák', 'Farid Haddad']) await tondo.views.list.pick(row(name));
        await until(() => count() === '3 selected');
        action('Delete');
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith('3 contacts deleted.'));
        equal([count(), tondo.contacts.total], [null, 11]);
        equal(document.activeElement.closest('.row')?.querySelector('.name').textContent, 'Chidi Eze', 'the next row has the focus');
        for (const id of ['sample-bo', 'sample-farid']) equal((await fetch(`/v1/contacts/${id}`)).status, 404);
        document.querySelector('.toast .undo').click();
        await until(() => document.querySelector('.toast').innerText.startsWith('3 contacts restored.'));
        equal(tondo.contacts.ids.join(), before, 'each is back in its place');
        for (const id of ['sample-bo', 'sample-farid']) equal((await fetch(`/v1/contacts/${id}`)).status, 200);""")


def test_what_is_refused_of_many_comes_back(desktop, own):
    with_token(desktop, own)
    desktop.js(PICK + """const send = tondo.api.fetch;
        (await tondo.removing()).manager.isProven = true;
        tondo.api.fetch = async (path, options) => options?.method === 'DELETE' && path.includes('sample-farid')
          ? new Response(JSON.stringify({ status: 409, code: 'contact-changed' }), { status: 409 }) : send(path, options);
        for (const name of ['Bo Lindqvist', 'Farid Haddad']) await tondo.views.list.pick(row(name));
        action('Delete');
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith('1 of 2 deleted.'));
        await until(() => find('Farid Haddad') && !find('Bo Lindqvist'));""")


ITEMS = "[...document.querySelectorAll('.popover .menu-label, .sheet .menu-label')].map(({ innerText }) => innerText)"


def test_right_button_opens_the_menu_at_the_pointer(desktop, sample):
    show(desktop, sample)
    x, y = desktop.js("const box = document.querySelectorAll('.rows .row')[1].getBoundingClientRect(); return [box.left + 150, box.top + box.height / 2]")
    for kind in ("mousePressed", "mouseReleased"):
        desktop.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="right", buttons=2, clickCount=1)
    desktop.js("""const menu = await until(() => document.querySelector('.popover'));
        await Promise.all(menu.getAnimations().map(each => each.finished.catch(() => {})));
        const [x, y] = args, box = menu.getBoundingClientRect();
        equal([Math.abs(box.left - x) < 2, Math.abs(box.top - y) < 2], [true, true]);
        const labels = """ + ITEMS + """.filter(label => !label.includes('favourites'));
        equal(labels, ['Open', 'Select', 'Copy email address', 'Copy number', 'Export as vCard'], 'this browser only views');""", x, y)
    desktop.key("Escape", 27)
    desktop.js("""await until(() => !document.querySelector('.popover'));
        equal(document.activeElement.closest('.row')?.querySelector('.name').textContent, 'Bo Lindqvist');""")


def test_shift_f10_opens_the_menu_of_the_row(page, sample):
    show(page, sample)
    page.js("""const link = document.querySelectorAll('.rows .row')[1].querySelector('.main');
        link.focus();
        link.dispatchEvent(new KeyboardEvent('keydown', { key: 'F10', shiftKey: true, bubbles: true, cancelable: true }));
        const menu = await until(() => document.querySelector('.popover'));
        equal([menu.ariaLabel ?? menu.getAttribute('aria-label'), menu.contains(document.activeElement)], ['Bo Lindqvist', true]);
        document.activeElement.click();
        await until(() => location.hash === '#/c/sample-bo' && document.activeElement?.matches('.detail-pane h2'));""")


def test_more_button_opens_a_sheet_with_channels_on_the_phone(phone, sample):
    show(phone, sample)
    phone.js("""document.querySelector('.rows .row .more').click();
        const sheet = await until(() => document.querySelector('dialog[open]'));
        equal([sheet.querySelector('h2').innerText, sheet.querySelectorAll('.way').length], ['Ada Okafor', 4]);
        equal([...sheet.querySelectorAll('button, a')].every(each => each.offsetHeight >= 44), true);
        equal(""" + ITEMS + """[0], 'Open');
        [...sheet.querySelectorAll('button')].find(each => each.innerText === 'Cancel').click();
        await until(() => !document.querySelector('dialog'));
        equal(document.activeElement !== document.body, true);""")


def test_address_and_number_are_copied(desktop, sample):
    show(desktop, sample)
    desktop.js(MENU + """const copied = [];
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async value => { copied.push(value); } } });
        for (const label of ['Copy email address', 'Copy number']) {
          find('Ada Okafor').querySelector('.more').click(); await menu();
          [...document.querySelectorAll('.menu-label')].find(each => each.innerText === label).click(); await gone();
          await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith('Copied: '));
        }
        equal(copied, ['ada@example.org', '+44 20 7946 0101']);
        // Without a clipboard, as on another machine without HTTPS.
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
        let isTried = false;
        document.execCommand = () => { isTried = document.activeElement.value === 'ada@example.org'; return true; };
        const { copy } = await load('./row-menu.js');
        await copy(tondo, 'ada@example.org');
        equal([isTried, document.querySelector('textarea')], [true, null]);""")


def test_contacts_are_exported_as_one_file(both, sample):
    show(both, sample)
    both.js(PICK + VCARDS + """for (const name of ['Bo Lindqvist', 'Dóra Novák']) await tondo.views.list.pick(row(name));
        [...document.querySelectorAll('.picked-bar button')].find(each => each.innerText === 'Export').dispatchEvent(new MouseEvent('click', { bubbles: true }));
        await until(() => files.length === 1 && name);
        equal([name, files[0].type], ['contacts.vcf', 'text/vcard']);
        equal((await files[0].text()).match(/UID:.*/g), ['UID:sample-bo', 'UID:sample-dora']);
        const { exportContacts } = await load('./row-menu.js');
        await exportContacts(tondo, [{ id: 'sample-ada', displayName: 'A/d:a' }]);
        equal(name, 'A_d_a.vcf');
        tondo.api.fetch = async () => new Response('{}', { status: 404 });
        await exportContacts(tondo, [{ id: 'sample-ada', displayName: 'Ada' }]);
        await until(() => document.querySelector('.toast:not([hidden])').innerText.startsWith('Couldn’t export'));""")


def test_contact_is_dragged_out_as_a_vcard(page, sample):
    show(page, sample)
    page.js(PICK + """tondo.hasMouse = true; tondo.views.list.refill();
        const dataTransfer = new DataTransfer(), target = row('Ada Okafor');
        equal(target.draggable, true);
        tondo.views.list.input.vcard = { id: 'sample-ada', text: 'BEGIN:VCARD' };
        target.dispatchEvent(new DragEvent('dragstart', { bubbles: true, cancelable: true, dataTransfer }));
        const url = `${location.origin}/v1/contacts/sample-ada/vcard`;
        equal(dataTransfer.getData('DownloadURL'), `text/vcard:Ada Okafor.vcf:${url}`);
        equal([dataTransfer.getData('text/uri-list'), dataTransfer.getData('text/vcard'), dataTransfer.getData('text/plain')],
          [url, 'BEGIN:VCARD', 'Ada Okafor <ada@example.org>']);""")


@pytest.mark.parametrize("isHeld", [True, False])
def test_vcard_is_fetched_only_for_what_is_held(desktop, sample, isHeld):
    show(desktop, sample)
    desktop.js(PICK + VCARDS + """const target = row('Ada Okafor'), isHeld = args[0];
        target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse', button: 0 }));
        if (!isHeld) dispatchEvent(new PointerEvent('pointerup'));
        await new Promise(next => setTimeout(next, 250));
        if (isHeld) await until(() => tondo.views.list.input.vcard?.text.includes('sample-ada'));
        else equal(tondo.views.list.input.vcard, null);""", isHeld)
