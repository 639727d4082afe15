"""Point 4: filter and sort sheets."""
import pytest


def show(page, service):
    page.open(service.url)
    page.wait("document.querySelectorAll('.row .drawn').length > 3")


OPEN = """const open = async at => { document.querySelectorAll('.tools .icon-button')[at].click(); return until(() => document.querySelector('dialog[open]')); };
    const press = label => [...document.querySelectorAll('dialog button')].find(each => each.innerText === label).click();
    const badges = () => [...document.querySelectorAll('.tools .icon-button')].map(each => getComputedStyle(each, '::after').content !== 'none');
    const gone = () => until(() => !document.querySelector('dialog'));
"""


def test_filter_selects_contacts_with_all_ways(page, sample):
    show(page, sample)
    page.js(OPEN + """equal(badges(), [false, false]);
        const dialog = await open(0), boxes = [...dialog.querySelectorAll('input[name=way]')];
        equal(boxes.map(({ value }) => value), ['telegram', 'whatsapp', 'viber', 'signal', 'threema', 'phone', 'email']);
        for (const name of ['telegram', 'whatsapp']) boxes.find(({ value }) => value === name).click();
        press('Apply'); await gone();
        await until(() => tondo.contacts.total === 1);
        equal(document.querySelector('.row:not([hidden]) .name').textContent, 'Farid Haddad');
        equal(badges(), [true, false]);""")


def test_select_all_and_nothing_that_matches(page, sample):
    show(page, sample)
    page.js(OPEN + """let dialog = await open(0);
        const all = dialog.querySelector('input[name=all]'), boxes = [...dialog.querySelectorAll('input[name=way]')];
        boxes[0].click(); equal([all.checked, all.indeterminate], [false, true]);
        all.click(); equal(boxes.every(({ checked }) => checked), true);
        press('Apply'); await gone();
        await until(() => document.querySelector('.list-area .empty').innerText === 'No such contacts, choose other filters');
        dialog = await open(0);
        equal(dialog.querySelector('input[name=all]').checked, true, 'the sheet shows what is applied');
        press('Reset'); await gone();
        await until(() => tondo.contacts.total === 14);
        equal(badges(), [false, false]);""")


def test_four_orders_and_the_order_of_the_book(page, sample):
    show(page, sample)
    page.js(OPEN + """const seen = {}, initial = tondo.contacts.ids.join();
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
    show(desktop, sample)
    desktop.js(OPEN + "const dialog = await open(0); dialog.querySelector('input[value=threema]').click();")
    if way == "Escape":
        desktop.key("Escape", 27)
    elif way == "backdrop":
        desktop.js("document.querySelector('dialog').dispatchEvent(new MouseEvent('click', { clientX: 5, clientY: 5, bubbles: true }))")
    else:
        x, y = desktop.js("await Promise.all(document.getAnimations().map(each => each.finished)); const box = document.querySelector('.handle').getBoundingClientRect(); return [box.left + box.width / 2, box.top + 10]")
        for kind, by in [("mousePressed", 0), ("mouseMoved", 60), ("mouseMoved", 120), ("mouseReleased", 120)]:
            desktop.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y + by, button="left", buttons=1, clickCount=1)
    desktop.js(OPEN + "await gone(); equal(tondo.contacts.total, 14); equal(badges(), [false, false]);")


STILL = "await Promise.all(document.getAnimations().map(each => each.finished)); "


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
