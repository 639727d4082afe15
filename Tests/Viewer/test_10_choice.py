"""Order, filter, search and the open contact are in the address: they survive a reload, the way back and other views."""
import pytest

from test_3_list import show

SEARCH = "const search = text => { const input = document.querySelector('input[type=search]'); input.value = text; input.dispatchEvent(new Event('input')); };\n"
NAMES = "const names = () => [...document.querySelectorAll('.rows .row:not([hidden]) .name')].map(({ textContent }) => textContent);\n"


@pytest.fixture(params=["phone", "desktop"])
def both(request):
    """Chromium at 390 and at 1280 px."""
    return request.getfixturevalue(request.param)


def test_list_opens_sorted_by_name_with_letters(both, many):
    show(both, many)
    both.js("""equal(tondo.contacts.query.sort, 'given-asc');
        equal(tondo.contacts.sections.map(({ title }) => title).slice(0, 4), ['A', 'B', 'C', 'D']);
        equal(document.querySelector('.index').hidden, false);
        equal(location.hash, '#/', 'what is shown at first needs no address');
        // Of those with one given name, the rest of the name decides.
        const names = [0, 1, 2, 3, 4].map(index => tondo.contacts.at(index).name.family);
        equal(names, names.toSorted((one, other) => one.localeCompare(other)));""")


def test_choice_survives_a_reload(both, sample):
    show(both, sample)
    both.js(SEARCH + """search('a'); await until(() => location.hash === '#/?search=a');
        tondo.views.list.choose({ sort: 'family-desc', filter: ['phone', 'email'] });
        equal(location.hash, '#/?sort=family-desc&filter=phone,email&search=a');
        await until(() => tondo.contacts.isLoaded);
        sessionStorage.setItem('before', tondo.contacts.ids.join());""")
    both.reload("window.tondo?.contacts?.isLoaded && document.querySelectorAll('.row .drawn').length > 0")
    both.js("""equal(tondo.contacts.ids.join(), sessionStorage.getItem('before'));
        equal(document.querySelector('input[type=search]').value, 'a');
        equal([...document.querySelectorAll('.tools .icon-button')].map(each => each.classList.contains('badge')), [true, true, false]);""")


def test_back_from_a_contact_returns_to_the_search(both, sample):
    show(both, sample)
    both.js(SEARCH + NAMES + """search('ada'); await until(() => names().length === 1);
        document.querySelector('.rows .row .main').click();
        await until(() => location.hash === '#/c/sample-ada?search=ada');
        await until(() => document.querySelector('.detail-pane h2')?.innerText === 'Ada Okafor');
        history.back();
        await until(() => location.hash === '#/?search=ada' && document.querySelector('.list-pane').offsetHeight > 0);
        equal([names(), document.querySelector('input[type=search]').value], [['Ada Okafor'], 'ada']);""")


def test_choice_goes_on_in_other_views_and_ends_where_it_was_not_made(both, sample):
    show(both, sample)
    # Until a page is loaded, its places replace each other.
    both.wait("document.readyState === 'complete'")
    both.js(NAMES + """location.hash = '#/c/sample-ada'; await until(() => history.state?.hasChoice && document.querySelector('.detail-pane h2')?.innerText === 'Ada Okafor');
        tondo.views.list.choose({ filter: ['telegram'] });
        equal(location.hash, '#/c/sample-ada?filter=telegram');
        location.hash = '#/groups'; await until(() => document.querySelector('.groups-pane'));
        location.hash = '#/cards'; await until(() => location.hash === '#/cards?filter=telegram');
        location.hash = '#/'; await until(() => location.hash === '#/?filter=telegram');
        history.go(-4);
        await until(() => location.hash === '#/' && tondo.contacts.query.filter.length === 0 && tondo.contacts.total === 14);
        equal(document.querySelector('.tools .badge'), null);""")


def test_address_from_elsewhere_is_read_with_care(module):
    module("""const { readChoice, choiceText, readRoute, INITIAL } = await load('./route.js');
        equal(readRoute('#/c/a%2Fb?sort=family-asc&filter=telegram,nonsense&search=a%26b%20c'),
          { name: 'detail', part: 'a/b', choice: { search: 'a&b c', filter: ['telegram'], sort: 'family-asc' } });
        equal(readChoice('sort=nonsense&search=' + 'x'.repeat(300)).search.length, 200);
        equal(readChoice('sort=nonsense').sort, INITIAL.sort);
        equal(choiceText(INITIAL), '');
        const choice = { search: 'a&b=c?#d+e', filter: ['phone', 'email'], sort: 'book' };
        equal(readChoice(choiceText(choice).slice(1)), choice);
        equal(readRoute('#/').choice, null);""")
