"""Point 9: languages, mirrored layout, themes, forced colours, reduced motion; accessibility by axe."""
import pathlib

import axe_playwright_python
import pytest

from browser import Chromium

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
STATES = {
    "list": ("#/", "document.querySelectorAll('.row .drawn').length > 5"),
    "detail": ("#/c/sample-ada", "document.querySelectorAll('.card').length > 2 && document.querySelector('.head .drawn')"),
    "cards": ("#/cards", "document.querySelectorAll('.circle .drawn').length > 3"),
    "groups": ("#/groups/Rowing%20club", "document.querySelectorAll('.friend .drawn').length === 3"),
    "chat": ("#/chat/2~sample-kira", "document.querySelectorAll('.message').length >= 5"),
    "book": ("#/book", "document.querySelector('.card-summary')"),
    "settings": ("#/settings", "document.querySelector('.settings-pane')"),
    "question": ("#/", "document.querySelector('.start .primary')"),
    "refused": ("#/", "document.querySelector('.refused button')"),
    "filter": ("#/", "document.querySelectorAll('.row .drawn').length > 5"),
    "sort": ("#/", "document.querySelectorAll('.row .drawn').length > 5"),
    "menu": ("#/", "document.querySelectorAll('.row .drawn').length > 5"),
    "token": ("#/settings", "document.querySelector('.settings-pane')"),
    "remote": ("#/settings", "document.querySelector('.settings-pane')"),
}
SHOW = {"question": None, "refused": "no"}
THEN = {
    "filter": "document.querySelectorAll('.tools .icon-button')[0].click()", "sort": "document.querySelectorAll('.tools .icon-button')[1].click()",
    "menu": "document.querySelector('.row .more').click()", "token": "tondo.denied(true); await until(() => document.querySelector('#token'))",
    "remote": "const { question } = await load('./entrance.js'); tondo.showStart(question(tondo.text, { total: 48, host: 'tondo.example.org', isOwn: false }, () => {}));",
}
LOOKS = {"light": {}, "dark": {"prefers_color_scheme": "dark"}, "forced": {"forced_colors": "active"}}


def axe(page):
    """The violations that axe-core finds."""
    return page.js("""await Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})));
        const { violations } = await axe.run(document, { resultTypes: ['violations'] });
        return violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html, any }) => [html.slice(0, 160), any[0]?.message ?? ''])]);""")


@pytest.mark.parametrize("language, direction", [("en", None), ("ru", None), ("zh", None), ("en", "rtl")])
def test_axe_finds_no_violation(desktop, sample, language, direction):
    """Each state is opened once, and seen in each look; colours are those of all languages."""
    found, looks = {}, LOOKS if (language, direction) == ("en", None) else {"light": {}}
    for state, (route, ready) in STATES.items():
        desktop.open(sample.url, route, show=SHOW.get(state, "yes"), language=language, direction=direction)
        desktop.wait(ready)
        # The policy of the page permits no script but its own, so the debugger adds this one.
        desktop.cdp("Runtime.evaluate", expression=AXE)
        if state in THEN:
            desktop.js(THEN[state])
        for look, features in looks.items():
            desktop.media(**({"prefers_reduced_motion": "reduce"} | features))
            if violations := axe(desktop):
                found[state, look] = violations
    assert not found, found


@pytest.mark.parametrize("width", [390, 899])
def test_axe_finds_no_violation_on_a_phone(phone, sample, width):
    phone.resize(width, 844, 2, True)
    found = {}
    for state in ("list", "detail", "cards", "groups", "chat", "book"):
        route, ready = STATES[state]
        phone.open(sample.url, route)
        phone.wait(ready)
        phone.cdp("Runtime.evaluate", expression=AXE)
        if violations := axe(phone):
            found[state] = violations
    assert not found, found


@pytest.mark.parametrize("language, text", [("en-GB", "Search"), ("ru-RU", "Поиск"), ("zh-CN", "搜索")])
def test_language_is_that_of_the_browser(sample, language, text):
    browser = Chromium(language=language)
    try:
        browser.open(sample.url)
        browser.wait("document.querySelector('input[type=search]')")
        assert browser.js("return document.querySelector('input[type=search]').placeholder") == text
        assert browser.js("return document.documentElement.lang") == language[:2]
    finally:
        browser.close()


def test_language_theme_and_direction_change_at_once(page, sample):
    page.open(sample.url, "#/settings")
    page.wait("document.querySelector('.settings-pane')")
    page.js("""const choose = (name, value) => { const select = document.querySelector(`.settings-pane select[name=${name}]`); select.value = value; select.dispatchEvent(new Event('change')); };
        choose('language', 'ru'); await until(() => document.querySelector('.settings-pane h2')?.innerText === 'Настройки');
        await until(() => document.querySelector('.count').innerText === '' || /14 контактов/.test(document.querySelector('.count').innerText));
        choose('theme', 'dark'); await until(() => getComputedStyle(document.body).backgroundColor === 'rgb(14, 16, 20)');
        choose('direction', 'rtl'); await until(() => getComputedStyle(document.body).direction === 'rtl' && document.querySelector('.settings-pane'));
        location.hash = '#/'; await until(() => document.querySelectorAll('.row .drawn').length > 5);
        const row = document.querySelector('.row:not([hidden])');
        equal(row.querySelector('.avatar').getBoundingClientRect().left > row.querySelector('.more').getBoundingClientRect().left, true, 'mirrored');
        const name = document.createRange(); name.selectNodeContents(row.querySelector('.name'));
        const gap = row.querySelector('.avatar').getBoundingClientRect().left - name.getBoundingClientRect().right;
        equal(gap > 0 && gap < 30, true, `a Latin name begins beside the avatar, not ${gap} pixels away`);""")


def test_names_keep_their_own_direction(page, sample):
    page.open(sample.url, "#/c/2~sample-omar")
    page.wait("document.querySelector('.detail-pane h2')?.innerText === 'عمر حداد'")
    assert page.js("return getComputedStyle(document.querySelector('.detail-pane h2')).direction") == "rtl"
    assert page.js("return getComputedStyle(document.body).direction") == "ltr"


def test_reduced_motion_jumps_at_once(desktop, sample):
    desktop.media(prefers_reduced_motion="reduce")
    desktop.open(sample.url, "#/cards")
    desktop.wait("tondo.views.cards?.cards && document.querySelector('.circle .drawn')")
    desktop.js("""const view = tondo.views.cards; view.circleScroller.jump(3);
        equal([view.circleScroller.isMoving, document.querySelector('.strip').scrollLeft], [false, 312]);
        document.querySelectorAll('.tools .icon-button')[0].click();""")
    desktop.media()


def test_no_text_is_cut_in_any_language(phone, sample):
    for language in ("en", "ru", "zh"):
        for state in ("list", "settings", "filter", "sort", "question", "token", "remote", "groups"):
            route, ready = STATES[state]
            phone.open(sample.url, route, show=SHOW.get(state, "yes"), language=language)
            phone.wait(ready)
            if state in THEN:
                phone.js(THEN[state])
            cut = phone.js("""return [...document.querySelectorAll('button, .choice, h2, legend, .start p')].filter(each => each.offsetHeight && each.scrollWidth > each.clientWidth + 1).map(each => each.outerHTML.slice(0, 100))""")
            assert not cut, (language, state, cut)
            assert phone.js("return document.documentElement.scrollWidth") <= 390


def test_views_of_the_language_before_do_nothing_more(desktop, sample):
    desktop.open(sample.url, "#/c/sample-ada")
    desktop.wait("document.querySelectorAll('.row .drawn').length > 5 && document.querySelector('.card-phones')")
    desktop.js("""for (const place of ['#/groups', '#/chat/2~sample-kira', '#/book', '#/cards', '#/settings']) {
          location.hash = place;
          // Its module comes when it comes.
          await until(() => tondo.views[place.split('/')[1]]?.element.offsetHeight > 0);
          await new Promise(done => setTimeout(done, 100));
        }
        const before = { ...tondo.views }, calls = [];
        equal(Object.keys(before).length >= 6, true);
        const watch = (target, name, about) => { const own = target[name].bind(target); target[name] = (...all) => { calls.push(about); return own(...all); }; };
        const select = before.settings.selects.language;
        select.value = 'ru'; select.dispatchEvent(new Event('change'));
        await until(() => tondo.views.list !== before.list && tondo.text.language === 'ru');
        for (const name of ['list', 'chat', 'groups']) watch(before[name].list, 'draw', name);
        for (const name of ['line', 'cards']) watch(before.cards[name], 'draw', name);
        watch(before.list, 'drawIndex', 'index');
        document.body.style.width = '700px';
        location.hash = '#/';
        await new Promise(done => setTimeout(done, 400));
        document.body.style.width = '';
        tondo.store.changed('sample-ada'); tondo.store.report();
        await new Promise(done => setTimeout(done, 400));
        equal(calls, []);""")
