"""Point 5: deleting with undo."""
import pytest

MENU = """const find = name => [...document.querySelectorAll('.row:not([hidden])')].find(row => row.querySelector('.name').textContent === name);
    const press = label => [...document.querySelectorAll('dialog button')].find(each => each.innerText === label).click();
    const menu = () => until(() => document.querySelector('dialog[open]'));
    const gone = () => until(() => !document.querySelector('dialog'));
"""


def show(page, service, with_token=True):
    page.open(service.url, "#code=" + service.code() if with_token else "#/")
    page.wait("document.querySelectorAll('.row .drawn').length > 5")


def test_deleted_contact_comes_back_to_its_place(page, own):
    show(page, own)
    page.js(MENU + """const before = tondo.contacts.ids.join();
        find('Chidi Eze').querySelector('.more').click();
        const dialog = await menu();
        equal([...dialog.querySelectorAll('button')].map(({ innerText }) => innerText), ['Delete', 'Cancel']);
        press('Cancel'); await gone(); equal(tondo.contacts.ids.join(), before);
        find('Chidi Eze').querySelector('.more').click(); await menu();
        press('Delete'); await gone();
        equal(find('Chidi Eze'), undefined, 'the row goes at once');
        equal(document.querySelector('.count').innerText, '13 contacts');
        const undo = await until(() => document.querySelector('.toast:not([hidden]) .undo'));
        equal(document.querySelector('.toast').innerText.startsWith('Chidi Eze was deleted.'), true);
        await until(async () => (await fetch('/v1/contacts/sample-chidi')).status === 404);
        undo.click();
        await until(() => tondo.contacts.ids.join() === before && find('Chidi Eze'));
        equal(document.querySelector('.count').innerText, '14 contacts');
        await until(async () => (await fetch('/v1/contacts/sample-chidi')).status === 200);""")


def test_delete_key_opens_the_menu(page, sample):
    show(page, sample, with_token=False)
    page.js(MENU + "find('Bo Lindqvist').querySelector('.main').focus();")
    page.key("Delete", 46)
    page.js(MENU + "equal((await menu()).querySelector('h2').innerText, 'Bo Lindqvist'); press('Cancel'); await gone();")


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_swipe_to_the_end_opens_the_menu(phone, sample, direction):
    phone.open(sample.url, direction=direction)
    phone.wait("document.querySelectorAll('.row .drawn').length > 5")
    y = phone.js(MENU + "const box = find('Chidi Eze').getBoundingClientRect(); return box.top + box.height / 2")
    swipe = lambda start, end: phone.swipe((start, y) if direction == "ltr" else (390 - start, y), (end, y) if direction == "ltr" else (390 - end, y), 12)
    swipe(300, 240)
    phone.js("await frame(); await frame(); equal(document.querySelector('dialog'), null); equal(document.querySelector('.swiping'), null); equal(location.hash, '#/');")
    swipe(340, 60)
    phone.js(MENU + "equal((await menu()).querySelector('h2').innerText, 'Chidi Eze'); press('Cancel'); await gone(); equal(location.hash, '#/');")


@pytest.mark.parametrize("status, code, text", [
    (401, "token-required", "This browser may not change contacts"), (409, "contact-changed", "The book was changed meanwhile"),
    (507, "book-not-writable", "The book or the trash is not writable"), (403, "read-only", "This service changes no contacts")])
def test_refusal_is_explained_and_the_row_is_back(desktop, sample, status, code, text):
    show(desktop, sample, with_token=False)
    desktop.js(MENU + """const [status, code, text] = args, before = tondo.contacts.ids.join(), send = tondo.api.fetch;
        // 401 is the answer of the service itself: this page has no right.
        if (status !== 401) tondo.api.fetch = async (path, options) => options.method === 'DELETE'
          ? new Response(JSON.stringify({ status, code }), { status }) : send(path, options);
        find('Chidi Eze').querySelector('.more').click(); await menu(); press('Delete'); await gone();
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith(text));
        equal(tondo.contacts.ids.join(), before);
        equal(Boolean(find('Chidi Eze')), true);
        equal(document.querySelector('.toast .undo'), null);""", status, code, text)
