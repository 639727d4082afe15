"""Point 14: the list on paper is a phone directory with faces."""
import base64
import re

import pytest

SHOW = "await until(() => document.querySelectorAll('.row .drawn').length > 2);"


@pytest.fixture(params=[(390, 844, True), (1280, 900, False)], ids=["phone", "desktop"])
def page(request, desktop, sample):
    width, height, is_touch = request.param
    desktop.resize(width, height, 1, is_touch)
    desktop.open(sample.url)
    yield desktop
    desktop.resize(1280, 900)


def prepare(page):
    page.js(SHOW + """globalThis.print = () => { globalThis.isPrinting = true; };
        // Pressed twice, there is one directory.
        for (const _ of [1, 2]) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, bubbles: true, cancelable: true }));
        await until(() => globalThis.isPrinting);
        equal(document.querySelectorAll('.directory').length, 1);""")


def test_every_contact_of_the_list_is_there_with_face_and_numbers(page):
    prepare(page)
    page.js("""const entries = [...document.querySelectorAll('.directory article')];
        equal(entries.length, tondo.contacts.total);
        equal(entries.filter(entry => entry.querySelector('.avatar.drawn')).length, entries.length);
        const ada = entries.find(entry => entry.querySelector('h4').textContent === 'Ada Okafor');
        equal([...ada.querySelectorAll('p')].map(line => line.textContent), ['+44 20 7946 0101', 'ada@example.org']);
        equal([...document.querySelectorAll('.directory h3')].slice(0, 3).map(each => each.textContent), ['A', 'B', 'C']);
        equal(document.querySelector('.directory').offsetHeight, 0, 'on the screen');
        dispatchEvent(new Event('afterprint'));
        equal([document.querySelector('.directory'), document.body.dataset.printing], [null, undefined]);""")


def test_paper_has_the_directory_alone(page):
    prepare(page)
    data = base64.b64decode(page.cdp("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
    assert len(re.findall(rb"/Type\s*/Page\b[^s]", data)) == 1
    assert len(re.findall(rb"/Subtype\s*/Image", data)) >= 10


def test_list_that_is_filtered_is_printed_as_it_is_shown(page):
    page.js(SHOW + "tondo.views.list.choose({ search: 'ada' }); await until(() => tondo.contacts.isLoaded && tondo.contacts.total === 1);")
    prepare(page)
    page.js("""equal([...document.querySelectorAll('.directory h4')].map(each => each.textContent), ['Ada Okafor']);
        dispatchEvent(new Event('afterprint')); tondo.views.list.choose({ search: '' });""")
