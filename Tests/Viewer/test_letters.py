"""Letters of the list: beside their rows where there is room, above them where the text is large."""
import pytest

from test_3_list import show

# box(element), and `letters()`: each letter with the row that it belongs to, of those that are shown.
BOXES = """const box = each => each.getBoundingClientRect(), middle = each => (box(each).top + box(each).bottom) / 2, { list } = tondo.views.list;
    const isMirrored = document.documentElement.dir === 'rtl', start = each => isMirrored ? innerWidth - box(each).right : box(each).left, end = each => isMirrored ? innerWidth - box(each).left : box(each).right;
    const letters = () => [...document.querySelectorAll('.headers .section:not([hidden], :empty)')].map(letter => [letter, tondo.contacts.sections.find(({ title }) => title === letter.textContent)])
      .filter(([, section]) => section && list.row(section.offset)).map(([letter, section]) => [letter, list.row(section.offset)]);"""


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_letter_stands_beside_its_first_row(desktop, sample, width, direction):
    desktop.resize(width, 844)
    show(desktop, sample, direction=direction)
    desktop.js(BOXES + """await until(() => letters().length > 5);
        for (const [letter, row] of letters()) {
          equal(Math.abs(middle(letter) - middle(row)) <= 1, true, letter.textContent);
          equal(end(letter) <= start(row.querySelector('.avatar')), true, `${letter.textContent} lies on the photo`);
        }
        // No line but those of the contacts.
        const rows = [0, 1, 2, 3].map(index => box(list.row(index)));
        rows.slice(1).forEach((row, at) => equal(Math.abs(row.top - rows[at].bottom) <= 1, true, `above row ${at + 1}`));
        equal(document.documentElement.scrollWidth <= innerWidth, true);""")


@pytest.mark.parametrize("width", [390, 1280])
def test_letter_stays_beside_the_rows_at_the_top(desktop, many, width):
    desktop.resize(width, 844)
    show(desktop, many)
    desktop.js(BOXES + """const sticky = document.querySelector('.sticky'), [, section] = list.layout.sections, { rowHeight } = list.layout;
        list.scrollTo(section.top + 2.5 * rowHeight);
        await until(() => !sticky.hidden && sticky.textContent === section.title);
        equal([Math.abs(box(sticky).top - box(list.scroller).top) <= 1, Math.abs(box(sticky).height - rowHeight) <= 1], [true, true]);
        equal(end(sticky) <= start(list.row(section.offset + 3).querySelector('.avatar')), true, 'it lies on a photo');
        // The next letter pushes it away.
        const next = list.layout.sections[2];
        list.scrollTo(next.top - rowHeight / 2);
        await until(() => Math.abs(box(sticky).bottom - box(list.scroller).top - rowHeight / 2) <= 1);
        // A letter that is chosen has its first row at the top.
        tondo.views.list.jumpToSection(2);
        await until(() => sticky.textContent === next.title && list.row(next.offset) && Math.abs(box(list.row(next.offset)).top - box(list.scroller).top) <= 1);""")


@pytest.mark.parametrize("width", [390, 1280])
def test_key_with_a_letter_shows_the_whole_row(desktop, many, width):
    desktop.resize(width, 844)
    show(desktop, many)
    desktop.js(BOXES + """list.row(0).view.link.focus();
        tondo.views.list.typeTo('k');
        const row = await until(() => { const found = document.activeElement?.closest?.('.row'); return found?.view.name.textContent.startsWith('Kira') && found; });
        const { top, bottom } = box(row), area = box(list.scroller);
        equal([top >= area.top - 1, bottom <= area.bottom + 1], [true, true]);""")


def test_large_text_has_its_letters_above_the_rows(desktop, sample):
    desktop.resize(390, 844)
    show(desktop, sample)
    desktop.js(BOXES + """document.documentElement.style.fontSize = '200%';
        await until(() => tondo.fontSize === 32 && letters().length > 1 && letters().every(([letter, row]) => box(letter).bottom <= box(row).top + 1));
        const avatar = list.row(0).querySelector('.avatar');
        equal(start(avatar) < 32, true, 'rows have all of the width');
        document.documentElement.style.fontSize = '';
        await until(() => letters().length > 5 && letters().every(([letter, row]) => Math.abs(middle(letter) - middle(row)) <= 1));""")


@pytest.mark.parametrize("width", [390, 1280])
def test_list_without_letters_keeps_no_room_for_them(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js(BOXES + """const before = start(list.row(0)), { contacts } = tondo, { sections, total } = contacts;
        // As for an order that is not that of names.
        contacts.sections = [{ title: '', offset: 0, count: total }];
        tondo.views.list.lay(true);
        equal([before - start(list.row(0)), letters().length, document.querySelector('.index').hidden], [24, 0, true]);
        contacts.sections = sections;
        tondo.views.list.lay(true);
        equal([start(list.row(0)) - before, letters().length > 5], [0, true]);""")


def test_list_that_is_all_in_view_has_no_index(desktop, sample):
    show(desktop, sample)
    desktop.js("""const index = document.querySelector('.index'), width = () => tondo.views.list.list.scroller.offsetWidth;
        const before = width();
        equal(index.hidden, false);
        tondo.views.list.choose({ search: 'ad' });
        await until(() => tondo.contacts.total < 9 && index.hidden);
        equal(width() > before, true, 'the rows have its room');
        tondo.views.list.choose({ search: '' });
        await until(() => !index.hidden && width() === before);""")


def test_name_and_line_stand_beside_each_other_where_the_list_has_the_room(desktop, sample):
    seen = BOXES + """const row = list.row(0), [name, line] = ['.name', '.line'].map(part => row.querySelector(part));
        return [Math.abs(middle(name) - middle(line)) <= 2, start(line) >= end(name)];"""
    desktop.resize(700, 1024)
    show(desktop, sample)
    assert desktop.js(seen) == [True, True]
    desktop.resize(390, 844)
    show(desktop, sample)
    assert desktop.js(seen) == [False, False]
