"""Point 5: deleting with undo."""
import pytest

from test_10_choice import both  # noqa: F401

MENU = """const find = name => [...document.querySelectorAll('.row:not([hidden], .folding > *)')].find(row => row.querySelector('.name').textContent === name);
    const press = label => [...document.querySelectorAll('dialog button, .popover button')].find(each => each.innerText === label).click();
    const menu = () => until(() => document.querySelector('dialog[open], .popover'));
    const gone = () => until(() => !document.querySelector('dialog, .popover'));
"""


def show(page, service, with_token=True):
    page.open(service.url, "#code=" + service.code() if with_token else "#/")
    page.wait("document.querySelectorAll('.row .drawn').length > 4")


def test_deleted_contact_comes_back_to_its_place(page, own):
    show(page, own)
    page.js(MENU + """const before = tondo.contacts.ids.join();
        find('Chidi Eze').querySelector('.more').click();
        await menu();
        press('Delete'); await gone();
        await until(() => find('Chidi Eze') === undefined);
        // The service's event may come before its answer; the next row has the focus once both have come.
        await until(() => document.activeElement.closest('.row')?.querySelector('.name').textContent === 'Dóra Novák');
        equal(document.querySelector('.count').innerText, '13 contacts');
        const undo = await until(() => document.querySelector('.toast:not([hidden]) .undo'));
        equal(document.querySelector('.toast').innerText.startsWith('Chidi Eze deleted.'), true);
        await until(async () => (await fetch('/v1/contacts/sample-chidi')).status === 404);
        undo.click();
        await until(() => tondo.contacts.ids.join() === before && find('Chidi Eze'));
        equal(document.querySelector('.count').innerText, '14 contacts');
        await until(async () => (await fetch('/v1/contacts/sample-chidi')).status === 200);""")


def test_delete_key_deletes_with_undo_as_the_menu_does(page, own):
    show(page, own)
    page.js(MENU + "find('Bo Lindqvist').querySelector('.main').focus();")
    page.key("Delete", 46)
    page.js(MENU + """await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith('Bo Lindqvist deleted.'));
        equal([document.querySelector('dialog'), find('Bo Lindqvist')], [null, undefined], 'nothing asks');
        document.querySelector('.toast .undo').click();
        await until(() => find('Bo Lindqvist'));""")


def test_open_contact_is_deleted_with_undo(both, own):
    show(both, own)
    both.js(MENU + """location.hash = '#/c/sample-chidi';
        (await until(() => { const button = document.querySelector('.detail-pane .danger'); return button?.offsetHeight > 0 && button; })).click();
        await until(() => location.hash === '#/' && document.querySelector('.toast:not([hidden])')?.innerText.startsWith('Chidi Eze deleted.'));
        equal(document.querySelector('dialog'), null);
        document.querySelector('.toast .undo').click();
        await until(() => tondo.contacts.ids.includes('sample-chidi'));""")


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_swipe_to_the_end_opens_the_menu(phone, sample, direction):
    phone.open(sample.url, direction=direction)
    phone.wait("document.querySelectorAll('.row .drawn').length > 5")
    y = phone.js(MENU + "const box = find('Chidi Eze').getBoundingClientRect(); return box.top + box.height / 2")
    swipe = lambda start, end: phone.swipe((start, y) if direction == "ltr" else (390 - start, y), (end, y) if direction == "ltr" else (390 - end, y), 12)
    swipe(300, 240)
    phone.js("await frame(); await frame(); equal(document.querySelector('dialog'), null); equal(document.querySelector('.swiping'), null); equal(location.hash, '#/');")
    swipe(340, 60)
    phone.js(MENU + "equal((await menu()).querySelector('h2').innerText, 'Chidi Eze'); press('Cancel'); await gone(); equal(location.hash, '#/');")


def test_who_may_not_delete_is_offered_nothing_and_told_before_anything_moves(both, sample):
    show(both, sample, with_token=False)
    both.js(MENU + """const before = tondo.contacts.ids.join(), send = tondo.api.fetch, sent = [], { list } = tondo.views;
        const offered = () => [...document.querySelectorAll('dialog button, .popover button, .picked-bar button')].filter(each => each.offsetHeight > 0 && each.innerText === 'Delete').length;
        find('Chidi Eze').querySelector('.more').click(); await menu();
        equal(offered(), 0, 'in the menu of a row');
        press('Select'); await gone();
        await list.pick(find('Bo Lindqvist'));
        equal([list.selection.size, offered()], [2, 0], 'in the bar of what is selected');
        tondo.api.fetch = (path, options) => { sent.push(options?.method); return send(path, options); };
        let drawn = 0;
        const lay = list.lay.bind(list);
        list.lay = isRefresh => { drawn += 1; return lay(isRefresh); };
        const said = () => document.querySelector('.toast:not([hidden])')?.innerText.startsWith('This browser can only view');
        list.selection.remove();
        await until(said);
        document.querySelector('.toast .plain').click();
        tondo.remove([tondo.store.get('sample-chidi')]);
        await until(said);
        await frame();
        equal([document.querySelector('dialog'), drawn, tondo.contacts.ids.join() === before, sent.includes('DELETE')], [null, 0, true, false]);
        list.selection.clear();""")


@pytest.mark.parametrize("names", [["Chidi Eze"], ["Bo Lindqvist", "Chidi Eze", "Farid Haddad"]])
def test_first_refusal_of_several_moves_nothing_either(both, sample, names):
    show(both, sample)
    both.js(MENU + """const before = tondo.contacts.ids.join(), send = tondo.api.fetch, seen = [], sent = [], { list } = tondo.views;
        tondo.api.fetch = async (path, options) => {
          if (options?.method !== 'DELETE') return send(path, options);
          sent.push(path);
          return new Response(JSON.stringify({ status: 403, code: 'read-only' }), { status: 403 });
        };
        const watch = () => { seen.push(tondo.contacts.ids.join() === before); if (!watch.isOver) requestAnimationFrame(watch); };
        for (const name of args[0]) await list.pick(find(name));
        watch();
        list.selection.remove();
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith('These contacts can’t be changed here'));
        watch.isOver = true;
        equal([seen.includes(false), sent.length, list.selection.size], [false, 1, args[0].length], 'nothing moves, and all stay selected');
        list.selection.clear();""", names)


def test_nothing_is_deleted_while_the_service_does_not_answer(both, own):
    with both.counting():
        show(both, own)
    both.js(MENU + """const before = tondo.contacts.ids.join();
        const { api } = tondo, send = api.fetch;
        api.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
        // An earlier request would be answered yet.
        await until(() => underWay === 0);
        await api.check();
        tondo.remove([tondo.store.get('sample-chidi'), tondo.store.get('sample-bo')]);
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.includes('Nothing was deleted.'));
        equal(tondo.contacts.ids.join(), before);
        // It answers again: the next one goes.
        api.fetch = send;
        tondo.remove([tondo.store.get('sample-chidi')]);
        await until(() => document.querySelector('.toast').innerText.startsWith('Chidi Eze deleted.'));""")


@pytest.mark.parametrize("status, code, text", [
    (401, "token-needed", "This browser can only view"), (409, "contact-changed", "The address book has changed"),
    (507, "book-not-writable", "The address book can’t be saved"), (403, "read-only", "These contacts can’t be changed here")])
def test_first_refusal_moves_nothing(desktop, sample, status, code, text):
    show(desktop, sample)
    desktop.js(MENU + """const [status, code, text] = args, before = tondo.contacts.ids.join(), send = tondo.api.fetch, seen = [];
        tondo.api.fetch = async (path, options) => options?.method === 'DELETE'
          ? new Response(JSON.stringify({ status, code }), { status }) : send(path, options);
        const watch = () => { seen.push(tondo.contacts.ids.join() === before); if (!watch.isOver) requestAnimationFrame(watch); };
        find('Chidi Eze').querySelector('.more').click(); await menu(); watch(); press('Delete'); await gone();
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith(text));
        watch.isOver = true;
        equal(seen.includes(false), false, 'the row moved');
        equal([Boolean(find('Chidi Eze')), document.querySelector('.toast .undo')?.innerText], [true, status === 401 ? 'Settings' : undefined]);""", status, code, text)


def test_refusal_after_others_were_permitted_brings_the_row_back(desktop, sample):
    show(desktop, sample)
    desktop.js(MENU + """const before = tondo.contacts.ids.join(), send = tondo.api.fetch;
        (await tondo.removing()).manager.isProven = true;
        tondo.api.fetch = async (path, options) => options?.method === 'DELETE'
          ? new Response(JSON.stringify({ status: 409, code: 'contact-changed' }), { status: 409 }) : send(path, options);
        find('Chidi Eze').querySelector('.more').click(); await menu(); press('Delete'); await gone();
        await until(() => document.querySelector('.toast:not([hidden])')?.innerText.startsWith('The address book has changed'));
        await until(() => tondo.contacts.ids.join() === before && find('Chidi Eze'));""")


# Each number and each list that is shown meanwhile.
WATCH = """const seen = { counts: [], lists: [] }, { contacts } = tondo, add = (list, value) => { if (list.at(-1) !== value) list.push(value); };
    const watch = () => { add(seen.counts, document.querySelector('.count').innerText); add(seen.lists, contacts.ids.join()); if (!watch.isOver) requestAnimationFrame(watch); };
    const tellCount = tondo.received.bind(tondo);
    tondo.received = (...call) => { tellCount(...call); add(seen.counts, document.querySelector('.count').innerText); };
    watch();"""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("names", [["Chidi Eze"], ["Bo Lindqvist", "Chidi Eze", "Farid Haddad", "Greta Møller"]])
@pytest.mark.parametrize("is_proven", [False, True])
def test_contacts_that_are_deleted_together_are_one_change_of_the_list(desktop, own, width, names, is_proven):
    desktop.resize(width, 844)
    show(desktop, own)
    own.finish()
    desktop.js(MENU + WATCH + """const [names, isProven] = args, before = contacts.ids.join(), { store } = tondo, people = names.map(name => find(name).view.contact);
        const rest = contacts.ids.filter(id => !people.some(person => person.id === id)).join(), send = tondo.api.fetch, counted = count => tondo.text.get('count', { count });
        (await tondo.removing()).manager.isProven = isProven;
        // Refreshes and events come between the answers.
        tondo.api.fetch = async (path, options) => {
          const answer = await send(path, options);
          if (!['DELETE', 'POST'].includes(options?.method)) return answer;
          contacts.schedule();
          contacts.refresh();
          await until(async () => (await send('/v1/contacts?limit=1')).ok);
          return answer;
        };
        const { total } = contacts, [all, fewer] = [total, total - names.length].map(counted);
        await tondo.remove(people);
        const undo = await until(() => document.querySelector('.toast:not([hidden]) .undo'));
        // Those of the stream may be late.
        names.forEach((_, at) => contacts.apply('contactRemoved', { id: people[at].id, total: total - 1 - at, revision: 'late' }));
        await until(() => !contacts.isLoading && contacts.revision !== null && contacts.held === 0);
        await contacts.refresh();
        equal(seen, { counts: [all, fewer], lists: [before, rest] });
        undo.click();
        await until(() => contacts.ids.join() === before);
        names.forEach((_, at) => contacts.apply('contact', { contact: people[at], total: total - names.length + at, revision: 'late' }));
        await until(() => !contacts.isLoading && contacts.held === 0);
        await contacts.refresh();
        await frame(); await frame();
        watch.isOver = true;
        equal(seen, { counts: [all, fewer, all], lists: [before, rest, before] });""", names, is_proven)


@pytest.mark.parametrize("width", [390, 1280])
def test_those_of_several_that_are_refused_come_back_and_are_named(desktop, own, width):
    desktop.resize(width, 844)
    show(desktop, own)
    own.finish()
    desktop.js(MENU + WATCH + """const names = ['Bo Lindqvist', 'Chidi Eze', 'Farid Haddad', 'Greta Møller'], people = names.map(name => find(name).view.contact), send = tondo.api.fetch, before = contacts.ids.join();
        const refused = people.filter((_, at) => at % 2 === 1).map(({ id }) => id);
        tondo.api.fetch = async (path, options) => options?.method === 'DELETE' && refused.some(id => path.endsWith(id))
          ? new Response(JSON.stringify({ status: 409, code: 'contact-changed' }), { status: 409 }) : send(path, options);
        await tondo.remove(people);
        const toast = await until(() => document.querySelector('.toast:not([hidden])'));
        equal(toast.querySelector('span').innerText, '2 of 4 deleted. Not deleted: Chidi Eze and Greta Møller. The address book has changed.');
        const left = before.split(',').filter(id => refused.includes(id) || !people.some(person => person.id === id)).join();
        equal(contacts.ids.join(), left);
        await until(() => !contacts.isLoading && contacts.held === 0);
        await contacts.refresh();
        equal([seen.lists.length, seen.lists.at(-1)], [3, left], 'gone, and those that were refused are back');
        toast.querySelector('.undo').click();
        await until(() => contacts.ids.join() === before);
        watch.isOver = true;""")


def test_rows_close_with_one_motion_and_without_where_less_is_wanted(desktop, own):
    for motion in ["no-preference", "reduce"]:
        desktop.media(prefers_reduced_motion=motion)
        show(desktop, own)
        desktop.js(MENU + """const moved = [], { animate } = Element.prototype, { list } = tondo.views.list, person = find('Chidi Eze').view.contact, after = list.row(6).view.contact.id;
            Element.prototype.animate = function (frames, timing) { moved.push([this.view?.contact?.id, frames, timing]); return animate.call(this, frames, timing); };
            await tondo.remove([person]);
            await until(() => document.querySelector('.toast:not([hidden]) .undo'));
            const rows = moved.filter(([id]) => id), by = new Set(rows.map(([, { translate }]) => translate[0]));
            equal([rows.length > 1, by.size, rows.some(([id]) => id === after)], args[0] === 'reduce' ? [false, 0, false] : [true, 1, true], JSON.stringify(moved));
            if (args[0] === 'reduce') return;
            equal([[...by][0], rows[0][2].duration], [`0 ${tondo.views.list.rowHeight}px`, 220]);
            moved.length = 0;
            document.querySelector('.toast .undo').click();
            await until(() => moved.some(([id, { opacity }]) => id === person.id && opacity));
            Element.prototype.animate = animate;""", motion)
    desktop.media()
