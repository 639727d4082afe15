"""What cards say: organisation, addresses, messengers."""
from .card import card, one


def organisation():
    yield "parts", card("ORG:Northwind;Sales;West", "TITLE:Engineer", "ROLE:Lead"), \
        {"organisation": ["Northwind", "Sales", "West"], "title": "Engineer", "role": "Lead"}
    yield "empty-parts", card("ORG:Northwind;;"), {"organisation": ["Northwind"]}
    yield "comma", card("ORG:Fabrikam, Inc."), {"organisation": ["Fabrikam, Inc."]}
    yield "shown-as-company", card("ORG:Northwind", "X-ABShowAs:COMPANY"), {"kind": "organisation"}
    yield "kind", card("KIND:org", version="4.0"), {"kind": "organisation"}
    yield "notes", card("NOTE:One", "NOTE:Two", "NOTE:One"), {"introduction": "One\nTwo"}
    yield "revision", card("REV:2024-05-01T10:20:30Z"), {"revision": "2024-05-01T10:20:30Z"}


def addresses():
    yield "tel-uri", card('TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+1-555-555-0100;ext=102', version="4.0"), \
        {"phones": ["+1-555-555-0100 ext. 102"], "types": [["voice", "home"]]}
    yield "tel-uri-context", card("TEL;VALUE=uri:tel:555-0100;phone-context=+1", version="4.0"), {"phones": ["555-0100"]}
    yield "tel-uri-undeclared", card("TEL:TEL:+15550100"), {"phones": ["+15550100"]}
    yield "spelling-kept", card("TEL:8 (900) 555-01-00"), {"phones": ["8 (900) 555-01-00"]}
    yield "empty", card("TEL:", "TEL;TYPE=cell: ", "EMAIL:"), {"phones": [], "emails": []}
    yield "preferred-first", card("TEL:1", "TEL;TYPE=pref:2", "TEL:3"), {"phones": ["2", "1", "3"]}
    yield "preferred-by-rank", card("TEL;PREF=50:1", "TEL;PREF=2:2", "TEL:3", "TEL;PREF=1:4", version="4.0"), \
        {"phones": ["4", "2", "1", "3"]}
    yield "preferred-labelled", card("TEL:1", "item1.TEL;type=pref:2", "item1.X-ABLabel:Boat"), \
        {"phones": ["2", "1"], "labels": ["Boat", None]}
    yield "email", card("EMAIL;TYPE=INTERNET:a@example.org", "EMAIL;TYPE=pref,WORK:b@example.org"), \
        {"emails": ["b@example.org", "a@example.org"]}
    yield "mailto", card("EMAIL:MAILTO:a%2Bb@example.org"), {"emails": ["a+b@example.org"]}


def messengers():
    for number, (line, expected) in enumerate({
        "X-TELEGRAM:ada": {"telegram": "ada"}, "X-TELEGRAM:@ada": {"telegram": "ada"}, "x-whatsapp:+15550100": {"whatsapp": "+15550100"},
        "X-VIBER:+15550100": {"viber": "+15550100"}, "X-SIGNAL:+15550100": {"signal": "+15550100"},
        "X-THREEMA:ABCD1234": {"threema": "ABCD1234"}, "X-TELEGRAM:true": {"telegram": ""}, "X-TELEGRAM:0": {},
        "X-TELEGRAM:": {}, "X-TELEGRAM;TYPE=HOME:https://t.me/ada": {"telegram": "ada"},
        "IMPP:telegram:ada": {"telegram": "ada"}, "IMPP;X-SERVICE-TYPE=Telegram:x-apple:ada": {"telegram": "ada"},
        "IMPP;SERVICE-TYPE=WhatsApp:https://wa.me/15550100": {"whatsapp": "15550100"},
        "IMPP:whatsapp:+15550100": {"whatsapp": "+15550100"}, "IMPP:tg://resolve?domain=ada": {"telegram": "ada"},
        "IMPP:viber://chat?number=%2B15550100": {"viber": "+15550100"}, "IMPP:sgnl://signal.me/#p/+15550100": {"signal": "+15550100"},
        "IMPP:threema:ABCD1234": {"threema": "ABCD1234"}, "IMPP:xmpp:ada@example.org": {}, "IMPP:skype:signal": {},
        "IMPP;TYPE=Signal:+15550100": {"signal": "+15550100"},
        "X-SOCIALPROFILE;type=telegram;x-user=ada:http://t.me/other": {"telegram": "ada"},
        "X-SOCIALPROFILE;type=Telegram:https://t.me/ada": {"telegram": "ada"}, "X-SOCIALPROFILE;type=twitter;x-user=ada:http://x": {},
        'SOCIALPROFILE;SERVICE-TYPE=Telegram;USERNAME="ada":https://t.me/a': {"telegram": "ada"},
        "URL:https://t.me/ada": {"telegram": "ada"}, "URL:http\\://wa.me/15550100": {"whatsapp": "15550100"},
        "URL:https://signal.me/#p/+15550100": {"signal": "+15550100"}, "URL:https://threema.id/ABCD1234": {"threema": "ABCD1234"},
        "URL:https://example.org/t.me/ada": {}, "TEL;TYPE=WhatsApp:+15550100": {"whatsapp": "+15550100"},
        "item1.TEL:+15550100\r\nitem1.X-ABLabel:Viber": {"viber": "+15550100"},
        "item1.IMPP:x-apple:ada\r\nitem1.X-ABLabel:Telegram": {"telegram": "ada"},
        "X-TELEGRAM:ada\r\nIMPP:whatsapp:1\r\nX-VIBER:2": {"telegram": "ada", "whatsapp": "1", "viber": "2"},
        "X-TELEGRAM:1\r\nIMPP:telegram:ada": {"telegram": "ada"},
    }.items(), 1):
        name = "".join(c if c.isalnum() else "-" for c in line.lower()).strip("-")
        while "--" in name:
            name = name.replace("--", "-")
        yield f"{number:02}-{name[:40].strip('-')}", card(line), {"messengers": expected}


def fixtures():
    for folder, made in (("organisation", organisation()), ("addresses", addresses()), ("messengers", messengers())):
        for name, data, expected in made:
            yield folder, name, data.encode(), one(**expected)
