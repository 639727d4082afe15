"""Point 6: groups and chat."""


def show(page, service):
    page.open(service.url, "#/groups")
    page.wait("document.querySelectorAll('.group:not([hidden])').length === 5")


def test_groups_are_closed_and_show_how_many_are_online(page, sample):
    show(page, sample)
    page.js("""const groups = [...document.querySelectorAll('.group:not([hidden])')];
        equal(groups.map(group => group.querySelector('button').ariaExpanded), ['false', 'false', 'false', 'false', 'false']);
        equal(groups.map(group => [group.querySelector('.name').innerText, group.querySelector('.counts').innerText]),
          [['Family', '0/2'], ['Work', '0/3'], ['Friends', '0/4'], ['Rowing club', '2/3'], ['Chess', '2/3']]);
        equal(document.querySelectorAll('.friend:not([hidden])').length, 0);""")


def test_open_group_shows_its_members_and_turns_its_arrow(page, sample):
    show(page, sample)
    page.js("""const button = [...document.querySelectorAll('.group:not([hidden]) button')].find(each => each.innerText.includes('Rowing'));
        const turn = () => getComputedStyle(button.querySelector('.icon')).rotate;
        const closed = turn();
        button.click();
        const friends = await until(() => { const all = [...document.querySelectorAll('.friend:not([hidden])')]; return all.length === 3 && all.every(each => each.querySelector('.name').innerText !== '…') && all; });
        equal(button.ariaExpanded, 'true');
        await until(() => turn() !== closed);
        const of = name => friends.find(each => each.querySelector('.name').textContent === name);
        const kira = of('Kira Vogel'), omar = of('عمر حداد'), lars = of('Lars Åkesson');
        equal([kira.querySelector('.vip-mark').hidden, lars.querySelector('.vip-mark').hidden], [false, true]);
        equal(kira.querySelector('.vip-mark').innerText, 'VIP');
        equal(getComputedStyle(kira.querySelector('.name')).color === getComputedStyle(lars.querySelector('.name')).color, false);
        const opacity = each => Number(getComputedStyle(each.querySelector('.avatar')).opacity);
        equal([opacity(kira), opacity(omar) < 0.6], [1, true]);
        equal(omar.querySelector('.state').innerText, 'offline');
        button.click(); await until(() => document.querySelectorAll('.friend:not([hidden])').length === 0);""")


def test_focus_order_is_the_order_on_the_screen(page, sample):
    show(page, sample)
    page.js("""const button = [...document.querySelectorAll('.group:not([hidden]) button')].find(each => each.innerText.includes('Rowing'));
        button.click();
        await until(() => document.querySelectorAll('.friend:not([hidden])').length === 3);
        await until(() => {
          const all = [...document.querySelectorAll('.groups-pane .rows > :not([hidden])')].map(each => each.getBoundingClientRect().top);
          return all.every((top, at) => at === 0 || top >= all[at - 1]);
        });""")


def test_friend_leads_to_the_chat_with_bubbles_as_high_as_their_text(page, sample):
    show(page, sample)
    page.js("""location.hash = '#/groups/Rowing%20club';
        const friend = await until(() => [...document.querySelectorAll('.friend:not([hidden])')].find(each => each.innerText.includes('Kira')));
        friend.click();
        const messages = await until(() => { const all = [...document.querySelectorAll('.message:not([hidden])')].filter(each => each.role === 'listitem'); return all.length === 5 && all; });
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
