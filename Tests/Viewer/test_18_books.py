"""Books that cannot be read have one form, which leads to what is wrong; folds, edges and buttons have one meaning in all views."""
import pytest

from service import Service, sample_books
from test_3_list import show

SIZES = pytest.mark.parametrize("width", [390, 1280])
BOX = """const box = of => (typeof of === 'string' ? document.querySelector(of) : of).getBoundingClientRect();
    const near = (one, other, what) => { if (Math.abs(one - other) > 1) throw new Error(`${what}: ${one} is not ${other}`); };
    const colour = name => { const probe = document.createElement('i'); probe.style.color = `var(${name})`; document.body.append(probe); const { color } = getComputedStyle(probe); probe.remove(); return color; };
    """


def troubled(folder):
    (folder / "cut.json").write_text('{ "tondo": 1, "contacts": [\n')
    (folder / "garbage.vcf").write_text(" garbage\n")
    (folder / "mixed").mkdir()
    (folder / "mixed/ok.vcf").write_text("BEGIN:VCARD\nVERSION:3.0\nFN:Okay One\nUID:ok1\nEND:VCARD\n")
    (folder / "mixed/cut.vcf").write_text("BEGIN:VCARD\nVERSION:3.0\nFN:Cut\n")
    (folder / "mixed/photo.vcf").write_text("BEGIN:VCARD\nVERSION:3.0\nFN:Bad\nUID:bad\nPHOTO;ENCODING=b;TYPE=JPEG:aGVsbG8gd29ybGQ=\nEND:VCARD\n")
    return [folder / "cut.json", folder / "garbage.vcf", folder / "mixed", *sample_books(folder)]


@pytest.fixture(scope="module")
def broken():
    service = Service(troubled, is_drawn=True)
    service.finish()
    yield service
    service.close()


@SIZES
def test_books_with_trouble_have_one_form_and_no_notice_above_them(desktop, broken, width):
    desktop.resize(width, 844)
    desktop.open(broken.url, "#/book")
    desktop.wait("document.querySelectorAll('.book-pane .is-troubled').length === 3 && document.querySelector('.notice')")
    desktop.js(BOX + """const cards = [...document.querySelectorAll('.book-pane .is-troubled')];
        equal(cards.map(card => [card.querySelector('h3').innerText, card.querySelector('.book-line').innerText.replace(/\\s*\\n\\s*/g, ' ')]), [
          ['cut.json', 'None of its contacts can be read. Some entries are damaged or cut off. Restore a complete copy from a backup.'],
          ['garbage.vcf', 'None of its contacts are shown. This file is damaged or isn’t an address book. Restore it from a backup.'],
          ['mixed', '2 contacts are shown, but at least 1 more can’t be read. Some entries are damaged or cut off. Restore a complete copy from a backup.']]);
        const form = card => [...card.querySelectorAll('h3, .book-line, button')].map(each => { const { fontSize, fontWeight, color } = getComputedStyle(each); return [each.localName, each.innerText.length > 12 || each.localName !== 'button' ? '' : each.innerText, fontSize, fontWeight, color, box(each).left - box(card).left]; });
        for (const card of cards) equal(form(card), form(cards[0]));
        equal(form(cards[0]).map(([name]) => name), ['h3', 'p']);
        equal([...document.querySelectorAll('.book-pane .retry')].map(each => each.innerText), ['Try again'], 'one button for all of them');
        near(box('.card-books .retry').right, box('.card-books').right, 'its words end with the content');
        equal(cards.every(card => card.offsetHeight < (innerWidth < 768 ? 132 : 90)), true, cards.map(card => card.offsetHeight));
        equal(cards.map(card => getComputedStyle(card.querySelector('.icon-alert')).backgroundColor), ['--danger', '--danger', '--caution'].map(colour), 'a part that is missing is less than all');
        const sound = document.querySelector('[data-id="book-4"] h3'), name = cards[0].querySelector('h3');
        equal([name, sound].map(each => { const { fontSize, fontWeight, color } = getComputedStyle(each); return [fontSize, fontWeight, color]; }).reduce((one, other) => JSON.stringify(one) === JSON.stringify(other)), true, 'the names of all books are equal');
        equal(document.querySelector('.notice').offsetHeight, 0, 'the page says it itself');
        equal(document.documentElement.scrollWidth <= innerWidth, true);
        location.hash = '#/groups';
        await until(() => document.querySelector('.groups-pane')?.offsetHeight > 0);
        equal(document.querySelector('.notice').offsetHeight, 0, 'it stands above the contacts alone');""")


@SIZES
def test_book_with_trouble_is_tried_again_in_its_place(desktop, width):
    service = Service(troubled, is_drawn=True)
    try:
        service.finish()
        desktop.resize(width, 844)
        desktop.open(service.url, "#/book")
        desktop.wait("document.querySelectorAll('.book-pane .is-troubled').length === 3")
        desktop.js("""const own = () => document.querySelector('.card-books .retry'), status = () => document.querySelector('.card-books .retry-status').innerText;
            for (const _ of [1, 2]) {
              own().focus();
              own().click();
              equal(own().disabled, true);
              await until(() => status().startsWith('Nothing has changed.'));
              equal([document.activeElement === own(), own().disabled], [true, false]);
            }
            const { api } = tondo, send = api.fetch;
            api.fetch = async path => { throw new TypeError('Failed to fetch'); };
            own().click();
            await until(() => status().startsWith('Tondo isn’t responding') && !own().disabled);
            await until(() => [own(), document.querySelector('.notice-actions button')].every(each => each.ariaDisabled === 'true'));
            api.fetch = send;
            await tondo.api.check();""")
        (service.folder / "cut.json").write_text('{ "tondo": 1, "contacts": [{ "id": "a", "name": { "formatted": "Ada" } }] }')
        desktop.js("""await until(async () => (await tondo.service.state()).books[0].people === 1);
            const card = () => document.querySelector('[data-id="book-1"]');
            document.querySelector('.card-books .retry').click();
            await until(() => !card().matches('.is-troubled') && card().querySelector('.book-line').innerText === '1 contact' && document.querySelectorAll('.is-troubled').length === 2);""")
        for name, text in (("garbage.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Bea\nUID:bea\nEND:VCARD\n"), ("mixed/cut.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Cut\nUID:cut\nEND:VCARD\n")):
            (service.folder / name).write_text(text)
        desktop.js("""document.querySelector('.card-books .retry').focus();
            await until(async () => (await tondo.service.state()).books.slice(0, 3).map(({ people }) => people).join() === '1,1,3');
            document.querySelector('.card-books .retry')?.click();
            await until(() => !document.querySelector('.card-books .retry') && !document.querySelector('.is-troubled'));
            equal(document.activeElement !== document.body, true, 'the focus is not lost to the page');
            // The photo that cannot be read is no trouble of the book, but is said.
            equal(document.querySelector('[data-id="book-3"] .book-line').innerText, '3 contacts · 1 photo can’t be shown');""")

    finally:
        service.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_number_of_what_cannot_be_read_leads_to_it(desktop, broken, width):
    desktop.resize(width, 844)
    desktop.open(broken.url, "#/book")
    desktop.wait("document.querySelector('.unread')")
    desktop.js(BOX + """const row = document.querySelector('.unread'), card = document.querySelector('.card-summary');
        equal([row.innerText.trim(), row.ariaHasPopup, row.offsetHeight >= 44, row.offsetHeight < 70], ['Can’t be read: 2 books, 1 entry, and 1 photo', 'dialog', true, true]);
        equal(getComputedStyle(row.querySelector('.icon-alert')).backgroundColor, colour('--danger'), 'books are lost');
        equal(new Set([...card.querySelectorAll('.numbers > div')].map(each => box(each).top)).size, 1, 'no number is alone in a line');
        near(box(row.querySelector('.icon-arrow')).right, box(card).right - 16, 'the chevron ends with the content of the card');
        row.click();
        const sheet = await until(() => document.querySelector('dialog[open]'));
        equal([...sheet.querySelectorAll('.problems li')].map(each => [...each.children].map(part => part.innerText)), [
          ['cut.json', 'Whole file'], ['garbage.vcf', 'Whole file', sheet.querySelector('small').innerText.match(/^Not an address book but [a-z ]+\\.$/)[0]], ['mixed', '1 entry and 1 photo']]);
        const how = sheet.querySelector('details');
        equal([how.open, how.querySelector('summary').innerText, how.querySelector('code').checkVisibility()], [false, 'How to see each line', false], 'few people need it');
        how.querySelector('summary').click();
        await until(() => how.querySelector('code').checkVisibility());
        equal([how.querySelector('code').innerText, how.querySelector('p').innerText.startsWith('This command names each file, line and reason.')], ['tondo load --quiet', true]);
        let copied;
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async text => { copied = text; } } });
        sheet.querySelector('.how button').click();
        await until(() => copied === 'tondo load --quiet' && sheet.querySelector('.how .icon-check'));
        [...sheet.querySelectorAll('button')].at(-1).click();
        await until(() => !document.querySelector('dialog'));""")


@pytest.mark.parametrize("direction, closed", [(None, "none"), ("rtl", "180deg")])
def test_chevron_points_on_where_closed_and_down_where_open(desktop, sample, direction, closed):
    desktop.resize(390, 844)
    desktop.open(sample.url, "#/book", direction=direction)
    desktop.wait("document.querySelector('.card-groups .fold')")
    desktop.js("""const turned = (of, part) => getComputedStyle(of, part).rotate, settled = () => Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})));
        const fold = document.querySelector('.card-groups .fold');
        equal([fold.ariaExpanded, turned(fold, '::after')], ['true', '90deg']);
        fold.click(); await frame(); await settled();
        equal([fold.ariaExpanded, turned(fold, '::after')], ['false', args[0]]);
        const { technical } = await load('./dom.js'), details = technical(tondo.text, 'x');
        document.body.append(details);
        equal(turned(details.firstChild, '::after'), args[0]);
        details.open = true; await frame(); await settled();
        equal(turned(details.firstChild, '::after'), '90deg');
        details.remove();
        location.hash = '#/groups';
        const group = await until(() => document.querySelector('.group:not([hidden]) button')), arrow = group.querySelector('.icon-arrow');
        // It is mirrored before it turns.
        const mirrored = args[0] === 'none' ? 'none' : '-1 1';
        equal([group.ariaExpanded, turned(arrow), getComputedStyle(arrow).scale], ['false', 'none', mirrored]);
        group.click(); await until(() => group.ariaExpanded === 'true'); await frame(); await settled();
        equal([turned(arrow), getComputedStyle(arrow).scale], [mirrored === 'none' ? '90deg' : '-90deg', mirrored]);""", closed)


@pytest.mark.parametrize("width", [768, 1024, 1280, 1920])
def test_all_views_end_at_one_edge(desktop, sample, width):
    desktop.resize(width, 900)
    show(desktop, sample)
    desktop.js(BOX + """const end = box('nav > :last-child').right, start = box('.list-pane').left, seen = of => [...document.querySelectorAll(of)].filter(each => each.offsetHeight > 0);
        for (const [hash, parts] of [['#/c/sample-ada', '.detail-pane .card'], ['#/groups/Rowing%20club', '.groups-pane .content'], ['#/book', '.book-pane .card'], ['#/settings', '.settings-pane .group-card']]) {
          location.hash = hash;
          await until(() => seen(parts).length > 1 && seen(parts).every(each => each.offsetHeight >= 40) && document.getAnimations().length === 0);
          near(Math.max(...seen(parts).map(each => box(each).right)), end, hash);
          if (!hash.startsWith('#/c')) near(Math.min(...seen(parts).map(each => box(each).left)), start, hash);
        }""")


@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_line_of_a_member_has_the_room_up_to_the_edge(desktop, broken, width):
    desktop.resize(width, 900)
    desktop.open(broken.url, "#/groups/Rowing%20club")
    desktop.wait("document.querySelectorAll('.members .friend:not([hidden]) .drawn').length > 1")
    desktop.js(BOX + """const [row, other] = [...document.querySelectorAll('.members .friend:not([hidden])')], line = row.querySelector('.line'), state = row.querySelector('.state');
        line.textContent = 'Institute for Advanced Study of Very Long Names '.repeat(4);
        state.textContent = '';
        near(box(line).right, box(row).right - 8, 'without a state');
        near(box(line).left, box(other.querySelector('.line')).left, 'the column begins at one edge');
        state.textContent = 'online';
        equal(box(line).right < box(state).right - 30, true);""")


def test_empty_places_have_no_main_action(desktop, sample):
    for width in (1280, 390):
        desktop.resize(width, 844)
        show(desktop, sample)
        desktop.js("""location.hash = '#/c/none-such?filter=viber,threema,signal';
            await until(() => document.querySelector('.detail-pane .empty .headline')?.innerText === 'Contact not found');
            if (innerWidth > 700) await until(() => document.querySelector('.list-area .empty button'));
            equal([...document.querySelectorAll('main .primary')].filter(each => each.offsetHeight > 0).map(each => each.innerText), []);
            equal(document.querySelector('.detail-pane .empty button').offsetHeight > 0, true);
            location.hash = '#/?filter=';""")


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_settings_have_the_rhythm_of_the_books(desktop, sample, width):
    desktop.resize(width, 900)
    desktop.open(sample.url, "#code=" + sample.code())
    desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
    desktop.js(BOX + """location.hash = '#/book';
        await until(() => document.querySelector('.book-pane .card-summary')?.offsetHeight > 0);
        const rhythm = (pane, card, heading) => [box(`${pane} > h2`).top, box(card).top, box(heading).top, getComputedStyle(document.querySelector(heading)).font];
        const words = of => { const range = document.createRange(); range.selectNodeContents(document.querySelector(of)); return range.getBoundingClientRect().top; };
        const books = [box('.book-pane > h2').top, box('.book-pane .card-summary').top, words('.card-summary h3'), getComputedStyle(document.querySelector('.card-summary h3')).font];
        location.hash = '#/settings';
        const pane = await until(() => document.querySelector('.settings-pane')?.offsetHeight > 0 && document.querySelector('.settings-pane'));
        const own = [box('.settings-pane > h2').top, box('.settings-appearance').top, words('.settings-appearance h3'), getComputedStyle(document.querySelector('.settings-appearance h3')).font];
        for (const at of [0, 1, 2]) near(own[at], books[at], `line ${at}`);
        equal(own[3], books[3]);
        for (const group of pane.querySelectorAll('.settings-appearance, .settings-browser, .settings-phone')) {
          const controls = [...group.querySelectorAll('select, [role=switch], .choice > button')].filter(each => each.offsetHeight > 0);
          for (const control of controls) {
            near(box(control).right, box(group).right - 16, control.outerHTML);
            const row = control.closest('.choice'), label = row.firstElementChild;
            near(box(control).top + box(control).height / 2, box(label).top + box(label).height / 2, 'beside its words');
          }
        }
        equal(/statistic/i.test(pane.innerText), false);""")


@SIZES
@pytest.mark.parametrize("status, headline", [(403, "This browser can’t see the contacts"), (500, "Something went wrong"), (503, "Tondo is busy right now"), (None, "This page isn’t available offline")])
def test_each_failure_says_what_happened_in_one_form(desktop, sample, width, status, headline):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js(BOX + """const { api } = tondo, send = api.fetch, wait = Math.random, seen = of => [...document.querySelectorAll(of)].find(each => each.offsetHeight > 0);
        Math.random = () => -.999;
        api.fetch = async (path, options) => {
          if (!/^\\/v1\\/(groups|contacts\\?|sections|contacts\\/sample-)/.test(path)) return send(path, options);
          if (args[0] === null) throw new TypeError('Failed to fetch');
          return new Response('{"code":"x"}', { status: args[0] });
        };
        tondo.store.contacts.clear();
        for (const [hash, pane] of [['#/c/sample-ada', '.detail-pane'], ['#/chat/sample-ada', '.chat-pane'], ['#/groups', '.groups-pane']]) {
          location.hash = hash;
          const found = await until(() => seen(`${pane} .empty`)?.querySelector('.headline')?.innerText === args[1] && seen(`${pane} .empty`));
          const buttons = [...found.querySelectorAll('button')];
          equal([found.querySelector('.explanation').innerText.length > 20, buttons.length, buttons[0].innerText, document.querySelector('.toast').hidden], [true, 1, 'Try again', true], hash);
        }
        api.fetch = send; Math.random = wait;
        seen('.groups-pane .empty button').click();
        await until(() => document.querySelectorAll('.group:not([hidden])').length > 0 && seen('.group'));
        location.hash = '#/';""", status, headline)


@pytest.mark.parametrize("status, headline, is_tried", [(403, "This browser can’t see the contacts", True), (500, "Couldn’t load this section", True)])
def test_cards_that_may_not_be_seen_do_not_blame_the_connection(desktop, sample, status, headline, is_tried):
    show(desktop, sample)
    desktop.js("""const { api } = tondo, send = api.fetch;
        api.fetch = async (path, options) => path.endsWith('/cards') ? new Response('{"code":"x"}', { status: args[0] }) : send(path, options);
        location.hash = '#/c/sample-ada';
        await until(() => document.querySelector('.detail-pane .error .headline')?.innerText === args[1]);
        equal(document.querySelector('.detail-pane .error .retry') !== null, args[2]);
        api.fetch = send;""", status, headline, is_tried)


def test_question_counts_what_can_be_shown(module):
    module("""const { totalOf } = await load('./entrance.js');
        equal(totalOf({ contacts: 306, books: [{ book: 1, total: 306, people: 304, failed: 2, loaded: true }, { book: 2, total: 2, people: 2 }] }), 306);
        equal(totalOf({ contacts: 10, books: [{ book: 1, total: 300, people: 10, failed: 1 }] }), 300, 'it still reads');
        equal(totalOf({ contacts: 0, books: [{ book: 1, total: 3, people: 0, failed: 3, problem: 'book-unknown' }] }), 0);""")


def test_splash_of_a_service_that_is_gone_says_so_and_goes_on(module):
    module("""const { waitUntilCounted, splash, Entrance } = await load('./entrance.js'), screen = splash(tondo.text), calls = [];
        const entrance = new Entrance({ startScreen: screen, text: tondo.text });
        const said = () => screen.querySelector('[role="status"]').textContent;
        equal(said(), 'Counting contacts…');
        const service = { async state() { if (calls.push(0) < 3) { if (calls.length === 2) equal(said().startsWith('Tondo isn’t responding'), true); throw new TypeError('Failed to fetch'); } return { ready: true, books: [] }; } };
        equal((await waitUntilCounted(service, () => {}, isReached => entrance.reached(isReached))).ready, true);
        equal(said(), 'Counting contacts…');""")


def test_repaired_book_has_no_trouble_though_its_former_entries_are_counted(module):
    module("""const { troubleOf } = await load('./details.js');
        equal(troubleOf({ book: 1, total: 2, people: 1, failed: 0, loaded: true }), undefined);
        equal(troubleOf({ book: 1, total: 2, people: 1, failed: 1, loaded: true }), { book: 1, code: 'book-partial', read: 1, lost: 1 });
        equal(troubleOf({ book: 1, total: 2, people: 2, unreadable: 3, loaded: true }), { book: 1, code: 'book-files', read: 2, lost: 3 });""")


def test_people_of_a_group_that_cannot_be_loaded_are_said_in_their_place(desktop, sample):
    show(desktop, sample)
    desktop.js("""const { api } = tondo, send = api.fetch;
        api.fetch = async (path, options) => /^\\/v1\\/contacts\\?.*group=/.test(path) ? new Response('{"code":"x"}', { status: 500 }) : send(path, options);
        location.hash = '#/groups/Rowing%20club';
        const empty = await until(() => document.querySelector('.members .empty .headline')?.innerText === 'Something went wrong' && document.querySelector('.members .empty'));
        equal([empty.querySelectorAll('button').length, empty.querySelector('.icon-alert') !== null, document.querySelector('.toast').hidden], [1, true, true]);
        api.fetch = send;
        empty.querySelector('button').click();
        await until(() => empty.childElementCount === 0 && document.querySelectorAll('.members .friend:not([hidden]) .name').length === 3);""")


@pytest.mark.parametrize("width", [320, 390])
def test_chip_of_a_group_keeps_its_name(desktop, sample, width):
    desktop.resize(width, 844)
    desktop.open(sample.url, "#/book")
    desktop.wait("document.querySelectorAll('.card-groups .chips li').length > 3")
    desktop.js("""const [chip] = document.querySelectorAll('.card-groups .chips li'), name = chip.querySelector('bdi');
        equal([name.innerText, name.scrollWidth <= name.clientWidth || name.offsetWidth > 30, chip.querySelector('small').innerText], ['Chess', true, '3 people, 2 online']);
        name.textContent = 'A group with a name that is longer than the window';
        equal(name.parentElement.offsetWidth >= 40 && chip.offsetWidth <= chip.parentElement.offsetWidth, true);""")
