"""Rows: name and one line, the channels when they are asked for, one measured height; the index; what a search found."""
import json

import pytest

from service import Service
from test_10_choice import both, NAMES, SEARCH  # noqa: F401
from test_3_list import show

LONG = ["Maria Fernanda González-Álvarez", "Bartholomew Featherstonehaugh", "Владимир Константинопольский", "Ян"]


@pytest.fixture(scope="module")
def long_names():
    """A service whose contacts have long names."""
    def book(folder):
        contacts = [{"id": f"long-{at}", "name": {"formatted": name, "given": name.split()[0], "family": name.split()[-1]},
                     "phones": [{"value": f"+49 30 12345{at}"}], "messengers": {"telegram": "someone", "signal": ""}} for at, name in enumerate(LONG)]
        (folder / "long.json").write_text(json.dumps({"tondo": 1, "contacts": contacts}))
        return [folder / "long.json"]
    service = Service(book)
    yield service
    service.close()


WHOLE = """const list = document.querySelector('.list-area').getBoundingClientRect();
    for (const row of document.querySelectorAll('.rows .row:not([hidden])')) {
      const name = row.querySelector('.name'), box = name.getBoundingClientRect(), own = row.getBoundingClientRect();
      equal([name.scrollWidth <= name.clientWidth + 1, name.scrollHeight <= name.clientHeight + 1], [true, true], name.textContent);
      equal([box.left >= list.left, box.right <= list.right, box.top >= own.top, box.bottom <= own.bottom + 1],
        [true, true, true, true], name.textContent);
    }
    equal(document.documentElement.scrollWidth <= innerWidth, true);"""


@pytest.mark.parametrize("width, size", [(320, "100%"), (320, "200%"), (390, "100%"), (390, "200%"), (1280, "100%"), (1280, "200%")])
def test_name_is_whole(desktop, long_names, width, size):
    desktop.resize(width, 844)
    desktop.open(long_names.url)
    desktop.wait("document.querySelectorAll('.rows .row .drawn').length === 4")
    desktop.js("""document.documentElement.style.fontSize = args[0];
        await until(() => tondo.fontSize === parseFloat(args[0]) * .16 && document.querySelector('.rows .row').offsetHeight === tondo.views.list.list.layout.rowHeight);
        await frame(); await frame();""" + WHOLE, size)


def test_whole_row_is_hovered_and_opens_the_contact(both, sample):
    show(both, sample)
    both.js("""const row = document.querySelector('.rows .row'), box = row.getBoundingClientRect();
        equal([box.height >= 44, row.querySelector('.more').getBoundingClientRect().width >= 44], [true, true]);
        // Each place of the row that nothing else takes is that of its link.
        for (const share of [.02, .3, .6]) {
          for (const y of [2, box.height / 2, box.height - 3]) {
            equal(document.elementFromPoint(box.left + share * box.width, box.top + y)?.closest('.main') !== null, true, [share, y]);
          }
        }
        const visible = row.querySelector('.avatar').getBoundingClientRect().width * (1 - 2 * .073);
        equal(visible >= 44 && visible <= 56, true, visible);""")


def test_mouse_shows_channels_and_box_of_its_row_alone(desktop, sample):
    show(desktop, sample)
    y = desktop.js("const box = document.querySelector('.rows .row').getBoundingClientRect(); return box.top + box.height / 2")
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=200, y=y)
    desktop.js("""const row = document.querySelector('.rows .row');
        await until(() => row.querySelectorAll('.way').length === 4 && row.querySelector('.pick'));
        const plain = document.querySelectorAll('.rows .row')[1];
        equal([plain.querySelector('.way'), plain.querySelector('.pick')], [null, null]);
        equal(getComputedStyle(row).backgroundColor !== getComputedStyle(plain).backgroundColor, true);
        equal([getComputedStyle(row.querySelector('.more')).opacity, getComputedStyle(plain.querySelector('.more')).opacity], ['1', '0']);
        equal(getComputedStyle(row).borderRadius !== '0px', true);""")
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=900, y=y)
    desktop.wait("document.querySelectorAll('.row .way').length === 0")


def test_focus_shows_the_channels_too(page, sample):
    show(page, sample)
    page.js("document.querySelector('input[type=search]').focus()")
    page.key("ArrowDown", 40)
    page.js("""const row = await until(() => document.activeElement.closest('.row'));
        await until(() => row.querySelectorAll('.way').length === 4);
        equal([...row.querySelectorAll('.way')].every(({ tabIndex }) => tabIndex === 0), true);""")


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_swipe_shows_the_channels_over_the_text(phone, sample, direction):
    phone.open(sample.url, direction=direction)
    phone.wait("document.querySelectorAll('.row .drawn').length > 5")
    y = phone.js("const box = document.querySelector('.rows .row').getBoundingClientRect(); return box.top + box.height / 2")
    mirrored = lambda x: x if direction == "ltr" else 390 - x
    phone.swipe((mirrored(120), y), (mirrored(240), y))
    phone.js("""const row = await until(() => document.querySelector('.row.open'));
        equal([...row.querySelectorAll('.way')].every(way => way.offsetWidth >= 44 && way.offsetHeight >= 44), true);
        equal(location.hash, '#/');""")
    phone.touch((195, y + 150))
    phone.wait("!document.querySelector('.row.open')")


def test_scrubbing_shows_the_letter_beside_the_finger(both, many):
    show(both, many)
    x, y, height = both.js("const { left, top, width, height } = document.querySelector('.index').getBoundingClientRect(); return [left + width / 2, top, height]")
    is_phone = both.js("return innerWidth < 768")
    if is_phone:
        both.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y + 4}])
        both.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x - 40, "y": y + height / 2}])
    else:
        both.cdp("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y + 4, button="left", buttons=1, clickCount=1)
        both.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x - 40, y=y + height / 2, button="left", buttons=1)
    both.js("""const [x, y] = args, letter = await until(() => { const found = document.querySelector('.scrubbed'); return found?.textContent === document.querySelector('.index').ariaValueText && found; });
        const box = letter.getBoundingClientRect();
        equal([box.right < x, Math.abs(box.top + box.height / 2 - y) < 4, box.height >= 60], [true, true, true]);
        // The letter under the finger is the letter that is meant.
        const under = [...document.querySelectorAll('.index span')].find(span => { const { top, bottom } = span.getBoundingClientRect(); return y >= top && y < bottom; });
        equal(under.textContent, letter.textContent);""", x, y + height / 2)
    if is_phone:
        both.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    else:
        both.cdp("Input.dispatchMouseEvent", type="mouseReleased", x=x - 40, y=y + height / 2, button="left", clickCount=1)
    both.wait("!document.querySelector('.scrubbed')")


def test_thinned_letters_lead_where_they_say(module):
    module("""const { IndexBar } = await load('./list-tools.js');
        const sections = Array.from({ length: 28 }, (_, at) => ({ title: String(at) })), bar = new IndexBar('Index', () => ({ sections }), () => {});
        for (const room of [28, 14, 10, 3]) {
          bar.draw(sections, room);
          const letters = [...bar.element.children].map(({ textContent }) => textContent);
          equal(letters.length <= room, true);
          letters.forEach((letter, at) => letter === '•' || equal(Math.floor(bar.sectionAt((at + .01) / letters.length)), Number(letter), room));
        }
        equal([bar.sectionAt(-1), bar.sectionAt(2)], [0, 27]);""")


FOUND = """const row = async match => {
      const { ContactRow } = await load('./rows.js'), row = new ContactRow(tondo, () => {});
      row.fill(0, 1, { id: 'a', displayName: 'Ada Okafor', phones: [{ value: '+44 1' }], match });
      return row;
    };
    const marks = element => [...element.querySelectorAll('mark')].map(({ textContent }) => textContent);
"""


def test_match_in_the_name_is_marked_there(module):
    module(FOUND + """const found = await row({ field: 'name', text: 'Ada Okafor', ranges: [[4, 3]] });
        equal([found.name.textContent, marks(found.name), found.line.textContent], ['Ada Okafor', ['Oka'], '+44 1']);
        const plain = await row(undefined);
        equal([marks(plain.name), plain.line.textContent], [[], '+44 1']);""")


def test_match_elsewhere_says_where(module):
    module(FOUND + """const found = await row({ field: 'company', text: 'Harbour Pilots', ranges: [[8, 6], [0, 3]] });
        equal([found.name.textContent, found.line.textContent, marks(found.line)], ['Ada Okafor', 'Company: Harbour Pilots', ['Har', 'Pilots']]);
        const nick = await row({ field: 'name', text: 'Адель', ranges: [[0, 2]] });
        equal([nick.line.textContent, marks(nick.line)], ['Name: Адель', ['Ад']], 'another name than the one that is shown');
        const note = await row({ field: 'note', text: 'x'.repeat(200) + 'found', ranges: [[200, 5]] });
        equal([note.line.textContent.length < 60, marks(note.line)], [true, ['found']], 'the match is not cut off');
        const odd = await row({ field: 'company', text: 'ab', ranges: [[-1, 1], [1, 9], [0, 1], [0, 1], [1, 0]] });
        equal(marks(odd.line), ['a'], 'ranges outside of the text');
        const unknown = await row({ field: 'shoe', text: '42', ranges: [] });
        equal(unknown.line.textContent, '+44 1');""")


def test_fields_have_words_in_each_language(module):
    module("""const { Text } = await load('./text.js');
        for (const language of ['en', 'ru', 'zh']) {
          const text = await Text.load(language);
          for (const field of ['name', 'nickname', 'title', 'company', 'note', 'city', 'address', 'email', 'phone', 'messenger', 'profile', 'website', 'related', 'group']) equal(text.has(`field.${field}`), true, field);
        }""")


def test_joined_entries_are_counted(module):
    module(FOUND + """const { ContactRow } = await load('./rows.js'), found = new ContactRow(tondo, () => {});
        found.fill(0, 1, { id: 'a', displayName: 'Ada', phones: [{ value: '+44 1' }], also: [{ id: 'b', book: 2 }] });
        equal(found.line.textContent, '+44 1 · 2 entries');""")


def test_search_without_result_can_be_cleared(both, sample):
    show(both, sample)
    both.js(SEARCH + NAMES + """search('zebra');
        const empty = await until(() => [...document.querySelectorAll('.list-area .empty')].find(each => each.innerText.startsWith('No results for “zebra”')));
        equal(empty.querySelector('button').innerText, 'Clear search');
        empty.querySelector('button').click();
        await until(() => names().length > 5);
        equal([document.querySelector('input[type=search]').value, document.activeElement, location.hash], ['', document.querySelector('input[type=search]'), '#/']);""")


PEEK = "document.querySelector('.peek:not([hidden])')"


def rest_on(desktop, number):
    """Moves the mouse to the text of a row."""
    x, y = desktop.js("const box = document.querySelectorAll('.rows .row')[args[0]].getBoundingClientRect(); return [box.left + 150, box.top + box.height / 2]", number)
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


def test_mouse_that_rests_on_a_row_sees_a_preview_which_leaves_with_it(desktop, sample):
    show(desktop, sample)
    rest_on(desktop, 1)
    desktop.wait(PEEK)
    desktop.js("""const peek = document.querySelector('.peek'), texts = selector => [...peek.querySelectorAll(selector)].map(({ innerText }) => innerText);
        equal([texts('.peek-name'), texts('.about'), texts('.preview dd')], [['Bo Lindqvist'], ['Lindqvist Clocks'], ['+46 8 465 004 12', 'bo@example.org']]);
        await until(() => peek.querySelector('.avatar.drawn'));
        // Beside the list, within the page, and out of the way of the pointer.
        const box = peek.getBoundingClientRect(), list = document.querySelector('.list-pane').getBoundingClientRect();
        equal([box.left >= list.right, box.right <= innerWidth, box.top >= 0, getComputedStyle(peek).pointerEvents], [true, true, true, 'none']);
        equal([peek.ariaHidden ?? peek.getAttribute('aria-hidden'), peek.querySelectorAll('a, button, [tabindex]').length, peek.contains(document.activeElement)], ['true', 0, false]);""")
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=900, y=5)
    desktop.js("equal(document.querySelector('.peek:not([hidden])'), null); await until(() => !document.querySelector('.peek'));")
    # Another row has its own, one at a time.
    rest_on(desktop, 2)
    desktop.wait(PEEK + "?.innerText.includes('Chidi Eze')")


def test_preview_beside_the_list_ends_with_any_key_and_the_key_does_what_it_does(desktop, sample):
    show(desktop, sample)
    desktop.js("document.querySelectorAll('.rows .row')[0].querySelector('.main').focus()")
    rest_on(desktop, 2)
    desktop.wait(PEEK)
    desktop.key("ArrowDown", 40)
    desktop.js("""equal(document.querySelector('.peek:not([hidden])'), null);
        equal(document.activeElement.closest('.row').querySelector('.name').textContent, 'Bo Lindqvist');""")


def test_open_contact_has_no_preview_beside_the_list(desktop, sample):
    desktop.open(sample.url, "#/c/sample-bo")
    desktop.wait("document.querySelector('.row.current') && document.querySelectorAll('.rows .row .drawn').length > 5 && document.querySelector('.detail-pane h2')?.innerText === 'Bo Lindqvist'")
    desktop.js("""const { input } = tondo.views.list, [ada, bo] = document.querySelectorAll('.rows .row');
        await input.preview(bo);
        equal(document.querySelector('.peek'), null);
        await input.preview(ada);
        equal(document.querySelector('.peek'), null, 'it would lie on the contact that is read');
        location.hash = '#/';
        await until(() => tondo.views.list.current === null);
        await input.preview(ada);
        equal(document.querySelector('.peek-name').innerText, 'Ada Okafor');
        input.rest(null);
        // Nor while a menu is open.
        document.querySelector('.tools [aria-haspopup]').click();
        await until(() => document.querySelector('.popover:popover-open'));
        await input.preview(ada);
        equal(document.querySelector('.peek:not([hidden])'), null);""")


def test_preview_never_lies_on_the_rows(desktop, sample):
    desktop.resize(700, 1024)
    show(desktop, sample)
    desktop.js("""await tondo.views.list.input.preview(document.querySelectorAll('.rows .row')[1]);
        equal(document.querySelector('.peek'), null);""")


@pytest.mark.parametrize("is_reduced", [False, True])
def test_menus_leave_with_the_motion_of_the_page_or_with_none(desktop, sample, is_reduced):
    if is_reduced:
        desktop.media(prefers_reduced_motion="reduce")
    show(desktop, sample)
    desktop.js("""document.querySelector('.tools [aria-haspopup]').click();
        const menu = await until(() => document.querySelector('.popover:popover-open'));
        await Promise.all(menu.getAnimations().map(each => each.finished.catch(() => {})));
        await frame();
        menu.hidePopover();
        const moving = menu.getAnimations().map(({ transitionProperty }) => transitionProperty);
        equal([moving.includes('opacity'), getComputedStyle(menu).display], args[0] ? [false, 'none'] : [true, 'block']);
        equal(getComputedStyle(menu).pointerEvents, 'none');
        await until(() => !menu.isConnected);""", is_reduced)


def test_narrow_rows_keep_their_words_where_a_mouse_comes(desktop, sample):
    desktop.resize(768, 1024)
    show(desktop, sample)
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    desktop.js("""await until(() => tondo.hasMouse);
        const row = tondo.views.list.list.row(2), width = () => row.querySelector('.texts').getBoundingClientRect().width, before = width();
        row.view.light(true);
        equal([width(), row.querySelector('.ways').offsetWidth], [before, 0]);
        row.view.light(false);
        equal(getComputedStyle(row).webkitTapHighlightColor.endsWith(', 0)'), true, 'a finger presses what the page draws');""")


def test_row_that_shows_another_contact_has_only_what_that_one_has(page, sample):
    show(page, sample)
    page.js("""const { view } = document.querySelector('.rows .row:not([hidden])'), { contact } = view, { total } = tondo.contacts;
        const shown = () => [view.name.textContent, view.line.textContent, getComputedStyle(view.line).display === 'none'];
        const other = { ...contact, title: '', organisation: [], phones: [], emails: [] };
        for (const [given, wanted] of [[{ ...other, title: 'Pilot', displayName: 'One' }, ['One', 'Pilot', false]], [{ ...other, displayName: 'Two' }, ['Two', '', true]],
          [{ ...other, title: 'Nurse', displayName: 'Three', vip: true }, ['Three', 'Nurse', false]], [{ ...other, title: 'Cook', displayName: 'Four', vip: false }, ['Four', 'Cook', false]]]) {
          view.fill(0, total, given);
          equal(shown(), wanted);
        }
        view.fill(0, total, contact);""")


def test_faces_of_rows_have_the_pixels_that_are_seen(desktop, sample):
    desktop.resize(1280, 900)
    show(desktop, sample)
    desktop.wait("document.querySelectorAll('.rows .row .drawn').length > 5")
    # Also after the text became larger.
    desktop.js("""const { scale } = tondo.avatars, canvas = () => document.querySelector('.rows .row:not([hidden]) .drawn canvas');
        const isSharp = () => canvas() && canvas().width === Math.min(96, Math.ceil(canvas().offsetWidth)) * scale;
        await until(isSharp);
        document.documentElement.style.fontSize = '150%';
        await until(() => canvas()?.offsetWidth === 78 && isSharp());
        document.documentElement.style.fontSize = '';
        await until(() => canvas()?.offsetWidth === 52 && isSharp());""")
