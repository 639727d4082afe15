"""Point 6: groups and chat."""
import pytest

from test_recovery import HOLD


def show(page, service):
    page.open(service.url, "#/groups")
    page.wait("document.querySelectorAll('.group:not([hidden])').length === 5")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_groups_are_closed_in_order_and_count_people_and_who_is_online(desktop, sample, size):
    desktop.resize(*size)
    show(desktop, sample)
    desktop.js("""const groups = [...document.querySelectorAll('.group:not([hidden])')], isWide = innerWidth >= 768;
        // Beside the groups stand the people of the first one.
        equal(groups.map(group => group.querySelector('button').ariaExpanded), [`${isWide}`, 'false', 'false', 'false', 'false']);
        // Only one book knows who is online.
        equal(groups.map(group => [group.querySelector('.name').innerText, group.querySelector('.counts').innerText]), [['Chess', '3 people, 2 online'],
          ['Family', '2 people'], ['Friends', '4 people'], ['Rowing club', '3 people, 2 online'], ['Work', '3 people']]);
        if (isWide) await until(() => document.querySelectorAll('.members .friend:not([hidden])').length === 3);
        else equal(document.querySelectorAll('.friend:not([hidden])').length, 0);
        // A rule begins where the heading does.
        const heading = document.createRange(); heading.selectNodeContents(document.querySelector('.groups-pane h2'));
        const { left } = groups[0].getBoundingClientRect(), rule = parseFloat(getComputedStyle(groups[0], '::after').insetInlineStart);
        equal(Math.abs(heading.getBoundingClientRect().left - left - rule) <= 1.5, true, 'the rule');
        equal(document.documentElement.scrollWidth <= innerWidth, true);""")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_groups_lie_on_a_surface_as_high_as_they_are(desktop, sample, size):
    desktop.resize(*size)
    show(desktop, sample)
    desktop.js("""const surface = document.querySelector('.groups-pane .content'), groups = [...document.querySelectorAll('.group:not([hidden])')];
        const colour = each => getComputedStyle(each).backgroundColor;
        equal(colour(surface) === colour(document.body), false);
        const { bottom, left, right } = surface.getBoundingClientRect(), last = Math.max(...groups.map(each => each.getBoundingClientRect().bottom));
        equal(Math.abs(bottom - last) <= 1, true, 'the end');
        // What is hovered lies within the surface.
        const row = groups[0].querySelector('button').getBoundingClientRect();
        equal([row.left > left, row.right < right], [true, true]);""")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_unknown_group_is_named_and_leads_back_to_all(desktop, sample, size):
    desktop.resize(*size)
    desktop.open(sample.url, "#/groups/Sailing%20club")
    desktop.js("""const empty = document.querySelector.bind(document, '.groups-pane .empty');
        await until(() => empty()?.innerText.includes('No group called “Sailing club”'));
        equal(getComputedStyle(document.querySelector('.group')).visibility, 'hidden');
        empty().querySelector('button').click();
        await until(() => location.hash === '#/groups' && empty().innerText === '');
        await until(() => getComputedStyle(document.querySelector('.group')).visibility === 'visible');
        // The button that was pressed is gone.
        await until(() => document.activeElement.innerText?.includes('Chess'));
        location.hash = '#/groups/nobody'; await until(() => empty().innerText.includes('nobody'));
        // A group that is there is shown as ever.
        location.hash = '#/groups/Chess'; await until(() => empty().innerText === '' && document.querySelectorAll('.friend:not([hidden])').length === 3);""")


@pytest.mark.parametrize("size", [(390, 844), (768, 1024), (1280, 900)])
def test_people_of_one_group_stand_beside_the_groups_of_wide_windows_and_below_it_on_phones(desktop, sample, size):
    desktop.resize(*size)
    desktop.open(sample.url, "#/groups/Family")
    desktop.js(r"""const isWide = innerWidth >= 768, shown = () => [...document.querySelectorAll('.friend:not([hidden])')].filter(each => each.offsetHeight > 0);
        const names = () => shown().map(each => each.querySelector('.name').textContent), heading = () => document.querySelector('.members h3');
        const button = name => [...document.querySelectorAll('.group:not([hidden]) button')].find(each => each.innerText.includes(name));
        const people = await until(() => shown().length === 2 && !names().includes('…') && shown());
        equal(shown().every(each => each.closest('.members') !== null), isWide);
        equal(heading().offsetHeight > 0, isWide);
        if (isWide) equal(heading().innerText.replace(/\s+/g, ' '), 'Family 2 people');
        const group = button('Family').getBoundingClientRect(), person = people[0].getBoundingClientRect();
        equal(isWide ? person.left > group.right : person.top >= group.bottom, true);
        // The second line says how to reach a person.
        equal(people.every(each => each.querySelector('.line').innerText !== ''), true);
        button('Chess').click();
        await until(() => shown().length === (isWide ? 3 : 5) && !names().includes('…'));
        equal([button('Family').ariaExpanded, button('Chess').ariaExpanded], [`${!isWide}`, 'true']);
        // It folds.
        button('Chess').click();
        await until(() => shown().length === (isWide ? 0 : 2));
        equal(document.querySelector('.members .empty').innerText.startsWith('No group selected'), isWide);
        equal(document.documentElement.scrollWidth <= innerWidth, true);""")


def test_groups_are_sorted_by_the_rules_of_the_language(page, sample):
    page.open(sample.url, "#/settings", language="ru")
    page.wait("document.querySelector('.settings-pane')")
    page.js("""const { fetch } = tondo.api, names = ['Чай', 'ёлки', 'Еж', 'Группа 10', 'Группа 9', 'Жук'];
        tondo.api.fetch = async (path, ...more) => path === '/v1/groups'
          ? new Response(JSON.stringify(names.map((name, at) => ({ id: `${at}`, name, total: at + 1, online: 0 })))) : fetch(path, ...more);
        location.hash = '#/groups';
        await until(() => document.querySelectorAll('.group:not([hidden])').length === 6);
        const shown = [...document.querySelectorAll('.group:not([hidden])')].toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
        equal(shown.map(group => group.querySelector('.name').innerText), ['Группа 9', 'Группа 10', 'Еж', 'ёлки', 'Жук', 'Чай']);
        equal(shown.map(group => group.querySelector('.counts').innerText), ['5 человек', '4 человека', '3 человека', '2 человека', '6 человек', '1 человек']);""")


def test_open_group_shows_its_members_and_turns_its_arrow(page, sample):
    show(page, sample)
    page.js("""const button = [...document.querySelectorAll('.group:not([hidden]) button')].find(each => each.innerText.includes('Rowing'));
        const isWide = innerWidth >= 768, turn = () => getComputedStyle(button.querySelector('.icon-arrow')).rotate;
        const closed = turn();
        button.click();
        const onTop = (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top;
        const friends = await until(() => { const all = [...document.querySelectorAll('.friend:not([hidden])')]; return all.length === 3 && all.every(each => each.querySelector('.name').innerText !== '…') && all.toSorted(onTop); });
        equal(button.ariaExpanded, 'true');
        equal(friends.map(each => each.querySelector('.name').textContent), ['Kira Vogel', 'Lars Åkesson', 'عمر حداد'], 'sorted as the list is');
        // Beside the groups the arrow points at their people.
        await until(() => (turn() === closed) === isWide);
        const of = name => friends.find(each => each.querySelector('.name').textContent === name);
        const kira = of('Kira Vogel'), omar = of('عمر حداد'), lars = of('Lars Åkesson');
        equal([kira.querySelector('.vip-mark').hidden, lars.querySelector('.vip-mark').hidden], [false, true]);
        equal(kira.querySelector('.vip-mark').innerText, 'VIP');
        equal(getComputedStyle(kira.querySelector('.name')).color === getComputedStyle(lars.querySelector('.name')).color, true, 'the badge alone has a colour');
        const opacity = each => Number(getComputedStyle(each.querySelector('.avatar')).opacity);
        equal([opacity(kira), opacity(omar) < 0.6], [1, true]);
        // The presence is all that a row says: an introduction may be a private note.
        equal([kira, omar].map(each => each.querySelector('.state').innerText), ['online', 'offline']);
        equal(friends.some(each => each.innerText.includes('Row early')), false);
        button.click(); await until(() => document.querySelectorAll('.friend:not([hidden])').length === 0);""")


def test_focus_order_is_the_order_on_the_screen(page, sample):
    show(page, sample)
    page.js("""const button = [...document.querySelectorAll('.group:not([hidden]) button')].find(each => each.innerText.includes('Rowing'));
        button.click();
        await until(() => document.querySelectorAll('.friend:not([hidden])').length === 3);
        await until(() => {
          return [...document.querySelectorAll('.groups-pane .rows')].every(rows => {
            const all = [...rows.querySelectorAll(':scope > :not([hidden])')].map(each => each.getBoundingClientRect().top);
            return all.every((top, at) => at === 0 || top >= all[at - 1]);
          });
        });""")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_member_leads_to_the_contact_and_from_there_to_the_chat_and_back(desktop, sample, size):
    desktop.resize(*size)
    show(desktop, sample)
    desktop.js("""location.hash = '#/groups/Rowing%20club';
        const friend = await until(() => [...document.querySelectorAll('.friend:not([hidden])')].find(each => each.innerText.includes('Kira')));
        friend.click();
        await until(() => location.hash === '#/c/2~sample-kira');
        const chat = await until(() => [...document.querySelectorAll('.detail-pane a[href="#/chat/2~sample-kira"]')].find(link => link.offsetHeight > 0));
        chat.click();
        const tabs = await until(() => { const all = [...document.querySelectorAll('.chat-pane .tabs a')]; return all.length === 2 && all[0].offsetHeight && all; });
        equal(tabs.map(tab => [tab.innerText, tab.getAttribute('aria-current')]), [['Details', null], ['Chat', 'page']]);
        tabs[0].click(); await until(() => location.hash === '#/c/2~sample-kira');
        // A contact without messages has no chat.
        location.hash = '#/c/sample-ada'; await until(() => document.querySelector('.detail-pane h2').innerText === 'Ada Okafor');
        await frame();
        equal([...document.querySelectorAll('.detail-pane a[href^="#/chat/"]')].some(link => link.offsetHeight > 0), false);""")


def test_chat_has_bubbles_as_high_as_their_text(page, sample):
    page.open(sample.url, "#/chat/2~sample-kira")
    page.wait("document.querySelectorAll('.message').length >= 5")
    page.js("""const messages = await until(() => { const all = [...document.querySelectorAll('.message:not([hidden])')].filter(each => each.role === 'listitem'); return all.length === 5 && all; });
        const boxes = messages.map(each => each.firstChild.getBoundingClientRect()), pane = document.querySelector('.chat-pane').getBoundingClientRect();
        equal(messages.map(each => each.classList.contains('own')), [false, true, false, true, false]);
        messages.forEach((each, at) => {
          const { left, right } = boxes[at];
          equal(each.classList.contains('own') ? pane.right - right < 40 : left - pane.left < 40, true, `side of ${at}`);
        });
        equal(boxes[2].height > 1.5 * boxes[0].height, true, 'the long text is higher');
        boxes.forEach((box, at) => { if (at) { const gap = box.top - boxes[at - 1].bottom; equal(Math.abs(gap - 8) <= 1, true, `gap ${gap}`); } });
        equal(messages.every(each => each.firstChild.scrollHeight <= each.firstChild.offsetHeight + 1), true);
        equal(messages[2].ariaPosInSet, '3');""")


def test_long_chat_shows_its_end_and_earlier_messages_on_demand(page, sample):
    page.open(sample.url, "#/settings")
    page.wait("document.querySelector('.settings-pane')")
    page.js("""const chatLog = Array.from({ length: 450 }, (_, at) => `message ${at + 1} ${'word '.repeat(at % 40)}`);
        const real = tondo.contacts.contact.bind(tondo.contacts);
        tondo.contacts.contact = async (...all) => ({ ...await real(...all), chatLog });
        location.hash = '#/chat/2~sample-kira';
        const shown = () => [...document.querySelectorAll('.message:not([hidden])')];
        const top = () => { const box = document.querySelector('.chat-pane .scroller').getBoundingClientRect();
          return shown().map(row => [Number(row.ariaPosInSet), row.getBoundingClientRect()]).filter(([, own]) => own.bottom > box.top + 5)
            .toSorted(([, one], [, other]) => one.top - other.top).map(([number, own]) => [number, Math.round(own.top)])[0]; };
        await until(() => shown().some(row => row.ariaPosInSet === '450'));
        equal([tondo.views.chat.from, shown()[0].ariaSetSize], [250, '450']);
        const earlier = document.querySelector('.chat-pane > button.plain');
        for (const [from, isLast] of [[50, false], [0, true]]) {
          tondo.views.chat.list.scrollTo(100); await frame();
          const before = top();
          earlier.click(); await frame();
          equal([tondo.views.chat.from, earlier.hidden], [from, isLast]);
          const after = top();
          equal(after[0], before[0], 'the message at the top');
          // The button takes its row with it when it goes.
          if (!isLast && Math.abs(after[1] - before[1]) > 1) throw new Error(`it moved by ${after[1] - before[1]}`);
        }
        tondo.views.chat.list.scrollTo(0); await frame();
        await until(() => shown().some(row => row.ariaPosInSet === '1'));""")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_own_messages_have_a_quiet_tone_and_leave_the_accent_to_what_is_pressed(page, sample, theme):
    page.open(sample.url, "#/chat/2~sample-kira", theme=theme)
    page.wait("document.querySelectorAll('.message.own:not([hidden])').length === 2")
    page.js("""const probe = document.createElement('i'), pane = document.querySelector('.chat-pane');
        pane.append(probe);
        const tone = name => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
        const { backgroundColor, color } = getComputedStyle(document.querySelector('.message.own .bubble'));
        equal([backgroundColor, color], [tone('own'), tone('text')]);
        equal([tone('own') === tone('accent'), tone('own') === tone('surface')], [false, false]);
        probe.remove();""")


def test_wide_windows_keep_the_members_of_one_group(desktop, sample):
    desktop.resize(1280, 900)
    desktop.open(sample.url, "#/groups")
    desktop.wait("document.querySelectorAll('.members .friend .drawn').length > 0")
    desktop.js("""const { groups } = tondo.views, buttons = () => [...document.querySelectorAll('.group:not([hidden]) button')];
        for (const at of [1, 2, 3]) {
          buttons()[at].click();
          await until(() => buttons()[at].ariaExpanded === 'true' && groups.members.group === groups.groups[at]);
          equal([groups.open.size, buttons().filter(each => each.ariaExpanded === 'true').length], [1, 1]);
        }""")


def test_groups_that_fail_have_all_of_a_wide_window(desktop, sample):
    desktop.resize(1280, 900)
    desktop.open(sample.url, "#/settings")
    desktop.wait("document.querySelector('select')")
    desktop.js(HOLD + """fail(500, path => path.startsWith('/v1/groups'));
        location.hash = '#/groups';
        const failed = await until(() => document.querySelector('.groups-pane .empty button')?.parentElement), { left, right } = failed.getBoundingClientRect();
        equal(Math.abs((left + right) / 2 - innerWidth / 2) < 20, true, `${left} ${right}`);
        tondo.api.fetch = send;
        failed.querySelector('button').click();
        await until(() => document.querySelectorAll('.members .friend .drawn').length > 0);""")
