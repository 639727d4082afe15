"""One left and one right edge in each view, rows of few pixels on wide windows, and what stands beside the list there."""
import json

import pytest

from service import Service

WIDTHS = pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
SIZES = pytest.mark.parametrize("width", [390, 1280])
# The edges of what is drawn: icons are smaller than what is touched, words than their box.
EDGES = """const box = of => (typeof of === 'string' ? document.querySelector(of) : of).getBoundingClientRect();
    const words = of => { const range = document.createRange(); range.selectNodeContents(document.querySelector(of)); return range.getBoundingClientRect(); };
    const same = (values, about) => equal(values.map(value => Math.abs(value - values[0]) <= 1), values.map(() => true), `${about}: ${values}`);
    const isWide = innerWidth >= 768;\n"""


def show(browser, service, width, route="#/", ready="document.querySelectorAll('.rows .row .drawn').length > 4"):
    browser.resize(width, 900)
    browser.open(service.url, route)
    browser.wait(ready)


@WIDTHS
def test_list_keeps_to_its_edges(desktop, sample, width):
    show(desktop, sample, width)
    desktop.js(EDGES + """same([words('.bar h1').left, isWide ? box('.list-pane').left : box('.search').left], 'left');
        if (isWide) same([words('.bar h1').left + 16, box('.search').left, words('.headers .section:not([hidden])').left], 'left of the pane');
        else same([words('.bar h1').left, words('.headers .section:not([hidden])').left], 'letters');
        const index = document.querySelector('.index');
        if (!index.offsetHeight) return;
        const middle = of => (box(of).left + box(of).right) / 2, right = (isWide ? box('.list-pane').right : innerWidth) - 16;
        same([box('.tools > :last-child .icon').right, right], 'right');
        same([middle(index.querySelector('span')), right + 2], 'the letters');
        // The narrowest ones have no room to give away: numbers are whole.
        const [line] = document.querySelectorAll('.rows .row:not([hidden]) .line');
        equal(line.scrollWidth <= line.clientWidth, true, 'the number is whole');
        if (innerWidth > 340) same([...document.querySelectorAll('.rows .row:not([hidden]) .more'), document.querySelectorAll('.tools > .icon-button')[1]].map(middle), 'the signs of menus');""")


@WIDTHS
def test_contact_keeps_to_its_edges(desktop, sample, width):
    show(desktop, sample, width, "#/c/sample-ada", "document.querySelectorAll('.card .copy').length > 3 && document.querySelector('.head .drawn')")
    desktop.js(EDGES + """const cards = [...document.querySelectorAll('.card')];
        const last = Math.max(...cards.map(card => box(card).right)), columns = new Set(cards.map(card => box(card).left)).size;
        equal(columns, innerWidth >= 1600 ? 2 : 1);
        same([last, isWide ? box('nav > :last-child').right : innerWidth - 16], 'right');
        same([box(cards[0]).left, ...innerWidth >= 1200 ? [box('.portrait').left] : isWide ? [] : [box('.back .icon').left], ...isWide ? [] : [16]], 'left');
        if (columns === 1) same(cards.map(card => box(card).left), 'cards');
        same([box(cards[0]).right - 16, ...columns === 1 ? [box('.share .icon').right] : [], ...[...document.querySelectorAll('.copy .icon')].map(icon => box(icon).right)], 'right in the cards');
        same([last - 16, box('.share .icon').right], 'what acts on all of the contact');
        same(cards.filter(card => !card.classList.contains('joined')).slice(0, columns).map(card => box(card).top), 'the cards begin in one line');""")


@WIDTHS
@pytest.mark.parametrize("route, card", [("groups", ".groups-pane .content"), ("book", ".book-pane .card-groups"), ("settings", ".settings-appearance .card")])
def test_pages_keep_to_the_edges_of_their_title_and_of_the_bar(desktop, sample, width, route, card):
    show(desktop, sample, width, f"#/{route}", f"document.querySelector('{card}')?.offsetHeight > 60")
    desktop.js(EDGES + """const title = `.${args[0]}-pane > h2`, content = box(args[1]);
        same([words(title).left, content.left, isWide ? words('.bar h1').left : 16], 'left');
        const parts = [...document.querySelectorAll('.groups-pane .content, .book-pane .card, .settings-pane .group-card')].filter(part => part.offsetHeight > 0).map(box);
        same([Math.max(...parts.map(({ right }) => right)), isWide ? box('nav > :last-child').right : innerWidth - 16], 'right');
        equal(new Set(parts.map(({ left }) => Math.round(left))).size, isWide ? 2 : 1, 'columns');
        // Both begin in one line.
        if (isWide) same(parts.map(({ left, top }) => [Math.round(left), top]).toSorted(([, one], [, other]) => one - other).filter(([left], at, all) => all.findIndex(([own]) => own === left) === at).map(([, top]) => top), 'top');""", {"book": "book"}.get(route, route), card)


@SIZES
def test_vip_stands_behind_the_name_and_alone_has_its_colour(desktop, sample, width):
    show(desktop, sample, width)
    desktop.js(EDGES + """const rows = [...document.querySelectorAll('.rows .row:not([hidden])')], vip = rows.find(row => row.classList.contains('vip')), plain = rows.find(row => !row.classList.contains('vip'));
        const start = row => { const range = document.createRange(); range.selectNodeContents(row.querySelector('.name')); return range.getClientRects()[0].left; };
        same([start(vip), start(plain)], 'names');
        const style = (row, part) => getComputedStyle(row.querySelector('.name'), part);
        equal([style(vip, '::before').content, style(vip, '::after').content], ['none', '"VIP"']);
        equal([style(vip).color === style(plain).color, style(vip, '::after').color === style(plain).color], [true, false]);""")


def test_names_begin_at_one_edge_where_the_page_is_mirrored(desktop, sample):
    desktop.resize(1280, 900)
    desktop.open(sample.url, "#/", direction="rtl")
    desktop.wait("document.querySelectorAll('.rows .row .drawn').length > 4")
    desktop.js(EDGES + """const name = vip => document.querySelector(`.rows .row${vip ? '.vip' : ':not(.vip)'} .name`), range = document.createRange();
        const start = of => { range.selectNodeContents(of); return range.getBoundingClientRect().right; };
        same([start(name(true).firstChild), start(name(false))], 'names');""")


@SIZES
def test_rows_are_dense_on_wide_windows_and_comfortable_on_the_phone(desktop, sample, width):
    show(desktop, sample, width)
    desktop.js("""const row = document.querySelector('.rows .row');
        equal([row.offsetHeight === 56, row.offsetHeight >= 56, getComputedStyle(row.querySelector('.name')).fontWeight], [true, true, '600']);
        for (const target of document.querySelectorAll('.rows .row .more')) equal(target.offsetHeight >= 44 && target.offsetWidth >= 44, true);
        location.hash = '#/groups';
        const group = await until(() => document.querySelector('.group:not([hidden])'));
        equal(group.offsetHeight, 56);""")


def test_rows_of_phones_are_as_high_as_those_of_the_desktop(phone, sample):
    phone.open(sample.url)
    phone.wait("document.querySelectorAll('.rows .row .drawn').length > 4")
    phone.js("""equal(document.querySelector('.rows .row').offsetHeight, 56);
        location.hash = '#/groups/Friends';
        const friend = await until(() => document.querySelector('.friend .name')?.closest('.friend')), { marginTop, marginBottom } = getComputedStyle(friend);
        equal(friend.offsetHeight + parseFloat(marginTop) + parseFloat(marginBottom), 56);""")


@pytest.mark.parametrize("width", [390, 700])
def test_cards_and_chats_of_narrow_windows_have_the_edges_of_the_list(desktop, sample, width):
    show(desktop, sample, width, "#/chat/2~sample-kira", "document.querySelectorAll('.message:not([hidden])').length === 5")
    desktop.js(EDGES + """same([box('.chat-pane header .icon').left, box('.message:not(.own) .bubble').left, 16], 'left');
        same([box('.tabs').right, box('.message.own .bubble').right, innerWidth - 16], 'right');
        location.hash = '#/cards';
        await until(() => document.querySelectorAll('.person .drawn').length > 1);
        const cards = [...document.querySelectorAll('.person .card')].map(box);
        same([Math.min(...cards.map(({ left }) => left)), 16], 'cards, left');
        same([Math.max(...cards.map(({ right }) => right)), innerWidth - 16], 'cards, right');""")


@SIZES
def test_cards_of_one_row_share_surfaces(desktop, sample, width):
    show(desktop, sample, width, "#/c/2~sample-kira", "document.querySelectorAll('.card').length > 3")
    desktop.js("""const cards = [...document.querySelectorAll('.card')], gaps = cards.slice(1).map((card, at) => card.getBoundingClientRect().top - cards[at].getBoundingClientRect().bottom);
        equal(gaps.filter(gap => gap > 4).length <= 2, true, gaps.join());""")


@SIZES
def test_wide_windows_show_birthdays_and_recently_opened_contacts_beside_the_list(desktop, sample, width):
    show(desktop, sample, width)
    desktop.js("""const wide = innerWidth >= 768, pane = () => document.querySelector('.home-pane'), isShown = () => (pane()?.offsetHeight ?? 0) > 0;
        if (wide) await until(() => isShown() && pane().innerText.includes('Upcoming birthdays'));
        for (const id of ['sample-bo', 'sample-chidi', 'sample-ada']) {
          location.hash = `#/c/${id}`;
          await until(() => localStorage.getItem('tondo.recents')?.startsWith(`[{"id":"${id}"`));
          equal(isShown(), false, 'an open contact takes its place');
        }
        location.hash = '#/';
        await until(() => document.querySelectorAll('.recent').length === 3);
        equal([isShown(), document.querySelector('.recent').closest('.home-pane') !== null], [wide, wide]);
        if (!wide) return;
        const sections = [...pane().querySelectorAll('h2')].map(each => each.innerText);
        equal(sections.indexOf('Recently opened') < sections.indexOf('Upcoming birthdays'), true, 'what is known last pushes nothing down');
        equal(pane().querySelector('.day').innerText.startsWith('Ada Okafor'), true);
        pane().querySelector('.day').click();
        await until(() => location.hash === '#/c/sample-ada' && !isShown());""")


def test_what_stands_beside_the_list_moves_with_the_width_of_the_window(desktop, sample):
    show(desktop, sample, 1280)
    desktop.wait("document.querySelector('.home-pane')?.offsetHeight > 0")
    desktop.js("""const { lead } = tondo.views.list;
        lead.recents.write(['a', 'b'].map(id => ({ id, displayName: id })));
        lead.draw();
        await until(() => document.querySelectorAll('.home-pane .recent').length === 2);""")
    desktop.resize(390, 844)
    desktop.wait("document.querySelectorAll('.lead .recent').length === 2 && document.querySelector('.home-pane').offsetHeight === 0")


def test_next_birthdays_are_those_of_the_calendar(module):
    module("""const { nextBirthdays } = await load('./birthdays.js'), now = new Date(2026, 10, 28);
        const of = (...days) => nextBirthdays(days.map((birthday, at) => ({ id: String(at), birthday })), now).map(({ contact, days, age }) => [contact.id, days, age]);
        equal(of('1985-12-10', '--11-28', '1990-11-27', undefined, 'circa 1800', '2000-11-28'), [['1', 0, null], ['5', 0, 26], ['0', 12, 41], ['2', 364, 37]]);
        equal(of(...Array(9).fill('1985-12-10')).length, 5);""")


def test_larger_books_are_not_loaded_for_their_birthdays(desktop, many):
    with desktop.before_page("""const real = window.fetch.bind(window); window.asked = [];
        window.fetch = (path, options) => { asked.push(String(path)); return real(path, options); };"""):
        show(desktop, many, 1280)
    desktop.js("""await until(() => tondo.views.list.lead?.home);
        tondo.views.list.lead.home.draw();
        equal([tondo.views.list.lead.home.timer, document.querySelector('.home-pane').offsetHeight], [undefined, 0]);
        equal(document.querySelector('.detail-pane').offsetHeight > 0, true);
        equal(asked.filter(path => path.includes('limit=500')), []);""")


def test_birthdays_of_a_book_of_several_pages_come_once_the_page_is_idle(desktop):
    def book(folder):
        people = [{"id": f"p{at}", "name": {"given": "Ada", "family": f"Number {at:03}"}} for at in range(120)]
        people[110]["birthday"] = "--02-28"
        (folder / "book.json").write_text(json.dumps({"tondo": 1, "contacts": people}))
        return [folder / "book.json"]
    service = Service(book, arguments=("--initials", "off"))
    try:
        desktop.resize(1280, 900)
        desktop.open(service.url)
        desktop.wait("document.querySelector('.home-pane .day .name')?.innerText === 'Ada Number 110'")
    finally:
        service.close()


def test_contacts_that_stay_unknown_are_asked_for_once(desktop, sample):
    show(desktop, sample, 1280)
    desktop.js("""const { lead } = tondo.views.list, { home } = lead, { contacts } = tondo, real = contacts.idsBetween;
        let asked = 0;
        contacts.idsBetween = async () => { asked += 1; throw new Error('unreachable'); };
        const known = contacts.ids;
        contacts.ids = [...known];
        delete contacts.ids[3];
        home.people = undefined;
        clearTimeout(home.timer);
        home.timer = undefined;
        home.draw();
        equal(home.timer !== undefined, true, 'it waits for an idle page');
        clearTimeout(home.timer);
        await home.load();
        home.draw();
        equal([asked, home.timer], [1, undefined]);
        // Another list may be known.
        contacts.ids = [...contacts.ids];
        home.draw();
        equal(home.timer !== undefined, true);
        clearTimeout(home.timer);
        home.timer = undefined;
        Object.assign(contacts, { ids: known, idsBetween: real });""")


@SIZES
def test_chat_stands_beside_the_list(desktop, sample, width):
    show(desktop, sample, width, "#/chat/2~sample-kira", "document.querySelectorAll('.chat-pane .message:not([hidden])').length === 5")
    desktop.js("""const wide = innerWidth >= 768, shown = name => (document.querySelector(name)?.offsetHeight ?? 0) > 0;
        equal([shown('.list-pane'), shown('.detail-pane'), shown('.chat-pane')], [wide, false, true]);
        if (wide) await until(() => document.querySelector('.row.current .name')?.innerText === 'Kira Vogel');
        location.hash = '#/c/2~sample-kira';
        await until(() => shown('.detail-pane') && !shown('.chat-pane'));
        location.hash = '#/settings';
        await until(() => shown('.settings-pane') && !shown('.split'));""")


@SIZES
def test_settings_say_what_to_do_and_fold_the_command(desktop, sample, width):
    show(desktop, sample, width, "#/settings", "document.querySelector('.how')")
    desktop.js("""const pane = document.querySelector('.settings-pane'), how = document.querySelector('.how');
        equal([pane.innerText.includes('To make changes, open Tondo on the computer'), pane.innerText.includes('tondo open')], [true, false]);
        how.querySelector('summary').click();
        await until(() => pane.innerText.includes('tondo open'));""")


@SIZES
def test_refusal_is_a_headline_with_a_button_to_the_settings(desktop, sample, width):
    show(desktop, sample, width)
    desktop.js("""tondo.notify(tondo.text.get('refusal.401'));
        const toast = document.querySelector('.toast');
        equal([toast.querySelector('.headline').innerText, toast.querySelector('.undo').innerText], ['This browser can only view contacts', 'Settings']);
        toast.querySelector('.undo').click();
        await until(() => document.querySelector('.settings-pane .how')?.offsetHeight > 0);""")


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_letters_are_one_column_beside_the_scrollbar(desktop, sample, width):
    show(desktop, sample, width)
    desktop.js("""const index = await until(() => document.querySelector('.index span')?.offsetHeight > 0 && document.querySelector('.index'));
        const scroller = document.querySelector('.list-pane .scroller').getBoundingClientRect(), range = document.createRange();
        const letters = [...index.children].map(each => { range.selectNodeContents(each); return range.getBoundingClientRect(); });
        const middles = letters.map(({ left, right }) => (left + right) / 2);
        equal(Math.max(...middles) - Math.min(...middles) <= 1, true, middles);
        equal(letters.every(({ left }) => left >= scroller.right + 4), true, 'no letter touches what is scrolled');""")


def test_message_leaves_the_letters_in_sight(desktop, sample):
    show(desktop, sample, 1280)
    desktop.js("""const index = await until(() => document.querySelector('.index span')?.offsetHeight > 0 && document.querySelector('.index'));
        // As many as the room without a message is for.
        while (index.scrollHeight <= index.clientHeight && index.offsetHeight < index.parentElement.offsetHeight) index.append(index.lastElementChild.cloneNode(true));
        tondo.notify('A message of a line');
        const toast = await until(() => document.querySelector('.toast:not([hidden])'));
        await until(() => document.getAnimations().length === 0);
        const { top, bottom } = index.getBoundingClientRect();
        equal([top >= document.querySelector('.list-pane .list-area').getBoundingClientRect().top, bottom <= toast.getBoundingClientRect().top], [true, true], [top, bottom]);""")


def test_scrollbar_of_a_long_group_is_not_cut_off(desktop, sample):
    show(desktop, sample, 1280, "#/groups/Friends", "document.querySelectorAll('.members .friend:not([hidden])').length > 1")
    desktop.js("""const scroller = document.querySelector('.members .scroller');
        for (let each = scroller.parentElement; each !== document.body; each = each.parentElement) {
          const { overflowX } = getComputedStyle(each);
          if (overflowX !== 'visible') equal(each.getBoundingClientRect().right >= scroller.getBoundingClientRect().right, true, each.className);
        }""")
