"""What is chosen for the list is shown below its bar, and taken back there."""
from test_10_choice import both  # noqa: F401
from test_3_list import show

CHIPS = """const chips = () => [...document.querySelectorAll('.chips:not([hidden]) button')].map(({ innerText }) => innerText.trim()), chip = label => [...document.querySelectorAll('.chips button')].find(({ innerText }) => innerText.trim() === label);
    const loaded = () => until(() => tondo.contacts.isLoaded);
"""


def test_filter_and_order_are_chips_that_take_them_back(both, sample):
    show(both, sample)
    both.js(CHIPS + """equal(chips(), []);
        const top = () => document.querySelector('.list-area').getBoundingClientRect().top, before = top(), { list } = tondo.views;
        list.choose({ filter: ['telegram', 'phone'], sort: 'family-desc' });
        await loaded();
        equal(chips(), ['Telegram', 'Phone', 'Last name, Z to A', 'Clear all']);
        equal([...document.querySelectorAll('.chips button')].every(each => each.offsetHeight >= 44 && each.offsetWidth >= 44), true);
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
        await headline('No results for “zzz” with this filter');
        equal([empty.querySelector('button').innerText, chips()], ['Clear all', ['Viber', 'Threema', 'Signal', 'Clear all'].toSorted((one, other) => chips().indexOf(one) - chips().indexOf(other))]);
        empty.querySelector('button').click();
        await until(() => document.querySelectorAll('.row:not([hidden]) .name').length > 3 && empty.childElementCount === 0);
        equal([chips(), list.query.search], [[], '']);
        list.choose({ search: 'zzz' });
        await headline('No results for “zzz”');
        equal(chips(), [], 'the field shows what was searched, and clears it');
        empty.querySelector('button').click();
        await until(() => empty.childElementCount === 0);""")
