"""How programs write photos into cards."""
import base64
from urllib.parse import quote

from support import cards, contacts
from support.report import report

SHOWN = "The photo: its bytes are all there."


@report("https://github.com/nextcloud/contacts/issues/859", "The data: URI stands behind a semicolon instead of a colon.",
        right=SHOWN, before="wrong")
def photo_data_as_a_parameter(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;DATA:IMAGE/PNG;BASE64," + cards.encoded()), version="4.0")


@report("https://github.com/andig/carddav2fb/issues/170", "A data: URI in capital letters with an escaped comma in a vCard 3.0.",
        right=SHOWN, before="right")
def photo_data_uri_in_capitals_with_escaped_comma(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;VALUE=URI:DATA:IMAGE/PNG;BASE64\\," + cards.encoded()))


@report("https://github.com/nextcloud/contacts/issues/4189", "Semicolon and comma of a data: URI are escaped.",
        right=SHOWN, before="right")
def photo_data_uri_with_escaped_semicolon(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;VALUE=URI:data:image/png\\;base64\\," + cards.encoded()), version="4.0")


@report("https://github.com/andig/carddav2fb/issues/170", "Plus, slash and equals signs of the base64 in a data: URI are percent-escaped.",
        right="The photo, as browsers read such URIs.", before="wrong")
def photo_data_uri_with_percent_escapes(trial):
    cards.expect_photo(trial, "PHOTO:data:image/png;base64," + quote(cards.encoded(), safe=""), version="4.0")


@report("https://github.com/sabre-io/vobject/issues/294", "Folds cut the percent escapes of a data: URI.",
        right="The photo: a fold may be anywhere (RFC 6350 3.2).", before="wrong")
def photo_folds_inside_percent_escapes(trial):
    cards.expect_photo(trial, cards.folded("PHOTO:data:image/png;base64," + quote(cards.encoded(), safe="")), version="4.0")


@report("https://github.com/skjnldsv/fbsync/issues/20", "A data: URI lost its punctuation: PHOTO:dataimage/pngbase64...",
        right=SHOWN, before="wrong")
def photo_data_uri_without_punctuation(trial):
    cards.expect_photo(trial, cards.folded("PHOTO:dataimage/pngbase64" + cards.encoded()))


@report("https://github.com/kelseykm/vcard4/issues/14", "The parameters stand behind the colon: PHOTO:ENCODING=b;MEDIATYPE=image/png:...",
        right=SHOWN, before="wrong")
def photo_parameters_behind_the_colon(trial):
    cards.expect_photo(trial, cards.folded("PHOTO:ENCODING=b;MEDIATYPE=image/png:" + cards.encoded()), version="4.0")


@report("https://github.com/owncloud/contacts/issues/425", "A media type as TYPE and no ENCODING.", right=SHOWN, before="right")
def photo_media_type_and_no_encoding(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;TYPE=image/png:" + cards.encoded()))


@report("https://github.com/CardBook/CardBook/issues/283", "Parameters twice, ENCODING=b,b, with a crop rectangle.", right=SHOWN, before="right")
def photo_encoding_twice(trial):
    line = "PHOTO;ENCODING=b,b;TYPE=PNG,png;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&32&32&x==:" + cards.encoded()
    cards.expect_photo(trial, cards.folded(line))


@report("https://github.com/mangstadt/ez-vcard/issues/33", "Lines of base64 are folded here and there, and an empty line follows in a vCard 3.0.",
        right="The photo and what follows it.", before="right")
def photo_partly_indented_and_an_empty_line(trial):
    first, *rest = cards.pieces(cards.encoded(), 75)
    lines = [(" " if index % 3 == 0 else "") + line for index, line in enumerate(rest)]
    cards.expect_photo(trial, "PHOTO;ENCODING=b;TYPE=png:" + first, *lines, "", "REV:20151018T212428Z")


@report("https://github.com/FolkerKinzel/VCards/issues/2", "Outlook indents the lines of base64 in a vCard 2.1; the value begins on the next line.",
        right=SHOWN, before="right")
def photo_of_outlook_begins_on_the_next_line(trial):
    lines = [" " + line for line in cards.pieces(cards.encoded())]
    cards.expect_photo(trial, "PHOTO;TYPE=PNG;ENCODING=BASE64:", *lines, "", version="2.1")


@report("https://github.com/nextcloud/contacts/issues/1277", "A PHOTO line, an empty line, then base64.", right=SHOWN, before="wrong")
def photo_behind_an_empty_line(trial):
    cards.expect_photo(trial, "PHOTO;ENCODING=BASE64;PNG:", "", *cards.pieces(cards.encoded()), "", version="2.1")


@report("https://github.com/nextcloud/contacts/issues/1277", "An empty line stands behind each line, also behind those of a photo.",
        right=SHOWN, before="wrong")
def photo_with_empty_lines_between(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;ENCODING=b;TYPE=PNG:" + cards.encoded(), end="\r\n\r\n"), end="\r\n\r\n")
    lines = ["PHOTO;ENCODING=BASE64;PNG:", *cards.pieces(cards.encoded())]
    cards.expect_photo(trial, *lines, version="2.1", end="\n\n")


@report("https://github.com/enesser/vCards-js/issues/58", "No empty line behind the base64, which is one line of kilobytes.",
        right="The photo and the number behind it.", before="right")
def photo_in_one_long_line(trial):
    cards.expect_photo(trial, "PHOTO;ENCODING=b;TYPE=image/png:" + cards.encoded())


@report("https://github.com/nextcloud/server/issues/25632", "VALUE=BINARY, and a second PHOTO that is empty.", right=SHOWN, before="right")
def photo_as_value_binary_beside_an_empty_one(trial):
    cards.expect_photo(trial, "PHOTO:", cards.folded("PHOTO;VALUE=BINARY;ENCODING=B;TYPE=PNG:" + cards.encoded()))


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/349", "VALUE=URI holds base64.", right=SHOWN, before="right")
def photo_value_uri_holds_base64(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;VALUE=URI;TYPE=PNG:" + cards.encoded()))


@report("https://github.com/owncloud-archive/contacts/issues/1053", "The line ends of the base64 are written as \\n.", right=SHOWN, before="wrong")
def photo_with_escaped_line_ends(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;ENCODING=b:" + "\\n ".join(cards.pieces(cards.encoded()))))
    cards.expect_photo(trial, cards.folded("PHOTO;ENCODING=b:" + "\\r\\n".join(cards.pieces(cards.encoded()))))


@report("https://github.com/39aldo39/Radicale-DecSync/issues/18", "A data: URI is cut behind the word base64: the picture is lost.",
        right="The contact with its initials, and no file of that name is looked for.", before="right")
def photo_data_uri_cut_before_its_data(trial):
    card = contacts.vcard("FN:Ada Moe", "PHOTO:data:image/jpeg\\;base64", "TEL:1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"name": "Ada Moe", "avatar": "initials"}])


@report("https://github.com/jens-maus/carddav2fb/issues/24", "The URL of a photo begins on a line of its own.",
        right="A photo on the network, with that URL.", before="right")
def photo_url_on_the_next_line(trial):
    card = contacts.vcard("FN:Ada Moe", "PHOTO:", " https://example.org/ada.jpg", "TEL:1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [
        {"name": "Ada Moe", "photo": {"url": "https://example.org/ada.jpg"}, "phones": ["1"]}])


@report("https://github.com/mangstadt/ez-vcard/issues/21", "An empty line behind a key in base64, and none behind the photo.",
        right="The photo; the key is none.", before="right")
def photo_beside_a_key(trial):
    key = base64.b64encode(bytes(range(200))).decode()
    lines = ["KEY;X509;ENCODING=BASE64:", *[" " + line for line in cards.pieces(key)], ""]
    photo = ["PHOTO;PNG;ENCODING=BASE64:", *[" " + line for line in cards.pieces(cards.encoded())]]
    cards.expect_photo(trial, *lines, *photo, version="2.1")


@report("https://github.com/DanielHabenicht/ngx-vcard/issues/377", "The property's own header stands in its value: PHOTO:PHOTO;TYPE=PNG;ENCODING=B:...",
        right=SHOWN, before="wrong")
def photo_header_twice(trial):
    cards.expect_photo(trial, cards.folded("PHOTO:PHOTO;TYPE=PNG;ENCODING=B:" + cards.encoded()), version="2.1")


@report("https://github.com/owncloud/contacts/issues/315", "A data: URI was put before one that lost its punctuation.", right=SHOWN, before="wrong")
def photo_data_uri_before_another(trial):
    cards.expect_photo(trial, cards.folded("PHOTO:data:image/png;base64,dataimage/pngbase64" + cards.encoded()), version="4.0")


@report("https://github.com/mangstadt/ez-vcard/issues/109", "The URL of a photo is the value of VALUE: PHOTO;TYPE=jpeg;VALUE=https://...",
        right="A photo on the network, with that URL.", before="wrong")
def photo_url_as_a_parameter(trial):
    card = contacts.vcard("FN:Ada Moe", "PHOTO;TYPE=jpeg;VALUE=https://example.org/a/ada.jpg", "TEL:1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [
        {"name": "Ada Moe", "photo": {"url": "https://example.org/a/ada.jpg"}, "phones": ["1"]}])


@report("https://github.com/nextcloud/server/issues/4358", "A separator of a data base stands between the values of VALUE.", right=SHOWN, before="right")
def photo_with_two_values_of_value(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;VALUE=binary\u00feuri;ENCODING=B:" + cards.encoded()))


@report("https://github.com/Kozea/Radicale/issues/1205", "The number of characters of the base64 is no multiple of four.",
        right="The photo: decoders read what is there.", before="right")
def photo_with_a_lone_last_character(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;ENCODING=b;TYPE=PNG:" + cards.encoded().rstrip("=")))


@report("https://github.com/nextcloud/contacts/issues/608", "A company has a LOGO and no PHOTO.", right="The logo: a company has no face.", before="wrong")
def logo_of_a_company(trial):
    cards.expect_photo(trial, "KIND:org", cards.folded("LOGO:data:image/png;base64," + cards.encoded()), version="4.0")
