"""What narrow windows do with little room, and what wide ones do with much."""
import pytest

from service import Service
from test_3_list import show

TOP = "const box = selector => document.querySelector(selector).getBoundingClientRect(), title = document.querySelector('.bar h1');"


@pytest.mark.parametrize("width", [320, 390, 700])
@pytest.mark.parametrize("route", ["groups", "book", "settings"])
def test_title_of_a_view_stands_at_the_top(desktop, sample, width, route):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js(TOP + """equal(title.offsetHeight > 9, true);
        location.hash = `#/${args[0]}`;
        await until(() => document.querySelector(`.${args[0]}-pane h2`)?.offsetHeight > 0 && document.getAnimations().length === 0);
        equal([box(`.${args[0]}-pane h2`).top, title.offsetHeight], [0, 1], 'one title, the other for screen readers');
        location.hash = '#/';
        await until(() => title.offsetHeight > 9);""", route)


def test_wide_page_keeps_its_bar(desktop, sample):
    show(desktop, sample, "#/")
    desktop.js(TOP + """location.hash = '#/groups';
        await until(() => document.querySelector('.groups-pane h2')?.offsetHeight > 0 && document.getAnimations().length === 0);
        equal([box('.groups-pane h2').top >= box('.bar').bottom, title.offsetHeight > 9], [true, true]);""")


@pytest.mark.parametrize("width, lines", [(320, 2), (390, 1), (1280, 1)])
def test_chat_has_the_whole_name(desktop, sample, width, lines):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""location.hash = '#/chat/2~sample-kira';
        const name = await until(() => { const found = document.querySelector('.chat-pane h2'); return found?.textContent === 'Kira Vogel' && found; });
        equal(name.scrollWidth <= name.clientWidth, true, 'the name is cut off');
        const [own, tabs, back] = [name, document.querySelector('.tabs'), document.querySelector('.chat-pane .icon-button')].map(each => each.getBoundingClientRect());
        equal([tabs.top >= own.bottom ? 2 : 1, back.height === 0 ? innerWidth >= 768 : back.top < own.bottom && own.top < back.bottom], [args[0], true]);
        name.textContent = 'Kira '.repeat(40);
        equal([document.documentElement.scrollWidth <= innerWidth, Math.abs(back.top - document.querySelector('.chat-pane .icon-button').getBoundingClientRect().top) < 1], [true, true]);""", lines)


@pytest.mark.parametrize("width", [320, 390])
def test_counts_of_groups_stay_whole(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""location.hash = '#/book';
        const chips = await until(() => { const found = [...document.querySelectorAll('.chips li:has(small)')]; return found.length === 5 && found; });
        for (const chip of chips) {
          const [name, count] = ['a', 'small'].map(part => chip.querySelector(part)), [one, other] = [name, count].map(each => each.getBoundingClientRect());
          equal([one, other].every(({ height }) => height < 28), true, `${chip.innerText} has a line for each`);
          equal([chip.offsetHeight >= 40, other.top >= one.bottom || Math.abs(one.top + one.bottom - other.top - other.bottom) <= 2], [true, true]);
        }
        const name = chips[0].querySelector('bdi'), height = chips[0].offsetHeight, list = chips[0].parentElement.offsetHeight;
        name.textContent = 'A very long name of a group '.repeat(6);
        equal([chips[0].offsetHeight, chips[0].parentElement.offsetHeight, name.scrollWidth > name.clientWidth], [height, list, true], 'one line');
        const [own, count] = [chips[0], chips[0].querySelector('small')].map(each => each.getBoundingClientRect());
        equal([count.right <= own.right - 8, count.width > 20], [true, true], 'the number is whole');""")


def test_actions_of_what_is_selected_share_a_line_on_the_smallest_phone(desktop, sample):
    desktop.resize(320, 640, 2, True)
    desktop.open(sample.url, "#code=" + sample.code())
    desktop.wait("document.querySelectorAll('.row .drawn').length > 3")
    desktop.js("""const { list } = tondo.views;
        await list.pick(list.list.row(1));
        const buttons = await until(() => { const found = [...document.querySelectorAll('.picked-bar button')]; return found.length === 3 && found[0].offsetHeight > 0 && found; });
        equal(new Set(buttons.map(each => Math.round(each.getBoundingClientRect().top))).size, 1, JSON.stringify([innerWidth, document.querySelector('.picked-bar').innerText, ...buttons.map(each => each.getBoundingClientRect())]));
        equal(buttons.every(each => each.offsetHeight >= 44 && each.offsetWidth >= 44), true);""")
    desktop.resize(1280, 900)


def test_answers_to_the_first_question_share_a_line_on_the_smallest_phone(desktop, sample):
    desktop.resize(320, 640)
    desktop.open(sample.url, "#/", show=None)
    desktop.js("""const [one, other] = await until(() => { const found = [...document.querySelectorAll('.start .buttons button')]; return found.length === 2 && found; });
        equal(one.getBoundingClientRect().top, other.getBoundingClientRect().top);""")


@pytest.mark.parametrize("width", [390, 1280])
def test_cards_that_match_nothing_say_why_and_come_back(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample, "#/")
    desktop.js("""tondo.views.list.choose({ filter: ['telegram', 'threema', 'email'] });
        location.hash = '#/cards';
        const empty = await until(() => { const found = document.querySelector('.strip-pane .empty'); return found?.innerText.includes('Telegram, Threema, and Email') && found; });
        empty.querySelector('button').click();
        await until(() => tondo.contacts.total === 14 && document.querySelectorAll('.person h2').length > 1 && empty.childElementCount === 0);
        equal([location.hash.startsWith('#/cards'), document.querySelector('.tools .badge')], [true, null]);""")


@pytest.mark.parametrize("width, rows", [(320, [3, 3]), (390, [3, 3]), (1280, [6])])
def test_no_action_of_a_contact_stands_alone(desktop, width, rows):
    def many(folder):
        (folder / "many.vcf").write_text("BEGIN:VCARD\nVERSION:3.0\nUID:many\nFN:Many Ways\nTEL;TYPE=CELL:+447911123456\nEMAIL:many@example.org\n"
                                         "X-TELEGRAM:many\nX-WHATSAPP:+447911123456\nX-VIBER:+447911123456\nX-SIGNAL:+447911123456\nEND:VCARD\n")
        return [folder / "many.vcf"]
    service = Service(many)
    try:
        desktop.resize(width, 844)
        desktop.open(service.url, "#/c/many")
        desktop.js("""const actions = await until(() => { const found = [...document.querySelectorAll('.actions li')]; return found.length === 6 && found[0].offsetHeight > 0 && found; });
            const tops = actions.map(each => Math.round(each.getBoundingClientRect().top));
            equal([...new Set(tops)].map(top => tops.filter(each => each === top).length), args[0]);""", rows)
    finally:
        service.close()
        desktop.resize(1280, 900)
