"""Full photo of a contact, with the circle of its avatar."""
import pytest

from test_9_languages import AXE, axe

# A photo in portrait format, whose face is to the right of the middle.
CROP = {"x": 100, "y": 40, "side": 200, "by": "face", "photo": {"width": 300, "height": 400},
        "faces": [{"x": 150, "y": 80, "width": 90, "height": 110, "score": 0.93, "landmarks": [[170, 120], [215, 120], [195, 140], [178, 165], [212, 165]]},
                  {"x": 10, "y": 300, "width": 40, "height": 50, "score": 0.51, "landmarks": []}]}

# `answers.crop` and `answers.photo`: a status, or null for the usual answer; `asked`: the paths that were requested.
FETCH = """const crop = args[0], send = tondo.api.fetch;
    window.answers = { crop: null, photo: null };
    window.asked = [];
    const picture = async () => {
      const canvas = new OffscreenCanvas(512, 512), context = canvas.getContext('2d'), { width, height } = crop.photo, long = Math.max(width, height);
      context.translate(256, 256);
      context.scale(512 / long, 512 / long);
      context.translate(-width / 2, -height / 2);
      for (const [color, ...box] of [['#c00', 0, 0, width / 2, height], ['#06c', width / 2, 0, width / 2, height], ['#fc9', 150, 80, 90, 110]]) {
        context.fillStyle = color;
        context.fillRect(...box);
      }
      return canvas.convertToBlob();
    };
    tondo.api.fetch = async (path, options) => {
      const [, part] = /^\\/v1\\/contacts\\/[^/?]+\\/(crop|photo)/.exec(path) ?? [];
      if (!part) return send(path, options);
      asked.push(path);
      const answer = answers[part];
      if (answer) return new Response(JSON.stringify({ code: answer[1] }), { status: answer[0] });
      return new Response(part === 'crop' ? JSON.stringify(crop) : await picture());
    };"""
SHOWN = "document.querySelector('.photo-frame canvas')"


def show(page, service, crop=CROP, contact="sample-ada", **settings):
    page.open(service.url, "#/settings", **settings)
    page.wait("document.querySelector('.settings-pane')")
    page.js(FETCH + "location.hash = args[1]; await until(() => document.querySelector('.press') && document.querySelector('.portrait.sharp'));", crop, f"#/c/{contact}")


def press(page):
    page.js("document.querySelector('.press').focus(); document.querySelector('.press').click()")
    page.wait(SHOWN)


def test_nothing_is_requested_before_it_is_wanted(page, sample):
    show(page, sample)
    page.js("""const press = document.querySelector('.press');
        equal([press.ariaLabel, press.getAttribute('aria-haspopup'), asked], ['Show full photo', 'dialog', []]);""")
    press(page)
    page.js("""const scale = tondo.avatars.scale, dialog = document.querySelector('dialog[open]');
        equal([dialog.querySelector('h2').innerText, asked], ['Ada Okafor', [`/v1/contacts/sample-ada/photo?size=${1024 / scale}&scale=${scale}`, '/v1/contacts/sample-ada/crop']]);
        dialog.querySelector('.dismiss').click();
        await until(() => !document.querySelector('dialog'));
        equal([document.activeElement.className, tondo.views.detail.photo.isOpen], ['press', false], 'the focus is back');""")


def test_the_circle_is_where_the_avatar_has_it(page, sample):
    show(page, sample)
    press(page)
    page.js("""const canvas = document.querySelector('.photo-frame canvas'), box = canvas.getBoundingClientRect();
        equal([canvas.width, canvas.height, Math.round(100 * box.width / box.height)], [384, 512, 75]);
        const pixel = (x, y) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data];
        equal([pixel(1, 1), pixel(382, 510)], [[204, 0, 0, 255], [0, 102, 204, 255]], 'all of the photo, without the empty sides');
        const circle = document.querySelector('.shown').getBoundingClientRect(), part = value => Math.round(value * 300 / box.width);
        // One browser counts the line around it.
        for (const [found, wanted] of [[circle.left - box.left, 100], [circle.top - box.top, 40], [circle.width, 200]]) equal(Math.abs(part(found) - wanted) <= 2, true, part(found));
        const outside = document.querySelector('.outside'), at = (x, y) => outside.isPointInFill(Object.assign(document.querySelector('.photo-overlay').createSVGPoint(), { x, y }));
        equal([at(200, 140), at(105, 45), at(10, 390), at(102, 140)], [false, true, true, false]);
        equal(document.querySelector('.photo-body figcaption').innerText, 'The avatar shows the face that was found.');
        equal(canvas.ariaLabel ?? canvas.getAttribute('aria-label'), 'Full photo of Ada Okafor, with the part the avatar shows circled');""")


def test_faces_are_seen_with_the_keyboard_and_the_mouse_alone(page, sample):
    show(page, sample)
    press(page)
    page.js("""const faces = [...document.querySelectorAll('.face')], seen = () => faces.map(face => getComputedStyle(face.querySelector('rect')).opacity);
        equal(faces.map(face => face.getAttribute('aria-label')), ['Face 1 of 2, 93% sure', 'Face 2 of 2, 51% sure']);
        equal(faces[0].querySelectorAll('circle').length, 5);
        equal(seen(), ['0', '0']);
        document.querySelector('.dismiss').focus();""")
    page.key("Tab", 9)
    page.js("""const faces = [...document.querySelectorAll('.face')], seen = () => faces.map(face => getComputedStyle(face.querySelector('rect')).opacity);
        equal([document.activeElement === faces[0], seen()], [true, ['1', '0']]);""")


def test_the_mouse_shows_all_faces(desktop, sample):
    show(desktop, sample)
    press(desktop)
    x, y = desktop.js("document.querySelector('.photo-frame').scrollIntoView({ block: 'center' }); await frame(); const box = document.querySelector('.photo-frame').getBoundingClientRect(); return [box.left + 5, box.top + 5]")
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    desktop.js("await until(() => [...document.querySelectorAll('.face rect')].every(box => getComputedStyle(box).opacity === '1'))")
    desktop.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)


@pytest.mark.parametrize("part, status, code, text, is_tried", [
    ("photo", 404, "photo-not-found", "This photo can’t be shown\nSet it again in the app the contact comes from.", False),
    ("crop", 404, "not-found", "Full photos need a newer version of Tondo\nUpdate Tondo on the computer with your contacts.", False),
    ("photo", 401, "token-needed", "This browser can’t show full photos\nTo see them, open Tondo on the computer with your contacts.", False),
    ("photo", 500, "internal-server-error", "Couldn’t load the photo\nCheck your connection and try again.", True),
])
def test_a_failure_is_said_in_words(page, sample, part, status, code, text, is_tried):
    show(page, sample)
    page.js("""const [part, status, code, text, isTried] = args;
        answers[part] = [status, code];
        document.querySelector('.press').click();
        const body = document.querySelector('.photo-body');
        await until(() => body.querySelector('[role=status]').innerText === text);
        equal([document.querySelector('#token'), body.querySelector('button') !== null], [null, isTried], 'the page stays');
        if (!isTried) return;
        answers[part] = null;
        body.querySelector('button').click();
        await until(() => document.querySelector('.photo-frame canvas'));
        equal([body.querySelector('button'), document.activeElement.className], [null, 'icon-button dismiss']);""", part, status, code, text, is_tried)


def test_another_contact_closes_it_and_one_without_a_photo_has_none(page, sample):
    show(page, sample)
    press(page)
    page.js("""location.hash = '#/c/sample-bo';
        await until(() => document.querySelector('.head h2').innerText.startsWith('Bo') && document.querySelector('.press') && !document.querySelector('dialog'));
        equal(asked.length, 2, 'it is not requested');
        const { detail } = tondo.views, { contact } = detail;
        detail.fill({ ...contact, photo: undefined });
        equal([document.querySelector('.press'), document.querySelector('.portrait').getAttribute('aria-hidden')], [null, 'true']);""")


def test_another_photo_of_the_contact_takes_the_place_of_the_one_that_is_shown(page, sample):
    show(page, sample)
    press(page)
    page.js("""const { detail } = tondo.views, { contact } = detail, old = document.querySelector('.photo-frame');
        detail.fill(contact);
        equal(asked.length, 2, 'the same photo is not requested again');
        tondo.avatars.learn(contact.id, 'f'.repeat(64));
        detail.fill(contact);
        equal([asked.length, document.querySelector('.photo-frame') === old], [4, true], 'it stays until the other is there');
        await until(() => document.querySelector('.photo-frame') !== old);
        tondo.avatars.keys.delete(contact.id);""")


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("photo", [(300, 400), (400, 300), (1600, 200)])
def test_it_fits_at_each_width_and_is_never_mirrored(request, sample, size, direction, photo):
    page = request.getfixturevalue(size)
    show(page, sample, CROP | {"photo": {"width": photo[0], "height": photo[1]}, "faces": []}, direction=direction)
    press(page)
    page.js("""const [width, height] = args, pane = document.querySelector('.photo-sheet'), box = document.querySelector('.photo-frame').getBoundingClientRect();
        equal([pane.scrollWidth <= pane.clientWidth, box.left >= 0 && box.right <= innerWidth, box.height < innerHeight * 0.62], [true, true, true]);
        equal(Math.abs(box.width / box.height - width / height) < 0.02 * width / height, true, `${box.width} x ${box.height}`);
        const circle = document.querySelector('.shown').getBoundingClientRect();
        equal(Math.abs((circle.left - box.left) * width / box.width - 100) < 2, true);""", *photo)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
@pytest.mark.parametrize("features", [{}, {"prefers_color_scheme": "dark"}, {"forced_colors": "active"}])
def test_accessible(desktop, sample, language, features):
    desktop.media(prefers_reduced_motion="reduce", **features)
    show(desktop, sample, language=language)
    press(desktop)
    desktop.cdp("Runtime.evaluate", expression=AXE)
    assert axe(desktop) == []
