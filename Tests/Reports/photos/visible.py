"""What is seen of a photo, and in its place: transparency and its edges, the edge of the circle, initials."""
import base64
import unicodedata

from support import contacts, gifs, pictures, quadrants
from support.report import report

CLEAR, GOLD, RED = (0, 0, 0, 0), (255, 200, 0), (220, 40, 40)


@report("https://github.com/wix/wix-style-react/issues/3478", "https://github.com/t2bot/matrix-media-repo/issues/230",
        "https://github.com/JamBrain/JamBrain/issues/80",
        "A photo is wholly transparent: a placeholder, or the first frame of an animation that fades in.",
        right="Initials for the contact, and an error that says why: nothing could be seen of the avatar.", before="wrong")
def nothing_is_visible(trial):
    frames = gifs.control(transparent=0) + gifs.image([[0] * 64] * 64) + gifs.image([[1] * 64] * 64)
    animation = gifs.screen(64, 64, quadrants.UPRIGHT) + frames + gifs.TRAILER
    clear = [pictures.png([[CLEAR] * side] * side, color_type=6) for side in (64, 1)]
    for name, data in (("clear.png", clear[0]), ("pixel.png", clear[1]), ("faded.gif", animation)):
        quadrants.expect_refused(trial, name, data, "visible")
    photo = f"PHOTO:data:image/png;base64,{base64.b64encode(clear[0]).decode()}"
    book = contacts.write(trial, "gesa.vcf", contacts.vcard("FN:Gesa Hagen", photo, version="4.0"))
    contacts.expect_contacts(trial, book, [{"name": "Gesa Hagen", "avatar": "initials"}])


@report("https://github.com/lovell/sharp/issues/605", "https://github.com/lovell/sharp/issues/2299",
        "https://github.com/libvips/libvips/issues/599",
        "Transparent pixels around a logo have a colour of their own, black or white.",
        right="Nothing of that colour at the edge of the logo, however transparent: no fringe.", before="right")
def fringe_of_hidden_colours(trial):
    for name, hidden in (("black", (0, 0, 0)), ("white", (255, 255, 255))):
        def pixel(x, y):
            return (*GOLD, 255) if (x - 150) ** 2 + (y - 150) ** 2 < 100 ** 2 else (*hidden, 0)
        path = trial.folder / f"{name}.png"
        path.write_bytes(pictures.png([[pixel(x, y) for x in range(300)] for y in range(300)], color_type=6))
        avatar, text = pictures.draw(trial, path, "--size", "48")
        trial.require(f"drawn ({text})", avatar is not None)
        seen = [row[at:at + 4] for row in avatar.rows for at in range(0, len(row), 4) if row[at + 3] >= 64] if avatar else []
        # Red and blue: green is between, and may overshoot at an edge.
        trace = max((b - a if name == "black" else a - b for each in seen for a, b in list(zip(each, GOLD))[::2]), default=255)
        trial.require(f"{name}: a trace of {trace} levels at most", trace <= 4)


@report("https://github.com/jamesmontemagno/ImageCirclePlugin/issues/5", "https://github.com/hdodenhof/CircleImageView/issues/131",
        "A ring lies around a photo of another colour.",
        right="Outside of the middle of the gap there is no trace of the photo, and none of the ring inside of it.", before="right")
def trace_outside_of_the_ring(trial):
    path = trial.folder / "photo.png"
    path.write_bytes(pictures.png([[RED] * 64] * 64))
    style = ("--size", "64", "--state", "selected", "--ring-color", "#00ff00", "--ring-width", "4", "--ring-gap", "4")
    avatar, text = pictures.draw(trial, path, *style)
    trial.require(f"drawn ({text})", avatar is not None)
    for y, row in enumerate(avatar.rows if avatar else []):
        for x in range(64):
            outside = (x - 31.5) ** 2 + (y - 31.5) ** 2 > 26 ** 2
            red, green, _, alpha = row[4 * x:4 * x + 4]
            if alpha and (red if outside else green) > (0 if outside else RED[1]):
                trial.require(f"no trace of the other one at {x}, {y}: {red}, {green}", False)


@report("https://github.com/LasseRafn/ui-avatars/issues/94", "https://github.com/jitsi/jitsi-meet/issues/6380",
        "https://github.com/dicebear/dicebear/issues/475", "https://github.com/gr2m/initials/issues/85",
        "A name has a hyphen, an apostrophe, capitals only, or none.",
        right="The first letters of its first and last word, in upper case.", before="right")
def initials_of_written_names(trial):
    expect_initials(trial, {
        "Tim Berners-Lee": "TB", "Alpha-beta Gamma": "AG", "Alice O'Connor": "AO", "Alice O’Connor": "AO", "JOHN": "J",
        "émile zola": "ÉZ", "ada": "A", "Ada B. Okafor": "AO"})


@report("https://github.com/ProtonMail/proton-contacts/issues/54", "https://github.com/block/buzz/pull/5992",
        "https://github.com/microsoft/fluentui/pull/35878", "https://github.com/excalidraw/excalidraw/issues/6574",
        "A name begins with an emoji, a character beyond 16 bits, or one with marks.",
        right="Whole letters, marks included; an emoji alone is whole, too.", before="right")
def initials_are_whole_characters(trial):
    expect_initials(trial, {
        "😀 Ada": "A", "😄": "😄", "👩‍💻": "👩‍💻", "🇬🇧 Ada": "A", "𠮷野 太郎": "𠮷", "𬸚": "𬸚", "अनिल कुमार": "अकु", "नमस्ते": "न",
        "E\u0301mile": "É", "\u200fמשה": "מ"})


def expect_initials(trial, wanted):
    cards = "".join(contacts.vcard(f"UID:{number}", f"FN:{name}", version="4.0") for number, name in enumerate(wanted))
    result = contacts.load(trial, contacts.write(trial, "book.vcf", cards))
    trial.expect("contacts", len(result["contacts"]), len(wanted))
    for contact in result["contacts"]:
        letters = unicodedata.normalize("NFC", contact.get("initials") or "")
        trial.expect(contact["displayName"], letters, wanted.get(contact["displayName"]))
