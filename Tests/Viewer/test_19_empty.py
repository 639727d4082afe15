"""What stands in the place of what is missing: one form, one height, and one thing to do."""
import pytest

from service import Service, sample_books
from test_3_list import show

SIZES = pytest.mark.parametrize("width", [390, 1280])
# The parts of the empty place that is seen: [top and width of the sign, headline, line below it, buttons].
SEEN = """const seen = of => until(() => [...document.querySelectorAll('.empty')].find(each => each.querySelector('.headline') && each.offsetHeight > 0 && getComputedStyle(each).visibility !== 'hidden' && each.innerText.startsWith(of)));
    const still = async () => { await until(() => document.getAnimations().length === 0); };
    const form = empty => {
      const sign = empty.querySelector('.empty-sign').getBoundingClientRect(), [button] = empty.querySelectorAll('button'), style = button && getComputedStyle(button);
      return [Math.round(sign.top), sign.width, empty.querySelectorAll('.headline').length, empty.querySelectorAll('.explanation').length, empty.querySelectorAll('button').length, style?.backgroundColor, style?.color, style?.height];
    };
    """


def empty_book(folder):
    (folder / "book.json").write_text('{"tondo": 1, "contacts": []}')
    return [folder / "book.json"]


@pytest.fixture(scope="module")
def bare():
    """A service with a book without contacts."""
    service = Service(empty_book)
    yield service
    service.close()


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_empty_places_have_one_form_at_one_height_in_all_views(desktop, sample, bare, width, theme):
    desktop.resize(width, 844)
    forms = {}
    for service, hash, words in [
            (bare, "#/", "No contacts yet"), (bare, "#/cards", "No contacts yet"), (bare, "#/groups", "No groups yet"), (sample, "#/chat/sample-ada", "No messages yet"),
            (sample, "#/chat/none-such", "Contact not found"), (sample, "#/c/none-such", "Contact not found"), (sample, "#/groups/none-such", "No group called"),
            (sample, "#/?search=zzzz", "No results for"), (sample, "#/?search=zzzz&filter=phone", "No results for"), (sample, "#/?filter=favourite", "No favourites yet"),
            (sample, "#/cards?search=zzzz", "No results for")]:
        desktop.open(service.url, hash, theme=theme)
        forms[hash + words] = desktop.js(SEEN + "const empty = await seen(args[0]); await still(); return form(empty);", words)
    desktop.open(sample.url, "#/", show="no", theme=theme)
    forms["refused"] = desktop.js(SEEN + "const empty = await seen('Contacts are hidden'); await still(); return form(empty);")
    assert len({str(form) for form in forms.values()}) == 1, forms
    form = forms["refused"]
    assert form[1:5] == [64, 1, 1, 1] and 844 / 5 < form[0] < 844 / 2


@pytest.mark.parametrize("size", [(844, 390), (320, 300)])
def test_empty_place_is_whole_on_low_windows(desktop, bare, size):
    desktop.resize(*size)
    desktop.open(bare.url, "#/groups")
    desktop.js(SEEN + """const empty = await seen('No groups yet');
        equal([empty.querySelector('.empty-sign').getBoundingClientRect().top >= empty.getBoundingClientRect().top, document.documentElement.scrollWidth <= innerWidth], [true, true]);
        const button = empty.querySelector('button');
        button.scrollIntoView();
        equal(button.getBoundingClientRect().bottom <= innerHeight, true);""")


@SIZES
def test_empty_place_stays_where_it_is_while_a_message_comes(desktop, bare, width):
    desktop.resize(width, 844)
    desktop.open(bare.url)
    desktop.js(SEEN + """const empty = await seen('No contacts yet'), { top } = empty.querySelector('.empty-sign').getBoundingClientRect();
        tondo.notify('Copied: a');
        await until(() => document.querySelector('.toast').offsetHeight > 0 && document.getAnimations().length === 0);
        equal(Math.abs(empty.querySelector('.empty-sign').getBoundingClientRect().top - top) <= 1, true);
        document.querySelector('.toast .plain').click();""")


@SIZES
def test_book_without_contacts_says_so_in_its_place_and_what_to_do(desktop, width):
    service = Service(lambda folder: sample_books(folder) + empty_book(folder), is_drawn=True)
    try:
        desktop.resize(width, 844)
        desktop.open(service.url, "#/book")
        desktop.js("""const card = await until(() => document.querySelector('[data-id="book-3"]')), [first] = document.querySelectorAll('.card-source');
            equal(card.innerText.split('\\n').filter(Boolean), ['book.json', 'No contacts', 'This file or folder is empty. Add contacts in the app it comes from.']);
            equal([card.querySelector('.icon-book') !== null, card.querySelector('.fold, .icon-alert'), first.querySelector('.book-line').innerText], [true, null, '9 contacts']);
            // One heading for all of them, in all windows.
            const heading = document.querySelector('.card-books h3');
            equal([heading.innerText, heading.getBoundingClientRect().bottom <= first.getBoundingClientRect().top + 1], ['Address books', true]);""")
    finally:
        service.close()


@pytest.mark.parametrize("route", ["#/", "#/cards"])
def test_books_that_cannot_be_read_are_not_called_empty(desktop, route):
    def damaged(folder):
        (folder / "cut.vcf").write_text("BEGIN:VCARD\nVERSION:3.0\nFN:Cut\n")
        return [folder / "cut.vcf"]
    service = Service(damaged)
    try:
        desktop.open(service.url, route)
        desktop.js(SEEN + """const empty = await seen('No contacts to show');
            equal([empty.querySelector('.explanation').innerText.replace(/\\s+/g, ' '), empty.querySelector('button').innerText], ['None of your address books can be read.', 'Show address books']);""")
    finally:
        service.close()


@SIZES
def test_unknown_contact_has_neither_face_nor_tabs(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    for place in ("c", "chat"):
        desktop.js(SEEN + """location.hash = `#/${args[0]}/none-such`;
            const empty = await seen('Contact not found'), pane = empty.closest('.chat-pane, .detail-pane');
            equal([...pane.querySelectorAll('.avatar, .tabs, h2')].filter(each => each.getClientRects().length > 0).length, 0);
            equal(empty.querySelector('button').innerText, 'Show all contacts');
            empty.querySelector('button').click();
            await until(() => location.hash === '#/' && document.querySelector('.list-pane').offsetHeight > 0);
            location.hash = '#/chat/2~sample-kira';
            const header = await until(() => document.querySelector('.chat-pane:not(.is-empty) > header'));
            await until(() => header.innerText.includes('Kira') && header.querySelector('.tabs').offsetHeight > 0 && header.querySelector('.avatar').offsetHeight > 0);""", place)


@SIZES
def test_filter_that_finds_no_one_says_what_is_missing_and_the_bar_how_many_there_are(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js(SEEN + """const { list } = tondo.views, count = () => document.querySelector('.count').innerText;
        equal(count(), '14 contacts');
        const { whyEmpty } = await load('./list-tools.js'), said = filter => { const { sign, key, values } = whyEmpty(tondo.text, { search: '', filter }); return [sign, tondo.text.get(key, values).headline]; };
        equal([['threema'], ['phone'], ['email'], ['favourite'], ['phone', 'email']].map(said), [['threema', 'No contacts on Threema'], ['phone', 'No phone numbers yet'],
          ['email', 'No email addresses yet'], ['star', 'No favourites yet'], ['filter', 'No contacts match these filters']]);
        list.choose({ filter: ['favourite'] });
        await seen('No favourites yet');
        equal(count(), '0 of 14');
        list.choose({ filter: ['email'] });
        await until(() => /^[1-9]\\d* of 14$/.test(count()));
        const part = count();
        location.hash = '#/cards';
        await until(() => document.querySelector('.strip-pane')?.offsetHeight > 0 && count() === part);
        // Places without the list count all.
        location.hash = '#/groups';
        await until(() => document.querySelector('.groups-pane')?.offsetHeight > 0 && count() === '14 contacts');
        list.choose({ filter: [], search: 'zzzz' });
        location.hash = '#/';
        await until(() => count() === '0 of 14');
        list.choose({ search: '' });
        await until(() => count() === '14 contacts');""")
    # A list that is opened narrowed knows it, too.
    desktop.open(sample.url, "#/?search=zzzz")
    desktop.wait("document.querySelector('.count')?.innerText === '0 of 14'")


# What the place beside the list says, in each frame.
WATCH = """window.shown = [];
    const watch = () => {
      const headline = document.querySelector('.detail-pane > .empty .headline');
      if (headline?.offsetHeight > 0 && getComputedStyle(headline).visibility === 'visible') shown.push(headline.innerText);
      requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);"""


def test_place_beside_the_list_says_that_it_is_empty_only_once_that_is_known(desktop, sample):
    with desktop.before_page(WATCH):
        desktop.open(sample.url)
        desktop.js("""await until(() => document.querySelectorAll('.home-pane .day').length > 0);
            equal(shown, [], 'the birthdays have no other words before them');""")
    service = Service(lambda folder: [(folder / "one.json").write_text('{"tondo": 1, "contacts": [{"id": "a", "name": {"formatted": "Ada"}}]}') and folder / "one.json"])
    try:
        with desktop.before_page(WATCH):
            desktop.open(service.url)
            desktop.js("await until(() => shown.length > 0); equal([shown[0], document.querySelector('.split').classList.contains('is-asking')], ['No contact selected', false]);")
    finally:
        service.close()


def test_group_without_people_says_so(module):
    module("""const { MembersView } = await load('./view-members.js'), members = new MembersView(tondo), group = { id: 'x', name: 'X', total: 0, online: 0 };
        const said = () => [...members.empty.querySelectorAll('.headline')].map(each => each.textContent);
        members.show(undefined, undefined);
        equal(said(), ['No group selected']);
        members.show(group, { isLoaded: false, total: 0 });
        equal(said(), []);
        members.show(group, { isLoaded: true, total: 0 });
        equal(said(), ['No one in this group']);
        members.end();""")


@SIZES
def test_places_that_were_not_seen_say_that_the_page_is_offline(desktop, own, width):
    desktop.resize(width, 844)
    desktop.open(own.url, "#code=" + own.code())
    desktop.wait("document.querySelectorAll('.row .drawn').length > 5")
    # The parts of the page may be loaded; what they show is not.
    desktop.js("for (const name of ['groups', 'book', 'chat', 'detail', 'settings']) await tondo.view(name); await tondo.avatars.rememberKeys();")
    own.stop()
    desktop.wait("document.querySelector('.seen').textContent === 'Offline: saved contacts'")
    desktop.js(SEEN + """for (const hash of ['#/groups', '#/book', '#/c/none-such', '#/chat/none-such']) {
          location.hash = hash;
          const empty = await seen('This page isn’t available offline');
          equal([...empty.querySelectorAll('.empty-sign .icon')].map(({ classList }) => classList.contains('icon-c-offline')), [true], 'no failure');
          equal([empty.querySelectorAll('.explanation').length, empty.querySelector('button').innerText], [1, 'Try again'], hash);
          location.hash = '#/settings';
          await until(() => !empty.offsetHeight);
        }""")


@SIZES
def test_contact_that_was_not_opened_shows_offline_what_its_list_knows(desktop, own, width):
    desktop.resize(width, 844)
    desktop.open(own.url, "#code=" + own.code())
    desktop.wait("document.querySelectorAll('.row .drawn').length > 5 && tondo.contacts.ids.every(id => tondo.store.get(id))")
    desktop.js("await tondo.view('detail');")
    own.stop()
    desktop.js("""const person = tondo.contacts.ids.map(id => tondo.store.get(id)).find(({ phones, emails }) => phones?.length && emails?.length);
        location.hash = `#/c/${person.id}`;
        const pane = await until(() => document.querySelector('.detail-pane .card.error')?.closest('.detail-pane'));
        const { value, formatted = value } = person.phones[0];
        equal([pane.querySelector('h2').innerText, pane.querySelectorAll('.actions .way-phone, .actions .way-email').length], [person.displayName, 2]);
        equal([pane.querySelector('.card-phones dd').innerText.startsWith(formatted), pane.querySelector('.card-emails a').href.startsWith('mailto:')], [true, true]);
        equal(pane.querySelector('.card.error .headline').innerText, 'More details aren’t available offline');
        // Initials are as sharp as the screen.
        const letters = tondo.contacts.ids.map(id => tondo.store.get(id)).find(({ photo, initials }) => !photo && initials);
        location.hash = `#/c/${letters.id}`;
        const portrait = await until(() => { const found = document.querySelector('.portrait.drawn canvas'); return document.querySelector('.detail-pane h2').innerText === letters.displayName && found; });
        await until(() => portrait.width >= portrait.offsetWidth * Math.min(3, Math.ceil(devicePixelRatio)) - 1);""")
