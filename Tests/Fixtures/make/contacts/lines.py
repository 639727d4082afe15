"""How lines are written: names, parameters, folds, escapes, nested cards, files of many cards."""
from .card import JPEG, b64, card, inline, lines, one


def spellings():
    yield "lower-case", lines("begin:vcard", "version:3.0", "fn:Ada Example", "tel;type=cell:1", "end:vcard"), \
        {"name": "Ada Example", "phones": ["1"], "types": [["cell"]]}
    yield "mixed-case", lines("Begin:vCard", "Version:3.0", "Fn:Ada Example", "End:vCard"), {"name": "Ada Example"}
    yield "blanks-around-begin", lines("BEGIN: VCARD ", "FN:Ada Example", "END:VCARD  "), {"name": "Ada Example"}
    yield "blank-lines", "\r\n\n" + card("", "TEL:1", "", ""), {"phones": ["1"]}
    yield "no-last-line-end", card("TEL:1").rstrip(), {"phones": ["1"]}
    yield "items", card("item1.TEL;type=pref:1", "item1.X-ABLabel:_$!<Mobile>!$_", "ITEM2.EMAIL:a@example.org",
                        "item2.X-ABLabel:Summer house"), \
        {"phones": ["1"], "labels": ["Mobile"], "emails": ["a@example.org"], "emailLabels": ["Summer house"]}
    yield "label-before", card("item1.X-ABLABEL:Boat", "item1.TEL:1"), {"phones": ["1"], "labels": ["Boat"]}
    yield "label-of-nothing", card("X-ABLabel:Boat", "TEL:1"), {"phones": ["1"], "labels": [None]}


def parameters():
    yield "quoted-list", card('TEL;TYPE="work,voice":1'), [["work", "voice"]]
    yield "list", card("TEL;TYPE=work,voice:1"), [["work", "voice"]]
    yield "repeated", card("TEL;TYPE=work;TYPE=VOICE;type=WORK:1"), [["work", "voice"]]
    yield "words", card("TEL;WORK;VOICE:1", version="2.1"), [["work", "voice"]]
    yield "colon-in-quotes", card('TEL;X-A="b:c;d";TYPE=cell:1'), [["cell"]]
    yield "quote-without-end", card('TEL;X-A="b;TYPE=cell:1'), [["cell"]]
    yield "blanks", card("TEL ; TYPE = cell :1"), [["cell"]]
    yield "none-named", card("TEL;:1"), [[]]


def folds():
    yield "one-blank", card("NOTE:Likes long", "  walks"), {"introduction": "Likes long walks"}
    yield "inside-a-word", card("NOTE:Likes lo", " ng walks"), {"introduction": "Likes long walks"}
    yield "inside-a-character", card("NOTE:Zo\udcc3", " \udcab"), {"introduction": "Zoë"}
    yield "inside-an-escape", card("NOTE:a\\", " nb"), {"introduction": "a\nb"}
    yield "tab", card("NOTE:Likes lo", "\tng walks"), {"introduction": "Likes long walks"}
    yield "2.1-keeps-the-blank", card("NOTE:Likes long", " walks", version="2.1"), {"introduction": "Likes long walks"}
    yield "cr-cr-lf", card("NOTE:Likes lo", " ng walks", end="\r\r\n"), {"introduction": "Likes long walks"}
    yield "empty-fold", card("NOTE:a", " ", " b"), {"introduction": "ab"}
    yield "many", card("NOTE:", *(f" {c}" for c in "abcdefgh")), {"introduction": "abcdefgh"}


def escapes():
    yield "all", card(r"NOTE:a\, b\; c\\ d\ne\Nf\:"), {"introduction": "a, b; c\\ d\ne\nf:"}
    yield "double-backslash-n", card(r"NOTE:C:\\new"), {"introduction": r"C:\new"}
    yield "unknown", card(r"NOTE:AC\DC \x"), {"introduction": r"AC\DC \x"}
    yield "at-the-end", card("NOTE:a\\"), {"introduction": "a\\"}
    yield "in-structure", card(r"N:O\;Neill;Ada\, B;;;"), {"family": "O;Neill", "given": "Ada, B"}
    yield "in-list", card(r"CATEGORIES:a\,b,c"), {"groups": ["a,b", "c"]}
    yield "quote", card(r"NOTE:\"a\""), {"introduction": '"a"'}
    yield "circumflex", card("X-SOCIALPROFILE;TYPE=telegram;X-USER=\"a^^b^'c^nd^x\":x"), \
        {"messengers": {"telegram": "a^b\"c\nd^x"}}


def nested():
    inner = ["BEGIN:VCARD", "VERSION:2.1", "FN:The Agent", "TEL:2", "PHOTO;ENCODING=b:" + b64(JPEG), "END:VCARD"]
    yield "2.1", card("AGENT:", *inner, "TEL:1", version="2.1")
    yield "2.1-blank-line", card("AGENT:", "", *inner, "TEL:1", version="2.1")
    yield "parameter", card("AGENT;X-A=b:", *inner, "TEL:1", version="2.1")
    yield "same-line", card("AGENT:BEGIN:VCARD", *inner[1:], "TEL:1", version="2.1")
    yield "escaped", card("AGENT:BEGIN:VCARD\\nFN:The Agent\\nEND:VCARD\\n", "TEL:1")
    yield "twice", card("AGENT:", *inner[:-1], "AGENT:", *inner, "END:VCARD", "TEL:1", version="2.1")
    yield "uri", card("AGENT;VALUE=uri:cid:part3@example.org", "TEL:1")


def fixtures():
    for name, data, expected in spellings():
        yield "spelling", name, data.encode(), one(**expected)
    for name, data, types in parameters():
        yield "parameters", name, data.encode(), one(phones=["1"], types=types)
    for name, data, expected in folds():
        yield "folds", name, data.encode("utf-8", "surrogateescape"), one(**expected)
    for name, data, expected in escapes():
        yield "escapes", name, data.encode(), one(**expected)
    for name, data in nested():
        yield "nested", name, data.encode(), one(name="Ada Example", phones=["1"], photo=None)
    many = "".join(card(f"TEL:{i}", name=f"Person {i}") for i in range(40))
    yield "many-cards", "forty", many.encode(), {"contacts": [{"name": f"Person {i}", "phones": [str(i)]} for i in range(40)]}
    between = card(name="One") + "\r\nstray text\r\nEND:VCARD\r\n\r\n" + card(name="Two", end="\n") + card(name="Three")
    yield "many-cards", "strays-between", between.encode(), {"contacts": [{"name": n} for n in ("One", "Two", "Three")]}
    mixed = card(name="One", version="2.1") + card(name="Zoë", version="4.0") + card(name="Three")
    yield "many-cards", "versions-mixed", mixed.encode(), {"contacts": [{"name": n} for n in ("One", "Zoë", "Three")]}
    photo = card("PHOTO;ENCODING=b:" + b64(JPEG), name="One") + card(name="Two")
    yield "many-cards", "one-photo", photo.encode(), \
        {"contacts": [{"name": "One", "photo": inline(JPEG)}, {"name": "Two", "photo": None}]}
    sets = card(name="Zoë").encode("utf-8") + card(name="Zoë").encode("latin-1") + card(name="山田").encode("cp932")
    yield "many-cards", "charsets-mixed", sets, {"contacts": [{"name": n} for n in ("Zoë", "Zoë", "山田")]}
