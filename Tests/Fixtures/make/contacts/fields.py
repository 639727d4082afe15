"""What cards say: organisation, addresses, messengers."""
from .card import card, lines, one


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


def postal():
    adr = "ADR;TYPE=home:;;1 Example Road;Springfield;North;12345;Freedonia"
    printed = "1 Example Road\n12345 Springfield\nNorth\nFreedonia"
    yield "address", card(adr), {"addresses": [printed], "addressTypes": [["home"]]}
    yield "address-box", card("ADR:Box 7;Floor 2\\, left;1 Road,Back\\;yard;Town;;;", version="4.0"), \
        {"addresses": ["1 Road, Back;yard\nFloor 2, left\nBox 7\nTown"]}
    yield "address-old", card("ADR;HOME:;;1 Road, Yard;Town", version="2.1"), {"addresses": ["1 Road, Yard\nTown"]}
    yield "address-printed", card('ADR;LABEL="1 Road^n Town\\nFreedonia":;;x;y;;;', version="4.0"), \
        {"addresses": ["1 Road\nTown\nFreedonia"]}
    yield "address-empty", card("ADR:;;;;;;", "ADR:"), {"addresses": []}
    yield "address-too-many-parts", card("ADR:;;Road;;;;Land;more;parts"), {"addresses": ["Road\nLand"]}
    yield "address-preferred-labelled", card(adr, "item1.ADR;type=pref:;;2 Road;;;;", "item1.X-ABLabel:Boat"), \
        {"addresses": ["2 Road", printed], "addressLabels": ["Boat", None]}
    yield "address-alone", lines("BEGIN:VCARD", "VERSION:3.0", "ADR:;;1 Road;;;;", "END:VCARD"), {"addresses": ["1 Road"]}
    yield "website", card("URL:https://example.org/ada", "URL;TYPE=work:http\\://example.com", "URL:https://t.me/ada"), \
        {"websites": ["https://example.org/ada", "http://example.com"], "websiteTypes": [[], ["work"]]}
    yield "website-preferred-labelled", card("URL:a.example", "item1.URL;type=pref:b.example", "item1.X-ABLabel:_$!<HomePage>!$_"), \
        {"websites": ["b.example", "a.example"], "websiteLabels": ["HomePage", None]}
    for number, (value, expected) in enumerate({
        "19960415": "1996-04-15", "1996-04-15": "1996-04-15", "--0415": "--04-15", "--04-15": "--04-15", "1996-04": "1996-04",
        "1996": "1996", "19531015T231000Z": "1953-10-15", "1953-10-15T23:10:00Z": "1953-10-15", "1604-04-15": "--04-15",
        "circa 1800": "circa 1800", "19961315": "19961315", "1996-04-32": "1996-04-32", "--1399": "--1399", "---15": "---15",
        "-": "-", "1996 in spring": "1996 in spring", "1996-04-15 00:00": "1996-04-15", "1996-04-15T": "1996-04-15", "15.04.1996": "15.04.1996", "١٩٩٦0415": "١٩٩٦0415",
    }.items(), 1):
        yield f"birthday-{number:02}", card("BDAY:" + value), {"birthday": expected}
    yield "birthday-first", card("BDAY:", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15", "BDAY:2000-01-01"), {"birthday": "--04-15"}


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
    for folder, made in (("organisation", organisation()), ("addresses", addresses()), ("postal", postal()),
                         ("messengers", messengers())):
        for name, data, expected in made:
            yield folder, name, data.encode(), one(**expected)
