"""What is chosen for the list is shown below its bar, and taken back there."""
import pytest

from test_10_choice import both  # noqa: F401
from test_3_list import show

CHIPS = """const chips = () => [...document.querySelectorAll('.chosen:not([hidden]) button')].map(({ innerText }) => innerText.trim()), chip = label => [...document.querySelectorAll('.chosen button')].find(({ innerText }) => innerText.trim() === label);
    const loaded = () => until(() => tondo.contacts.isLoaded);
"""


def test_filter_and_order_are_chips_that_take_them_back(both, sample):
    show(both, sample)
    both.js(CHIPS + """equal(chips(), []);
        const top = () => document.querySelector('.list-area').getBoundingClientRect().top, before = top(), { list } = tondo.views;
        list.choose({ filter: ['telegram', 'phone'], sort: 'family-desc' });
        await loaded();
        equal(chips(), ['Telegram', 'Phone', 'Last name, Z to A', 'Clear all']);
        equal([...document.querySelectorAll('.chosen button')].every(each => each.offsetHeight >= 44 && each.offsetWidth >= 44), true);
        equal([document.documentElement.scrollWidth <= innerWidth, top() - before <= 44], [true, true]);
        const all = chip('Clear all').getBoundingClientRect();
        equal([all.left >= 0, all.right <= innerWidth], [true, true], 'what clears all is in view');
        equal(chip('Telegram').ariaLabel, 'Remove: Telegram');
        chip('Telegram').focus(); chip('Telegram').click();
        await loaded();
        equal([chips(), list.query.filter, document.activeElement === chip('Phone')], [['Phone', 'Last name, Z to A', 'Clear all'], ['phone'], true]);
        chip('Clear all').focus(); chip('Clear all').click();
        await loaded();
        equal([chips(), list.query, location.hash], [[], { search: '', filter: [], sort: 'given-asc' }, '#/']);
        equal(document.activeElement, list.tools.filter, 'the focus stays beside them, and no keyboard comes up');""")


def test_what_hides_all_contacts_is_named_and_taken_back_at_once(both, sample):
    show(both, sample)
    both.js(CHIPS + """const { list } = tondo.views, empty = document.querySelector('.list-area .empty');
        list.choose({ filter: ['viber', 'threema', 'signal'], search: 'zzz' });
        const headline = start => until(() => empty.querySelector('.headline')?.innerText.startsWith(start));
        await headline('No results for “zzz”');
        equal(empty.querySelector('.explanation').innerText.startsWith('These filters are on: '), true);
        equal([empty.querySelector('button').innerText, chips()], ['Clear all', ['Viber', 'Threema', 'Signal', 'Clear all'].toSorted((one, other) => chips().indexOf(one) - chips().indexOf(other))]);
        empty.querySelector('button').click();
        await until(() => document.querySelectorAll('.row:not([hidden]) .name').length > 3 && empty.childElementCount === 0);
        equal([chips(), list.query.search], [[], '']);
        list.choose({ search: 'zzz' });
        await headline('No results for “zzz”');
        equal(chips(), [], 'the field shows what was searched, and clears it');
        empty.querySelector('button').click();
        await until(() => empty.childElementCount === 0);""")


def test_menu_of_the_list_has_what_is_not_its_order(both, sample):
    show(both, sample)
    both.js("""const buttons = document.querySelectorAll('.tools .icon-button'), words = of => [...of.querySelectorAll('.menu-label, label, .sheet-item')].map(({ innerText }) => innerText.trim());
        await until(() => tondo.views.list.lead);
        const shown = () => until(() => document.querySelector('dialog[open], .popover')), gone = () => until(() => !document.querySelector('dialog, .popover'));
        const shut = async of => { if (of.matches('dialog')) of.close(); else of.hidePopover(); await gone(); };
        buttons[1].click();
        let menu = await shown();
        equal(words(menu).slice(0, 5), ['First name, A to Z', 'First name, Z to A', 'Last name, A to Z', 'Last name, Z to A', 'Address book order']);
        equal(words(menu).some(word => ['Recently opened', 'Print list'].includes(word)), false);
        await shut(menu);
        buttons[2].click();
        menu = await shown();
        equal(words(menu), ['Recently opened', 'Print list']);
        const before = tondo.views.list.lead.recents.isHidden;
        (menu.querySelector('input, [role=menuitemcheckbox]')).click();
        equal(tondo.views.list.lead.recents.isHidden, !before, 'it acts at once');
        tondo.views.list.lead.recentsChoice.toggle();
        await shut(menu);""")


def test_phone_shows_ten_rows_below_what_was_opened_last(phone, many):
    show(phone, many)
    phone.js("""const { list } = tondo.views, lead = await until(() => list.lead);
        lead.recents.write([0, 1, 2].map(at => tondo.contacts.at(at)).map(({ id, displayName, name }) => ({ id, displayName, given: name.given })));
        lead.draw();
        await until(() => document.querySelectorAll('.lead .recent').length === 3 && list.list.layout.lead === lead.height && lead.height > 0);
        await frame(); await frame();
        const area = document.querySelector('.list-area').getBoundingClientRect();
        const rows = [...document.querySelectorAll('.rows .row:not([hidden])')].map(each => each.getBoundingClientRect()).filter(({ top, bottom }) => top >= area.top && bottom <= area.bottom);
        equal([rows.length >= 10, lead.height <= 84, rows[0].height], [true, true, 56], `${rows.length} rows below ${lead.height} px`);
        equal([...document.querySelectorAll('.lead .recent')].every(({ offsetHeight, offsetWidth }) => offsetHeight >= 44 && offsetWidth >= 44), true);
        lead.recents.write([]);
        lead.draw();""")


def test_number_of_what_was_found_stands_only_where_that_list_is(both, sample):
    show(both, sample)
    both.js(CHIPS + """const count = document.querySelector('.count'), { list } = tondo.views;
        list.choose({ search: 'ada' });
        await until(() => count.innerText === '1 of 14');
        for (const name of ['book', 'groups', 'settings']) {
          location.hash = `#/${name}`;
          await until(() => document.body.dataset.route === name);
          equal(count.innerText, '14 contacts', 'all, where no list is');
        }
        location.hash = '#/';
        await until(() => document.body.dataset.route === 'list');
        equal(count.innerText, '1 of 14');
        list.choose({ search: '' });
        await until(() => count.innerText === '14 contacts');
        location.hash = '#/book';
        await until(() => document.body.dataset.route === 'book');
        equal(count.innerText, '14 contacts');""")


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_clears_all_lies_on_no_chip_and_the_cards_have_the_same_line(desktop, sample, width, direction, language):
    desktop.resize(width, 844)
    show(desktop, sample, direction=direction, language=language)
    desktop.js("""const { list } = tondo.views, shown = () => [...document.querySelectorAll('.chosen')].find(each => each.offsetHeight > 0), words = () => [...shown().querySelectorAll('button')].filter(({ offsetHeight }) => offsetHeight > 0).map(({ innerText }) => innerText.trim());
        list.choose({ filter: ['telegram', 'phone', 'email'], sort: 'family-desc' });
        await until(() => tondo.contacts.isLoaded && shown());
        const isFree = () => {
          const parts = shown().querySelector('.chosen-parts'), all = shown().querySelector('.chosen-all').getBoundingClientRect();
          for (const place of [0, 9999, -9999]) {
            parts.scrollLeft = place;
            const box = parts.getBoundingClientRect();
            equal([box.right <= all.left || box.left >= all.right, all.left >= 0, all.right <= innerWidth, all.width >= 44], [true, true, true, true], JSON.stringify([box, all]));
          }
        };
        isFree();
        const before = words();
        equal(before.length, 5);
        location.hash = '#/cards';
        await until(() => tondo.views.cards?.element.offsetHeight > 0 && shown()?.closest('.strip-pane'));
        equal(words(), before);
        isFree();
        const below = shown().getBoundingClientRect().bottom - document.querySelector('.strip').getBoundingClientRect().top;
        equal(below <= 0, true, below);
        shown().querySelector('.chosen-part').click();
        await until(() => tondo.contacts.isLoaded && words().length === 4);
        // No field shows it here.
        list.choose({ search: 'ada', filter: [], sort: 'given-asc' });
        await until(() => words().join() === 'ada');
        shown().querySelector('.chosen-part').focus();
        shown().querySelector('.chosen-part').click();
        await until(() => tondo.contacts.isLoaded && !shown() && document.activeElement.matches('.strip'));
        location.hash = '#/';
        await until(() => list.element.offsetHeight > 0);
        equal([list.query.search, shown()], ['', undefined]);""")
