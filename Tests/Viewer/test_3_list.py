"""Point 3: the list, search, sections, deep links, the detail pane, print."""
import base64
import re

import pytest

from service import Service


def show(page, service, route="#/", **settings):
    page.open(service.url, route, **settings)
    page.wait("document.querySelectorAll('.row .drawn').length > 3")


def row(name):
    return f"[...document.querySelectorAll('.row:not([hidden])')].find(row => row.querySelector('.name').innerText === '{name}')"


def test_row_shows_name_company_or_phone_and_ways(page, sample):
    show(page, sample)
    page.js("""const find = name => [...document.querySelectorAll('.row:not([hidden])')].find(row => row.querySelector('.name').textContent === name);
        equal(document.querySelectorAll('.row .way').length, 0, 'the name has the room until a row is pointed at');
        const of = name => { const row = find(name); row.dispatchEvent(new PointerEvent('pointerover', { pointerType: 'mouse', bubbles: true }));
          return [row.querySelector('.line').textContent, [...row.querySelectorAll('.way')].map(way => way.ariaLabel), [...row.querySelectorAll('.way')].map(way => way.getAttribute('href'))]; };
        equal(of('Chidi Eze'), ['+7 (916) 123-45-67', ['Telegram: Chidi Eze', 'Viber: Chidi Eze', 'Call Chidi Eze', 'Email Chidi Eze'],
          ['https://t.me/chidi', 'viber://chat?number=%2B79161234567', 'tel:+79161234567', 'mailto:chidi@example.org']]);
        equal(of('Ada Okafor')[0], 'Harbour Pilots');
        equal(find('Chidi Eze').querySelectorAll('.way').length, 0, 'one row at a time');
        equal(find('Ada Okafor').ariaPosInSet, '1');
        equal(find('Ada Okafor').ariaSetSize, '14');""")


def test_line_of_a_contact_is_its_company_before_its_address(desktop, sample):
    show(desktop, sample, "#/c/sample-ines")
    desktop.js("""const row = await until(() => [...document.querySelectorAll('.row:not([hidden])')].find(row => row.querySelector('.name').textContent === 'Inês Duarte'));
        equal(row.querySelector('.line').textContent, 'No photo, so initials');
        const { lineOf } = await load('./rows.js'), emails = [{ value: 'ines@example.org' }];
        equal(lineOf({ displayName: 'Inês', emails }), 'ines@example.org');
        equal(lineOf({ displayName: 'Acme', organisation: ['Acme'], emails }), 'ines@example.org', 'a company is not named twice');""")


def test_only_visible_rows_exist_and_a_jump_shows_the_right_ones(page, many):
    show(page, many)
    page.js("""equal(document.querySelectorAll('*').length < 400, true, 'elements');
        const list = tondo.views.list.list;
        for (const index of [1500, 2999, 0, 2000]) {
          list.reveal(index, 'start');
          await until(() => tondo.contacts.at(index) && list.row(index)?.view.name.textContent === tondo.contacts.at(index).displayName);
          const top = list.row(index).getBoundingClientRect().top - list.scroller.getBoundingClientRect().top;
          if (index < 2990 && Math.abs(top) > 1) throw new Error(`row ${index} is at ${top}`);
        }""")


def test_index_letters_jump_to_their_section(page, many):
    show(page, many)
    page.js("""const index = document.querySelector('.index');
        equal(index.role, 'slider');
        const titles = tondo.contacts.sections.map(({ title }) => title);
        equal([...index.children].map(({ textContent }) => textContent), titles);
        const section = tondo.contacts.sections.find(({ title }) => title === 'K');
        const box = index.getBoundingClientRect(), y = box.top + (titles.indexOf('K') + .5) / titles.length * box.height;
        index.dispatchEvent(new PointerEvent('pointerdown', { clientX: box.left + 5, clientY: y, bubbles: true }));
        await until(() => index.ariaValueText === 'K' && document.querySelector('.sticky').textContent === 'K');
        await until(() => tondo.views.list.list.row(section.offset)?.view.name.textContent.startsWith('Kira'));
        index.focus();""")
    page.key("ArrowDown", 40)
    page.wait("document.querySelector('.index').ariaValueText === 'L'")
    page.key("Home", 36)
    page.wait("document.querySelector('.index').ariaValueNow === '0'")


def test_search_shows_the_answer_and_aborts_older_ones(page, many):
    show(page, many)
    page.js("""const input = document.querySelector('input[type=search]');
        for (const text of ['k', 'ki', 'kira', 'kira vo']) { input.value = text; input.dispatchEvent(new Event('input')); await frame(); }
        await until(() => tondo.contacts.total < 3000 && document.querySelector('.row:not([hidden]) .name').textContent.startsWith('Kira Vogel'));
        const names = [...document.querySelectorAll('.row:not([hidden]):not(.loading) .name')].map(({ textContent }) => textContent);
        equal(names.every(name => name.startsWith('Kira Vogel')), true, names);
        input.value = 'no such name'; input.dispatchEvent(new Event('input'));
        await until(() => document.querySelector('.list-area .empty').innerText.startsWith('No results for “no such name”'));""")


def test_deep_link_opens_the_contact_and_scrolls_to_its_row(page, many):
    page.open(many.url, "#/c/person-2345")
    page.wait("document.querySelector('.detail-pane h2')?.innerText.length > 3")
    page.js("""const index = await until(() => [...document.querySelectorAll('.row a[aria-current]')][0]);
        equal(index.getAttribute('href'), '#/c/person-2345');
        const box = index.getBoundingClientRect(); equal(box.top > 0 && box.bottom < innerHeight, true);""")


def test_unknown_contact_is_explained(page, sample):
    page.open(sample.url, "#/c/no-such-contact")
    page.wait("document.querySelector('.detail-pane .empty')?.innerText.startsWith('Contact not found')")
    page.js("document.querySelector('.detail-pane .empty button').click(); await until(() => location.hash === '#/' && document.querySelector('.row .name'));")


def test_detail_pane_stands_beside_the_list_from_768_pixels_on(desktop, sample):
    show(desktop, sample, "#/c/sample-ada")
    seen = "return ['.list-pane', '.detail-pane'].map(name => document.querySelector(name).offsetWidth > 0)"
    for width, expected in [(1280, [True, True]), (768, [True, True]), (767, [False, True]), (390, [False, True])]:
        desktop.resize(width, 844)
        assert desktop.js(seen) == expected, width
    desktop.js("location.hash = '#/'")
    desktop.wait("document.querySelector('.list-pane').offsetWidth > 0 && document.querySelector('.detail-pane').offsetWidth === 0")


def test_list_keeps_its_place_while_another_view_is_shown(page, many):
    show(page, many)
    page.js("""tondo.views.list.list.reveal(700, 'start');
        await until(() => tondo.views.list.list.row(700)?.view.contact);
        const before = tondo.views.list.list.position;
        location.hash = '#/settings'; await until(() => document.querySelector('.settings-pane')?.offsetHeight > 0);
        location.hash = '#/'; await until(() => document.querySelector('.list-pane').offsetHeight > 0);
        await until(() => Math.abs(tondo.views.list.list.position - before) <= 1 && tondo.views.list.list.row(700)?.view.contact);""")


def test_keyboard_alone_reaches_rows_ways_and_details(page, sample):
    show(page, sample)
    page.js("document.querySelector('.row .main').focus()")
    for name, code in [("ArrowDown", 40), ("ArrowDown", 40), ("End", 35)]:
        page.key(name, code)
    page.wait("document.activeElement.closest('.row')?.ariaPosInSet === '14'")
    page.key("Home", 36)
    page.wait("document.activeElement.closest('.row')?.ariaPosInSet === '1'")
    page.js("""const links = [...document.activeElement.closest('.row').querySelectorAll('a, button')];
        equal(links.every(({ tabIndex }) => tabIndex === 0), true);
        equal([...document.querySelectorAll('.row:not([hidden])')].filter(row => row.querySelector('.main').tabIndex === 0).length, 1);
        document.activeElement.click();""")
    page.wait("document.querySelector('.detail-pane h2')?.innerText === 'Ada Okafor'")


def test_contact_is_printed_on_one_page(desktop, sample):
    show(desktop, sample, "#/c/2~sample-kira")
    desktop.wait("document.querySelectorAll('.detail-pane .card').length > 2")
    data = base64.b64decode(desktop.cdp("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
    assert len(re.findall(rb"/Type\s*/Page\b[^s]", data)) == 1


def test_long_contact_is_printed_whole(desktop, own):
    phones = "".join(f"TEL:+49 30 {number:06}\r\n" for number in range(150))
    (own.folder / "book/long.vcf").write_text(f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:long\r\nFN:Long\r\n{phones}END:VCARD\r\n")
    desktop.open(own.url)
    desktop.wait("document.querySelector('.count')?.innerText === '15 contacts'")
    desktop.js("location.hash = '#/c/long'; await until(() => document.querySelectorAll('.detail-pane .card').length > 1);")
    data = base64.b64decode(desktop.cdp("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
    assert len(re.findall(rb"/Type\s*/Page\b[^s]", data)) > 1


ALL_WAYS = """{"tondo": 1, "contacts": [{"id": "all", "name": {"formatted": "All Ways"}, "phones": [{"value": "+49 30 123456"}],
    "emails": [{"value": "all@example.org"}], "vip": true, "organisation": ["%s"],
    "messengers": {"telegram": "allways", "whatsapp": "", "viber": "", "signal": "", "threema": "ABCD1234"}}]}"""


def test_all_seven_ways_are_whole_on_a_phone(phone):
    book = lambda folder: [(folder / "all.json").write_text(ALL_WAYS % ("long" * 500)) and folder / "all.json"]
    service = Service(book)
    try:
        phone.open(service.url)
        phone.wait("document.querySelectorAll('.row .drawn').length === 1")
        box = phone.js("const { top, height } = document.querySelector('.row').getBoundingClientRect(); return top + height / 2")
        phone.swipe((120, box), (240, box))
        phone.wait("document.querySelectorAll('.row.open .way').length === 7")
        inside = """const area = document.querySelector(args[0]).getBoundingClientRect(), boxes = [...document.querySelectorAll(`${args[0]} .way`)].map(way => way.getBoundingClientRect());
            equal([boxes.length, boxes.filter(box => box.width >= 24 && box.height >= 24 && box.left >= area.left && box.right <= area.right
              && box.top >= area.top && box.bottom <= area.bottom).length], [7, 7]);"""
        phone.js(inside, ".row")
        phone.js("equal(getComputedStyle(document.querySelector('.row .name'), '::after').content, '\"VIP\"');")
        phone.js("location.hash = '#/cards'; await until(() => document.querySelectorAll('.person .way').length === 7);")
        # Above the link that is the whole card.
        phone.js(inside + """for (const { left, top, width, height } of boxes) equal(Boolean(document.elementFromPoint(left + width / 2, top + height / 2).closest('.way')), true);""", ".person")
        phone.js("""location.hash = '#/c/all';
            await until(() => document.querySelectorAll('.head .way').length === 6);
            equal([...document.querySelectorAll('.head .way')].map(way => way.innerText.trim()), ['Call', 'Email', 'Telegram', 'WhatsApp', 'Signal', 'More']);
            const pane = document.querySelector('.detail-pane');
            equal([pane.scrollWidth <= pane.clientWidth, document.querySelector('.head .avatar').getBoundingClientRect().right < 390], [true, true]);""")
    finally:
        service.close()


def test_a_row_in_view_takes_part_in_the_order_of_the_tab_key_after_a_jump(page, many):
    page.open(many.url)
    page.wait("document.querySelectorAll('.row .drawn').length > 3")
    page.js("""tondo.views.list.jumpToSection(tondo.contacts.sections.length - 1);
        await until(() => [...document.querySelectorAll('.row:not([hidden]) .main')].some(link => link.tabIndex === 0));""")


def test_index_leaves_the_scroll_bar_free(desktop, many):
    desktop.open(many.url)
    desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
    desktop.js("""const scroller = document.querySelector('.list-area .scroller').getBoundingClientRect(), index = document.querySelector('.index').getBoundingClientRect();
        equal(scroller.right <= index.left + 1, true, [scroller.right, index.left]);""")


def test_list_behind_a_contact_of_the_phone_is_where_it_was_and_whole(phone, sample):
    show(phone, sample)
    # The third contact that is opened is one more circle above the letters.
    phone.js("""const { list } = tondo.views;
        for (const at of [1, 3, 6]) {
          location.hash = `#/c/${tondo.contacts.ids[at]}`;
          await until(() => tondo.settings.get('recents')?.includes(tondo.contacts.ids[at]) && list.list.axis.viewport === 0);
        }
        location.hash = '#/';
        await until(() => list.lead?.height > 0 && list.list.axis.viewport > 0);
        const { scroller } = list, shown = () => {
          const { top, bottom } = scroller.getBoundingClientRect(), from = top + Math.max(0, list.lead.height - scroller.scrollTop);
          const rows = [...list.rows.children].filter(row => !row.hidden).map(row => row.getBoundingClientRect());
          return rows.some(row => row.top < from + 60 && row.bottom > from) && rows.some(row => row.bottom > bottom - 60 && row.top < bottom);
        };
        await until(shown);
        equal(Math.abs(list.list.position - scroller.scrollTop) <= 1, true, 'the place');""")


@pytest.mark.parametrize("contact", ["2~sample-kira", "2~sample-mei"])
def test_open_contact_keeps_off_the_lower_edge_of_the_list(desktop, sample, contact):
    show(desktop, sample, f"#/c/{contact}")
    desktop.js("""const bottom = () => document.querySelector('.row.current')?.getBoundingClientRect().bottom;
        await until(() => bottom() > 0);
        // The last one, too.
        if (tondo.contacts.ids.at(-1) === args[0]) tondo.views.list.list.scrollTo(Infinity);
        const edge = document.querySelector('.list-pane').getBoundingClientRect().bottom;
        await until(() => bottom() <= edge - 8);""", contact)
