"""What answers to a pointer and says whether it can act: menus, rows, buttons, and what floats above them."""
import pytest

from test_3_list import show

SIZES = pytest.mark.parametrize("width", [390, 1280])


def test_reset_of_the_filters_acts_once_there_is_one(page, sample):
    page.open(sample.url)
    page.wait("document.querySelectorAll('.row .drawn').length > 3")
    page.js("""document.querySelectorAll('.tools .icon-button')[0].click();
        const menu = await until(() => document.querySelector('.popover')), item = name => menu.querySelector(`[data-value=${name}]`);
        const reset = [...menu.querySelectorAll('.menu-item')].find(each => each.innerText === 'Reset');
        equal(reset.ariaDisabled, 'true');
        item('telegram').click();
        equal(reset.ariaDisabled, null);
        item('telegram').click();
        equal(reset.ariaDisabled, 'true');
        item('viber').click();
        reset.click();
        await until(() => !document.querySelector('.popover') && tondo.views.list.query.filter.length === 0);""")


@pytest.mark.parametrize("state", ["", "current", "picked"])
def test_row_shows_that_it_is_pressed(desktop, sample, state):
    show(desktop, sample)
    x, y = desktop.js("""const row = document.querySelectorAll('.rows .row:not([hidden])')[2];
        window.row = row;
        if (args[0] === 'picked') await tondo.views.list.pick(row);
        if (args[0] === 'current') row.classList.add('current');
        const { left, top, width, height } = row.getBoundingClientRect();
        return [left + width / 2, top + height / 2];""", state)
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    drawn = "getComputedStyle(row.querySelector('.main'), '::after').backgroundColor"
    desktop.wait(f"row.matches(':hover') && {drawn} === 'rgba(0, 0, 0, 0)'")
    desktop.cdp("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
    desktop.wait(f"{drawn} !== 'rgba(0, 0, 0, 0)'")
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5, buttons=1)
    desktop.cdp("Input.dispatchMouseEvent", type="mouseReleased", x=5, y=5, button="left", clickCount=1)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_message_leaves_the_bar_of_the_selection_free(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""await tondo.views.list.pick(tondo.views.list.list.row(1));
        const bar = await until(() => document.querySelector('.picked-bar:not([hidden])'));
        tondo.notify('Copied: +44 20 7946 0101');
        const toast = document.querySelector('.toast');
        await until(() => toast.offsetHeight > 0 && document.getAnimations().length === 0 && (innerWidth < 900 ? toast.getBoundingClientRect().top >= bar.getBoundingClientRect().bottom : toast.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top));
        tondo.views.list.selection.clear();""")


@pytest.mark.parametrize("width", [900, 1280, 1920])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_message_stands_within_the_list_of_wide_windows(desktop, sample, width, direction):
    desktop.resize(width, 900)
    show(desktop, sample, direction=direction)
    desktop.js("""for (const words of ['Copied: a', `${'word '.repeat(30)}`]) {
          tondo.notify(words);
          const [own, pane] = ['.toast', '.list-pane'].map(of => document.querySelector(of).getBoundingClientRect());
          equal([own.left > pane.left, own.right < pane.right, own.width > pane.width / 2], [true, true, true], JSON.stringify([own, pane]));
        }""")


def test_rows_that_are_selected_together_are_one_surface(desktop, sample):
    show(desktop, sample)
    desktop.js("""const { list } = tondo.views, rows = [1, 2, 3].map(at => list.list.row(at));
        for (const row of rows) await list.pick(row);
        const corners = of => { const { borderTopLeftRadius: top, borderBottomLeftRadius: bottom } = getComputedStyle(of); return [top !== '0px', bottom !== '0px']; };
        equal(rows.map(corners), [[true, false], [false, false], [false, true]]);
        await list.pick(rows[1]);
        equal(rows.map(corners), [[true, true], [true, true], [true, true]]);
        list.selection.clear();""")


def test_row_does_not_reflow_where_it_is_focused_on_a_narrow_window(desktop, sample):
    desktop.resize(390, 844)
    show(desktop, sample)
    desktop.js("""const row = tondo.views.list.list.row(2), parts = () => ['.name', '.line'].map(of => { const { width, height } = row.querySelector(of).getBoundingClientRect(); return [width, height]; });
        const before = parts();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }));
        row.querySelector('.main').focus();
        await until(() => row.querySelector('.pick'));
        equal(parts(), before);""")


def test_strip_ends_with_the_column_of_the_page(desktop, sample):
    desktop.resize(1920, 900)
    show(desktop, sample)
    desktop.js("""location.hash = '#/cards';
        await until(() => document.querySelectorAll('.person .drawn').length > 3);
        const strip = document.querySelector('.strip').getBoundingClientRect(), last = document.querySelector('nav > :last-child').getBoundingClientRect();
        equal([strip.right <= last.right + 16, strip.right >= last.right, strip.left + strip.right === innerWidth], [true, true, true], JSON.stringify(strip));""")


@pytest.mark.parametrize("language, forms", [("en", ["Address book", "Address books"]), ("ru", ["Адресная книга", "Адресных книг"]), ("zh", ["通讯录", "通讯录"])])
def test_numbers_of_the_summary_have_the_words_of_their_number(module, language, forms):
    module("""const { Text } = await load('./text.js'), { summaryCard } = await load('./card-summary.js'), text = await Text.load(args[0]);
        const word = value => summaryCard({ rows: [{ label: 'books', value }] }, { app: { text } }).querySelector('dt').textContent;
        equal([word('1'), word('5')], args[1]);""", language, forms)


def test_star_of_the_menu_is_filled_for_favourites_alone(desktop, sample):
    show(desktop, sample)
    desktop.js("""await until(() => tondo.favourites?.isKnown);
        // A browser that only views is offered none.
        Object.defineProperty(tondo.api, 'token', { value: 'x' });
        const { list } = tondo.views, sign = async favourite => {
          const row = list.list.row(1), { contact } = row.view;
          row.view.contact = { ...contact, favourite };
          row.querySelector('.more').click();
          const icons = (await until(() => document.querySelector('.popover'))).querySelectorAll('.icon-c-star, .icon-c-starred'), found = [...icons].map(each => each.className);
          document.querySelector('.popover').hidePopover();
          await until(() => !document.querySelector('.popover'));
          row.view.contact = contact;
          return found;
        };
        equal([await sign(true), await sign(undefined)], [['icon icon-c-starred'], ['icon icon-c-star']]);""")


def test_browser_that_only_views_offers_nothing_that_is_refused(desktop, sample):
    for route, is_allowed in [("#/settings", False), ("#code=" + sample.code(), True)]:
        desktop.open(sample.url, route)
        desktop.wait("tondo.isPermitted && tondo.text && document.querySelector('main > *')")
        desktop.js("""location.hash = '#/settings';
            const pane = await until(() => document.querySelector('.settings-pane')?.offsetHeight > 0 && document.querySelector('.settings-pane'));
            const isShown = of => pane.querySelector(of).offsetHeight > 0;
            equal([isShown('.phone button'), isShown('.forget'), pane.querySelector('.phone').innerText.includes('Open Tondo on the computer')], [args[0], args[0], !args[0]]);
            location.hash = '#/c/sample-ada';
            await until(() => tondo.views.detail?.contact?.id === 'sample-ada');
            const isIn = of => document.querySelector(`.detail-pane ${of}`).offsetHeight > 0;
            equal([isIn('.danger'), isIn('.right-missing')], [args[0], !args[0]], 'the reason stands in the place of Delete');
            location.hash = '#/settings';
            const key = await until(() => [...pane.querySelectorAll('.keys > div')].find(each => each.textContent.includes('Delete')));
            equal(getComputedStyle(key).display !== 'none', args[0], 'the key for it');
            location.hash = '#/';
            const row = await until(() => tondo.favourites?.isKnown && tondo.views.list.list.row(1));
            row.querySelector('.more').click();
            const menu = await until(() => document.querySelector('.popover'));
            equal(menu.querySelector('.icon-c-star, .icon-c-starred') !== null, args[0], 'favourites');
            menu.hidePopover();""", is_allowed)


@pytest.mark.parametrize("width", [390, 1280])
def test_selects_of_the_settings_are_equally_wide(desktop, sample, width):
    desktop.resize(width, 900)
    desktop.open(sample.url, "#/settings")
    desktop.wait("document.querySelectorAll('.choice select').length === 3")
    desktop.js("equal(new Set([...document.querySelectorAll('.choice select')].map(each => each.offsetWidth)).size, 1);")


@pytest.mark.parametrize("width", [320, 390, 700])
def test_message_of_narrow_windows_covers_nothing(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""location.hash = '#/c/sample-ada';
        await until(() => document.querySelectorAll('.detail-pane .card').length > 2);
        tondo.notify('Copied: +44 20 7946 0101');
        const pane = document.querySelector('.detail-pane'), toast = document.querySelector('.toast'), nav = document.querySelector('nav').getBoundingClientRect();
        await until(() => toast.offsetHeight > 0 && document.getAnimations().length === 0);
        pane.scrollTo(0, 99999);
        await frame();
        const own = toast.getBoundingClientRect(), last = [...pane.querySelectorAll('.column button, .column a')].filter(each => each.offsetHeight > 0).at(-1).getBoundingClientRect();
        equal([last.bottom <= own.top, own.bottom <= nav.top, pane.getBoundingClientRect().bottom <= own.top], [true, true, true], JSON.stringify([last, own]));
        toast.querySelector('.plain').click();""")


def test_last_row_of_wide_windows_can_be_scrolled_above_a_message(desktop, many):
    show(desktop, many)
    desktop.js("""tondo.notify('Copied: +44 20 7946 0101');
        const { list } = tondo.views, toast = document.querySelector('.toast');
        await until(() => toast.offsetHeight > 0 && document.getAnimations().length === 0);
        list.scroller.scrollTop = list.scroller.scrollHeight;
        await until(() => list.list.row(2999)?.view.contact && list.list.row(2999).getBoundingClientRect().bottom <= toast.getBoundingClientRect().top);
        toast.querySelector('.plain').click();""")


def test_columns_of_a_row_stay_where_a_mouse_comes(desktop, sample):
    desktop.resize(760, 1024)
    show(desktop, sample)
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    desktop.js("""await until(() => tondo.hasMouse);
        const row = tondo.views.list.list.row(2), parts = () => ['.name', '.line'].map(of => { const { left, width } = row.querySelector(of).getBoundingClientRect(); return [left, width]; }), before = parts();
        row.view.light(true);
        equal(row.querySelectorAll('.way').length > 0, true);
        equal(parts(), before);
        const ways = row.querySelector('.ways').getBoundingClientRect(), line = row.querySelector('.line').getBoundingClientRect(), more = row.querySelector('.more').getBoundingClientRect();
        equal([ways.left >= line.right, ways.right <= more.left + 5], [true, true], JSON.stringify([ways, line, more]));
        row.view.light(false);""")


@pytest.mark.parametrize("width", [390, 1280])
def test_open_row_differs_from_a_selected_one_and_scrolled_rows_end_at_a_line(desktop, many, width):
    desktop.resize(width, 844)
    show(desktop, many)
    desktop.js("""const { list } = tondo.views, open = list.list.row(1), other = list.list.row(2), ground = of => getComputedStyle(of).backgroundColor, bar = of => getComputedStyle(of, '::before').content;
        open.classList.add('current');
        await list.pick(other);
        open.classList.add('current');
        equal([ground(open) === ground(other), bar(open) !== 'none', bar(other) !== 'none'], [false, true, false]);
        list.selection.clear();
        open.classList.remove('current');
        equal(list.area.classList.contains('is-scrolled'), false);
        list.list.scrollTo(500);
        await until(() => list.area.classList.contains('is-scrolled'));
        list.list.scrollTo(0);
        await until(() => !list.area.classList.contains('is-scrolled'));""")


def test_row_that_has_the_focus_by_itself_shows_its_whole_avatar(phone, sample):
    phone.open(sample.url, "#code=" + sample.code())
    phone.wait("document.activeElement.matches('.row .main')")
    phone.js("""const row = document.activeElement.closest('.row');
        equal([row.querySelector('.pick'), row.querySelectorAll('.way').length], [null, 0]);
        location.hash = '#/c/sample-bo';
        await until(() => document.querySelector('.detail-pane').offsetHeight > 0);
        location.hash = '#/';
        await until(() => document.activeElement.closest('.row')?.view.contact.id === 'sample-bo');
        equal(document.querySelectorAll('.row .pick').length, 0);""")
    phone.key("ArrowDown", 40)
    phone.wait("document.activeElement.closest('.row')?.querySelector('.pick')")


def test_message_without_anything_to_do_leaves_soon_and_one_with_it_stays(module):
    module("""const { Toast } = await load('./page.js');
        equal([Toast.duration('Ada restored.', false), Toast.duration('Ada deleted.', true), Toast.duration('word '.repeat(30), false)].map(String), ['4000', 'Infinity', 'Infinity']);
        const toast = new Toast(() => 'Close'), timers = [], own = globalThis.setTimeout;
        globalThis.setTimeout = (action, ms) => timers.push(ms);
        try {
          toast.show('Ada deleted.', 'Undo', () => {});
          toast.show('Ada restored.');
        } finally {
          globalThis.setTimeout = own;
        }
        equal(timers, [4000]);""")


@pytest.mark.parametrize("width", [320, 390, 700])
def test_message_leaves_the_cards_of_a_phone_as_they_are(desktop, many, width):
    desktop.resize(width, 844)
    show(desktop, many)
    desktop.js("""location.hash = '#/cards';
        await until(() => document.querySelectorAll('.person .drawn').length > 3 || document.querySelectorAll('.person:not(.loading)').length > 3);
        const feed = document.querySelector('.feed'), toast = document.querySelector('.toast'), before = feed.getBoundingClientRect().toJSON();
        tondo.notify('Copied: +44 20 7946 0101');
        await until(() => toast.offsetHeight > 0 && document.getAnimations().length === 0);
        equal(feed.getBoundingClientRect().toJSON(), before);
        const own = toast.getBoundingClientRect();
        equal([own.bottom <= document.querySelector('nav').getBoundingClientRect().top, own.left >= 0, own.right <= innerWidth], [true, true, true]);
        toast.querySelector('.plain').click();
        location.hash = '#/';""")


@pytest.mark.parametrize("kind", [0, 1])
def test_menus_show_what_is_chosen_and_what_could_be(desktop, sample, kind):
    show(desktop, sample)
    desktop.js("""const role = ['menuitemcheckbox', 'menuitemradio'][args[0]];
        document.querySelectorAll('.tools .icon-button[aria-haspopup]')[args[0]].click();
        const items = await until(() => { const found = [...document.querySelectorAll(`.popover [role=${role}]`)]; return found.length > 0 && found; });
        const look = item => { const box = item.querySelector('.menu-box'), { borderTopWidth, visibility } = getComputedStyle(box); return [box.offsetWidth >= 16, borderTopWidth, visibility, getComputedStyle(box.querySelector('.icon')).visibility]; };
        const off = items.find(({ ariaChecked }) => ariaChecked === 'false');
        equal(look(off), [true, '2px', 'visible', 'hidden']);
        if (args[0] === 0) off.click();
        equal(look(items.find(({ ariaChecked }) => ariaChecked === 'true')), [true, '2px', 'visible', 'visible']);
        document.querySelector('.popover').hidePopover();
        tondo.views.list.choose({ filter: [], sort: 'given-asc' });""", kind)


def test_rows_of_sheets_begin_at_one_edge(phone, sample):
    show(phone, sample)
    phone.js("""await until(() => tondo.views.list.lead);
        const left = of => { const range = document.createRange(); range.selectNodeContents(of); return Math.round(range.getBoundingClientRect().left); };
        document.querySelectorAll('.tools .icon-button[aria-haspopup]')[2].click();
        const sheet = await until(() => document.querySelector('dialog[open]'));
        await until(() => document.getAnimations().length === 0);
        const label = sheet.querySelector('.choice').lastChild, range = document.createRange();
        range.selectNode(label);
        equal(left(sheet.querySelector('.sheet-item span:last-child')), Math.round(range.getBoundingClientRect().left), 'words');
        equal(Math.round(sheet.querySelector('.choice input').getBoundingClientRect().left), left(sheet.querySelector('h2')), 'boxes and the title');
        sheet.close();
        document.querySelectorAll('.tools .icon-button[aria-haspopup]')[0].click();
        const filter = await until(() => document.querySelector('dialog.sheet[open] fieldset')), legend = filter.querySelector('legend').getBoundingClientRect();
        equal(filter.querySelector('.choice').getBoundingClientRect().top - legend.bottom >= 8, true, 'the caption has room');
        filter.closest('dialog').close();""")


@pytest.mark.parametrize("width", [390, 1280])
def test_rows_that_are_not_there_yet_look_like_rows_and_offer_nothing(desktop, many, width):
    desktop.resize(width, 844)
    show(desktop, many)
    desktop.js("""const { list } = tondo.views.list, row = list.row(2), height = row.offsetHeight;
        row.view.fill(2, 3000, undefined);
        const [name, line] = ['.name', '.line'].map(of => row.querySelector(of));
        equal([name.offsetHeight > 0, line.offsetHeight > 0, line.offsetWidth < name.offsetWidth, getComputedStyle(row.querySelector('.more')).visibility, row.offsetHeight], [true, true, true, 'hidden', height]);
        tondo.views.list.refill();""")


def test_where_nothing_is_found_nothing_else_is_said(desktop, sample):
    desktop.resize(1280, 900)
    desktop.open(sample.url, "#/")
    desktop.wait("document.querySelectorAll('.row .drawn').length > 5")
    desktop.js("""const { list } = tondo.views, beside = () => [...document.querySelectorAll('.split > .detail-pane .empty')].filter(each => each.checkVisibility({ visibilityProperty: true }));
        list.choose({ search: 'zzz' });
        const headline = await until(() => document.querySelector('.list-area .empty .headline'));
        equal([beside().length, parseFloat(getComputedStyle(headline).fontSize) > parseFloat(getComputedStyle(headline.nextElementSibling).fontSize)], [0, true]);
        list.choose({ search: '' });
        await until(() => document.querySelector('.list-area .empty').childElementCount === 0);
        location.hash = '#/c/none-such';
        await until(() => beside().length === 1);""")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("route, data", [("#/", "contacts"), ("#/groups", "groups")])
def test_first_load_shows_rows_without_names_until_it_is_known_how_many_there_are(desktop, sample, width, route, data):
    desktop.resize(width, 844)
    hold = "const send = globalThis.fetch; globalThis.goOn = new Promise(on => { globalThis.release = on; });" \
           "globalThis.fetch = async (path, options) => { if (path.startsWith('/v1/DATA')) await goOn; return send(path, options); };"
    with desktop.before_page(hold.replace("DATA", data)):
        desktop.open(sample.url, route)
    desktop.js("""const [rows, waiting] = args[0] === 'groups' ? ['.group', '.groups-pane .waiting'] : ['.row', '.list-pane .waiting'];
        const shown = await until(() => document.querySelector(waiting));
        equal([shown.ariaHidden, shown.querySelectorAll('i').length > 8, document.querySelectorAll(`${rows}:not([hidden])`).length], ['true', true, 0]);
        release();
        await until(() => document.querySelectorAll(`${rows}:not([hidden])`).length > 3);
        equal(document.querySelector(waiting), null);""", data)


def test_page_that_fails_shows_no_rows_without_names(desktop, sample):
    desktop.resize(1280, 844)
    with desktop.before_page("const send = globalThis.fetch; globalThis.fetch = async (path, options) => path.startsWith('/v1/contacts') ? new Response('', { status: 500 }) : send(path, options);"):
        desktop.open(sample.url)
    desktop.wait("document.querySelector('.list-area .empty button')")
    assert desktop.js("return document.querySelector('.waiting')") is None


@pytest.mark.parametrize("width", [390, 1280])
def test_cards_and_books_show_that_they_are_on_their_way(desktop, sample, width):
    desktop.resize(width, 844)
    hold = "const send = globalThis.fetch; globalThis.goOn = new Promise(on => { globalThis.release = on; });" \
           "globalThis.fetch = async (path, options) => { if (/^.v1.(contacts|cards)/.test(path)) await goOn; return send(path, options); };"
    for route, place in (("cards", ".strip-pane > .feed"), ("book", ".book-pane > .cards")):
        with desktop.before_page(hold):
            desktop.open(sample.url, f"#/{route}")
        desktop.js("""const place = await until(() => document.querySelector(args[0])), drawn = () => getComputedStyle(place, '::before').content !== 'none';
            await until(drawn);
            release();
            await until(() => place.querySelector('.card') && !drawn());""", place)


def test_row_that_was_clicked_is_not_pointed_at_any_more(desktop, sample):
    desktop.resize(1280, 844)
    show(desktop, sample)
    at = desktop.js("""const { left, top } = (await until(() => tondo.views.list.list.row(2))).getBoundingClientRect();
        return [left + 150, top + 20];""")
    for kind, (x, y) in (("mouseMoved", at), ("mousePressed", at), ("mouseReleased", at), ("mouseMoved", [1000, 700])):
        desktop.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none", clickCount=1)
    desktop.js("""const { list } = tondo.views;
        await until(() => document.body.dataset.route === 'detail' && list.input.lit === null);
        equal([list.list.row(2).contains(document.activeElement) || document.activeElement !== document.body, list.list.row(2).view.isLit], [true, false]);""")
