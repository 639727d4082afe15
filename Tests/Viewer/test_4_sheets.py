"""Point 4: filter and sort, which are sheets on the phone and menus at their buttons on the desktop."""
import pytest


def show(page, service):
    page.open(service.url)
    page.wait("document.querySelectorAll('.row .drawn').length > 3")


OPEN = """const open = async at => { document.querySelectorAll('.tools .icon-button')[at].click(); return until(() => document.querySelector('dialog[open], .popover')); };
    const press = label => [...document.querySelectorAll('dialog button')].find(each => each.innerText === label).click();
    const badges = () => [...document.querySelectorAll('.tools .icon-button')].slice(0, 2).map(each => getComputedStyle(each, '::after').content !== 'none');
    const gone = () => until(() => !document.querySelector('dialog, .popover'));
    const first = () => document.querySelector('.row:not([hidden]) .name').textContent;
"""


def test_filter_selects_contacts_with_all_ways(phone, sample):
    show(phone, sample)
    phone.js(OPEN + """equal(badges(), [false, false]);
        const dialog = await open(0), boxes = [...dialog.querySelectorAll('input[type=checkbox]')];
        equal(boxes.map(({ value }) => value).filter(value => value !== 'favourite'), ['telegram', 'whatsapp', 'viber', 'signal', 'threema', 'phone', 'email']);
        for (const name of ['telegram', 'whatsapp']) boxes.find(({ value }) => value === name).click();
        press('Apply'); await gone();
        await until(() => tondo.contacts.total === 1);
        equal(first(), 'Farid Haddad');
        equal(badges(), [true, false]);""")


def test_filter_menu_applies_at_once_and_stays(page, sample):
    show(page, sample)
    page.js(OPEN + """const button = document.querySelectorAll('.tools .icon-button')[0];
        button.focus();
        const menu = await open(0), item = name => menu.querySelector(`[data-value=${name}]`);
        equal([menu.role, button.ariaExpanded, menu.contains(document.activeElement)], ['menu', 'true', true]);
        const box = menu.getBoundingClientRect(), own = button.getBoundingClientRect();
        equal([box.top >= own.bottom, Math.abs(box.right - own.right) < 12 || box.left < 10], [true, true], 'at its button');
        for (const name of ['telegram', 'whatsapp']) item(name).click();
        await until(() => tondo.contacts.total === 1 && first() === 'Farid Haddad');
        equal([item('telegram').ariaChecked, item('viber').ariaChecked], ['true', 'false']);
        equal(badges(), [true, false]);""")
    page.key("Escape", 27)
    page.js(OPEN + """await gone();
        equal(document.activeElement, document.querySelectorAll('.tools .icon-button')[0], 'the focus is back');
        equal(document.activeElement.ariaExpanded, null);
        const menu = await open(0);
        [...menu.querySelectorAll('.menu-item')].find(each => each.innerText === 'Reset').click();
        await gone();
        await until(() => tondo.contacts.total === 14);
        equal(badges(), [false, false]);""")


def test_menu_goes_by_arrows_and_letters(desktop, sample):
    show(desktop, sample)
    desktop.js(OPEN + "await open(1); equal(document.activeElement.dataset.value, 'given-asc', 'the order of now');")
    for key, code, value in [("ArrowDown", 40, "given-desc"), ("l", 76, "family-asc"), ("Home", 36, "given-asc"), ("ArrowUp", 38, None)]:
        desktop.key(key, code)
        assert desktop.js("return document.activeElement.dataset.value ?? null") == value
    desktop.key("l", 76)
    desktop.js(OPEN + """document.activeElement.click(); await gone();
        await until(() => tondo.contacts.query.sort === 'family-asc' && tondo.contacts.isLoaded);
        equal(document.activeElement, document.querySelectorAll('.tools .icon-button')[1]);""")


def test_nothing_that_matches_is_explained_and_undone(page, sample):
    show(page, sample)
    page.js("""tondo.views.list.choose({ filter: ['telegram', 'threema', 'email'] });
        const empty = await until(() => [...document.querySelectorAll('.list-area .empty')].find(each => each.innerText.startsWith('No contacts match these filters') && each.innerText.includes('No one has all of these: Telegram, Threema, and Email.')));
        empty.querySelector('button').click();
        await until(() => tondo.contacts.total === 14);
        equal(document.activeElement, document.querySelector('input[type=search]'), 'the button is gone, the focus is not');
        equal(document.querySelector('.tools .badge'), null);""")


def test_five_orders_and_reset(phone, sample):
    show(phone, sample)
    phone.js(OPEN + """const seen = {}, initial = tondo.contacts.ids.join();
        for (const order of ['given-asc', 'given-desc', 'family-asc', 'family-desc', 'book']) {
          const dialog = await open(1);
          equal(dialog.querySelectorAll('input[type=radio]').length, 5);
          dialog.querySelector(`input[value=${order}]`).click();
          press('Apply'); await gone();
          await until(() => tondo.contacts.query.sort === order && tondo.contacts.isLoaded);
          equal(badges(), [false, order !== 'given-asc']);
          seen[order] = tondo.contacts.ids.join();
        }
        equal(new Set(Object.values(seen)).size, 5);
        equal(seen['given-asc'], initial, 'the list opens sorted by name');
        equal(seen['given-asc'].startsWith('sample-ada,sample-bo,sample-chidi'), true, seen['given-asc']);
        await open(1); press('Reset'); await gone();
        await until(() => tondo.contacts.query.sort === 'given-asc' && tondo.contacts.isLoaded && tondo.contacts.ids.join() === initial);
        equal(badges(), [false, false]);""")


@pytest.mark.parametrize("way", ["Escape", "backdrop", "pull"])
def test_sheet_is_dismissed_without_applying(desktop, sample, way):
    desktop.resize(700, 900)
    show(desktop, sample)
    desktop.js(OPEN + "const dialog = await open(0); dialog.querySelector('input[value=threema]').click();")
    if way == "Escape":
        desktop.key("Escape", 27)
    elif way == "backdrop":
        desktop.js("document.querySelector('dialog').dispatchEvent(new MouseEvent('click', { clientX: 5, clientY: 5, bubbles: true }))")
    else:
        x, y = desktop.js("await Promise.all(document.getAnimations().map(each => each.finished.catch(() => {}))); const box = document.querySelector('.handle').getBoundingClientRect(); return [box.left + box.width / 2, box.top + 10]")
        for kind, by in [("mousePressed", 0), ("mouseMoved", 60), ("mouseMoved", 120), ("mouseReleased", 120)]:
            desktop.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y + by, button="left", buttons=1, clickCount=1)
    desktop.js(OPEN + "await gone(); equal(tondo.contacts.total, 14); equal(badges(), [false, false]);")


STILL = "await Promise.all(document.getAnimations().map(each => each.finished.catch(() => {}))); "


def test_a_finger_pulls_the_sheet_down_anywhere(phone, sample):
    show(phone, sample)
    phone.js(OPEN + "const dialog = await open(0); dialog.querySelector('input[value=threema]').click();")
    x, y = phone.js(STILL + "const box = document.querySelector('dialog fieldset').getBoundingClientRect(); return [box.left + box.width / 2, box.top + 40]")
    phone.swipe((x, y), (x, y + 60))
    phone.js(STILL + "equal(document.querySelectorAll('dialog').length, 1); equal(document.querySelector('dialog').style.translate, '')")
    phone.swipe((x, y), (x, y + 200))
    phone.js(OPEN + "await gone(); equal(tondo.contacts.total, 14); equal(badges(), [false, false]);")


def test_a_finger_scrolls_a_sheet_that_is_scrolled(phone, sample):
    show(phone, sample)
    phone.js(OPEN + "const dialog = await open(0); dialog.style.maxHeight = '200px'; dialog.scrollTop = 100;")
    x, y = phone.js(STILL + "const box = document.querySelector('dialog').getBoundingClientRect(); return [box.left + box.width / 2, box.top + 60]")
    phone.swipe((x, y), (x, y + 120))
    phone.js("equal(document.querySelectorAll('dialog').length, 1)")
