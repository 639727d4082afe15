"""Pictures: how they are encoded, folded, cropped and chosen."""
from .card import JPEG, PNG, WEBP, b64, card, fold, inline, lines, one

J, P = b64(JPEG), b64(PNG)


def encodings():
    url = f"data:image/jpeg;base64,{J}"
    yield "b", card(f"PHOTO;ENCODING=b;TYPE=JPEG:{J}"), JPEG
    yield "base64-named", card(f"PHOTO;TYPE=JPEG;ENCODING=BASE64:{J}"), JPEG
    yield "base64-word", card(f"PHOTO;JPEG;BASE64:{J}", "", version="2.1"), JPEG
    yield "base64-word-alone", card(f"PHOTO;BASE64:{J}", "", version="2.1"), JPEG
    yield "bare", card(f"PHOTO:{J}"), JPEG
    yield "bare-png", card(f"PHOTO:{P}"), PNG
    yield "bare-webp", card(f"PHOTO:{b64(WEBP)}"), WEBP
    yield "data-uri-4.0", card(f"PHOTO:{url}", version="4.0"), JPEG
    yield "data-uri-3.0", card(f"PHOTO;VALUE=uri:{url}"), JPEG
    yield "data-uri-2.1", card(f"PHOTO;VALUE=URL:{url}", version="2.1"), JPEG
    yield "data-uri-claims-b", card(f"PHOTO;ENCODING=b;TYPE=JPEG:{url}"), JPEG
    yield "data-uri-escaped-comma", card("PHOTO:" + url.replace(",", "\\,"), version="4.0"), JPEG
    yield "data-uri-upper-case", card(f"PHOTO:DATA:IMAGE/JPEG;BASE64,{J}", version="4.0"), JPEG
    yield "data-uri-quoted-parameters", card(f'PHOTO;MEDIATYPE="image/jpeg;q=1:2":{url}', version="4.0"), JPEG
    yield "data-uri-percent", card("PHOTO:data:image/png," + "".join(f"%{b:02X}" for b in PNG), version="4.0"), PNG
    yield "value-uri-holds-base64", card(f"PHOTO;VALUE=uri;TYPE=JPEG:{J}"), JPEG
    yield "type-lies", card(f"PHOTO;ENCODING=b;TYPE=PNG:{J}"), JPEG
    yield "url-alphabet", card("PHOTO;ENCODING=b:" + J.replace("+", "-").replace("/", "_")), JPEG
    yield "no-padding", card("PHOTO;ENCODING=b:" + P.rstrip("=")), PNG
    yield "length-1-mod-4", card("PHOTO;ENCODING=b:" + b64(JPEG[:72]) + "A"), JPEG[:72]
    yield "escaped-line-breaks", card("PHOTO;ENCODING=b:" + fold(J, 20, "\\n", "")), JPEG
    quoted = "".join(f"={b:02X}" for b in PNG)
    yield "quoted-printable", card("PHOTO;ENCODING=QUOTED-PRINTABLE:" + fold(quoted, 60, "", "=\r\n"),
                                   version="2.1"), PNG
    for name, content in {
        "empty": "PHOTO;ENCODING=b;TYPE=JPEG:", "empty-data-uri": "PHOTO:data:image/jpeg;base64,",
        "blanks": "PHOTO;ENCODING=b:   ", "padding-alone": "PHOTO;ENCODING=b:====",
        "logo-is-no-face": f"LOGO;ENCODING=b;TYPE=JPEG:{J}",
    }.items():
        yield name, card(content), None


def folds():
    text = f"PHOTO;ENCODING=b;TYPE=JPEG:{J}"
    old = f"PHOTO;JPEG;ENCODING=BASE64:{J}"
    yield "one-blank", card(fold(text)), {}
    yield "two-blanks", card(fold(text, blank="  ")), {}
    yield "tab", card(fold(text, blank="\t")), {}
    yield "lf-alone", card(fold(text, end="\n"), end="\n"), {}
    yield "cr-cr-lf", card(fold(text, end="\r\r\n"), end="\r\r\n"), {}
    yield "cr-alone", card(fold(text, end="\r"), end="\r"), {}
    yield "every-character", card(fold(text, 1)), {}
    yield "value-on-the-next-line", card("PHOTO;ENCODING=b:", f" {J}"), {}
    yield "inside-the-name", card("PHO", " TO;ENCOD", f" ING=b:{J}"), {}
    yield "2.1-blank-line", card(fold(old, 74), "", "TEL:+15550100", version="2.1"), {"phones": ["+15550100"]}
    yield "2.1-no-blank-line", card(fold(old, 74), "TEL:+15550100", version="2.1"), {"phones": ["+15550100"]}
    yield "2.1-not-indented", card(fold(old, 64, ""), "", "TEL:+15550100", version="2.1"), {"phones": ["+15550100"]}
    yield "2.1-not-indented-no-blank-line", card(fold(old, 64, ""), "TEL:+15550100", version="2.1"), \
        {"phones": ["+15550100"]}
    yield "2.1-not-indented-last", card(fold(old, 64, ""), version="2.1"), {}
    yield "logo-not-indented", card(fold("LOGO;ENCODING=BASE64:" + b64(PNG), 40, ""), fold(old, 64, ""),
                                    "TEL:+15550100", version="2.1"), {"phones": ["+15550100"]}


def crops():
    def crop(value, name="X-ABCROP-RECTANGLE"):
        return card(f"PHOTO;{name}={value};ENCODING=b;TYPE=JPEG:{J}")

    yield "plain", crop("ABClipRect_1&64&32&320&300&VBHeR0aXgcbGPQ=="), [64, 32, 320, 300]
    yield "no-hash", crop("ABClipRect_1&0&0&10&20"), [0, 0, 10, 20]
    yield "lower-case", crop("abcliprect_1&1&2&3&4&x==", "x-abcrop-rectangle"), [1, 2, 3, 4]
    yield "upper-case", crop("ABCLIPRECT_1&1&2&3&4&x=="), [1, 2, 3, 4]
    yield "negative", crop("ABClipRect_1&-64&-9&320&300&x=="), [-64, -9, 320, 300]
    yield "quoted", crop('"ABClipRect_1&5&6&7&8&x=="'), [5, 6, 7, 8]
    text = f"PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&64&32&320&300&VBHeR0aXgcbGPQ==;VALUE=uri:data:image/jpeg;base64,{J}"
    yield "folded", card(fold(text, 40)), [64, 32, 320, 300]
    yield "folded-by-two", card(fold(text, 40, "  ")), [64, 32, 320, 300]
    yield "nothing-shown", crop("ABClipRect_1&0&0&0&0&x=="), None
    yield "nonsense", crop("ABClipRect_1&a&b&c&d&x=="), None
    yield "huge", crop("ABClipRect_1&99999999999999999999&0&10&10&x=="), None


def choices():
    bmp, j, p = b64(b"BM" + bytes(34)), f"PHOTO;ENCODING=b:{J}", f"PHOTO;ENCODING=b:{P}"
    yield "first-of-two", card(j, p), inline(JPEG)
    yield "preferred-type", card(j, f"PHOTO;ENCODING=b;TYPE=PNG,pref:{P}"), inline(PNG)
    yield "preferred-rank", card(f"PHOTO;PREF=2:data:image/jpeg;base64,{J}", f"PHOTO;PREF=1:data:image/png;base64,{P}",
                                 version="4.0"), inline(PNG)
    yield "empty-first", card("PHOTO;ENCODING=b:", p), inline(PNG)
    yield "unusable-first", card(f"PHOTO;ENCODING=b;TYPE=pref:{bmp}", p), inline(PNG)
    yield "remote-first", card("PHOTO;VALUE=uri;TYPE=pref:http://example.org/a.jpg", p), inline(PNG)
    yield "logo-first", card(f"LOGO;ENCODING=b:{P}", j), inline(JPEG)
    yield "only-an-unusable-one", card(f"PHOTO;ENCODING=b:{bmp}"), inline(b"BM" + bytes(34))


def elsewhere():
    yield "file-uri", "PHOTO;VALUE=uri:file:///home%20photos/ada.jpg", {"file": "/home photos/ada.jpg"}
    yield "file-uri-with-host", "PHOTO;VALUE=URL:file://localhost/ada.jpg", {"file": "/ada.jpg"}
    yield "relative-path", "PHOTO;VALUE=uri:photos/ada%20b.jpg", {"file": "photos/ada b.jpg"}
    yield "relative-path-as-text", "PHOTO:photos/ada.jpg", {"file": "photos/ada.jpg"}
    yield "path-with-crop", "PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&1&2&3&4&x:ada.png", \
        {"file": "ada.png", "crop": [1, 2, 3, 4]}
    yield "http", "PHOTO;VALUE=uri:http://example.org/a.jpg?x=1,2", {"remote": "http://example.org/a.jpg?x=1,2"}
    yield "https-escaped", "PHOTO;VALUE=uri:https\\://example.org/a.jpg", {"remote": "https://example.org/a.jpg"}
    yield "http-claims-b", "PHOTO;ENCODING=b:http://example.org/a.jpg", {"remote": "http://example.org/a.jpg"}
    yield "https-folded", "PHOTO;VALUE=uri:https://exam\r\n ple.org/a.jpg", {"remote": "https://example.org/a.jpg"}
    yield "message-part", "PHOTO;VALUE=CONTENT-ID:cid:part3@example.org", None


def fixtures():
    for name, data, photo in encodings():
        yield "photo-encoding", name, data.encode(), one(name="Ada Example", photo=inline(photo) if photo else None)
    for name, data, more in folds():
        yield "photo-folds", name, data.encode(), one(name="Ada Example", photo=inline(JPEG), **more)
    for name, data, crop in crops():
        yield "photo-crop", name, data.encode(), one(photo=inline(JPEG, crop))
    for name, data, photo in choices():
        yield "photo-choice", name, data.encode(), one(photo=photo)
    for name, content, photo in elsewhere():
        yield "photo-elsewhere", name, card(content).encode(), one(photo=photo)
    late = lines("BEGIN:VCARD", f"PHOTO;ENCODING=b:{J}", "FN:Ada Example", "VERSION:3.0", "END:VCARD")
    yield "version", "after-the-photo", late.encode(), one(name="Ada Example", photo=inline(JPEG))
    yield "version", "missing", card(f"PHOTO;BASE64:{J}", version=None).encode(), \
        one(name="Ada Example", photo=inline(JPEG))
    for version in ("2.1", "3.0", "4.0", "5.0", ""):
        yield "version", f"is-{version or 'empty'}", card("TEL:1", version=version or " ").encode(), \
            one(name="Ada Example", phones=["1"])
