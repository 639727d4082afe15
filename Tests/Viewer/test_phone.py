"""Opening the page on a phone: the code in the settings."""
import pytest

SIZES = pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
# A finder pattern and some data: the page draws what it is given.
ANSWER = """const rows = Array.from({ length: 25 }, (_, y) => Array.from({ length: 25 }, (_, x) => (x * 7 + y * 3) % 5 < 2 ? '1' : '0').join(''));
    const { fetch } = tondo.api, posted = [];
    const answer = (status, body) => { tondo.api.fetch = async (path, options) => path === '/v1/session/phone'
      ? (posted.push(options.method), new Response(JSON.stringify(body), { status })) : fetch(path, options); };
    const pane = document.querySelector('.phone'), [show] = pane.querySelectorAll('button'), code = pane.querySelector('.phone-code');
    """


def show(page, service):
    page.open(service.url, "#/settings")
    page.wait("document.querySelector('.phone button')")
    # The answers are those of the test: any token will do.
    page.js("tondo.views.settings.phone.allow(true); equal(document.querySelector('.phone button').offsetHeight > 0, true);")


@SIZES
def test_code_is_drawn_with_its_address_and_the_time_left(desktop, sample, size):
    desktop.resize(*size)
    show(desktop, sample)
    desktop.js(ANSWER + """answer(201, { url: 'http://192.168.1.20:8080/#code=abc', expires: new Date(Date.now() + 60_000).toISOString(), size: 25, rows });
        show.click();
        await until(() => !code.hidden);
        equal([posted, code.querySelector('a').textContent], [['POST'], 'http://192.168.1.20:8080/#code=abc']);
        equal(/for another (59|60) seconds/.test(code.querySelector('.left').textContent), true, code.querySelector('.left').textContent);
        const canvas = code.querySelector('canvas'), { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        equal(width, (25 + 8) * 8);
        const isBlack = (x, y) => data[4 * ((y * 8 + 4) * width + x * 8 + 4)] === 0;
        rows.forEach((row, y) => equal([...row].map((_, x) => isBlack(x + 4, y + 4) ? '1' : '0').join(''), row, `row ${y}`));
        equal([isBlack(0, 0), isBlack(3, 20), isBlack(32, 32)], [false, false, false], 'the margin');
        equal(document.documentElement.scrollWidth <= innerWidth, true);
        // Whoever comes to the screen later finds no code.
        location.hash = '#/book'; await until(() => code.hidden);
        equal([code.querySelector('a').textContent, canvas.width], ['', 0]);""")


def test_code_that_expired_is_gone_and_said_so(page, sample):
    show(page, sample)
    page.js(ANSWER + """answer(201, { url: 'http://192.168.1.20:8080/#code=abc', expires: 0.3, rows });
        show.click();
        await until(() => !code.hidden);
        await until(() => code.hidden);
        equal([pane.querySelector('.phone-status').textContent, code.querySelector('a').hasAttribute('href')], ['This code has expired Show a new one.', false]);""")


@SIZES
def test_what_the_button_brings_is_in_view(desktop, sample, size):
    desktop.resize(size[0], 560)
    show(desktop, sample)
    desktop.js(ANSWER + """const area = document.querySelector('.settings-pane'), isSeen = of => {
          const own = of.getBoundingClientRect(), all = area.getBoundingClientRect();
          return own.height > 0 && own.top >= all.top - 1 && own.bottom <= all.bottom + 1;
        };
        answer(409, { status: 409, code: 'not-listening' });
        area.scrollTop = 0;
        show.click();
        await until(() => pane.querySelector('.phone-status').textContent);
        await until(() => isSeen(pane.querySelector('.phone-status')));""")


@SIZES
@pytest.mark.parametrize("status, code, words", [
    (409, "not-listening", "tondo serve --phone"), (401, "token-needed", "Open Tondo on the computer"),
    (404, "not-found", "newer version of Tondo"), (500, "broken", "Try again"),
])
def test_problems_of_a_code_are_plain_words(desktop, sample, size, status, code, words):
    desktop.resize(*size)
    show(desktop, sample)
    desktop.js(ANSWER + """answer(args[0], { status: args[0], code: args[1] });
        show.click();
        const text = await until(() => pane.querySelector('.phone-status').textContent);
        equal([text.includes(args[2]), code.hidden, show.disabled, document.querySelectorAll('.start').length], [true, true, false, 0], text);""", status, code, words)


def test_address_alone_is_shown_where_there_are_no_rows(page, sample):
    show(page, sample)
    page.js(ANSWER + """answer(201, { url: 'http://192.168.1.20:8080/#code=abc', expires: 60, svg: '<svg/>' });
        show.click();
        await until(() => !code.hidden);
        equal([code.querySelector('canvas').hidden, code.querySelector('a').href], [true, 'http://192.168.1.20:8080/#code=abc']);""")


def test_end_of_a_code_is_read_as_a_date_or_as_seconds(module):
    module("""const { endOf } = await load('./view-phone.js');
        equal([endOf(60, 1000), endOf(1_800_000_000, 0), endOf('1970-01-01T00:00:05Z'), endOf('soon'), endOf(undefined)], [61_000, 1_800_000_000_000, 5000, null, null]);""")
