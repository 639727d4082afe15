"""Values of PHOTO that are no picture, or one in words of a program: URLs, words for nothing, and what is left of a picture."""
import base64

from support import cards, contacts, quadrants
from support.report import report

SHOWN = "The photo: its bytes are all there."
NONE = {"photo": None, "photo problem": None, "avatar": "initials", "phones": ["1"]}


def expect_photo(trial, photos):
    """`photos`: lines of PHOTO, and what each is: a URL, or None for no photo."""
    for line, url in photos.items():
        book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada Moe", cards.folded(line), "TEL:1"))
        wanted = {**NONE, "photo": url and {"url": url}}
        if url:
            del wanted["photo problem"]
        contacts.expect_contacts(trial, book, [{"name": "Ada Moe", **wanted}])


@report("https://github.com/halo-dev/halo/issues/549", "https://github.com/sozialhelden/wheelmap-classic/issues/223",
        "https://github.com/rustdesk/rustdesk/pull/14440",
        "The URL of a photo has no scheme: //gravatar.example.org/avatar/...",
        right="A photo on the network by https, and no file of that name.", before="wrong")
def photo_url_without_a_scheme(trial):
    expect_photo(trial, {f"PHOTO{word}://cdn.example.org/avatar/1?s=256&d=mm": "https://cdn.example.org/avatar/1?s=256&d=mm"
                         for word in ("", ";VALUE=URI", ";TYPE=JPEG;VALUE=URL")})


@report("https://github.com/nextcloud/contacts/issues/2299",
        "A program took the URL of a photo for bytes, and wrote it with VALUE=BINARY, as it is or in base64.",
        right="A photo on the network, with that URL.", before="wrong")
def photo_url_as_bytes(trial):
    url = "https://lh3.googleusercontent.com/contacts/AB1=s120-c"
    encoded = base64.b64encode(url.encode()).decode()
    expect_photo(trial, {line: url for line in (
        f"PHOTO;VALUE=BINARY:{url}", f"PHOTO;ENCODING=B;VALUE=BINARY:{encoded}", f"PHOTO;ENCODING=b;TYPE=JPEG:{encoded}",
        f"PHOTO:data:image/jpeg;base64,{encoded}")})


@report("https://github.com/nextcloud/android/issues/1564", "https://github.com/sabre-io/dav/issues/905",
        "https://github.com/jeroendesloovere/vcard/issues/60",
        "A URL stands behind the type alone, as in PHOTO;JPEG:http://..., or behind nothing.",
        right="A photo on the network, with that URL.", before="right")
def photo_url_behind_a_type(trial):
    url = "http://commons.example.org/wiki/File:Ada_Moe_2010.jpg"
    expect_photo(trial, {f"PHOTO{words}:{url}": url for words in (";JPEG", "", ";TYPE=JPEG", ";MEDIATYPE=image/jpeg")})


@report("https://github.com/ProtonMail/proton-contacts/pull/315",
        "https://github.com/dollspace-gay/Aurora-Prism/pull/60", "https://github.com/urbit/urbit/pull/2849",
        "A program had no picture, and wrote the word for that in place of the base64 or of the URL, or encoded it.",
        right="No photo, and no error: nothing is lost.", before="wrong")
def photo_words_for_nothing(trial):
    words = ("undefined", "null", "None", "false")
    lines = [f"PHOTO;ENCODING=b;TYPE=image/png:{word}" for word in words]
    lines += [f"PHOTO:data:image/png;base64,{word}" for word in words]
    lines += [f"PHOTO;ENCODING=b:{base64.b64encode(word.encode()).decode()}" for word in words]
    expect_photo(trial, {line: None for line in [*lines, "PHOTO;VALUE=URI:https://", "PHOTO;VALUE=URI:http:"]})


@report("https://github.com/enesser/vCards-js/issues/41",
        "A program wrote the name of its variable in place of the base64: PHOTO;ENCODING=b:returnedB64.",
        right="The contact with initials and all other fields; an error may say that this is no picture.", before="right")
def photo_is_the_name_of_a_variable(trial):
    card = contacts.vcard("FN:Ada Moe", "PHOTO;ENCODING=b;TYPE=image/png:returnedB64", "TEL:1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [
        {"name": "Ada Moe", "avatar": "initials", "phones": ["1"]}])


@report("https://github.com/libasys/contactsplus/issues/108", "https://github.com/nextcloud/contacts/issues/2199",
        "A program kept one character of the photo, or wrote empty lines behind it.",
        right="The photo that is whole, else none, and no error.", before="right")
def photo_of_one_character(trial):
    expect_photo(trial, {"PHOTO:u": None, "PHOTO;VALUE=URI:\r\nPHOTO;VALUE=URI:": None})
    empty = ["PHOTO;VALUE=URI:"] * 3
    cards.expect_photo(trial, cards.folded("PHOTO;ENCODING=b;TYPE=PNG:" + cards.encoded()), *empty)
    cards.expect_photo(trial, *empty, cards.folded("PHOTO;ENCODING=b;TYPE=PNG:" + cards.encoded()))


@report("https://github.com/owncloud/contacts/issues/175",
        "Parameters in brackets, or the end of a crop's hash, stand before the base64 of a data: URI.", right=SHOWN, before="right")
def photo_behind_parts_of_parameters(trial):
    for before in ('["ENCODING=b","TYPE=PNG:', 'uHneQ3eO/nZq+m0YQ==":', '["ENCODING=b"\\,"X-ABCROP-RECTANGLE=ABClipRect_1&0&0&9&9&a==":'):
        cards.expect_photo(trial, cards.folded(f"PHOTO:data:image/png;base64,{before}{cards.encoded()}"))


@report("https://github.com/nextcloud/contacts/issues/5401", "https://github.com/nextcloud/contacts/issues/3056",
        "https://github.com/nextcloud/server/issues/539", "https://github.com/sepinf-inc/IPED/pull/151",
        "No type is stated, or it stands without TYPE=; the base64 begins on a line of its own, indented or not.",
        right=SHOWN, before="right")
def photo_without_a_type(trial):
    for head in ("PHOTO;ENCODING=b:", "PHOTO;ENCODING=BASE64:", "PHOTO;ENCODING=BASE64;JPEG:", "PHOTO;TYPE=:", "PHOTO;ENCODING=b;TYPE=unknown:"):
        for indent in (" ", ""):
            cards.expect_photo(trial, head, *[indent + line for line in cards.pieces(cards.encoded())])


@report("https://github.com/enesser/vCards-js/issues/31", "https://github.com/sabre-io/vobject/issues/325",
        "https://github.com/nextcloud/contacts/issues/1195",
        "The data: URI stands behind an empty type, has no word base64, or is one of bytes of any kind (application/octet-stream).",
        right=SHOWN, before="right")
def photo_in_incomplete_data_uris(trial):
    for head in ("PHOTO;ENCODING=b;TYPE=:data:image/png\\;base64\\,", "PHOTO:data:image/png;", "PHOTO;VALUE=URI:data:image/png,",
                 "PHOTO;ENCODING=b:data:application/octet-stream;base64,", "PHOTO;VALUE=URI:data:;base64,"):
        cards.expect_photo(trial, cards.folded(head + cards.encoded()))


@report("https://github.com/nextcloud/contacts/issues/4190",
        "The photo is a WebP: in a data: URI with an escaped comma, or with the type of a JPEG.",
        right="The photo: its bytes say what it is.", before="right")
def photo_is_a_webp(trial):
    picture = quadrants.coded("lossy.webp")
    encoded = base64.b64encode(picture).decode()
    for line in (f"PHOTO;VALUE=URI:data:image/webp;base64\\,{encoded}", f"PHOTO;ENCODING=b;TYPE=JPEG:{encoded}"):
        book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada Moe", cards.folded(line)))
        contacts.expect_contacts(trial, book, [{"avatar": "photo", "photo": contacts.digest(picture)}])


@report("https://github.com/ranguard/text-vcard/issues/8",
        "A program wrote the bytes of the photo as they are, line ends included, in place of their base64.",
        right="The contact with its name and number, and no photo: what its line ends cut is lost, and no file has such a name.", before="wrong")
def photo_as_raw_bytes(trial):
    for picture in (cards.photo(), b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01" + bytes(range(256))):
        card = b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\xc3\x85se Moe\r\nPHOTO;TYPE=b,png:" + picture + b"\r\nTEL:1\r\nEND:VCARD\r\n"
        contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [
            {"name": "Åse Moe", "photo": None, "avatar": "initials", "phones": ["1"]}])


@report("https://github.com/open-keychain/open-keychain/issues/2599", "The URL of a photo is written without its scheme and slashes: gravatar.example.org/avatar/1?s=300.",
        right="A photo on the network by https, and no file of that name; a folder with a dot stays one.", before="wrong")
def photo_url_without_scheme_and_slashes(trial):
    expect_photo(trial, {f"PHOTO{word}:cdn.example.org/avatar/1?s=256": "https://cdn.example.org/avatar/1?s=256" for word in ("", ";VALUE=URI", ";MEDIATYPE=image/jpeg")})
    card = contacts.vcard("FN:Ada", "PHOTO;VALUE=URI:photos.d/ada.jpg", version="4.0")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"name": "Ada", "photo": {"file": "photos.d/ada.jpg"}}])
