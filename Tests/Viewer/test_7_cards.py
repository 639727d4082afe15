"""Point 7: cards by data."""
import pytest

CARDS = [
    {"type": "phones", "id": "a", "title": "phones", "rows": [{"label": "cell", "value": "+7 (916) 123-45-67", "link": "tel:+79161234567"}],
     "header": "Above", "footer": "Below", "preview": {"title": "phones", "rows": [{"label": "cell", "value": "+7 916"}]}},
    {"type": "emails", "id": "b", "title": "emails", "rows": [{"label": "work", "value": "a@b.c", "link": "mailto:a@b.c"}], "spacing": 0},
    {"type": "note", "id": "c", "title": "note", "rows": [{"label": "", "value": "<b>text</b>\nline"}], "spacing": 20, "fold": True},
    {"type": "messengers", "id": "d", "title": "messengers", "rows": [{"label": "telegram", "value": "ada", "link": "javascript:alert(1)"}],
     "fold": False, "extension": [{"label": "signal", "value": "more"}], "more": "/v1/more/1"},
    {"type": "hologram", "id": "e", "title": "future", "rows": []},
    {"type": "source", "id": "f", "title": "source", "error": {"code": "failed", "detail": "", "retry": "/v1/retry"}},
]


def show(page, service, cards=CARDS):
    page.open(service.url, "#/settings")
    page.wait("document.querySelector('.settings-pane')")
    page.js("""const cards = args[0], send = tondo.api.fetch, answer = value => new Response(JSON.stringify(value));
        let retries = 0;
        tondo.api.fetch = async (path, options) => {
          if (path.endsWith('/sample-ada/cards')) return answer({ items: cards });
          if (path === '/v1/more/1') return answer({ rows: [{ label: 'viber', value: 'second' }], more: '/v1/more/2' });
          if (path === '/v1/more/2') return answer({ rows: [{ label: 'threema', value: 'third' }] });
          if (path === '/v1/retry') return retries++ ? answer({ type: 'source', id: 'f', title: 'source', rows: [{ label: 'file', value: 'book 1' }] }) : new Response('{}', { status: 500 });
          return send(path, options);
        };
        location.hash = '#/c/sample-ada';
        await until(() => document.querySelectorAll('.card[data-id]').length >= 1);""", cards)


CARD = "const card = id => document.querySelector(`.card[data-id=${id}]`);"


def test_rows_header_footer_and_spacing(page, sample):
    show(page, sample)
    page.js(CARD + """equal([...document.querySelectorAll('.card[data-id]')].map(each => each.dataset.id), ['a', 'b', 'd', 'c', 'f'], 'notes last');
        equal([card('a').querySelector('.card-header').innerText, card('a').querySelector('.card-footer').innerText], ['Above', 'Below']);
        equal(card('a').querySelector('dd a').getAttribute('href'), 'tel:+79161234567');
        const gap = (one, other) => Math.round(card(other).getBoundingClientRect().top - card(one).getBoundingClientRect().bottom);
        equal([gap('a', 'b'), gap('b', 'd'), gap('d', 'c')], [0, 0, 20]);
        equal(card('a').querySelector('h3').innerText, 'Phone numbers');
        equal(getComputedStyle(card('d').querySelector('h3')).position, 'sticky');""")


def test_title_of_a_few_rows_is_for_screen_readers_and_that_of_many_stays_in_view(page, sample):
    rows = [{"label": "work", "value": f"+49 30 {number:06}"} for number in range(40)]
    show(page, sample, [{"type": "phones", "id": "a", "title": "phones", "rows": rows}, {"type": "emails", "id": "b", "title": "emails", "rows": [{"label": "work", "value": "a@b.c"}]}])
    page.js(CARD + """const pane = document.querySelector('.detail-pane'), title = card('a').querySelector('h3');
        equal([card('b').querySelector('h3').offsetWidth, card('b').querySelector('h3').textContent], [1, 'Email addresses']);
        pane.scrollTop = card('a').offsetTop + 600; await frame();
        const below = document.querySelector('.detail-bar').getBoundingClientRect().bottom, { top } = title.getBoundingClientRect();
        equal(Math.abs(top - below) < 2, true, `${top} below ${below}`);
        await until(() => getComputedStyle(document.querySelector('.bar-name')).opacity === '1');""")


def test_address_website_and_birthday_are_shown(page, sample):
    page.open(sample.url, "#/c/sample-ada")
    page.wait("document.querySelector('.card-birthday')")
    page.js("""const card = type => document.querySelector(`.card-${type}`), link = type => card(type).querySelector('dd a');
        equal([...document.querySelectorAll('.card-addresses dd bdi, .card-birthday dd bdi')].map(each => each.innerText),
              ['12 Harbour Road\\nYO21 1AA Whitby\\nUnited Kingdom', '10 December 1985']);
        equal(link('websites').href, 'https://ada.example.org/');
        equal([link('addresses').href.startsWith('https://www.openstreetmap.org/search?query=12%20'), link('addresses').rel], [true, 'noopener noreferrer']);
        equal(tondo.statistics.unknown, 0);""")


def test_unknown_types_are_skipped_and_counted(page, sample):
    show(page, sample)
    page.js("equal(tondo.statistics.unknown, 1);")


def test_text_of_a_book_is_neither_markup_nor_script(page, sample):
    show(page, sample)
    page.js(CARD + """equal(card('c').querySelector('.note').textContent, '<b>text</b>\\nline');
        equal(card('c').querySelector('b'), null);
        equal(card('d').querySelector('a'), null);""")


def test_card_folds_extends_and_loads_more(page, sample):
    show(page, sample)
    page.js(CARD + """const fold = card('c').querySelector('.fold'), body = card('c').querySelector('.body');
        equal([fold.ariaExpanded, body.hidden], ['false', true]); fold.click(); equal([fold.ariaExpanded, body.hidden], ['true', false]);
        const d = card('d'), values = () => [...d.querySelectorAll('dd')].filter(each => each.offsetHeight).map(each => each.innerText);
        equal(d.querySelector('.fold').ariaExpanded, 'true');
        equal(values(), ['ada']);
        d.querySelector('.extend').click(); equal(values(), ['ada', 'more']);
        d.querySelector('.load').click(); await until(() => values().length === 3); equal(values(), ['ada', 'more', 'second']);
        d.querySelector('.load').click(); await until(() => values().length === 4);
        equal(d.querySelector('.load'), null);
        d.querySelector('.extend').click(); equal(values(), ['ada', 'second', 'third']);""")


def test_failed_card_is_loaded_again_alone(page, sample):
    show(page, sample)
    page.js(CARD + """const others = [...document.querySelectorAll('.card[data-id]')].filter(each => each.dataset.id !== 'f');
        const retry = () => card('f').querySelector('.retry');
        equal([retry().innerText, card('f').querySelector('.reason').innerText.startsWith('Couldn’t load this section')], ['Try again', true]);
        retry().click(); await until(() => !retry().disabled);
        equal([Boolean(retry()), card('f').querySelector('.reason').innerText.startsWith('Still couldn’t load')], [true, true]);
        retry().click(); await until(() => card('f').querySelector('dd')?.innerText === 'book 1');
        equal(others.every(each => each.isConnected), true);""")


def test_contact_has_no_preview_of_itself(page, sample):
    show(page, sample)
    page.js(CARD + """equal(document.querySelector('.detail-pane .preview'), null);
        card('a').querySelector('a').dispatchEvent(new KeyboardEvent('keydown', { key: 'F10', shiftKey: true, bubbles: true }));
        equal(document.querySelector('dialog'), null);""")


def test_displayed_cards_are_counted_in_pairs(page, sample):
    show(page, sample)
    page.js("""const sums = () => [...tondo.statistics.types.values()].reduce(([shown, ended], each) => [shown + each.willDisplay, ended + each.didEndDisplaying], [0, 0]);
        await until(() => sums()[0] >= 3);
        location.hash = '#/settings';
        await until(() => sums()[0] === sums()[1]);
        location.hash = '#/c/sample-bo'; await until(() => sums()[0] > sums()[1]);
        location.hash = '#/groups'; await until(() => sums()[0] === sums()[1]);""")


def test_new_type_is_one_entry_of_the_registry(page, sample):
    show(page, sample)
    page.js(CARD + """tondo.views.detail.cards.registry.set('hologram', own => { const made = document.createElement('p'); made.textContent = `seen ${own.id}`; return made; });
        location.hash = '#/'; location.hash = '#/c/sample-ada';
        await until(() => card('e')?.innerText.includes('seen e'));""")


def test_cards_of_the_book(page, sample):
    page.open(sample.url, "#/book")
    page.wait("document.querySelector('.card-summary')?.innerText.includes('14')")
    # The title of a folded card names its book.
    page.js("""const titles = [...document.querySelectorAll('.card[data-id^=book-] h3')].map(each => each.innerText.trim());
        equal(titles, ['book', 'friends.json'], 'the names of the folder and of the file');
        equal(document.querySelectorAll('.card[data-id^=book-] .card-header').length, 0);""")
