"""Point 1: the avatar strip and the card list."""
import pytest

STATE = """const strip = document.querySelector('.strip'), feed = document.querySelector('.feed'), view = tondo.views.cards;
    const unit = view.cardScroller.unit, log = view.shadowLog;
    const index = () => Math.abs(strip.scrollLeft) / 104;
    const isResting = () => !view.circleScroller.isMoving && performance.now() - last > 200;
    let last = performance.now();
    for (const each of [strip, feed]) each.addEventListener('scroll', () => { last = performance.now(); });
    const rested = () => until(isResting);
    const check = about => {
      const k = view.circleScroller.index;
      if (Math.abs(Math.abs(strip.scrollLeft) - k * 104) > 1) throw new Error(`${about}: the strip is at ${strip.scrollLeft}, not at unit ${k}`);
      const row = Math.floor(k / view.cardScroller.span);
      if (Math.abs(feed.scrollTop - row * unit) > 1) throw new Error(`${about}: the cards are at ${feed.scrollTop}, not at ${row * unit}`);
      const card = [...feed.querySelectorAll('.person:not([hidden])')].find(card => card.ariaPosInSet === String(k + 1));
      if (Math.abs(card.getBoundingClientRect().top - feed.getBoundingClientRect().top) > 1) throw new Error(`${about}: card ${k} is not at the top`);
      if (!card.classList.contains('current')) throw new Error(`${about}: card ${k} is not marked`);
      const cell = strip.querySelector('[aria-selected=true]');
      if (cell.ariaPosInSet !== String(k + 1)) throw new Error(`${about}: not selected`);
      const middle = box => box.left + box.width / 2;
      // On a wide page no further than the first and the last face allow.
      const off = middle(cell.getBoundingClientRect()) - middle(strip.getBoundingClientRect()), isMirrored = getComputedStyle(strip).direction === 'rtl';
      const isFree = innerWidth >= 768 && !strip.classList.contains((off < 0) === isMirrored ? 'goes-on' : 'goes-before');
      if (Math.abs(off) > 1 && !isFree) throw new Error(`${about}: not centred`);
      if (!log.every((value, at) => value === (at + 1) % 2)) throw new Error(`${about}: the shadow log is ${log}`);
      return k;
    };
"""


def show(page, service, **settings):
    page.open(service.url, "#/cards", **settings)
    page.wait("document.querySelector('.circle .drawn') && tondo.views.cards?.cards")
    return page


def rest(page, about):
    return page.js(STATE + "await rested(); return check(args[0]);", about)


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_swipes_and_flings_come_to_rest_on_a_unit(phone, many, direction):
    show(phone, many, direction=direction)
    sign = 1 if direction == "ltr" else -1
    middle, seen = 195, []
    for about, start, end, steps in [("swipe", 320, 180, 20), ("short swipe", 260, 225, 10), ("fling", 350, 40, 3), ("fling back", 60, 200, 3)]:
        if sign < 0:
            start, end = 2 * middle - start, 2 * middle - end
        phone.swipe((start, 100), (end, 100), steps)
        seen.append(rest(phone, about))
    assert seen[0] >= 1 and seen[2] > seen[1] and seen[3] < seen[2], seen
    for about, start, end, steps in [("card swipe", 700, 500, 20), ("card fling", 750, 300, 3), ("card fling back", 300, 700, 3)]:
        phone.swipe((middle, start), (middle, end), steps)
        seen.append(rest(phone, about))
    assert seen[5] > seen[4], seen


def test_wheel_keys_and_jumps_come_to_rest_on_a_unit(page, many):
    show(page, many)
    page.wheel(640, 100, delta_x=330)
    assert rest(page, "wheel over the strip") >= 2
    page.wheel(640, 600, delta_y=500)
    moved = rest(page, "wheel over the cards")
    assert moved >= 3
    page.js("document.querySelector('.strip').focus()")
    page.key("ArrowRight", 39)
    assert rest(page, "arrow key") == moved + 1
    page.key("End", 35)
    assert rest(page, "End") == 2999
    page.js("tondo.views.cards.cardScroller.jump(1234)")
    assert rest(page, "jump") == 1234
    page.js("tondo.views.cards.circleScroller.jump(1240)")
    assert rest(page, "animated jump") == 1240
    page.js("document.querySelector('.feed .person[aria-posinset=\"1241\"]').focus()")
    page.key("PageDown", 34)
    assert rest(page, "card key") == 1240 + page.js("return tondo.views.cards.cardScroller.span")


@pytest.mark.parametrize("leader, delta", [("strip", (1800, 0)), ("feed", (0, 4000))])
def test_follower_is_where_the_leader_puts_it_while_both_move(desktop, many, leader, delta):
    # One card a row: the wide page has a test of its own.
    desktop.resize(680, 900)
    show(desktop, many)
    x, y = (440, 100) if leader == "strip" else (440, 600)
    desktop.execute("""window.samples = []; window.sampler = setInterval(() => {
        const view = tondo.views.cards, strip = document.querySelector('.strip').scrollLeft / 104;
        const feed = document.querySelector('.feed').scrollTop / view.cardScroller.unit, isLedByStrip = args_ === 'strip';
        if (view.circleScroller.isMoving) samples.push(isLedByStrip ? [feed, strip, view.cardScroller.unit] : [strip, feed, 104]); }, 50)"""
        .replace("args_", repr(leader)))
    for _ in range(6):
        desktop.wheel(x, y, delta[0] / 6, delta[1] / 6)
    rest(desktop, leader)
    samples = desktop.js("clearInterval(window.sampler); return samples")
    assert len(samples) > 3
    # In pixels of the follower: one pixel of the strip is more than two of the cards.
    assert max(abs(follower - leading) * unit for follower, leading, unit in samples) <= 2, samples


def test_wide_page_has_rows_of_cards_and_a_strip_as_wide_as_its_column(desktop, many):
    show(desktop, many)
    desktop.js("""const view = tondo.views.cards, strip = document.querySelector('.strip').getBoundingClientRect();
        equal([strip.left, strip.right], [16, innerWidth - 16]);
        const box = number => document.querySelector(`.feed .person[aria-posinset="${number}"]`).getBoundingClientRect(), first = box(1), { span } = view.cardScroller;
        equal(span, 4);
        for (let number = 2; number <= span; number += 1) equal([box(number).top, Math.round(box(number).left)], [first.top, Math.round(first.left + (number - 1) * first.width)]);
        equal([Math.round(box(span + 1).top), box(span + 1).left], [Math.round(first.top + view.cardScroller.unit), first.left]);
        equal(document.querySelectorAll('.person .avatar').length > 0 && document.querySelector('.person .avatar').offsetWidth >= 128, true);""")


FACES = """const strip = document.querySelector('.strip'), view = tondo.views.cards, { left: from, right: to } = document.querySelector('.feed .content').getBoundingClientRect();
    const box = number => strip.querySelector(`[aria-posinset="${number}"] .ring`)?.getBoundingClientRect(), cards = [from + 8, to - 8], isMirrored = document.documentElement.dir === 'rtl';
    const near = (one, other, about) => equal(Math.abs(one - other) <= 1, true, `${about}: ${one}, ${other}`);
    const rested = index => until(() => !view.circleScroller.isMoving && view.circleScroller.index === index);
    const begins = number => isMirrored ? near(box(number).right, cards[1], number) : near(box(number).left, cards[0], number);
    const ends = number => isMirrored ? near(box(number).left, cards[0], number) : near(box(number).right, cards[1], number);"""


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("width", [768, 1280, 1920])
def test_strip_of_a_wide_page_begins_and_ends_with_the_cards(desktop, many, width, direction):
    desktop.resize(width, 900)
    show(desktop, many, direction=direction)
    desktop.js(FACES + """begins(1);
        equal([strip.classList.contains('goes-before'), strip.classList.contains('goes-on')], [false, true]);
        // The first ones stay where they are while the ring goes on.
        view.circleScroller.jump(2); await rested(2); begins(1);
        view.circleScroller.jump(1500); await rested(1500);
        const { left, right } = box(1501); near((left + right) / 2, innerWidth / 2, 'the middle');
        view.circleScroller.jump(2999); await rested(2999); ends(3000);
        equal([strip.classList.contains('goes-before'), strip.classList.contains('goes-on')], [true, false]);""")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_face_of_the_strip_and_that_of_its_card_have_one_ring(desktop, sample, size):
    desktop.resize(*size)
    show(desktop, sample, theme="dark")
    desktop.js("""const ringed = () => [...document.querySelectorAll('.person:not([hidden]) .avatar')].filter(each => getComputedStyle(each, '::after').borderTopStyle === 'solid');
        const check = async number => {
          const ring = await until(() => document.querySelector(`.circle[aria-selected=true][aria-posinset="${number}"] .ring`));
          await until(() => ringed().length === 1 && ringed()[0].closest('.person').ariaPosInSet === `${number}`);
          const { borderTopColor } = getComputedStyle(ringed()[0], '::after');
          equal(borderTopColor, getComputedStyle(ring).borderTopColor);
        };
        await check(1);
        document.querySelector('.circle[aria-posinset="2"]').click();
        await check(2);""")


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
def test_cards_have_no_holes(desktop, sample, size):
    desktop.resize(*size)
    show(desktop, sample)
    desktop.js("""await until(() => document.querySelectorAll('.person:not([hidden]) .drawn').length > 3);
        for (const person of document.querySelectorAll('.person:not([hidden], .loading)')) {
          const words = person.querySelector('.words').getBoundingClientRect(), ways = person.querySelector('.ways').getBoundingClientRect();
          const card = person.querySelector('.card').getBoundingClientRect();
          if (innerWidth < 700) equal(Math.abs(ways.top - words.bottom) <= 1 || ways.height === 0, true, 'signs follow the words');
          else equal(ways.height === 0 || Math.abs(card.bottom - 8 - ways.bottom) <= 1, true, 'signs of all cards stand at one height');
          equal(words.top >= card.top && Math.max(words.bottom, ways.bottom) <= card.bottom, true, 'all is in the card');
          // One line less than the two for which a card has the room.
          if (innerWidth < 700) equal(words.top - card.top <= 45, true, words.top - card.top);
        }
        // Without signs the words stay where they are: beside the face, or below it.
        const person = document.querySelector('.person:not([hidden], .loading)'), box = of => person.querySelector(of).getBoundingClientRect();
        person.querySelector('.ways').replaceChildren();
        equal(innerWidth < 700 ? box('.words').left >= box('.avatar').right : box('.words').top >= box('.avatar').bottom, true);""")


def test_faces_that_all_fit_do_not_move(desktop, sample):
    desktop.resize(1920, 900)
    show(desktop, sample)
    desktop.js(FACES + """// Of fewer people.
        tondo.contacts.total = 8; tondo.contacts.ids.length = 8; view.received('data', null, true);
        begins(1);
        view.circleScroller.jump(7); await rested(7); begins(1);
        equal([strip.querySelector('[aria-selected=true]').ariaPosInSet, strip.className], ['8', 'strip wide']);""")


def test_tablet_has_cards_side_by_side(desktop, many):
    desktop.resize(768, 1024)
    show(desktop, many)
    desktop.js("""const box = number => document.querySelector(`.feed .person[aria-posinset="${number}"]`).getBoundingClientRect();
        equal([tondo.views.cards.cardScroller.span, box(1).top === box(2).top, box(3).left === box(1).left], [2, true, true]);""")


def test_phone_has_one_card_a_row_with_its_photo(phone, many):
    show(phone, many)
    phone.js("""const cards = [...document.querySelectorAll('.person:not([hidden])')];
        equal([tondo.views.cards.cardScroller.span, new Set(cards.map(card => card.getBoundingClientRect().left)).size], [1, 1]);
        await until(() => cards[0].querySelector('.avatar.drawn'));
        equal(cards[0].querySelector('.avatar').offsetWidth, 104);""")


def test_words_of_a_card_on_the_phone_are_beside_the_middle_of_its_photo(phone, sample):
    show(phone, sample)
    phone.js("""const cards = await until(() => { const all = [...document.querySelectorAll('.person:not([hidden], .loading)')]; return all.length > 2 && all; });
        const middle = (top, bottom) => (top + bottom) / 2, box = (card, part) => card.querySelector(part).getBoundingClientRect();
        for (const card of cards) {
          const { top, bottom } = box(card, '.avatar'), off = middle(box(card, '.words').top, box(card, '.ways').bottom) - middle(top, bottom);
          equal(Math.abs(off) <= 2, true, `${card.ariaLabel}: ${off}`);
        }""")


def test_rows_of_cards_rest_whole_and_the_selected_one_keeps_its_column(desktop, many):
    show(desktop, many)
    desktop.js(STATE + "view.circleScroller.jump(5); await rested(); equal([check('strip'), Math.round(feed.scrollTop / unit)], [5, 1]);")
    desktop.wheel(640, 600, delta_y=400)
    index = rest(desktop, "wheel over the rows")
    assert index > 5 and index % 4 == 1
    # Within a row the cards stay, while the strip moves.
    desktop.js(STATE + """const before = feed.scrollTop, k = view.circleScroller.index;
        view.circleScroller.jump(k + 1); await rested(); equal([check('beside'), feed.scrollTop], [k + 1, before]);
        view.circleScroller.jump(2999); await rested(); equal(check('the last'), 2999);
        view.circleScroller.jump(2996 - 1); await rested(); check('the row before');""")


def test_cards_follow_the_width_of_the_page(desktop, many):
    show(desktop, many)
    desktop.js("tondo.views.cards.circleScroller.jump(50)")
    for width, columns in ((1920, 5), (680, 1), (1000, 3)):
        desktop.resize(width, 900)
        desktop.wait(f"tondo.views.cards.cardScroller.span === {columns}")
        assert rest(desktop, width) == 50


def test_card_is_its_link(page, sample):
    show(page, sample)
    page.js("""const card = document.querySelector('.person:not([hidden])'), box = card.querySelector('.avatar').getBoundingClientRect();
        document.elementFromPoint(box.left + 20, box.top + 20).click();
        await until(() => location.hash.startsWith('#/c/'));""")


def test_leader_changes_fifty_times_and_there_is_one_rest_state(phone, many):
    show(phone, many)
    for turn in range(25):
        phone.swipe((330, 100), (120, 100), 3)
        phone.swipe((195, 700), (195, 480), 3)
    phone.js(STATE + """const begin = performance.now();
        await until(() => !view.circleScroller.isMoving, 1000);
        await rested();
        check('after 50 changes');""")


def test_shadow_is_visible_exactly_while_the_cards_move(desktop, many):
    show(desktop, many)
    desktop.js("""const shadow = document.querySelector('.shadow'), feed = document.querySelector('.feed');
        equal(getComputedStyle(shadow).opacity, '0');
        // A busy machine may look again only when all is over, so each step of the motion is looked at.
        const { cardScroller } = tondo.views.cards, seen = new Set();
        feed.addEventListener('scroll', () => { if (cardScroller.isMoving) seen.add(getComputedStyle(shadow).opacity); });
        cardScroller.jump(5);
        await until(() => seen.size > 0 && !cardScroller.isMoving);
        equal([...seen], ['1']);
        equal(getComputedStyle(shadow).opacity, '0');
        equal(tondo.views.cards.shadowLog, [1, 0]);""")


def test_each_fling_comes_to_rest_once(phone, many):
    show(phone, many)
    logs = []
    for turn in range(12):
        begin, end = ((195, 700), (195, 300)) if turn % 2 else ((195, 600), (195, 500))
        phone.js("window.logged = tondo.views.cards.shadowLog.length")
        phone.swipe(begin, end, 4 if turn % 2 else 8)
        phone.js("await until(() => tondo.views.cards.shadowLog.length > window.logged)")
        phone.js(STATE + "await rested(); await new Promise(done => setTimeout(done, 400)); await rested();")
        logs.append(phone.js("return tondo.views.cards.shadowLog.slice(window.logged)"))
    assert [log for log in logs if log != [1, 0]] == []


def test_what_is_left_of_a_fling_is_stopped_while_the_cards_settle_and_after(phone, many):
    # A browser that is late goes on with a fling that has been stopped: here a script does.
    show(phone, many)
    phone.js("window.logged = tondo.views.cards.shadowLog.length")
    phone.swipe((195, 700), (195, 300), 4)
    phone.js(STATE + """const { link } = view.cardScroller;
        const brake = link.brakes[link.scrollers.indexOf(view.cardScroller)], { press } = Object.getPrototypeOf(brake);
        let pressed = 0;
        brake.press = () => { pressed += 1; press.call(brake); };
        const goOn = async () => { const before = pressed; link.fling.restedAt = performance.now(); feed.scrollTop += 60; await until(() => pressed > before); };
        await until(() => link.frame !== 0 || log.length === window.logged + 2);
        if (link.frame !== 0) { feed.scrollTop += 60; await until(() => pressed > 0 || link.frame === 0); }
        await until(() => !view.cardScroller.isMoving);
        const place = feed.scrollTop;
        for (let time = 0; time < 3; time++) await goOn();
        await rested();
        equal([feed.scrollTop, feed.style.overflow, log.slice(window.logged)], [place, '', [1, 0]]);
        check('what was left is stopped');
        // What an input moves is another movement.
        feed.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key: ' ' }));
        feed.scrollTop += 60;
        await until(() => log.length === window.logged + 4);
        equal(log.slice(window.logged), [1, 0, 1, 0]);""")


@pytest.mark.parametrize("scale, theme", [(1, "light"), (2, "light"), (1, "dark")])
def test_ring_matches_the_ring_of_the_service(desktop, sample, scale, theme):
    desktop.resize(1280, 900, scale)
    desktop.media(prefers_color_scheme=theme)
    show(desktop, sample)
    desktop.js("""const canvas = document.querySelector('[aria-selected=true] canvas'), ring = document.querySelector('[aria-selected=true] .ring');
        const [a, b] = [canvas, ring].map(each => each.getBoundingClientRect());
        for (const side of ['left', 'right', 'top', 'bottom']) if (Math.abs(a[side] - b[side]) > 1) throw new Error(side);
        const answer = await fetch('/v1/contacts/sample-ada/avatar?size=96&scale=' + args[0] + '&state=selected');
        const bitmap = await createImageBitmap(await answer.blob()), drawn = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        drawn.drawImage(bitmap, 0, 0);
        const row = drawn.getImageData(0, bitmap.height / 2, bitmap.width / 2, 1).data;
        const alpha = [...row].filter((_, at) => at % 4 === 3), width = alpha.findIndex(value => value < 128) / args[0];
        const own = parseFloat(getComputedStyle(ring).borderLeftWidth);
        if (Math.abs(width - own) > 2) throw new Error(`the ring of the service has ${width}, this one ${own}`);
        // A pixel in the middle of the ring is drawn in its colour alone.
        const middle = 4 * Math.floor(width * args[0] / 2), served = [...row.slice(middle, middle + 4)];
        const shown = getComputedStyle(ring).borderLeftColor.match(/\\d+/g).map(Number);
        equal([served[3], shown.length], [255, 3], 'both are opaque');
        if (shown.some((value, at) => Math.abs(value - served[at]) > 2)) throw new Error(`the ring of the service is ${served}, this one ${shown}`);""", scale)


def test_modules_are_reusable_for_a_hundred_thousand_cells(page, sample):
    page.open(sample.url, "#/settings")
    page.wait("document.querySelector('.settings-pane')")
    page.js("""const { SnapScroller } = await load('./snap.js'), { CellLine } = await load('./cells.js');
        const box = document.createElement('div'), content = document.createElement('div');
        box.className = 'feed'; box.style.cssText = ''; box.style.height = '600px'; content.className = 'content'; box.append(content);
        document.body.append(box);
        const crossed = [], moved = [];
        const scroller = new SnapScroller(box, { unit: 240, count: 100_000, delegate: { crossed: (...units) => crossed.push(units), moved: is => moved.push(is) } });
        const line = new CellLine(scroller, content, {
          make: () => { const cell = document.createElement('div'); cell.className = 'person'; cell.style.height = '240px'; return cell; },
          fill: (cell, index) => { cell.textContent = index; } });
        equal(content.children.length <= 8, true);
        for (const wanted of [9000, 50_000, 99_999, 0]) {
          scroller.jump(wanted);
          await until(() => !scroller.isMoving);
          const cell = [...content.children].find(cell => cell.textContent === String(wanted) && !cell.hidden);
          if (Math.abs(cell.getBoundingClientRect().top - box.getBoundingClientRect().top) > 1) throw new Error(wanted);
        }
        equal(crossed.at(-1), [0, 99_999]);
        equal(moved, [true, false, true, false, true, false, true, false]);
        const one = document.createElement('div'); one.append(document.createElement('div')); one.className = 'feed'; one.style.height = '300px';
        document.body.append(one);
        const leader = new SnapScroller(one, { unit: 100, count: 100_000 });
        SnapScroller.bind(leader, scroller, { isTwoWay: false });
        leader.jump(7); await until(() => !leader.isMoving && Math.abs(scroller.axis.position - 7 * 240) < 1);
        scroller.jump(9); await until(() => !scroller.isMoving);
        equal(Math.round(leader.axis.position), 700);
        leader.detach(); box.remove(); one.remove();""")


def test_press_that_ends_elsewhere_still_lets_the_cards_settle(desktop, many):
    desktop.open(many.url, "#/cards")
    desktop.wait("document.querySelectorAll('.circle .drawn').length > 2")
    desktop.js("""const { feed, cardScroller } = tondo.views.cards;
        for (const name of ['pointercancel', 'dragend', 'blur']) {
          feed.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse', button: 0 }));
          equal(cardScroller.link.motion.touching, true);
          dispatchEvent(new Event(name));
          equal(cardScroller.link.motion.touching, false, name);
        }
        feed.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse', button: 2 }));
        equal(cardScroller.link.motion.touching, false, 'the right button');""")


def test_first_contact_stays_selected_when_another_comes_before_it(desktop, sample):
    desktop.open(sample.url, "#/cards")
    desktop.wait("document.querySelectorAll('.circle .drawn').length > 2")
    first = desktop.js("return tondo.contacts.ids[0]")
    desktop.js("""const { contacts, views } = tondo, [first] = contacts.ids;
        contacts.ids.unshift('new'); contacts.total += 1;
        views.cards.received('data', null, true);
        equal([views.cards.circleScroller.index, contacts.ids[1]], [1, first]);""")
    assert first


def test_cards_follow_the_size_of_the_text(desktop, sample):
    desktop.open(sample.url, "#/cards")
    desktop.wait("document.querySelectorAll('.circle .drawn').length > 2")
    desktop.js("""const { cards } = tondo.views, before = cards.cardScroller.unit;
        document.documentElement.style.fontSize = '200%';
        await until(() => cards.cardScroller.unit === 2 * before);
        await until(() => document.querySelector('.person').style.height === `${2 * before}px`);
        document.documentElement.style.fontSize = '';
        await until(() => cards.cardScroller.unit === before);""")
