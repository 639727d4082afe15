"""The modules without DOM, one behaviour a test, in each browser."""


def test_follower_is_placed_at_the_ratio_of_the_units(module):
    module("""const { Motion } = await load('./motion.js');
        const motion = new Motion([{ unit: 100, count: 50, drives: true }, { unit: 240, count: 50, drives: true }]);
        equal(motion.scrolled(0, 250, false), [{ side: 1, position: 600 }]);
        equal([motion.leader, motion.moving, motion.index], [0, true, 3]);""")


def test_echo_of_a_written_position_moves_nothing(module):
    module("""const { Motion } = await load('./motion.js');
        const motion = new Motion([{ unit: 100, count: 50, drives: true }, { unit: 240, count: 50, drives: true }]);
        equal(motion.scrolled(1, 240, true), []);
        equal([motion.leader, motion.moving], [null, false]);""")


def test_momentum_of_a_side_that_no_longer_leads_is_put_back(module):
    module("""const { Motion } = await load('./motion.js');
        const motion = new Motion([{ unit: 100, count: 50, drives: true }, { unit: 240, count: 50, drives: true }]);
        motion.scrolled(0, 300, false);
        equal(motion.input(1), 0);
        equal(motion.scrolled(0, 500, false), [{ side: 0, position: 300 }]);
        equal(motion.exact, 3);""")


def test_one_way_follower_does_not_move_its_leader(module):
    module("""const { Motion } = await load('./motion.js');
        const motion = new Motion([{ unit: 100, count: 50, drives: true }, { unit: 240, count: 50, drives: false }]);
        equal(motion.scrolled(1, 480, false), []);
        equal(motion.index, 2);""")


def test_side_with_rows_is_followed_in_its_column_and_follows_by_rows(module):
    module("""const { Motion } = await load('./motion.js');
        const motion = new Motion([{ unit: 100, count: 50, drives: true }, { unit: 240, span: 4, count: 50, drives: true }]);
        // Its row stays until the last unit of the row is left behind.
        equal([4, 6.9, 7, 7.5, 8].map(exact => motion.scrolled(0, 100 * exact, false)[0].position), [240, 240, 240, 360, 480]);
        motion.scrolled(0, 600, false); motion.rest();
        equal([motion.index, motion.input(1)], [6, null]);
        equal(motion.scrolled(1, 360, false), [{ side: 0, position: 800 }]);
        equal(motion.target, 6 + (motion.direction > 0 ? 0 : 4));
        motion.scrolled(1, 400, false);
        equal([motion.target, motion.placeOf(1, motion.target)], [10, 480]);
        // The last row has two units: its third column is that of the last one.
        motion.scrolled(1, 99_999, false);
        equal([motion.index, motion.target, motion.placeOf(1, motion.target)], [49, 50, 12 * 240]);""")


def test_rest_unit_depends_on_direction_and_tolerance(module):
    module("""const { Motion } = await load('./motion.js');
        const rest = (from, to, tolerance) => {
          const motion = new Motion([{ unit: 100, count: 50, tolerance, drives: true }]);
          motion.scrolled(0, from, false); motion.scrolled(0, to, false);
          return motion.target;
        };
        equal([rest(0, 40, 0.5), rest(0, 60, 0.5), rest(0, 40, 0.3), rest(200, 160, 0.5), rest(200, 160, 0.3), rest(200, 130, 0.5)], [0, 1, 1, 2, 1, 1]);
        equal(rest(4000, 9000, 0.5), 49);""")


def test_content_above_eight_million_pixels_is_mapped(module):
    module("""const { Axis, LONGEST } = await load('./axis.js');
        const box = document.createElement('div'), content = document.createElement('div');
        box.className = 'scroller'; box.style.height = '400px'; box.append(content); document.body.append(box);
        const axis = new Axis(box, content);
        axis.resize(24_000_000);
        equal(content.offsetHeight <= LONGEST, true);
        for (const wanted of [0, 9_000 * 240, 90_000 * 240, 24_000_000 - 400]) {
          axis.position = wanted;
          equal(axis.position, wanted);
          equal(Math.abs(axis.place(wanted) - box.scrollTop) <= 1, true, 'place');
        }
        box.remove();""")


def test_position_is_within_a_content_that_became_shorter(module):
    module("""const { Axis } = await load('./axis.js');
        const box = document.createElement('div'), content = document.createElement('div');
        box.className = 'scroller'; box.style.height = '0px'; box.append(content); document.body.append(box);
        const axis = new Axis(box, content);
        axis.resize(300); axis.position = Infinity;
        box.style.height = '400px'; axis.measure();
        equal(axis.position, 0);
        box.remove();""")


def test_cells_that_exist_are_those_in_view(module):
    module("""const { CellLine } = await load('./cells.js');
        equal(CellLine.window(0, 390, 143, 104, 13000, 1), [0, 4]);
        equal(CellLine.window(104 * 9000, 390, 143, 104, 13000, 1), [8997, 9004]);
        equal(CellLine.window(0, 390, 143, 104, 0, 1), [0, 0]);""")


def test_recycled_cells_keep_the_reading_order_and_the_focus(module):
    module("""const { SnapScroller } = await load('./snap.js'), { CellLine } = await load('./cells.js');
        const box = document.createElement('div'), content = document.createElement('div');
        box.className = 'feed'; box.style.height = '600px'; content.className = 'content'; box.append(content); document.body.append(box);
        const scroller = new SnapScroller(box, { unit: 200, count: 1000 }), line = new CellLine(scroller, content, {
          make: () => { const cell = document.createElement('div'); cell.className = 'person'; cell.tabIndex = 0; return cell; },
          fill: (cell, index) => { cell.textContent = index; } });
        const shown = () => [...content.children].filter(cell => !cell.hidden).map(cell => Number(cell.textContent));
        const isOrdered = () => shown().every((value, at, all) => at === 0 || value > all[at - 1]);
        for (const wanted of [500, 497, 501, 3]) {
          scroller.jump(wanted);
          await until(() => !scroller.isMoving && isOrdered());
        }
        const focused = line.cells.get(4);
        focused.focus();
        scroller.jump(100);
        await until(() => !scroller.isMoving && line.cells.has(100) && isOrdered());
        equal([document.activeElement === focused, focused.textContent, shown()[0]], [true, '4', 4], 'the focus stays');
        line.shift(50);
        scroller.setCount(1050);
        scroller.jump(54);
        await until(() => !scroller.isMoving && isOrdered());
        equal([document.activeElement === focused, line.cells.get(54) === focused], [true, true], 'the focus goes on with its cell');
        focused.blur();
        scroller.jump(0);
        await until(() => !scroller.isMoving && line.cells.has(0) && isOrdered());
        equal(shown().length <= 5, true, 'a cell without the focus is used again');
        scroller.detach(); line.end(); box.remove();""")


def test_sections_know_where_their_rows_are(module):
    module("""const { SectionLayout } = await load('./layout.js');
        const layout = new SectionLayout([{ title: 'A', count: 2 }, { title: 'B', count: 0 }, { title: 'C', count: 3 }], 70, 30);
        equal(layout.length, 5 * 70 + 3 * 30);
        equal([0, 1, 2, 4].map(index => layout.top(index)), [30, 100, 230, 370]);
        equal([0, 30, 99, 100, 170, 229, 299, 300, 9999].map(y => layout.rowAt(y)), [0, 0, 0, 1, 2, 2, 2, 3, 5]);
        equal(layout.window(100, 260), { rows: [1, 3], headers: [0, 3] });""")


def test_rows_of_different_heights_have_places(module):
    module("""const { PrefixLayout } = await load('./layout.js');
        const layout = new PrefixLayout([40, 100, 60], 8);
        equal([layout.length, layout.top(2), layout.rowAt(47), layout.rowAt(48), layout.rowAt(5000)], [216, 156, 0, 1, 2]);""")


def test_heights_are_measured_once(module):
    module("""const { Heights } = await load('./heights.js');
        const calls = [];
        const heights = new Heights(items => { calls.push(items.length); return items.map(({ revision }) => revision.length); });
        const items = [{ type: 'a', revision: 'xx' }, { type: 'a', revision: 'xx' }, { type: 'b', revision: 'xxx' }];
        equal(heights.of(items, 300, '16', 'en'), [2, 2, 3]);
        equal(heights.of(items, 300, '16', 'en'), [2, 2, 3]);
        heights.of(items, 301, '16', 'en'); heights.of(items, 301, '20', 'en'); heights.of(items, 301, '20', 'ru');
        equal(calls, [2, 2, 2, 2]);""")


def test_event_stream_is_read_from_any_pieces(module):
    module("""const { EventParser } = await load('./events.js');
        const text = 'retry: 1500\\n\\nid: 7\\nevent: hello\\ndata: {"seq":7}\\n\\n:\\n\\nid: 8\\nevent: contact\\ndata: {"a":\\ndata: 1}\\r\\n\\n';
        for (const size of [1, 2, 5, 1000]) {
          const parser = new EventParser(), events = [];
          for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
          equal(events, [{ name: 'hello', id: '7', data: '{"seq":7}' }, { name: 'contact', id: '8', data: '{"a":\\n1}' }], size);
          equal(parser.retry, 1500);
        }""")


def test_bulk_avatars_are_read_from_any_pieces(module):
    module("""const { PartParser } = await load('./avatars.js');
        const head = new TextEncoder().encode('{"id":"é","status":200}');
        const data = new Uint8Array(8 + head.length + 3), view = new DataView(data.buffer);
        view.setUint32(0, head.length); data.set(head, 4); view.setUint32(4 + head.length, 3); data.set([1, 2, 3], 8 + head.length);
        const two = new Uint8Array([...data, ...data]);
        for (const size of [1, 3, 20, 100]) {
          const parser = new PartParser(), parts = [];
          for (let at = 0; at < two.length; at += size) parts.push(...parser.push(two.subarray(at, at + size)));
          equal(parts.map(({ header, bytes }) => [header.id, [...bytes]]), [['é', [1, 2, 3]], ['é', [1, 2, 3]]], size);
        }""")


def test_back_off_doubles_and_ends_at_thirty_seconds(module):
    module("""const { backOff } = await load('./api.js');
        equal([0, 1, 2, 10].map(attempt => backOff(attempt, 1)), [500, 1000, 2000, 30000]);
        equal(backOff(3, 0), 2000);""")


def test_busy_service_is_asked_again_after_its_retry_after(module):
    module("""const { API } = await load('./api.js');
        const answers = [503, 503, 200], storage = { getItem: () => 'secret', setItem() {}, removeItem() {} }, seen = [];
        const api = new API({ storage, fetch: async (path, { headers }) => {
          seen.push(headers.Authorization);
          const status = answers.shift();
          return new Response('{"fine":true}', { status, headers: status === 503 ? { 'Retry-After': '0' } : {} });
        } });
        equal(await api.json('/v1/contacts'), { fine: true });
        equal(seen, ['Bearer secret', 'Bearer secret', 'Bearer secret']);""")


def test_events_are_applied_once_per_frame_within_its_budget(module):
    module("""const { FrameBatch } = await load('./updates.js');
        let now = 0; const applied = [], scheduled = [];
        const batch = new FrameBatch(item => { applied.push(item); now += 3; }, () => applied.push('end'),
          { now: () => now, schedule: action => scheduled.push(action) });
        for (let item = 0; item < 7; item += 1) batch.add(item);
        equal([scheduled.length, applied.length], [1, 0]);
        scheduled.shift()();
        equal(applied, [0, 1, 2, 'end']);
        while (scheduled.length) scheduled.shift()();
        equal(applied, [0, 1, 2, 'end', 3, 4, 5, 'end', 6, 'end']);""")


def test_letters_that_repeat_make_no_sections(module):
    module("""const { readSections } = await load('./contacts.js');
        const of = (...titles) => readSections({ total: titles.length, sections: titles.map((title, offset) => ({ title, offset, count: 1 })) });
        equal(of('A', 'B').length, 2);
        equal(of('#', 'A', 'B', '#').length, 4, 'digits come first, contacts without the name last');
        equal(of('A', 'B', 'A'), [{ title: '', offset: 0, count: 3 }]);""")


def test_manager_reports_type_message_and_refresh(module):
    module("""const { ContactsManager } = await load('./contacts.js'), { ContactStore } = await load('./store.js');
        const answers = { sections: { total: 2, revision: '1', sections: [{ title: 'A', offset: 0, count: 2 }] },
          contacts: { total: 2, offset: 0, revision: '1', items: [{ id: 'a' }, { id: 'b' }] } };
        const calls = [], paths = [];
        const api = { json: async path => { paths.push(path); return structuredClone(answers[path.includes('sections') ? 'sections' : 'contacts']); } };
        const manager = new ContactsManager(api, new ContactStore());
        await manager.request({ search: 'a b', filter: ['phone', 'email'] }, (...call) => calls.push(call));
        await manager.refresh();
        equal(calls, [['data', null, false], ['data', null, true]]);
        equal(paths[0], '/v1/contacts?search=a%20b&filter=email%2Cphone&locale=en&offset=0&limit=50');
        const change = manager.withheld.begin(['a']);
        change.take();
        equal([manager.total, manager.ids, manager.sections[0].count], [1, ['b'], 1]);
        change.putBack(['a']);
        change.end();
        equal([manager.total, manager.ids, manager.sections[0].count], [2, ['a', 'b'], 2]);
        equal(calls.slice(2), [['data', 'taken', true], ['data', 'restored', true]]);
        manager.abort();""")


def test_contacts_that_are_being_removed_are_out_of_every_list_that_comes(module):
    module("""const { ContactsManager } = await load('./contacts.js'), { ContactStore } = await load('./store.js');
        const ids = ['a', 'b', 'c', 'd', 'e'], titles = { a: 'A', b: 'B', c: 'B', d: 'D', e: 'E' };
        const list = () => ({ total: ids.length, offset: 0, revision: '1', items: ids.map(id => ({ id })) });
        const sections = () => ({ total: ids.length, revision: '1', sections: ids.map((id, offset) => ({ title: titles[id], offset, count: ids.filter(other => titles[other] === titles[id]).length })).filter(({ title }, at) => titles[ids[at - 1]] !== title) });
        let answered;
        const api = { json: async path => { const answer = path.includes('sections') ? sections() : list(); await answered; return answer; } };
        const manager = new ContactsManager(api, new ContactStore()), shown = () => [manager.total, manager.ids, manager.sections.filter(({ count }) => count > 0).map(({ title, offset, count }) => `${title}${offset}${count}`)];
        await manager.request({}, () => {});
        const all = [5, ['a', 'b', 'c', 'd', 'e'], ['A01', 'B12', 'D31', 'E41']], rest = [3, ['a', 'c', 'e'], ['A01', 'B11', 'E21']];
        // A refresh that is on its way is of the time before.
        let answer;
        answered = new Promise(next => { answer = next; });
        const late = manager.refresh(), change = manager.withheld.begin(['b', 'd']);
        answer();
        await late;
        change.take();
        equal(shown(), rest);
        await manager.refresh();
        equal(shown(), rest, 'refreshes wait');
        for (const id of ['b', 'd']) manager.apply('contactRemoved', { id, total: 4, revision: '2' });
        await manager.request({}, () => {});
        equal(shown(), rest, 'another list that comes meanwhile');
        change.end();
        ids.splice(3, 1); ids.splice(1, 1);
        await manager.refresh();
        equal(shown(), rest);
        // They come back in one step, and the letter that had gone with the last one, too; while one is on its way, none is shown.
        const other = manager.withheld.begin(['c', 'e']);
        other.take();
        other.end();
        ids.splice(1, 2);
        await manager.refresh();
        equal(shown(), [1, ['a'], ['A01']]);
        other.open(['c', 'e']);
        ids.push('c');
        manager.apply('contact', { contact: { id: 'c' }, total: 2, revision: '3' });
        equal(shown(), [1, ['a'], ['A01']]);
        ids.push('e');
        other.putBack(['c', 'e']);
        other.end();
        equal(shown(), rest);
        await manager.refresh();
        equal(shown(), rest);
        manager.abort();""")


def test_new_request_aborts_the_one_before(module):
    module("""const { ContactsManager } = await load('./contacts.js'), { ContactStore } = await load('./store.js');
        const signals = [];
        const api = { json: (path, { signal }) => { signals.push(signal); return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))); } };
        const manager = new ContactsManager(api, new ContactStore()), calls = [];
        const first = manager.request({ search: 'a' }, (...call) => calls.push(call));
        manager.request({ search: 'ab' });
        await first;
        equal([signals.slice(0, 2).every(signal => signal.aborted), signals[2].aborted, calls], [true, false, []]);
        manager.abort();""")


def test_store_drops_the_oldest_contacts(module):
    module("""const { ContactStore } = await load('./store.js');
        const store = new ContactStore(2);
        store.put([{ id: 'a' }, { id: 'b' }]); store.put([{ id: 'a' }]); store.put([{ id: 'c' }]);
        equal([...store.contacts.keys()], ['a', 'c']);""")


def test_ways_have_links_also_without_a_handle(module):
    module("""const { ways, isSafeLink } = await load('./ways.js');
        const links = contact => ways(contact).map(({ name, link }) => `${name} ${link}`);
        equal(links({}), []);
        equal(links({ messengers: { viber: '', telegram: '@ada', threema: 'ABCD1234' }, phones: [{ value: '8 (916) 123-45-67', formatted: '+7 (916) 123-45-67' }], emails: [{ value: 'a+b@c.de' }] }),
          ['telegram https://t.me/ada', 'viber viber://chat?number=%2B79161234567', 'threema https://threema.id/ABCD1234', 'phone tel:+79161234567', 'email mailto:a%2Bb@c.de']);
        equal(links({ messengers: { whatsapp: '', viber: '', signal: 'ada', telegram: '' }, phones: [{ value: '030 123456' }] }), ['phone tel:030123456'],
          'a national number reaches another person');
        equal(links({ messengers: { whatsapp: '', threema: 'x' }, emails: [{ value: 'nobody' }] }), []);
        equal(['https://a', 'tel:1', 'javascript:alert(1)', 'file:///x', 'data:x', undefined].map(isSafeLink), [true, true, false, false, false, false]);""")


def test_what_is_no_number_is_no_link(module):
    module("""const { ways } = await load('./ways.js'), link = value => ways({ phones: [{ value }] })[0]?.link ?? null;
        equal(['+44 20 7946 0101 ext. 12', '030 1234 DW 5', '+49 (0) 30 1234', '+49 (0)30 1234 ext 7', '1-800-FLOWERS', '*100#', 'ask at 5', 'Room 12', '5', 'call +1 555 0100'].map(link),
          ['tel:+442079460101;ext=12', 'tel:0301234;ext=5', 'tel:+49301234', 'tel:+49301234;ext=7', 'tel:18003569377', 'tel:*100#', null, null, null, null]);""")


def test_names_in_another_direction_stay_a_piece_of_their_own(module):
    module("""const { Text } = await load('./text.js'), en = await Text.load('en');
        equal(en.get('removed', { name: 'Ada' }), 'Ada deleted.');
        for (const name of ['عمر', '\\u202Eevil']) equal(en.get('removed', { name }), `\\u2068${name}\\u2069 deleted.`);""")


def test_plural_rules_of_three_languages(module):
    module("""const { Text } = await load('./text.js');
        const ru = await Text.load('ru'), en = await Text.load('en'), zh = await Text.load('zh');
        equal([1, 2, 5, 21, 111].map(count => ru.get('count', { count })), ['1 контакт', '2 контакта', '5 контактов', '21 контакт', '111 контактов']);
        equal([1, 2, 13000].map(count => en.get('count', { count })), ['1 contact', '2 contacts', '13,000 contacts']);
        equal(zh.get('count', { count: 5 }), '5 位联系人');
        for (const other of [ru, zh]) equal(Object.keys(en.words).filter(key => !other.has(key)), []);
        for (const other of [ru, zh]) equal(Object.keys(other.words).filter(key => !en.has(key)), []);""")


def test_language_and_direction_come_from_the_browser(module):
    module("""const { chooseLanguage, chooseDirection } = await load('./text.js');
        equal([chooseLanguage(null, ['fr-FR', 'zh-Hans-CN', 'en']), chooseLanguage('ru', ['en']), chooseLanguage(null, ['fr'])], ['zh', 'ru', 'en']);
        equal([chooseDirection(null, ['ar-EG']), chooseDirection(null, ['en']), chooseDirection('ltr', ['he'])], ['rtl', 'ltr', 'ltr']);""")


def test_birthday_is_written_in_the_language(module):
    module("""const { dayText } = await load('./card-birthday.js');
        equal(['1985-12-10', '--02-29', '1985-02-30', '1985', 'circa 1800', '0044-03-15'].map(day => dayText(day, 'en')),
              ['December 10, 1985', 'February 29', '1985-02-30', '1985', 'circa 1800', 'March 15, 44']);
        equal([dayText('1985-12-10', 'ru'), dayText('1985-12-10', 'zh')], ['10 декабря 1985 г.', '1985年12月10日']);""")


def test_those_that_were_taken_come_back_to_their_places_beside_what_is_not_known(module):
    module("""const { Withheld } = await load('./withheld.js');
        const ids = new Array(100);
        for (let index = 40; index < 60; index += 1) ids[index] = `c${index}`;
        const list = { ids, sections: [{ title: 'A', offset: 0, count: 50 }, { title: 'B', offset: 50, count: 50 }], total: 100, run: 1, isLoaded: true, store: { get: id => ({ id }), put() {} }, hold: () => () => {}, callback() {} };
        const shown = () => [[...list.ids].join(), JSON.stringify(list.sections), list.total], before = shown();
        const change = new Withheld(list).begin(['c40', 'c41', 'c49', 'c50', 'c59']);
        change.take();
        change.putBack(['c41', 'c59']);
        equal([list.total, list.ids.indexOf('c41'), list.ids.indexOf('c59')], [97, 40, 56]);
        change.putBack(['c40', 'c49', 'c50']);
        equal(shown(), before);""")
