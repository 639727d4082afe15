"""The keyboard: skip link, search, type-ahead, Enter and Escape between list and contact; the focus is never lost."""
from test_10_choice import both, NAMES, SEARCH  # noqa: F401
from test_3_list import show
from test_5_delete import MENU
from test_recovery import HOLD

PRESS = "const press = (key, keys = {}) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...keys }));\n"


def test_skip_link_leads_to_the_list(both, sample):
    show(both, sample)
    both.js("""const skip = document.querySelector('.skip');
        equal(document.querySelector('a, button, input'), skip, 'it comes first');
        equal(skip.getBoundingClientRect().bottom < 0, true, 'not seen');
        skip.focus();
        equal(skip.getBoundingClientRect().top >= 0, true, 'seen with the focus');
        skip.click();
        await until(() => document.activeElement.closest('.row')?.ariaPosInSet === '1');
        equal(location.hash, '#/');""")


def test_slash_focuses_the_search_from_everywhere(both, sample):
    show(both, sample)
    both.js(PRESS + """const search = document.querySelector('input[type=search]');
        press('/'); await until(() => document.activeElement === search);
        location.hash = '#/c/sample-ada'; await until(() => document.querySelector('.detail-pane h2')?.innerText === 'Ada Okafor');
        document.activeElement.blur(); press('/'); await until(() => document.activeElement === document.querySelector('input[type=search]'));
        location.hash = '#/groups'; await until(() => document.querySelector('.groups-pane')?.offsetHeight);
        document.activeElement.blur();
        press('/'); await until(() => document.activeElement === document.querySelector('input[type=search]') && location.hash === '#/');
        // In a field it is a letter.
        const before = document.activeElement.value;
        equal(press('/'), true);""")


def test_search_and_rows_by_keys_alone(page, sample):
    show(page, sample)
    page.js(SEARCH + NAMES + "document.querySelector('input[type=search]').focus(); search('a'); await until(() => tondo.contacts.query.search === 'a' && tondo.contacts.isLoaded);")
    page.key("ArrowDown", 40)
    page.wait("document.activeElement.closest('.row')?.ariaPosInSet === '1'")
    page.js("document.querySelector('input[type=search]').focus()")
    page.key("Escape", 27)
    page.js("await until(() => tondo.contacts.query.search === '' && document.activeElement.value === '');")
    page.key("Escape", 27)
    page.wait("document.activeElement.closest('.row') !== null")


def test_letters_lead_to_the_name(page, many):
    show(page, many)
    page.js("document.querySelector('.rows .row .main').focus()")
    page.key("k", 75)
    page.wait("document.activeElement.closest('.row')?.view.contact?.displayName.startsWith('Kira')")
    page.js(PRESS + """await new Promise(next => setTimeout(next, 1000));
        for (const letter of 'lars w') press(letter);
        await until(() => document.activeElement.closest('.row')?.view.contact?.displayName.startsWith('Lars W'));
        const before = document.activeElement;
        await new Promise(next => setTimeout(next, 1000));
        press('q'); await frame();
        equal(document.activeElement, before, 'a letter without names moves nothing');""")


def test_what_was_typed_last_decides_whatever_answer_comes_first(page, many):
    show(page, many)
    page.js(PRESS + HOLD + """const shown = () => document.activeElement.closest('.row')?.view.contact?.displayName;
        document.querySelector('.rows .row .main').focus();
        press('l'); const hold = holdBack(path => path.includes('offset='));
        press('a'); await until(() => hold.paths.length > 0);
        tondo.api.fetch = send;
        for (const letter of 'rs w') press(letter);
        await until(() => shown()?.startsWith('Lars W'));
        hold.release(); await until(() => tondo.contacts.ids.filter(Boolean).length > 0); await frame(); await frame();
        equal(shown().startsWith('Lars W'), true, shown());""")


def test_a_name_is_found_in_a_list_that_is_loaded_again_meanwhile(page, many):
    show(page, many)
    page.js(PRESS + HOLD + """document.querySelector('.rows .row .main').focus();
        const { ids } = tondo.contacts, hold = holdBack(path => path.includes('/v1/contacts?'));
        for (const letter of 'lars w') press(letter);
        await until(() => hold.paths.length > 0);
        const before = hold.paths.length;
        tondo.contacts.refresh(); await until(() => hold.paths.length > before);
        hold.release(); await until(() => tondo.contacts.ids !== ids);
        await until(() => document.activeElement.closest('.row')?.view.contact?.displayName.startsWith('Lars W'));""")


def test_what_is_forgotten_meanwhile_is_not_asked_for_again(page, many):
    show(page, many)
    page.js(HOLD + """const { contacts } = tondo, hold = holdBack(path => path.includes('offset=1000'));
        const ids = contacts.idsBetween(1000, 1200);
        await until(() => hold.paths.length > 0);
        contacts.clear();
        const { length } = hold.paths, [first] = hold.waiting.splice(0);
        first(); equal(await ids, []);
        equal([contacts.ids.length, hold.paths.slice(length)], [0, []]);""")


def test_a_key_that_moves_the_focus_ends_the_search_for_a_name(page, many):
    show(page, many)
    page.js(PRESS + HOLD + """const row = () => document.activeElement.closest('.row').view.index;
        document.querySelector('.rows .row .main').focus();
        press('l'); const first = row(), hold = holdBack(path => path.includes('/v1/contacts?'));
        for (const letter of 'ars w') press(letter);
        await until(() => hold.paths.length > 0);
        press('ArrowDown');
        hold.release(); await tondo.contacts.idsBetween(first, first + 200); await frame();
        equal(row(), first + 1);""")


def test_enter_goes_to_the_contact_and_escape_back_to_its_row(both, sample):
    show(both, sample)
    both.js("document.querySelectorAll('.rows .row .main')[1].focus()")
    both.cdp("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    both.cdp("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    both.wait("location.hash === '#/c/sample-bo' && document.activeElement.matches('.detail-pane h2')")
    both.key("Escape", 27)
    both.wait("document.activeElement.closest('.row')?.view.contact.id === 'sample-bo'")
    both.cdp("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    both.wait("document.activeElement.matches('.detail-pane h2')")


def test_mouse_leaves_the_focus_in_the_list(desktop, sample):
    show(desktop, sample)
    x, y = desktop.js("const box = document.querySelectorAll('.rows .row')[1].getBoundingClientRect(); return [box.left + 150, box.top + box.height / 2]")
    for kind in ("mousePressed", "mouseReleased"):
        desktop.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
    desktop.wait("document.querySelector('.detail-pane h2')?.innerText === 'Bo Lindqvist'")
    assert desktop.js("return document.activeElement.closest('.row')?.view.contact.id") == "sample-bo"


def test_arrows_begin_at_the_open_contact(page, sample):
    page.open(sample.url, "#/c/sample-chidi")
    page.wait("document.querySelector('.row a[aria-current]')")
    page.js("document.querySelector('.skip').click(); await until(() => document.activeElement.closest('.row')?.view.contact.id === 'sample-chidi');")


def test_question_mark_lists_the_keys(both, sample):
    show(both, sample)
    both.js(PRESS + """document.querySelector('.rows .row .main').focus();
        press('?');
        const sheet = await until(() => document.querySelector('dialog[open]'));
        equal([sheet.querySelector('h2').innerText, sheet.querySelectorAll('dt').length >= 8], ['Keyboard shortcuts', true]);
        equal([...sheet.querySelectorAll('dd')].every(each => each.innerText && !each.innerText.startsWith('key.')), true);
        sheet.close();
        await until(() => document.activeElement.closest('.row')?.ariaPosInSet === '1');""")


def test_focus_is_kept_when_its_row_goes(page, own):
    page.open(own.url)
    page.wait("document.querySelectorAll('.row .drawn').length > 5 && tondo.events.last !== null")
    page.js(MENU + "find('Chidi Eze').querySelector('.main').focus();")
    (own.folder / "book/chidi.vcf").unlink()
    page.js(MENU + """await until(() => tondo.contacts.total === 13 && !find('Chidi Eze'));
        await until(() => document.activeElement.closest('.row')?.view.contact?.displayName === 'Dóra Novák');""")


def test_focus_is_kept_when_a_filter_takes_all_rows(desktop, sample):
    show(desktop, sample)
    desktop.js("""document.querySelector('.rows .row .main').focus();
        tondo.views.list.choose({ filter: ['telegram', 'threema', 'email'] });
        await until(() => tondo.contacts.isLoaded && tondo.contacts.total === 0);
        await until(() => document.activeElement === document.querySelector('input[type=search]'));""")


def test_focus_returns_to_the_row_on_the_phone(phone, sample):
    show(phone, sample)
    phone.js("""document.querySelectorAll('.rows .row .main')[1].click();
        await until(() => document.activeElement.matches('.detail-pane h2'));
        history.back();
        await until(() => document.activeElement.closest('.row')?.view.contact.id === 'sample-bo');""")
