"""Small things that are seen: messages, boxes, previews, the index, what has gone."""
import pytest

from test_3_list import show

SIZES = pytest.mark.parametrize("width", [390, 1280])


def test_groups_of_the_books_are_one_line_on_phones(desktop, sample):
    for width, is_line in [(320, True), (390, True), (1280, False)]:
        desktop.resize(width, 844)
        desktop.open(sample.url, "#/book")
        desktop.js("""const chips = await until(() => document.querySelector('.card-groups .chips')), items = [...chips.children].map(each => each.getBoundingClientRect());
            equal([items.length > 3, document.documentElement.scrollWidth <= innerWidth], [true, true]);
            if (!args[0]) return;
            equal([new Set(items.map(({ top }) => top)).size, chips.scrollWidth > chips.clientWidth], [1, true]);
            chips.lastElementChild.querySelector('a').focus();
            await until(() => chips.lastElementChild.getBoundingClientRect().right <= innerWidth);
            equal(document.querySelector('.card-source').getBoundingClientRect().top < innerHeight, true, 'the books follow at once');""", is_line)


def test_rows_end_above_a_message_that_stands_in_the_list(desktop, many):
    show(desktop, many)
    desktop.js("""tondo.notify('Copied: a');
        const toast = document.querySelector('.toast'), area = document.querySelector('.list-area');
        await until(() => toast.offsetHeight > 0 && document.getAnimations().length === 0);
        const own = toast.getBoundingClientRect(), { bottom } = area.getBoundingClientRect(), cover = getComputedStyle(area, '::after');
        equal([cover.backgroundColor, cover.bottom, bottom - parseFloat(cover.height) <= own.top], [getComputedStyle(document.querySelector('.list-pane')).backgroundColor, '0px', true]);
        toast.querySelector('.plain').click();
        await until(() => toast.hidden && getComputedStyle(area, '::after').content === 'none');""")


@pytest.mark.parametrize("width", [320, 390, 700])
def test_message_is_as_wide_as_the_bar_of_the_selection(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""await tondo.views.list.pick(tondo.views.list.list.row(1));
        tondo.notify('Copied: a');
        const edges = async of => { const { left, right } = (await until(() => { const found = document.querySelector(of); return found?.offsetHeight && found; })).getBoundingClientRect(); return [left, right]; };
        equal(await edges('.toast'), await edges('.picked-bar'));
        document.querySelector('.toast .plain').click();
        tondo.views.list.selection.clear();""")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_boxes_of_sheets_have_the_colours_of_the_page(phone, sample, theme):
    show(phone, sample, theme=theme)
    phone.js("""const colour = name => { const probe = document.createElement('i'); probe.style.color = `var(${name})`; document.body.append(probe); const found = getComputedStyle(probe).color; probe.remove(); return found; };
        for (const at of [0, 1]) {
          document.querySelectorAll('.tools [aria-haspopup]')[at].click();
          const boxes = [...(await until(() => document.querySelector('dialog[open] input') && document.querySelector('dialog[open]'))).querySelectorAll('.choice input')];
          boxes[1].click();
          const look = box => { const { appearance, borderTopColor } = getComputedStyle(box); return [appearance, borderTopColor, getComputedStyle(box, '::before').visibility]; };
          equal([look(boxes[1]), look(boxes[2])], [['none', colour('--accent'), 'visible'], ['none', colour('--soft'), 'hidden']]);
          document.querySelector('dialog[open]').close();
          await until(() => !document.querySelector('dialog'));
        }""")


@SIZES
def test_sort_is_named_once(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""document.querySelectorAll('.tools [aria-haspopup]')[1].click();
        const menu = await until(() => document.querySelector('dialog[open], .popover'));
        equal(menu.innerText.match(/Sort/g), ['Sort']);
        if (menu.matches('dialog')) menu.close(); else menu.hidePopover();""")


def test_preview_breaks_an_address_at_its_signs(module):
    module("""const { preview } = await load('./card-preview.js'), made = preview(tondo, { id: 'x', displayName: 'X', initials: 'X', emails: [{ value: 'a.b@example.org' }] });
        equal(made.querySelector('bdi').innerHTML, 'a<wbr>.b<wbr>@example<wbr>.org');
        made.end();""")


def test_button_of_a_photo_waits_until_the_photo_has_landed(desktop, sample):
    desktop.resize(390, 844)
    show(desktop, sample)
    desktop.js("""location.hash = '#/c/sample-ada';
        const button = await until(() => { const found = document.querySelector('.change-photo'); return found?.isConnected && found; }), { dataset } = document.documentElement;
        await until(() => dataset.motion === undefined);
        equal(getComputedStyle(button).opacity, '1');
        dataset.motion = 'deeper';
        equal(getComputedStyle(button).opacity, '0');
        delete dataset.motion;""")


def test_recent_contacts_stand_four_beside_each_other_on_a_tablet(desktop, sample):
    desktop.resize(768, 1024)
    show(desktop, sample)
    desktop.js("""const { list } = tondo.views, lead = await until(() => list.lead?.home && list.lead);
        lead.recents.write([0, 1, 2, 3, 4, 5, 6, 7].map(at => tondo.contacts.at(at)).map(({ id, displayName, initials, name }) => ({ id, displayName, initials, given: name.given })));
        lead.draw();
        const tiles = [...(await until(() => document.querySelector('.home-pane .recents')?.children.length === 8 && document.querySelector('.home-pane .recents'))).children].map(each => each.getBoundingClientRect());
        equal([new Set(tiles.map(({ top }) => Math.round(top))).size, tiles.every(({ width }) => width >= 64), document.documentElement.scrollWidth <= innerWidth], [2, true, true]);""")


def test_dots_stand_for_the_letters_that_are_left_out(module):
    module("""const { IndexBar, thinned } = await load('./list-tools.js');
        const shape = (count, room) => thinned(count, room).map(({ from, count: others, isDot }) => isDot ? `.${others}` : from).join(' ');
        equal([shape(5, 9), shape(5, 5), shape(5, 4), shape(7, 6), shape(26, 13)], ['0 1 2 3 4', '0 1 2 3 4', '0 .2 3 .1', '0 .2 3 .2 6', '0 .4 5 .4 10 .4 15 .4 20 .4 25']);
        for (const [count, room] of [[5, 4], [7, 6], [26, 13], [40, 7], [3000, 20]]) {
          const parts = thinned(count, room);
          equal([parts.length <= room, parts.reduce((sum, part) => sum + part.count, 0), parts[0].from], [true, count, 0]);
        }
        const sections = [...'ABCDEFGHIJ'].map((title, at) => ({ title, offset: at, count: 1 })), went = [];
        const bar = new IndexBar('Index', () => ({ sections }), number => went.push(number));
        bar.draw(sections, 5);
        equal([[...bar.element.children].map(each => each.textContent).join(''), bar.element.querySelectorAll('.dot').length], ['A•F•', 2]);
        equal([0, .24, .26, .49, .51, .99, 1].map(share => bar.sectionAt(share)), [0, 0, 1, 4, 5, 9, 9]);
        // Every section has its place.
        equal(new Set(Array.from({ length: 200 }, (_, at) => bar.sectionAt(at / 200))).size, 10);""")


@SIZES
def test_signs_of_groups_and_people_begin_at_the_edge_of_content(desktop, sample, width):
    desktop.resize(width, 844)
    desktop.open(sample.url, "#/groups/Friends")
    desktop.js("""await until(() => document.querySelector('.friend .drawn') && document.getAnimations().length === 0);
        const [surface, sign, photo] = ['.groups-pane .list-area .content', '.group:not([hidden]) .sign', '.friend:not([hidden]) .avatar'].map(of => [...document.querySelectorAll(of)].find(each => each.offsetHeight > 0).getBoundingClientRect());
        const people = [...document.querySelectorAll('.friend')].find(each => each.offsetHeight > 0).closest('.content').getBoundingClientRect();
        // A small photo has the room of a ring around it.
        equal([sign.left - surface.left, Math.round(photo.left + .073 * photo.width - people.left)], [16, 16]);""")


def test_menu_of_a_row_shows_where_the_mouse_or_the_focus_is(desktop, sample):
    show(desktop, sample)
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    desktop.wait("tondo.hasMouse")
    x, y = desktop.js("""const shown = () => [...document.querySelectorAll('.rows .row:not([hidden]) .more')].filter(each => getComputedStyle(each).opacity !== '0').length;
        window.shown = shown;
        equal(shown(), 0);
        const { left, top } = tondo.views.list.list.row(2).getBoundingClientRect();
        return [left + 80, top + 20];""")
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    desktop.wait("shown() === 1")
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    desktop.wait("shown() === 0")


@SIZES
def test_rows_that_go_fold_in_their_place(desktop, own, width):
    desktop.resize(width, 844)
    for is_calm in (False, True):
        if is_calm:
            desktop.media(prefers_reduced_motion="reduce")
        desktop.open(own.url, "#code=" + own.code())
        desktop.wait("document.querySelectorAll('.row .drawn').length > 5")
        desktop.js("""const { list } = tondo.views, row = list.list.row(1), { displayName } = row.view.contact, { top } = row.getBoundingClientRect(), found = [];
            new MutationObserver(changes => {
              for (const { addedNodes } of changes) for (const node of addedNodes) if (node.matches?.('.folding')) found.push([node.querySelector('.name').textContent, node.getAnimations().length, Math.round(node.getBoundingClientRect().top)]);
            }).observe(document.querySelector('.list-pane'), { childList: true, subtree: true });
            list.remove([row.view.contact], 1);
            await until(() => tondo.contacts.total === 13 && document.querySelector('.toast:not([hidden]) .undo'));
            equal(found, args[0] ? [] : [[displayName, 1, Math.round(top)]]);
            await until(() => document.querySelectorAll('.folding').length === 0);
            document.querySelector('.toast .undo').click();
            await until(() => tondo.contacts.total === 14 && list.list.row(1).view.contact.displayName === displayName);""", is_calm)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
@pytest.mark.parametrize("width", [320, 390])
def test_words_for_offline_are_whole(desktop, sample, language, width):
    desktop.resize(width, 640)
    show(desktop, sample, language=language)
    desktop.js("""tondo.showOffline(true);
        const seen = document.querySelector('.seen');
        equal(seen.textContent, String(tondo.text.get('offline.bare')), 'a browser that only views keeps no contacts');
        seen.textContent = tondo.text.get('offline.seen');
        equal([seen.textContent.length > 3, seen.scrollWidth <= seen.clientWidth, seen.getBoundingClientRect().right <= innerWidth, document.documentElement.scrollWidth <= innerWidth], [true, true, true, true]);
        tondo.showOffline(false);""")
