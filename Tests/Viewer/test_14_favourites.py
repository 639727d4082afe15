"""Favourites, which the service keeps, and the contacts that were opened last, which the browser keeps."""
import pytest

from test_10_choice import both  # noqa: F401
from test_5_delete import MENU

# A service that keeps favourites; `sent` has the requests that change them.
KEEPS = """const real = window.fetch.bind(window), kept = new Set(['sample-kira', 'sample-chidi', 'sample-farid']);
    window.sent = [];
    const marked = items => items.map(item => kept.has(item.id) ? { ...item, favourite: true } : item);
    window.fetch = async (path, options) => {
      const url = new URL(path, location.origin), [, id] = /^\\/v1\\/contacts\\/([^/]+)\\/favourite$/.exec(url.pathname) ?? [];
      if (id) {
        sent.push([options.method, id]);
        if (window.refused) return new Response('{"code":"token-needed"}', { status: 401 });
        if (options.method === 'PUT') kept.add(id); else kept.delete(id);
        return new Response(null, { status: 204 });
      }
      if (url.pathname !== '/v1/contacts') return real(path, options);
      const isFiltered = url.searchParams.get('filter') === 'favourite';
      if (isFiltered) { url.searchParams.delete('filter'); url.searchParams.set('limit', '500'); }
      const response = await real(url.href, options), page = await response.json();
      const items = marked(page.items).filter(({ favourite }) => !isFiltered || favourite);
      return new Response(JSON.stringify({ ...page, items, total: isFiltered ? items.length : page.total }), { status: response.status });
    };"""
# Above the letters on narrow windows, beside the list on wide ones.
PINNED = "const pinned = () => [...document.querySelectorAll(innerWidth >= 768 ? '.home-pane .tile' : '.lead-rows .row .name')].map(each => each.title);\n"


def show(page, service, route="#/", **settings):
    with page.before_page(KEEPS):
        page.open(service.url, route, **settings)
    page.wait("document.querySelectorAll('.rows .row .drawn').length > 4 && tondo.favourites?.isKnown")


def test_favourites_stand_on_top_in_the_order_of_the_list(both, sample):
    show(both, sample)
    both.js(PINNED + """await until(() => pinned().length === 2);
        equal(pinned(), ['Chidi Eze', 'Farid Haddad']);
        const headings = () => [...document.querySelectorAll('h2')].filter(each => each.offsetHeight && each.innerText === 'Favourites');
        equal(headings().length, 1, 'they stand once');
        const [heading] = headings(), top = element => element.getBoundingClientRect().top, isWide = innerWidth >= 768;
        equal(document.querySelectorAll('.lead-rows .row').length, isWide ? 0 : 2);
        if (!isWide) await until(() => top(document.querySelector('.rows .row')) > top(document.querySelectorAll('.lead-rows .row')[1]));
        equal(top(heading) < top(document.querySelector(isWide ? '.tile' : '.lead-rows .row')), true);
        equal(tondo.contacts.total, 14, 'they stay in the list, too');
        tondo.views.list.choose({ sort: 'given-desc' });
        await until(() => pinned().join() === 'Farid Haddad,Chidi Eze');
        tondo.views.list.choose({ search: 'ada' });
        await until(() => document.querySelector('.lead').hidden && tondo.contacts.total < 14);""")


@pytest.mark.parametrize("width", [768, 1280])
def test_photos_beside_the_list_begin_where_their_heading_does(desktop, sample, width):
    desktop.resize(width, 900)
    show(desktop, sample)
    desktop.js("""const { lead } = await until(() => tondo.views.list.lead && tondo.views.list);
        for (const id of ['sample-ada', 'sample-bo']) lead.recents.add(tondo.store.get(id));
        lead.draw();
        const seen = of => until(() => { const found = document.querySelector(`.home-pane ${of}`); return found?.offsetWidth > 0 && found; });
        const left = (await seen('h2')).getBoundingClientRect().left;
        for (const of of ['.tile .avatar', '.recent .avatar', '.day .avatar']) {
          const box = (await seen(of)).getBoundingClientRect(), drawn = box.left + 7 / 96 * box.width;
          equal(Math.abs(drawn - left) <= 1.1, true, `${of} at ${drawn}, the heading at ${left}`);
        }
        tondo.settings.set('recents', null);""")


def test_arrows_go_through_favourites(desktop, sample):
    desktop.resize(700, 900)
    show(desktop, sample)
    desktop.js(PINNED + "await until(() => pinned().length === 2); document.querySelector('.rows .row .main').focus();")
    desktop.key("ArrowUp", 38)
    desktop.wait("document.activeElement.closest('.lead-rows .row')?.querySelector('.name').textContent === 'Farid Haddad'")
    desktop.key("Home", 36)
    desktop.wait("document.activeElement.closest('.lead-rows .row')?.querySelector('.name').textContent === 'Chidi Eze'")
    for _ in range(2):
        desktop.key("ArrowDown", 40)
    desktop.wait("document.activeElement.closest('.rows .row')?.ariaPosInSet === '1'")


def test_star_is_set_and_taken_by_the_menu(both, sample):
    show(both, sample)
    both.js(MENU + PINNED + """sessionStorage.setItem('tondo.token', 'x'.repeat(40));
        const choose = async (name, label) => {
          document.querySelectorAll('.rows .row');
          [...document.querySelectorAll('.rows .row:not([hidden])')].find(row => row.querySelector('.name').textContent === name).querySelector('.more').click();
          const opened = await menu();
          [...opened.querySelectorAll('button')].find(each => each.innerText === label).click();
          await gone();
        };
        await until(() => pinned().length === 2);
        await choose('Bo Lindqvist', 'Add to favourites');
        await until(() => pinned().join() === 'Bo Lindqvist,Chidi Eze,Farid Haddad');
        equal(document.querySelector('.toast').innerText.startsWith('Bo Lindqvist added to favourites.'), true);
        await choose('Chidi Eze', 'Remove from favourites');
        await until(() => pinned().join() === 'Bo Lindqvist,Farid Haddad');
        equal(sent, [['PUT', 'sample-bo'], ['DELETE', 'sample-chidi']]);
        window.refused = true;
        await choose('Ada Okafor', 'Add to favourites');
        await until(() => document.querySelector('.toast').innerText.startsWith('This browser can only view'));
        equal(pinned().length, 2);""")


def test_service_without_favourites_is_asked_once(desktop, sample):
    with desktop.before_page("""const real = window.fetch.bind(window); window.asked = 0;
        window.fetch = (path, options) => { if (!String(path).includes('filter=favourite')) return real(path, options); window.asked += 1;
          return Promise.resolve(new Response('{"code":"bad-parameter"}', { status: 400 })); };"""):
        desktop.open(sample.url, "#/c/sample-bo")
    desktop.js(MENU + """await until(() => tondo.favourites?.isUnknown && document.querySelectorAll('.rows .row .drawn').length > 4);
        tondo.views.list.choose({ sort: 'family-asc' });
        await until(() => tondo.contacts.isLoaded);
        await new Promise(next => setTimeout(next, 300));
        equal(asked, 1);
        document.querySelector('.rows .row .more').click();
        const opened = await menu();
        equal([...opened.querySelectorAll('button')].some(each => each.innerText.includes('favourite')), false);
        """)


def test_opened_contacts_are_offered_again(both, sample):
    show(both, sample)
    both.js("""const names = () => [...document.querySelectorAll('.recent')].map(({ title }) => title);
        for (const id of ['sample-ada', 'sample-bo', 'sample-chidi', 'sample-ada']) {
          location.hash = `#/c/${id}`;
          await until(() => localStorage.getItem('tondo.recents')?.startsWith(`[{"id":"${id}"`));
        }
        location.hash = '#/';
        await until(() => names().join() === 'Ada Okafor,Chidi Eze,Bo Lindqvist');
        const section = document.querySelector('.recent').closest('section');
        section.querySelector('button').click();
        await until(() => section.hidden && document.activeElement !== document.body);
        equal(localStorage.getItem('tondo.recents.hidden'), 'yes');
        tondo.views.list.lead.recentsChoice.toggle();
        await until(() => !section.hidden && names().length === 3);
        tondo.permit(false);
        equal(localStorage.getItem('tondo.recents'), null, 'nothing is kept of what may not be shown');""")


def test_those_with_one_first_name_are_told_apart(module):
    module("""const { shortNames } = await load('./favourites.js');
        const of = (...people) => shortNames(people.map(([given, family, displayName = [given, family].filter(Boolean).join(' ')]) => ({ displayName, given, family })), 'en');
        equal(of(['Anna', 'Novák'], ['Ben', 'Castro'], ['anna', 'Vogel'], ['Anna', 'Varga']), ['Anna N.', 'Ben', 'anna Vogel', 'Anna Varga']);
        equal(of(['Anna', undefined], ['Anna', 'Vogel'], [undefined, undefined, 'Anna']), ['Anna', 'Anna V.', 'Anna']);
        equal(of(['丽', '王', '王丽'], ['丽', '李', '李丽']), ['王丽', '李丽']);
        equal(of(['Ada', 'Okafor']), ['Ada']);""")


@pytest.mark.parametrize("width", [390, 1280])
def test_opened_contacts_with_one_first_name_are_told_apart_and_have_their_whole_name(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js("""const lead = await until(() => tondo.views.list.lead);
        lead.recents.write([['a', 'Novák'], ['b', 'Vogel']].map(([id, family]) => ({ id, displayName: `Anna ${family}`, given: 'Anna', family })));
        lead.draw();
        const found = await until(() => document.querySelectorAll('.recent').length === 2 && [...document.querySelectorAll('.recent')]);
        equal(found.map(each => [each.innerText.trim(), each.title, each.ariaLabel]), [['Anna N.', 'Anna Novák', 'Anna Novák'], ['Anna V.', 'Anna Vogel', 'Anna Vogel']]);
        lead.recents.write([]);
        lead.draw();""")


def test_at_most_eight_are_kept_and_what_is_damaged_is_none(module):
    module("""const { Recents } = await load('./favourites.js'), values = {};
        const recents = new Recents({ get: name => values[name] ?? null, set: (name, value) => { values[name] = value; } });
        for (let at = 0; at < 12; at += 1) recents.add({ id: `c${at}`, displayName: `Name ${at}`, initials: 'N' });
        equal(recents.items.map(({ id }) => id), ['c11', 'c10', 'c9', 'c8', 'c7', 'c6', 'c5', 'c4']);
        recents.remove('c9'); equal(recents.items.length, 7);
        for (const text of ['nonsense', '{}', '[1, null]']) { values.recents = text; equal(recents.items, []); }""")


def test_nothing_moves_when_the_lead_grows(phone, many):
    phone.open(many.url)
    phone.wait("document.querySelectorAll('.rows .row .drawn').length > 4 && tondo.views.list.lead")
    phone.js("""const { list } = tondo.views;
        list.list.reveal(500, 'start');
        const row = await until(() => list.list.row(500)?.view.contact && list.list.row(500)), before = row.getBoundingClientRect().top;
        list.lead.recents.write([{ id: 'person-1', displayName: 'A' }, { id: 'person-2', displayName: 'B' }]);
        list.lead.draw();
        await until(() => list.list.layout.lead > 0);
        equal(Math.abs(list.list.row(500).getBoundingClientRect().top - before) <= 1, true);""")
