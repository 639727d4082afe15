"""The way from one view to the next."""
import pytest

from test_3_list import show

SIZES = pytest.mark.parametrize("width", [390, 1280])
# Movements last until a test has seen them: moving() is what moves; still() ends it, and nothing of it is left.
MOTION = """const root = document.documentElement;
    for (const name of ['--quick', '--calm']) root.style.setProperty(name, '60s');
    const animations = () => document.getAnimations().filter(({ effect }) => effect.pseudoElement?.startsWith('::view-transition'));
    const moving = () => animations().map(({ effect }) => effect.pseudoElement);
    const still = () => until(() => { for (const each of animations()) each.finish(); return !root.dataset.motion && moving().length === 0 && !document.querySelector('.growing'); });
    const grows = kind => until(() => root.dataset.motion === kind && moving().includes('::view-transition-group(photo)'));
    const fades = () => until(() => root.dataset.motion === 'views' && moving().includes('::view-transition-old(left)'));"""


def test_photo_of_a_row_grows_into_that_of_the_contact_and_back(phone, sample):
    show(phone, sample)
    phone.js(MOTION + """const row = document.querySelector('.rows .row .main'), { id } = tondo.views.list.list.row(0).view.contact;
        row.focus(); row.click();
        await grows('deeper');
        equal(document.querySelector('.portrait').classList.contains('growing'), true);
        await still();
        equal([location.hash, document.activeElement === tondo.views.detail.name], [`#/c/${id}`, true]);
        history.back();
        await grows('back');
        await still();
        equal([location.hash, document.activeElement.closest('.row')?.view.contact.id], ['#/', id]);""")


@SIZES
def test_photo_of_a_card_grows_into_that_of_the_contact_and_back(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js(MOTION + """location.hash = '#/cards';
        await until(() => document.querySelector('.person .drawn')); await still();
        document.querySelector('.person .open').click();
        await grows('deeper'); await still();
        history.back();
        await grows('back'); await still();
        equal(document.querySelector('.feed').offsetHeight > 0, true);""")


@SIZES
def test_views_fade_into_each_other(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js(MOTION + """for (const hash of ['#/groups', '#/book', '#/settings', '#/']) {
          location.hash = hash;
          await fades(); await still();
          equal(document.body.dataset.route, hash.slice(2) || 'list');
        }""")


def test_contact_beside_the_list_fades_and_the_list_stays(desktop, sample):
    show(desktop, sample)
    desktop.js(MOTION + """document.querySelector('.rows .row .main').click();
        await fades();
        equal(moving().some(name => name.includes('(photo)')), false);
        await still();""")


@SIZES
def test_nothing_waits_for_a_transition(desktop, sample, width):
    desktop.resize(width, 844)
    show(desktop, sample)
    desktop.js(MOTION + """location.hash = '#/settings';
        await fades();
        // Pointers reach the new view.
        equal(document.elementFromPoint(innerWidth / 2, 200).closest('.settings-pane') !== null, true);
        // Who goes on at once arrives at the last place.
        for (const hash of ['#/groups', '#/book', '#/cards', '#/']) { location.hash = hash; await frame(); }
        await until(() => document.body.dataset.route === 'list' && document.querySelector('.list-pane').offsetHeight > 0);
        await still();
        equal(document.body.dataset.route, 'list');""")


@SIZES
def test_less_motion_is_none(desktop, sample, width):
    desktop.resize(width, 844)
    desktop.media(prefers_reduced_motion="reduce")
    show(desktop, sample)
    desktop.js(MOTION + """let count = 0;
        const start = document.startViewTransition;
        document.startViewTransition = function (...all) { count += 1; return start.apply(this, all); };
        location.hash = '#/book'; await until(() => document.querySelector('.book-pane')?.offsetHeight > 0);
        location.hash = '#/c/sample-ada'; await until(() => document.querySelector('.detail-pane h2')?.offsetHeight > 0);
        equal([count, root.dataset.motion], [0, undefined]);""")


def test_browser_without_transitions_goes_the_same_way(page, sample):
    show(page, sample)
    page.js("""document.startViewTransition = undefined;
        for (const [hash, part] of [['#/cards', '.feed'], ['#/c/sample-ada', '.detail-pane h2'], ['#/groups', '.groups-pane'], ['#/', '.list-pane']]) {
          location.hash = hash;
          await until(() => document.querySelector(part)?.offsetHeight > 0);
        }
        equal([document.documentElement.dataset.motion, document.querySelector('.growing')], [undefined, null]);""")
