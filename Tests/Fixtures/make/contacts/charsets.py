"""Character sets: declared, guessed, and those of a whole file."""
from .card import JPEG, b64, card, fold, inline, one


def quoted(data, soft=None):
    """Quoted-printable; `soft`: cut into lines of so many characters, wherever that is."""
    text = "".join(f"={b:02X}" if b >= 0x80 or b == 0x3D else chr(b) for b in data)
    return text if soft is None else "=\r\n".join(text[i:i + soft] for i in range(0, len(text), soft))


def old(*content):
    return "\r\n".join(["BEGIN:VCARD", "VERSION:2.1", *content, "END:VCARD", ""])


def declared():
    for charset, codec, text in [
        ("UTF-8", "utf-8", "Zoë Ünal"), ("ISO-8859-1", "latin-1", "Zoë Ünal"), ("WINDOWS-1252", "cp1252", "Žoe O’Neill"),
        ("Shift_JIS", "cp932", "山田 太郎"), ("SHIFT-JIS", "cp932", "ソ ｿ ﾔﾏﾀﾞ"), ("EUC-JP", "euc-jp", "山田 太郎"),
        ("ISO-2022-JP", "iso2022-jp", "山田 太郎"), ("windows-1251", "cp1251", "Иванова"),
        ("KOI8-R", "koi8-r", "Иванова"), ("ISO-8859-2", "iso8859-2", "Dvořák"), ("GB2312", "gb18030", "李小龙"),
        ("BIG5", "cp950", "陳大文"), ("EUC-KR", "cp949", "김철수"), ("ISO-8859-15", "iso8859-15", "Œuf €"),
    ]:
        name = charset.lower()
        raw = old(f"FN;CHARSET={charset}:").encode().replace(b":\r\nEND", b":" + text.encode(codec) + b"\r\nEND")
        yield name, raw, text
        line = f"FN;CHARSET={charset};ENCODING=QUOTED-PRINTABLE:{quoted(text.encode(codec))}"
        yield f"{name}-quoted", old(line).encode(), text
    lie = old("FN;CHARSET=ISO-8859-1:Zoë Ünal").encode("utf-8")
    yield "says-latin-1-is-utf-8", lie, "Zoë Ünal"
    yield "says-utf-8-is-latin-1", old("FN;CHARSET=UTF-8:Zoë Ünal").encode("latin-1"), "Zoë Ünal"
    yield "unknown-name", old("FN;CHARSET=X-NOBODY:Zoë Ünal").encode("utf-8"), "Zoë Ünal"


def guessed():
    for name, codec, text in [
        ("latin-1", "latin-1", "Zoë Ünal"), ("latin-1-last-letter", "latin-1", "André"),
        ("latin-1-first-letter", "latin-1", "Élan Øst"), ("windows-1252", "cp1252", "Miles O’Brien"),
        ("windows-1252-dash", "cp1252", "A – B “C” €"), ("shift-jis", "cp932", "山田 太郎"),
        ("shift-jis-kana", "cp932", "やまだ タロウ"), ("shift-jis-backslash", "cp932", "ソニー 表"),
        ("windows-1251", "cp1251", "Иванова Мария"),
    ]:
        yield name, card(name=text).encode(codec), text
    yield "shift-jis-quoted", old(f"FN;ENCODING=QUOTED-PRINTABLE:{quoted('山田 太郎'.encode('cp932'))}").encode(), "山田 太郎"
    yield "latin-1-quoted", old("FN;ENCODING=QUOTED-PRINTABLE:Zo=EB =DCnal").encode(), "Zoë Ünal"
    yield "one-broken-note-of-utf-8", card("NOTE:\udce9 cut", name="Zoë Ünal").encode("utf-8", "surrogateescape"), \
        "Zoë Ünal"
    yield "cut-note-of-utf-8", card("NOTE:Zo\udcc3", name="Zoë Ünal").encode("utf-8", "surrogateescape"), "Zoë Ünal"


def wide():
    book = card(fold("PHOTO;ENCODING=b:" + b64(JPEG)), name="Zoë 山田 😀")
    for name, codec, mark in [
        ("utf-16-le", "utf-16-le", "\ufeff"), ("utf-16-be", "utf-16-be", "\ufeff"), ("utf-16-le-no-mark", "utf-16-le", ""),
        ("utf-16-be-no-mark", "utf-16-be", ""), ("utf-8-mark", "utf-8", "\ufeff"), ("utf-8", "utf-8", ""),
    ]:
        yield name, (mark + book).encode(codec)
        yield f"{name}-two-cards", (mark + book + mark + book.replace("\r\n", "\n")).encode(codec)
    yield "utf-16-half-a-unit", book.encode("utf-16") + b"\x0a"


def quoted_printable():
    text, kanji = "Грета Тестова", "山田太郎"
    for soft in (3, 4, 5, 7, 20):
        line = "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:" + quoted(text.encode(), soft)
        yield f"cut-every-{soft}", old(line, "TEL:1"), {"name": text, "phones": ["1"]}
    half = quoted(kanji.encode())[:-3]
    yield "cut-off-in-a-character", old(f"FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:{half}"), {"name": "山田太"}
    yield "cut-off-undeclared", old(f"FN;ENCODING=QUOTED-PRINTABLE:{half}"), {"name": "山田太"}
    yield "lower-case-digits", old("FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Zo=c3=ab"), {"name": "Zoë"}
    yield "word-alone", old("FN;QUOTED-PRINTABLE:Zo=C3=AB"), {"name": "Zoë"}
    yield "line-breaks", old("NOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab", "FN:Ada"), {"introduction": "a\nb"}
    yield "equals-alone", old("FN;ENCODING=QUOTED-PRINTABLE:a = b =Z"), {"name": "a = b =Z"}
    yield "soft-break-before-a-blank", old("FN;ENCODING=QUOTED-PRINTABLE:Ada=", " Example"), {"name": "Ada Example"}
    yield "ends-in-a-soft-break", old("TEL:1", "FN;ENCODING=QUOTED-PRINTABLE:Ada="), {"name": "Ada", "phones": ["1"]}
    yield "ends-in-a-soft-break-and-an-empty-line", old("FN;ENCODING=QUOTED-PRINTABLE:Ada=", "", "TEL:1"), \
        {"name": "Ada", "phones": ["1"]}
    yield "ends-in-a-soft-break-amid", old("FN;ENCODING=QUOTED-PRINTABLE:Ada=", "TEL;CELL:1"), \
        {"name": "Ada", "phones": ["1"]}
    yield "second-half-alone", old("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Zo=C3=AB=", "=AB"), {"name": "Zoë"}
    yield "semicolon-inside", old("N;ENCODING=QUOTED-PRINTABLE:Ex=C3=A4mple;Ada;;;"), \
        {"family": "Exämple", "given": "Ada"}
    yield "in-a-list", old("FN:Ada", "ORG;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=C3=84;B=", "C"), \
        {"organisation": ["Ä", "BC"]}


def fixtures():
    for name, data, text in declared():
        yield "charset-declared", name, data, one(name=text)
    for name, data, text in guessed():
        yield "charset-guessed", name, data, one(name=text)
    for name, data in wide():
        contact = {"name": "Zoë 山田 😀", "photo": inline(JPEG)}
        yield "charset-of-file", name, data, {"contacts": [contact] * (2 if "two" in name else 1)}
    for name, data, expected in quoted_printable():
        yield "quoted-printable", name, data.encode(), one(**expected)
