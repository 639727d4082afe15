"""The contact: its photo, actions, fields, dates, what can be copied and shared."""
import pytest

from test_9_languages import AXE, axe

CARDS = [
    {"type": "name", "id": "name", "title": "name", "spacing": 0, "header": "vip", "footer": "online", "rows": [{"label": "displayName", "value": "Ada Okafor"}],
     "extension": [{"label": "given", "value": "Ada"}, {"label": "family", "value": "Okafor"}, {"label": "nickname", "value": "Addie"}],
     "preview": {"title": "Ada Okafor", "rows": []}},
    {"type": "phones", "id": "phones", "title": "phones", "rows": [
        {"label": "cell", "value": "+44 20 7946 0101 ext. 12", "link": "tel:+442079460101;ext=12", "note": "voice, pref, work"},
        {"label": "fax", "value": "+44 20 7946 0102", "link": "tel:+442079460102", "note": "work"},
        {"label": "voice", "value": "ask the porter"}, {"label": "_$!<Main>!$_", "value": "+44 20 7946 0103", "link": "tel:+442079460103"}]},
    {"type": "emails", "id": "emails", "title": "emails", "rows": [
        {"label": "internet", "value": "ada@example.org", "link": "mailto:ada@example.org", "note": "pref, x-private"},
        {"label": "Summer house", "value": "summer@example.org", "link": "mailto:summer@example.org", "note": "internet"}]},
    {"type": "messengers", "id": "messengers", "title": "messengers", "rows": [{"label": "telegram", "value": "ada", "link": "https://t.me/ada"}, {"label": "viber", "value": ""}]},
    {"type": "addresses", "id": "addresses", "title": "addresses", "rows": [
        {"label": "home", "value": "12 Harbour Road\nYO21 1AA Whitby", "link": "https://www.openstreetmap.org/search?query=12%20Harbour%20Road"}]},
    {"type": "websites", "id": "websites", "title": "websites", "rows": [{"label": "website", "value": "https://www.ada.example.org/", "link": "https://www.ada.example.org/"}]},
    {"type": "birthday", "id": "birthday", "title": "birthday", "rows": [{"label": "birthday", "value": "1996-04-15"}]},
    {"type": "anniversary", "id": "anniversary", "title": "anniversary", "rows": [{"label": "anniversary", "value": "2010-06-12"}]},
    {"type": "social", "id": "social", "title": "social", "rows": [{"label": "github", "value": "https://github.com/ada", "link": "https://github.com/ada"}]},
    {"type": "groups", "id": "groups", "title": "groups", "rows": [{"label": "group", "value": "Family"}]},
    {"type": "related", "id": "related", "title": "related", "rows": [
        {"label": "spouse", "value": "Bo Lindqvist"}, {"label": "friend", "value": "Nobody Known"}, {"label": "child", "value": "urn:uuid:0f2a1b3c-0000-4000-8000-00000000abcd"}]},
    {"type": "organisation", "id": "organisation", "title": "organisation", "rows": [
        {"label": "organisation", "value": "Harbour Pilots"}, {"label": "department", "value": "North Pier"}, {"label": "title", "value": "Pilot"}]},
    {"type": "note", "id": "note", "title": "note", "rows": [{"label": "", "value": "Line one\nSee https://example.org/a_(b), or mail x@example.org."}]},
    {"type": "chat", "id": "chat", "title": "chat", "header": "2", "fold": False, "rows": [{"label": "", "value": "Hello"}]},
    {"type": "source", "id": "source", "title": "source", "fold": True, "rows": [{"label": "revision", "value": "20260102T030405Z"}], "extension": [{"label": "id", "value": "sample-ada"}]},
]
MORE = {"title": "Pilot", "organisation": ["Harbour Pilots"], "favourite": False, "also": [{"id": "2~ada", "book": "Friends"}, {"id": "3~ada", "book": "Work"}]}
CODE = {"size": 21, "rows": ["10" * 10 + "1"] * 21}

# `fake`: answers by method and path; `asked`: what was requested of them.
FAKE = """const [cards, more, code] = args, send = tondo.api.fetch, answer = (value, status = 200) => new Response(typeof value === 'string' ? value : JSON.stringify(value), { status });
    window.asked = [];
    window.fake = {
      'GET /v1/contacts/sample-ada/cards': () => answer({ items: cards }),
      'GET /v1/contacts/sample-ada/qr': () => answer(code),
      'GET /v1/contacts/sample-ada/vcard': () => answer('BEGIN:VCARD\\r\\nEND:VCARD\\r\\n'),
      'PUT /v1/contacts/sample-ada/favourite': () => new Response(null, { status: 204 }),
      'DELETE /v1/contacts/sample-ada/favourite': () => new Response(null, { status: 204 }),
      'GET /v1/contacts/0f2a1b3c-0000-4000-8000-00000000abcd': () => answer({ id: 'child', displayName: 'Kit Okafor' }),
      'GET /v1/contacts/sample-ada': async options => answer({ ...await (await send('/v1/contacts/sample-ada', options)).json(), ...more }),
    };
    window.answer = answer;
    tondo.api.fetch = async (path, options = {}) => {
      const found = fake[`${options.method ?? 'GET'} ${path}`];
      if (found) asked.push([`${options.method ?? 'GET'} ${path}`, options.headers.Accept]);
      return found ? found(options) : send(path, options);
    };"""
# Each row: its value, its label, its link.
ROWS = "const rows = id => [...document.querySelectorAll(`.card[data-id=${id}] .card-row`)].map(row => [row.querySelector('dd bdi').innerText, row.querySelector('dt').textContent, row.querySelector('dd a')?.getAttribute('href') ?? null]);"


@pytest.fixture(params=["desktop", "phone"])
def each(request):
    """Chromium at 1280 and at 390 pixels."""
    return request.getfixturevalue(request.param)


def show(page, service, cards=CARDS, more=MORE, **settings):
    page.open(service.url, "#/settings", **settings)
    page.wait("document.querySelector('.settings-pane')")
    page.js(FAKE + "location.hash = '#/c/sample-ada'; await until(() => document.querySelector('.card[data-id]') && document.querySelector('.head .sharp'));", cards, more, CODE)


def test_photo_is_large_and_sharp(each, sample):
    show(each, sample)
    each.js("""const { canvas, element } = tondo.views.detail.portrait, wide = innerWidth >= 768;
        equal([element.offsetWidth, canvas.width], [wide ? 200 : 160, (wide ? 200 : 160) * devicePixelRatio]);
        equal(document.querySelector('.detail-pane').scrollWidth <= document.querySelector('.detail-pane').clientWidth, true);""")


def test_head_names_the_contact_and_its_ways(each, sample):
    show(each, sample)
    each.js("""const text = name => document.querySelector(`.head ${name}`).innerText;
        equal([text('h2'), text('.about'), text('.also')], ['Ada Okafor', 'Pilot · Harbour Pilots', 'Also in: Friends, Work']);
        equal([...document.querySelectorAll('.also a')].map(link => link.getAttribute('href')), ['#/c/2~ada', '#/c/3~ada']);
        equal(['2', 'Work'].map(book => tondo.text.bookName(book)), ['Address book 2', 'Work']);
        const ways = [...document.querySelectorAll('.head .way')];
        equal(ways.map(way => [way.innerText.trim(), way.getAttribute('href')]), [['Call', 'tel:+442079460101'], ['Email', 'mailto:ada@example.org'], ['Telegram', 'https://t.me/ada'], ['Signal', 'https://signal.me/#p/+442079460101']]);
        equal(ways.every(way => way.offsetHeight >= 44 && way.offsetWidth >= 44), true);""")


def test_long_names_are_whole_in_three_lines_at_most(each, sample):
    show(each, sample)
    each.js("""const { detail } = tondo.views, { name } = detail, lines = () => Math.round(name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight));
        const size = () => parseFloat(getComputedStyle(name).fontSize);
        equal([size(), lines()], [28, 1]);
        const long = 'Maximiliane-Theodora Alexandrina von und zu Hohenlohe-Schillingsfürst-Breunner-Enkevoirth';
        detail.fill({ ...detail.contact, displayName: long });
        equal([lines() <= 3, size() < 28, name.innerText, name.scrollWidth <= name.clientWidth], [true, true, long, true]);
        detail.fill({ ...detail.contact, displayName: 'Ada Okafor' });
        equal(size(), 28);""")


def test_photo_is_below_the_bar_and_copy_stands_beside_the_icon(each, sample):
    show(each, sample)
    each.js("""const box = of => document.querySelector(of).getBoundingClientRect(), middle = of => (box(of).top + box(of).bottom) / 2;
        if (innerWidth < 768) equal(box('.portrait').top >= box('.detail-bar').bottom, true, 'below the bar');
        else equal(Math.abs(box('.portrait').top - box('.search').top) <= 1, true, 'as high as the search');
        for (const id of ['addresses', 'phones']) {
          const icon = middle(`.card[data-id=${id}] > .icon`), copy = middle(`.card[data-id=${id}] .copy`);
          equal(Math.abs(icon - copy) <= 1, true, `${id}: ${icon} ${copy}`);
        }""")


def test_contact_that_is_on_its_way_has_its_room_and_an_unknown_one_is_said(each, sample):
    show(each, sample)
    each.js("""let go; const waiting = new Promise(next => { go = next; }), pane = document.querySelector('.detail-pane');
        fake['GET /v1/contacts/unknown'] = async () => { await waiting; return answer({ code: 'contact-unknown' }, 404); };
        location.hash = '#/c/unknown';
        await until(() => pane.classList.contains('is-loading'));
        equal([document.querySelector('.head h2').innerText, document.querySelector('.head h2').offsetWidth > 100], ['Loading…', true]);
        go();
        await until(() => pane.innerText.includes('Contact not found') && !pane.classList.contains('is-loading'));""")


def test_fold_shows_all_that_it_has_at_once(each, sample):
    show(each, sample, cards=[{"type": "source", "id": "source", "title": "source", "fold": True, "rows": [], "extension": [{"label": "id", "value": "sample-ada"}]}])
    each.js("""const card = document.querySelector('.card[data-id=source]');
        equal(card.innerText.includes('sample-ada'), false);
        card.querySelector('.fold').click();
        equal([card.innerText.includes('sample-ada'), card.querySelector('.extend')], [true, null]);""")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_photos_without_a_ground_have_a_light_one(each, sample, theme):
    show(each, sample, theme=theme)
    each.js("""const probe = document.createElement('i'); document.body.append(probe); probe.style.color = 'var(--photo-ground)';
        const ground = getComputedStyle(probe).color, own = getComputedStyle(document.querySelector('.portrait.drawn'), '::before');
        equal(own.backgroundColor, ground);
        equal(ground.match(/\\d+/g).every(value => value > 200), true, ground);
        // No light edge around photos that are opaque.
        equal([own.backgroundClip, own.paddingTop], ['content-box', '1px']);
        probe.remove();""")


def test_more_than_five_ways_are_in_a_menu(each, sample):
    show(each, sample, more=MORE | {"messengers": {"telegram": "ada_", "whatsapp": "+44 20 7946 0101", "viber": "", "signal": "", "threema": "ABCD1234"}, "chatLog": ["Hello"]})
    each.js("""const ways = [...document.querySelectorAll('.head .way')].map(way => way.innerText.trim());
        equal(ways, ['Call', 'Email', 'Telegram', 'WhatsApp', 'Signal', 'More']);
        document.querySelector('.head button.way').click();
        equal([...document.querySelectorAll('dialog .menu button')].map(each => each.innerText), ['Viber', 'Threema', 'Chat', 'Cancel']);
        document.querySelectorAll('dialog .menu button')[2].click();
        await until(() => location.hash === '#/chat/sample-ada');""")


def test_fields_come_in_one_order_without_what_the_head_says(page, sample):
    show(page, sample)
    page.js("""equal([...document.querySelectorAll('.card[data-id]')].map(each => each.dataset.id), ['phones', 'emails', 'messengers', 'social',
          'addresses', 'websites', 'birthday', 'anniversary', 'organisation', 'name', 'groups', 'related', 'chat', 'note', 'source']);
        const shown = document.querySelector('.cards').innerText;
        equal(['Ada Okafor', 'Harbour Pilots', 'Preview'].filter(text => shown.includes(text)), []);
        equal([...document.querySelectorAll('.card[data-id]')].every(card => card.querySelector('.icon')), true);""" + ROWS + """
        equal([...rows('organisation'), ...rows('name')], [['North Pier', 'Department', null], ['Addie', 'Nickname', null]]);""")


def test_types_are_words_and_those_of_machines_never_show(page, sample):
    show(page, sample)
    page.js(ROWS + """equal(rows('phones'), [['+44 20 7946 0101 ext. 12', 'Mobile · Work', 'tel:+442079460101;ext=12'], ['+44 20 7946 0102', 'Fax · Work', null],
          ['ask the porter', 'Phone', null], ['+44 20 7946 0103', 'Main', 'tel:+442079460103']]);
        equal(rows('emails'), [['ada@example.org', 'Email', 'mailto:ada@example.org'], ['summer@example.org', 'Summer house', 'mailto:summer@example.org']]);
        // A long address breaks at its signs.
        equal(document.querySelector('.card[data-id="emails"] dd bdi').innerHTML, 'ada<wbr>@example<wbr>.org');
        equal(rows('messengers'), [['ada', 'Telegram', 'https://t.me/ada'], ['Viber', '', null]]);
        equal(rows('social'), [['github.com/ada', 'GitHub', 'https://github.com/ada']]);
        equal(rows('websites'), [['ada.example.org', 'Website', 'https://www.ada.example.org/']]);
        equal(/internet|voice|pref|x-/i.test(document.querySelector('.cards').innerText), false);""")


@pytest.mark.parametrize("language, words", [("ru", ["Мобильный · Рабочий", "Домашний"]), ("zh", ["手机 · 单位", "住宅"])])
def test_types_are_words_of_the_language(desktop, sample, language, words):
    show(desktop, sample, language=language)
    desktop.js(ROWS + "const { words } = await load(`./lang-${args[0]}.js`); equal([rows('phones')[0][1], rows('addresses')[0][1]], [`${words['card.cell']} · ${words['card.work']}`, words['card.home']]);", language)


def test_address_opens_a_map_that_learns_nothing_of_the_page(page, sample):
    show(page, sample)
    page.js("""const link = document.querySelector('.card-addresses dd a');
        equal([link.href, link.rel, link.target, link.innerText], ['https://www.openstreetmap.org/search?query=12%20Harbour%20Road', 'noopener noreferrer', '_blank', '12 Harbour Road\\nYO21 1AA Whitby']);""")


def test_values_are_copied(each, sample):
    show(each, sample)
    each.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    each.js("""const copy = id => document.querySelector(`.card[data-id=${id}] .copy`), toast = document.querySelector('.toast');
        equal([copy('phones').ariaLabel, document.querySelectorAll('.card-birthday .copy, .card-groups .copy').length], ['Copy +44 20 7946 0101 ext. 12', 0]);
        for (const [id, copied, said] of [['phones', '+44 20 7946 0101 ext. 12', 'Copied: +44 20 7946 0101 ext. 12'],
            ['addresses', '12 Harbour Road\\nYO21 1AA Whitby', 'Copied: 12 Harbour Road, YO21 1AA Whitby'], ['websites', 'https://www.ada.example.org/', 'Copied: https://www.ada.example.org/']]) {
          copy(id).click();
          await until(() => toast.querySelector('span')?.innerText === said);
          equal(await navigator.clipboard.readText(), copied);
        }""")


def test_copy_buttons_are_always_there_on_touch_and_on_hover_or_focus_with_a_mouse(each, sample, request):
    is_touch = "phone" in request.node.name
    show(each, sample)
    each.js("""const copy = document.querySelector('.card-phones .copy'), seen = () => getComputedStyle(copy).opacity;
        equal([copy.offsetWidth >= 44, copy.offsetHeight >= 44], [true, true]);
        document.activeElement.blur();
        await Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})));
        if (matchMedia('(hover: hover)').matches === args[0]) return;
        await until(() => seen() === (args[0] ? '1' : '0'));
        copy.focus();
        await until(() => seen() === '1');""", is_touch)


def test_copies_without_the_clipboard_of_secure_pages(page, sample):
    show(page, sample)
    page.js("""const { copyText } = await load('./copy.js'), commands = [], old = document.execCommand, star = document.querySelector('.star');
        Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
        document.execCommand = name => { commands.push([name, document.activeElement.value]); return true; };
        star.focus();
        equal([await copyText('a\\nb'), commands, document.activeElement === star, document.querySelector('.copied')], [true, [['copy', 'a\\nb']], true, null]);
        document.execCommand = () => { throw new Error('refused'); };
        equal(await copyText('c'), false);
        document.execCommand = old;
        delete navigator.clipboard;""")


def test_days_of_the_calendar_and_the_age(module):
    module("""const { readDay, remaining } = await load('./card-birthday.js'), day = (year, month, day) => ({ year, month, day });
        equal(['1996-04-15', '19960415', '1996-04-15T23:30:00-11:00', '--04-15', '1604-04-15', '1996-04', '1995-02-29', 'spring'].map(readDay),
          [day(1996, 4, 15), day(1996, 4, 15), day(1996, 4, 15), day(null, 4, 15), day(null, 4, 15), null, null, null]);
        const at = (value, ...today) => { const found = remaining(value, day(...today)); return found && [found.days, found.years]; };
        equal([at('1996-04-15', 2026, 4, 3), at('1996-04-15', 2026, 4, 15), at('1996-04-15', 2026, 4, 16), at('--04-15', 2026, 4, 14)], [[12, 29], [0, 30], [364, 30], [1, null]]);
        // The 29th of February comes on the 28th in common years.
        equal([at('1996-02-29', 2026, 2, 27), at('1996-02-29', 2026, 2, 28), at('1996-02-29', 2028, 2, 28), at('1996-02-29', 2028, 2, 29)], [[1, 29], [0, 30], [1, 31], [0, 32]]);
        // The last day of the year, a time before 1970, the first year of a life, and one that is yet to come.
        equal([at('1950-01-01', 2026, 12, 31), at('2026-03-01', 2026, 3, 1), at('2025-07-01', 2026, 3, 1), at('2027-01-01', 2026, 3, 1)], [[1, 76], [0, 0], [122, 0], null]);""")


@pytest.mark.parametrize("language, about", [
    ("en", ["29 years old · birthday in 12 days", "30 years old · birthday today", "birthday tomorrow", "birthday in 3 days", "16 years · anniversary in 5 days"]),
    ("ru", ["29 лет · день рождения через 12 дней", "30 лет · день рождения сегодня", "день рождения завтра", "день рождения через 3 дня", "16 лет · годовщина через 5 дней"]),
    ("zh", ["29 岁 · 12天后生日", "30 岁 · 今天生日", "明天生日", "3天后生日", "16 周年 · 5天后纪念日"]),
])
def test_age_and_days_are_sentences_of_the_language(module, language, about):
    module("""const { Text } = await load('./text.js'), { aboutText } = await load('./card-birthday.js'), text = await Text.load(args[0]);
        // As beside the list: far ones in months.
        equal(aboutText({ days: 96, years: null }, 'birthday', text).includes(new Intl.RelativeTimeFormat(text.language, { numeric: 'auto' }).format(3, 'month')), true);
        equal([[12, 29], [0, 30], [1, null], [3, 326]].map(([days, years]) => aboutText({ days, years }, 'birthday', text)).concat(aboutText({ days: 5, years: 16 }, 'anniversary', text)), args[1]);""", language, about)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles", "UTC"])
def test_a_day_is_the_same_in_each_time_zone(desktop, sample, zone):
    desktop.cdp("Emulation.setTimezoneOverride", timezoneId=zone)
    try:
        now = desktop.js("const now = new Date(); return [now.getFullYear(), now.getMonth() + 1, now.getDate()]")
        value = f"1996-{now[1]:02}-{now[2]:02}" if (now[1], now[2]) != (2, 29) else "1996-02-29"
        show(desktop, sample, [{"type": "birthday", "id": "b", "title": "birthday", "rows": [{"label": "birthday", "value": value}]}])
        desktop.js("""const row = document.querySelector('.card-birthday .card-row');
            equal([row.querySelector('bdi').innerText.startsWith(`${args[0]} `), row.classList.contains('today'), row.querySelector('.row-about').innerText], [true, true, `${args[1]} years old · birthday today`]);""", now[2], now[0] - 1996)
    finally:
        desktop.cdp("Emulation.setTimezoneOverride", timezoneId="")


def test_related_people_are_links_when_the_book_knows_them(page, sample):
    show(page, sample)
    page.js(ROWS + """await until(() => rows('related')[0][2] && rows('related')[2][2]);
        equal(rows('related'), [['Bo Lindqvist', 'Spouse', '#/c/sample-bo'], ['Nobody Known', 'Friend', null], ['Kit Okafor', 'Child', '#/c/child']]);
        document.querySelector('.card-related dd a').click();
        await until(() => document.querySelector('.head h2').innerText === 'Bo Lindqvist');""")


def test_note_keeps_its_lines_and_links_its_addresses(page, sample):
    show(page, sample)
    page.js("""const note = document.querySelector('.card-note .note');
        equal(note.innerText, 'Line one\\nSee https://example.org/a_(b), or mail x@example.org.');
        equal([...note.querySelectorAll('a')].map(link => [link.getAttribute('href'), link.rel]), [['https://example.org/a_(b)', 'noopener noreferrer'], ['mailto:x@example.org', '']]);""")


def test_source_says_when_it_was_changed(page, sample):
    show(page, sample)
    page.js(ROWS + """document.querySelector('.card-source .fold').click();
        equal([document.querySelector('.card-source h3').innerText.trim(), /2 January 2026/.test(rows('source')[0][0])], ['About this contact', true]);
        const { momentText } = await load('./card-source.js');
        equal(['long ago', '2026-01-02', '2026-13-45T00:00:00Z'].map(value => momentText(value, 'en-GB')), ['long ago', '2 January 2026', '2026-13-45T00:00:00Z']);""")


def test_contact_is_shared_as_a_code_and_as_a_file(each, sample):
    show(each, sample)
    each.js("""document.querySelector('.detail-bar .share').click();
        const dialog = document.querySelector('dialog[open]'), canvas = await until(() => dialog.querySelector('canvas'));
        equal([asked.filter(([path]) => path.endsWith('/qr')), canvas.width, canvas.ariaLabel], [[['GET /v1/contacts/sample-ada/qr', 'application/json']], (21 + 8) * 8, 'QR code of Ada Okafor']);
        const at = (x, y) => canvas.getContext('2d').getImageData(x * 8 + 4, y * 8 + 4, 1, 1).data[0];
        equal([at(0, 0), at(4, 4), at(5, 4), at(24, 24), at(25, 24)], [255, 0, 255, 0, 255], 'with four modules of white around it');
        equal(dialog.querySelector('[role=status]').innerText, 'Scan this code with a phone to add Ada Okafor.');
        const saved = [], click = HTMLAnchorElement.prototype.click;
        HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); };
        dialog.querySelector('.primary').click();
        await until(() => saved.length);
        HTMLAnchorElement.prototype.click = click;
        equal([saved[0][0], saved[0][1].startsWith('blob:')], ['Ada Okafor.vcf', true]);
        equal(asked.at(-1), ['GET /v1/contacts/sample-ada/vcard', 'text/vcard']);
        await Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})));
        const box = canvas.getBoundingClientRect();
        equal(box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight, true);""")


@pytest.mark.parametrize("status, text", [
    (413, "Too much for a QR code\nThe vCard file has everything."), (404, "Couldn’t make the QR code\nTry again, or save the file instead."),
    (401, "This browser can’t share contacts\nTo share, open Tondo on the computer with your contacts."),
])
def test_code_that_cannot_be_made_is_explained_and_the_file_stays(desktop, sample, status, text):
    show(desktop, sample)
    desktop.js("""fake['GET /v1/contacts/sample-ada/qr'] = () => answer({ code: 'x' }, args[0]);
        document.querySelector('.detail-bar .share').click();
        await until(() => document.querySelector('dialog [role=status]').innerText === args[1]);
        equal([document.querySelector('dialog canvas'), document.querySelector('dialog .primary').innerText, document.querySelector('#token')], [null, 'Save vCard', null]);
        const retry = document.querySelector('dialog .code button');
        equal(retry?.innerText ?? null, args[0] === 404 ? 'Try again' : null);
        if (!retry) return;
        fake['GET /v1/contacts/sample-ada/qr'] = () => answer({ size: 2, rows: ['01', '10'] });
        retry.click();
        await until(() => document.querySelector('dialog canvas'));
        equal([document.querySelector('dialog .code button'), document.querySelector('dialog [role=status]').innerText.startsWith('Scan')], [null, true]);""", status, text)


def test_name_of_the_file_is_one_on_all_systems(module):
    module("""const { fileName } = await load('./view-share.js');
        equal(['Ada Okafor', 'A/B: "C"', '../..', '佐藤', '', 'a\\u202Egnp'].map(fileName), ['Ada Okafor.vcf', 'A B C.vcf', 'contact.vcf', '佐藤.vcf', 'contact.vcf', 'a gnp.vcf']);""")


def test_favourite_is_shown_at_once_and_kept(each, sample):
    show(each, sample)
    each.js("""const star = document.querySelector('.star'), state = () => [star.ariaPressed, star.firstChild.className];
        equal(state(), ['false', 'icon icon-c-star']);
        star.click();
        equal(state(), ['true', 'icon icon-c-starred']);
        await until(() => asked.some(([path]) => path === 'PUT /v1/contacts/sample-ada/favourite'));
        star.click();
        await until(() => asked.some(([path]) => path === 'DELETE /v1/contacts/sample-ada/favourite'));
        equal(state(), ['false', 'icon icon-c-star']);""")


@pytest.mark.parametrize("status, text", [(500, "Couldn’t save the favourite\nNothing was changed. Try again. If it keeps failing, restart Tondo."),
                                          (401, "This browser can only view contacts\nTo make changes, open Tondo on the computer with your contacts.")])
def test_refused_favourite_is_taken_back(desktop, sample, status, text):
    show(desktop, sample)
    desktop.js("""fake['PUT /v1/contacts/sample-ada/favourite'] = () => answer({ code: 'x' }, args[0]);
        const star = document.querySelector('.star');
        star.click();
        await until(() => document.querySelector('.toast span')?.innerText === args[1]);
        equal([star.ariaPressed, document.querySelector('#token')], ['false', null]);""", status, text)


def test_service_without_the_newer_fields_is_shown_too(page, sample):
    page.open(sample.url, "#/c/sample-ines")
    page.wait("document.querySelector('.head .sharp') && document.querySelector('.card-emails')")
    page.js("""equal([document.querySelector('.press'), document.querySelector('.also').innerText, document.querySelector('.star').ariaPressed], [null, '', 'false']);
        equal(document.querySelector('.card-name'), null);""")


@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_nothing_is_cut_at_any_width(desktop, sample, width, direction):
    desktop.resize(width, 844)
    show(desktop, sample, more=MORE | {"organisation": ["Donaudampfschifffahrtsgesellschaftsverwaltung" * 3]}, direction=direction)
    desktop.js("""const pane = document.querySelector('.detail-pane'), area = pane.getBoundingClientRect();
        equal([pane.scrollWidth <= pane.clientWidth, document.documentElement.scrollWidth <= innerWidth], [true, true]);
        for (const each of pane.querySelectorAll('.head h2, .about, .way, .card, .copy, .star, .share')) {
          const box = each.getBoundingClientRect();
          equal(box.left >= area.left - 1 && box.right <= area.right + 1, true, each.className);
        }""")


@pytest.mark.parametrize("language, direction", [("en", "ltr"), ("ru", "rtl"), ("zh", "ltr")])
@pytest.mark.parametrize("features", [{}, {"prefers_color_scheme": "dark"}, {"forced_colors": "active"}])
def test_accessible(each, sample, language, direction, features):
    each.media(prefers_reduced_motion="reduce", **features)
    show(each, sample, language=language, direction=direction)
    each.cdp("Runtime.evaluate", expression=AXE)
    assert axe(each) == []
    each.js("document.querySelector('.detail-bar .share').click(); await until(() => document.querySelector('dialog canvas'))")
    assert axe(each) == []


def test_page_says_nothing_to_the_console(desktop, sample):
    """No refused style, script or request."""
    show(desktop, sample)
    desktop.js("document.querySelector('.press').click(); await until(() => document.querySelector('.photo-frame canvas'))")
    assert desktop.messages() == []
