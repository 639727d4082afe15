"""What the page says when something fails: what happened, what was kept, and what to do now."""
import collections
import pathlib
import re

import pytest

from service import Service, sample_books
from test_3_list import show

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "assets/viewer"
LANGUAGES = {path.stem[5:]: path.read_text() for path in FOLDER.glob("lang-*.js")}
# Sentences about what failed, without those whose button beside them is the way on.
ERRORS = """unreachable busy failed gone denied card.notLoaded card.notLoadedAgain book.cure book.cure.book-unreadable book.cure.book-empty
    book.cure.book-unknown copyFailed copy.failed export.failed export.refused book.cure.book-partial favourite.notKept restore.404 restore.409
    restore.other restore.unreached refusal.401 refusal.409 refusal.507 refusal.readOnly refusal.other refusal.unreached token.wrong
    token.badCode token.unreached photo.missing photo.unknown photo.refused photo.failed photo.unanswered share.failed share.refused share.noFile
    phone.expired phone.local phone.missing phone.refused phone.failed""".split()
# A verb that says what to do.
TODO = {"en": r"[Tt]ry|[Cc]heck|[Aa]sk|[Rr]un|[Oo]pen|[Cc]hange them|[Cc]opy|[Ss]elect|[Ss]et it|[Ss]how|[Ll]ook|[Ss]tart|[Ff]ree up|Restore|Replace|Restart|Update|may (?:have|be)",
        "ru": r"[Пп]овторите|[Пп]роверьте|[Оо]братитесь|«tondo|[Оо]ткройте|[Ии]змените|[Вв]ыделите|[Зз]адайте|[Пп]окажите|[Пп]осмотрите|[Пп]опробуйте|[Уу]знайте|[Пп]опросите|[Пп]ерезапустите|[Вв]осстановите|[Зз]амените|[Вв]озможно|может быть",
        "zh": r"请|可能"}
SIZES = pytest.mark.parametrize("width", [390, 1280])


def words(source):
    """The texts of a language by their keys."""
    return re.findall(r'(?:"([\w.-]+)"|\b(\w+)): (?="((?:[^"\\]|\\.)*)")', source)


@pytest.mark.parametrize("language", LANGUAGES)
def test_error_says_what_to_do_without_codes(language):
    found = [(quoted or plain, text) for quoted, plain, text in words(LANGUAGES[language])]
    texts = dict(found)
    assert [key for key in ERRORS if not re.search(TODO[language], texts[key])] == []
    assert [key for key in ERRORS if re.search(r"HTTP|\b\d{3}\b|[a-z]+-[a-z]+-[a-z]+", texts[key])] == []
    assert [key for key in ERRORS if len(texts[key]) > 170] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_stands_once_in_a_language(language):
    # Without the forms of numbers, whose keys are those of the plural rules.
    source = re.sub(r': \{\s*(?:\w+: "(?:[^"\\]|\\.)*",?\s*)+\}', ': ""', LANGUAGES[language])
    counted = collections.Counter(quoted or plain for quoted, plain, _ in words(source))
    assert [key for key, count in counted.items() if count > 1] == []


def test_all_languages_have_the_same_texts():
    keys = [set(re.findall(r'"([\w.-]+)": ["{]', source)) for source in LANGUAGES.values()]
    assert keys[0] == keys[1] == keys[2]


@SIZES
@pytest.mark.parametrize("status, text", [(None, "Tondo isn’t responding"), (503, "Tondo is busy right now"), (500, "Something went wrong")])
def test_list_that_fails_says_why_and_is_loaded_again(desktop, sample, width, status, text):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""const { api } = tondo, send = api.fetch;
        const wait = Math.random;
        Math.random = () => -.999;
        api.fetch = async (path, options) => {
          if (!path.startsWith('/v1/contacts?') && !path.startsWith('/v1/sections')) return send(path, options);
          if (args[0] === null) throw new TypeError('Failed to fetch');
          return new Response(JSON.stringify({ code: 'x' }), { status: args[0] });
        };
        // Nothing is known that could stand in.
        tondo.contacts.known = [];
        tondo.views.list.choose({ sort: 'family-asc' });
        const empty = await until(() => { const found = document.querySelector('.list-area .empty'); return found.innerText.startsWith(args[1]) && found; });
        equal([/\\d{3}/.test(empty.innerText), empty.querySelector('button').innerText, document.querySelector('.count').innerText], [false, 'Try again', '']);
        const box = empty.querySelector('button').getBoundingClientRect();
        equal([box.bottom <= innerHeight, document.documentElement.scrollWidth <= innerWidth], [true, true]);
        api.fetch = send; Math.random = wait;
        empty.querySelector('button').click();
        await until(() => document.querySelectorAll('.row:not([hidden]) .name').length > 3 && empty.childElementCount === 0);
        tondo.views.list.choose({ sort: 'given-asc' });""", status, text)


@SIZES
def test_book_that_cannot_be_read_is_named_by_its_file(desktop, width):
    def books(folder):
        (folder / "empty.csv").write_text("")
        return [folder / "no-such-book.vcf", folder / "empty.csv", *sample_books(folder)]
    service = Service(books, is_drawn=True)
    try:
        desktop.resize(width, 844)
        desktop.open(service.url)
        desktop.wait("document.querySelector('.notice')")
        desktop.js("""const notices = [...document.querySelectorAll('.notice')], [notice] = notices;
            equal(notices.map(each => each.querySelector('summary').innerText.trim()), ['2 address books can’t be read. Details']);
            equal(notice.getBoundingClientRect().bottom < 150, true, 'it leaves the page its room');
            notice.querySelector('summary').click();
            await until(() => notice.querySelector('.todo').innerText === 'Less');
            await until(() => notice.innerText.includes('no-such-book.vcf: None of its contacts are shown. Check that the file still exists') && notice.innerText.includes('empty.csv: None of its contacts are shown. The file is empty.'));
            equal(/book-|Address book \\d|Ask the person/.test(notice.innerText), false, 'no codes, no ordinals, and nobody else to ask');
            const retry = notice.querySelector('.notice-actions button');
            retry.focus(); retry.click();
            await until(() => notice.innerText.includes('Nothing has changed.'));
            equal(document.activeElement === retry, true);
            notice.querySelector('summary').click();
            location.hash = '#/book';
            const card = await until(() => document.querySelector('[data-id="book-1"]'));
            equal([card.querySelector('h3').innerText, document.querySelector('[data-id="book-3"] h3').innerText, document.querySelector('[data-id="book-4"] h3').innerText], ['no-such-book.vcf', 'book', 'friends.json']);
            equal([card.innerText.includes('Check that the file still exists'), card.innerText.includes('book-unreadable'), document.querySelector('.card-books .retry').innerText], [true, false, 'Try again']);""")
    finally:
        service.close()


@SIZES
def test_book_that_is_cut_off_says_what_was_read(desktop, width):
    def books(folder):
        for book in sample_books(folder):
            yield book
        (folder / "cut.json").write_text((folder / "friends.json").read_text()[:900])
        yield folder / "cut.json"
    service = Service(lambda folder: list(books(folder)), is_drawn=True)
    try:
        desktop.resize(width, 844)
        desktop.open(service.url)
        desktop.wait("document.querySelector('.notice')")
        desktop.js("""const summary = document.querySelector('.notice summary');
            equal(summary.innerText.trim(), 'Some contacts in “cut.json” can’t be read. Details');
            location.hash = '#/book';
            const card = await until(() => document.querySelector('[data-id="book-3"]'));
            equal([card.innerText.includes('1 contact is shown, but at least 1 more can’t be read.'), card.querySelector('.icon-alert') !== null], [true, true]);
            equal(document.querySelector('[data-id="book-2"] .icon-book') !== null, true, 'that of the others is a book');""")
    finally:
        service.close()


TONES = """const colour = name => { const probe = document.createElement('i'); probe.style.color = `var(${name})`; document.body.append(probe); const { color } = getComputedStyle(probe); probe.remove(); return color; };
    const link = document.querySelector('nav a[href="#/book"]'), dot = () => getComputedStyle(link, '::after'), tone = of => getComputedStyle(of).backgroundColor;
    // Shows books that are made up. What the service says meanwhile does not take their place.
    const quietShow = () => { const show = tondo.showProblems.bind(tondo); tondo.showProblems = async () => false; return show; };
    """


@SIZES
def test_notice_of_books_stands_above_the_contacts_alone_and_stays_closed(desktop, width):
    def books(folder):
        (folder / "damaged.json").write_text("not an address book")
        friends = (folder / "friends.json")
        made = sample_books(folder)
        (folder / "cut.json").write_text(friends.read_text()[:900])
        return [*made, folder / "cut.json", folder / "damaged.json"]
    service = Service(books, is_drawn=True)
    try:
        service.finish()
        desktop.resize(width, 844)
        desktop.open(service.url)
        desktop.wait("document.querySelector('.notice') && document.querySelectorAll('.row .drawn').length > 3")
        desktop.js(TONES + """const notice = document.querySelector('.notice'), title = notice.querySelector('summary');
            equal(title.innerText.trim(), 'Some contacts in “cut.json” can’t be read. “damaged.json” can’t be read. Details');
            equal([tone(notice), tone(title.querySelector('.icon')), dot().backgroundColor], ['--danger-soft', '--danger', '--danger'].map(colour));
            equal(link.textContent, 'Books2 address books have problems', 'the sign has words');
            equal([document.querySelector('.list-pane').contains(notice), document.documentElement.scrollWidth <= innerWidth], [true, true]);
            for (const place of ['cards', 'groups', 'book', 'settings', 'c/sample-ada']) {
              location.hash = `#/${place}`;
              await until(() => document.body.dataset.route === (place.startsWith('c/') ? 'detail' : place));
              if (innerWidth < 768 || !place.startsWith('c/')) equal(notice.offsetHeight, 0, place);
              equal(dot().content, '""');
            }
            location.hash = '#/';
            await until(() => notice.offsetHeight > 0);
            const { books } = tondo, of = (...numbers) => books.filter(({ book }) => numbers.includes(book)), show = quietShow();
            const [cut, damaged] = books.slice(-2).map(({ book }) => book);
            await show(of(1, 2, cut));
            equal([tone(notice), tone(title.querySelector('.icon')), dot().backgroundColor], ['--caution-soft', '--caution', '--caution'].map(colour), 'a part is lost');
            await show(books);
            notice.querySelector('.icon-button').focus(); notice.querySelector('.icon-button').click();
            equal([notice.offsetHeight, document.activeElement === document.body, dot().content], [0, false, '""']);
            await show([...books]);
            equal(notice.offsetHeight, 0, 'equal ones stay closed');""")
        desktop.reload("document.querySelector('.notice') && document.querySelectorAll('.row .drawn').length > 3")
        desktop.js(TONES + """const notice = document.querySelector('.notice'), { books } = tondo, show = quietShow();
            equal(notice.offsetHeight, 0, 'it is kept');
            await show(books.map(each => (each.problem || !each.failed ? each : { ...each, total: each.total + 1, failed: each.failed + 1 })));
            equal(notice.offsetHeight > 0, true, 'more is lost');
            await show(books);
            equal(notice.offsetHeight, 0);
            await show(books.map(({ book, people }) => ({ book, people, total: people, failed: 0, loaded: true })));
            equal([document.querySelector('.notice'), document.querySelector('nav .badge')], [null, null]);
            await show(books);
            equal(document.querySelector('.notice').offsetHeight > 0, true, 'damaged once more');""")
    finally:
        service.close()


@SIZES
def test_contacts_of_a_lost_book_are_said_to_be_shown(desktop, width):
    service = Service(is_drawn=True)
    try:
        service.finish()
        (service.folder / "friends.json").write_text("not an address book")
        desktop.resize(width, 844)
        desktop.open(service.url)
        desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
        desktop.js("""await until(async () => { await tondo.showProblems((await tondo.service.state()).books); return document.querySelector('.notice'); });
            equal(document.querySelector('.notice summary').innerText.trim(), '“friends.json” can’t be read right now. What it had before is still shown. Details');""")
        (service.folder / "friends.json").write_text((pathlib.Path(__file__).resolve().parents[2] / "assets/friends.json").read_text())
        desktop.js("""document.querySelector('.notice summary').click();
            const retry = document.querySelector('.notice-actions button');
            await until(async () => {
              const { books } = await tondo.service.state();
              return books.every(({ problem }) => !problem);
            });
            retry.click();
            await until(() => !document.querySelector('.notice'));""")
    finally:
        service.close()


def test_book_that_is_lost_is_said_once_the_page_is_seen_again(desktop, own):
    own.finish()
    desktop.open(own.url)
    desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
    desktop.js("equal(document.querySelector('.notice'), null)")
    (own.folder / "friends.json").write_text("not an address book")
    desktop.js("""await until(async () => (await tondo.service.state()).books.some(({ problem }) => problem));
        document.dispatchEvent(new Event('visibilitychange'));
        await until(() => document.querySelector('.notice')?.textContent.includes('5 contacts from the last reading are still shown.'));""")


@SIZES
def test_failure_is_said_once_and_its_message_goes_with_its_view(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""const { api, text } = tondo, send = api.fetch, toast = document.querySelector('.toast'), wait = Math.random;
        Math.random = () => -.999;
        tondo.notify(text.get('unreachable'));
        equal(toast.hidden, false);
        api.fetch = async (path, options) => path.startsWith('/v1/contacts?') ? Promise.reject(new TypeError('Failed to fetch')) : send(path, options);
        tondo.contacts.known = [];
        tondo.views.list.choose({ sort: 'family-asc' });
        await until(() => document.querySelector('.list-area .empty .headline'));
        equal(toast.hidden, true, 'the view says it');
        tondo.notify(text.get('unreachable'), 'Try again', () => {});
        equal(toast.hidden, true, 'and nothing says it again');
        tondo.notify(text.get('refusal.unreached'));
        equal(toast.hidden, false);
        location.hash = '#/settings';
        await until(() => document.querySelector('.settings-pane')?.offsetHeight > 0 && toast.hidden);
        tondo.notify('Ada deleted.', 'Undo', () => {});
        location.hash = '#/groups';
        await until(() => document.querySelector('.groups-pane')?.offsetHeight > 0);
        equal(toast.hidden, false, 'what can be undone stays');
        api.fetch = send; Math.random = wait;
        toast.querySelector('.plain').click();
        tondo.views.list.choose({ sort: 'given-asc' });""")


@SIZES
def test_cards_that_fail_again_say_so_and_keep_the_focus(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""const { api } = tondo, send = api.fetch;
        api.fetch = async (path, options) => path.endsWith('/cards') ? new Response('{"code":"broken"}', { status: 500 }) : send(path, options);
        location.hash = '#/c/sample-ada';
        const reason = start => until(() => document.querySelector('.detail-pane .reason')?.innerText.startsWith(start));
        await reason('Couldn’t load this section');
        const retry = () => document.querySelector('.detail-pane .retry');
        retry().focus(); retry().click();
        await reason('Still couldn’t load this section');
        equal([document.activeElement === retry(), document.querySelector('.detail-pane .error').innerText.includes('broken')], [true, false]);
        api.fetch = send;
        retry().click();
        await until(() => document.querySelectorAll('.detail-pane .card').length > 2 && !document.querySelector('.detail-pane .error'));""")


@SIZES
def test_favourite_and_export_that_fail_are_tried_again_by_their_button(desktop, own, width):
    desktop.resize(width, 844)
    desktop.open(own.url, "#code=" + own.code())
    desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
    desktop.js("""const { api } = tondo, send = api.fetch, { toggleFavourite } = await load('./row-menu.js');
        api.fetch = async (path, options) => path.endsWith('/favourite') ? new Response('{}', { status: 500 }) : send(path, options);
        const toast = document.querySelector('.toast'), contact = tondo.contacts.at(0);
        toggleFavourite(tondo, contact);
        await until(() => toast.innerText.startsWith('Couldn’t save the favourite'));
        api.fetch = send;
        toast.querySelector('.undo').click();
        await until(() => toast.innerText.includes('added to favourites.'));""")


def test_deletion_without_an_answer_says_that_it_is_not_known(desktop, own):
    desktop.open(own.url, "#code=" + own.code())
    desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
    desktop.js("""const { api } = tondo, send = api.fetch;
        api.fetch = async (path, options) => { if (options?.method === 'DELETE') throw new TypeError('Failed to fetch'); return send(path, options); };
        (await tondo.removing()).remove([tondo.contacts.at(0)]);
        await until(() => document.querySelector('.toast').innerText.startsWith('Tondo isn’t responding'));""")


@SIZES
def test_failure_has_its_sign_and_is_tried_again_without_alarm(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""const { api } = tondo, send = api.fetch;
        api.fetch = async (path, options) => /^\\/v1\\/(groups|contacts\\?|contacts\\/sample-bo)/.test(path) ? new Response('{}', { status: 500 }) : send(path, options);
        location.hash = '#/groups';
        await until(() => document.querySelector('.groups-pane .empty .icon-alert'));
        location.hash = '#/chat/sample-bo';
        await until(() => document.querySelector('.chat-pane .empty .icon-alert'));
        tondo.store.contacts.delete('sample-bo');
        location.hash = '#/c/sample-bo';
        await until(() => document.querySelector('.detail-pane.is-empty .empty .icon-alert'));
        api.fetch = async (path, options) => path.endsWith('/cards') ? new Response('{}', { status: 500 }) : send(path, options);
        location.hash = '#/c/sample-ada';
        const retry = await until(() => document.querySelector('.detail-pane .error .retry'));
        equal(document.querySelector('.detail-pane').classList.contains('is-empty'), false);
        const colour = value => { const probe = document.createElement('i'); probe.style.color = `var(${value})`; document.body.append(probe); const found = getComputedStyle(probe).color; probe.remove(); return found; };
        equal(getComputedStyle(retry).color, colour('--accent'), 'red is for what is lost');""")


@SIZES
def test_views_of_an_empty_book_say_so_and_offer_a_way_on(desktop, width):
    def book(folder):
        (folder / "book.json").write_text('{"tondo": 1, "contacts": []}')
        return [folder / "book.json"]
    service = Service(book)
    try:
        desktop.resize(width, 844)
        desktop.open(service.url)
        desktop.js("""const said = async of => {
              const empty = await until(() => { const found = document.querySelector(of); return found?.querySelector('.headline') && found.offsetHeight && found; });
              return [empty.querySelector('.headline').innerText, empty.querySelector('button').innerText, empty.querySelector('.icon') !== null];
            };
            equal(await said('.list-area .empty'), ['No contacts yet', 'Show address books', true]);
            equal(getComputedStyle(document.querySelector('.list-pane > .tools')).visibility, 'hidden', 'there is nothing to search');
            document.querySelector('.list-area .empty button').click();
            await until(() => document.querySelector('.book-pane')?.offsetHeight && location.hash === '#/book');
            location.hash = '#/cards';
            equal(await said('.strip-pane .empty'), ['No contacts yet', 'Show address books', true]);
            const pane = document.querySelector('.strip-pane').getBoundingClientRect(), parts = [...document.querySelector('.strip-pane .empty').children].map(each => each.getBoundingClientRect());
            equal([parts[0].top > pane.top + 100, parts.at(-1).bottom < pane.bottom - 100], [true, true], 'it stands in the middle');
            location.hash = '#/groups';
            equal(await said('.groups-pane .empty'), ['No groups yet', 'Show address books', true]);
            location.hash = '#/';
            await until(() => document.querySelector('.list-area .empty').offsetHeight > 0);
            const own = document.querySelector('.list-area .empty .empty-sign').getBoundingClientRect();
            equal([Math.abs(own.left + own.right - innerWidth) < 40, document.querySelector('.detail-pane')?.offsetHeight > 0], [true, false], 'it has all of the page');""")
    finally:
        service.close()


@SIZES
def test_states_without_contacts_say_how_to_go_on(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""const { list } = tondo.views, empty = document.querySelector('.list-area .empty');
        await until(() => tondo.favourites?.isKnown);
        list.choose({ filter: ['favourite'] });
        await until(() => empty.querySelector('.headline')?.innerText === 'No favourites yet');
        equal([empty.querySelector('button').innerText, empty.querySelector('.icon-star') !== null], ['Show all contacts', true]);
        if (innerWidth > 900) {
          const pane = document.querySelector('.detail-pane .empty');
          equal([pane.querySelector('.headline').innerText, getComputedStyle(pane).visibility], ['No contact selected', 'hidden'], 'where nothing is found, nothing can be chosen');
          pane.querySelector('button').click();
          equal(document.activeElement, list.tools.search);
        }
        empty.querySelector('button').click();
        await until(() => document.querySelectorAll('.row:not([hidden]) .name').length > 3 && empty.childElementCount === 0);""")


@SIZES
def test_refusal_of_the_contacts_looks_as_other_empty_states(desktop, sample, width):
    desktop.resize(width, 844)
    desktop.open(sample.url, show="no")
    desktop.js("""const found = await until(() => document.querySelector('.refused .headline') && document.querySelector('.refused'));
        equal([found.querySelector('.empty-sign .icon') !== null, found.querySelector('button').innerText], [true, 'Open settings']);""")


def test_chat_without_messages_leads_to_the_contact(desktop, sample):
    show(desktop, sample)
    desktop.js("""location.hash = '#/chat/sample-ada';
        (await until(() => document.querySelector('.chat-pane .empty button'))).click();
        await until(() => location.hash === '#/c/sample-ada' && document.querySelector('.detail-pane').offsetHeight > 0);""")


def test_what_a_message_says_is_known_without_reading_its_words(module):
    module("""const { Message, Text } = await load('./text.js'), { said } = await load('./dom.js'), { Toast } = await load('./page.js');
        const text = new Text('en', { failed: '{what} failed.\\nTry {what} again.', done: 'Done.' });
        const failed = text.get('failed', { what: 'It' });
        equal([failed instanceof Message, failed.key, failed.headline, failed.detail, `${failed}`], [true, 'failed', 'It failed', 'Try It again.', 'It failed. Try It again.']);
        equal(text.get('done'), 'Done.');
        const box = document.createElement('p');
        box.append(...said(failed));
        equal([box.querySelector('.headline').textContent, box.querySelector('.explanation').textContent], ['It failed', 'Try It again.']);
        // A value of several lines is no failure.
        const toast = new Toast(() => 'Close');
        for (const [shown, isHidden] of [['Copied: one\\ntwo', false], [failed, true]]) {
          toast.show(shown);
          toast.explained('Copied: one\\ntwo');
          equal(toast.element.hidden, false);
          toast.leave();
          equal(toast.element.hidden, isHidden);
        }
        toast.show(failed);
        toast.explained(text.get('failed', { what: 'Another' }));
        equal(toast.element.hidden, true, 'the same failure');""")
