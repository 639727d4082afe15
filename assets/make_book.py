#!/usr/bin/env python3
"""Writes assets/book, the sample people as vCards, one a file, and assets/friends.json, a second book with what vCards do
not have: counts of members online, chats, a VIP. The photos are those of assets/samples, which are drawn by
Tests/Fixtures; the people do not exist."""
import base64
import json
import pathlib

ASSETS = pathlib.Path(__file__).parent
PEOPLE = [
    ("ada", "Okafor", "Ada", "Harbour Pilots", "ada@example.org", "+44 20 7946 0101", "telegram signal", "Family"),
    ("bo", "Lindqvist", "Bo", "Lindqvist Clocks", "bo@example.org", "+46 8 465 004 12", "whatsapp", "Work"),
    ("chidi", "Eze", "Chidi", "", "chidi@example.org", "8 (916) 123-45-67", "telegram viber", "Friends"),
    ("dora", "Novák", "Dóra", "City Library", "dora@example.org", "+420 222 333 444", "", "Friends"),
    ("emi", "佐藤", "恵美", "", "emi@example.org", "+81 3 1234 5678", "threema", "Work"),
    ("farid", "Haddad", "Farid", "Haddad & Sons", "farid@example.org", "+961 1 234567", "whatsapp telegram", "Work"),
    ("greta", "Møller", "Greta", "", "greta@example.org", "+45 32 10 98 76", "signal", "Family"),
    ("hana", "Иванова", "Хана", "", "hana@example.org", "+7 926 765 43 21", "telegram", "Friends"),
    ("ines", "Duarte", "Inês", "No photo, so initials", "ines@example.org", "", "", "Friends"),
]
# Only some people are known this well.
DETAILS = {
    "ada": ["ADR;TYPE=home:;;12 Harbour Road;Whitby;;YO21 1AA;United Kingdom", "URL:https://ada.example.org/", "BDAY:19851210"],
    "bo": ["ADR;TYPE=work:;;Urmakargatan 4;Stockholm;;111 29;Sweden", "URL;TYPE=work:https://clocks.example.org/"],
    "chidi": ["BDAY:--0229"],
}
# word, given and family name, groups, online, VIP, introduction, phone number, messengers, chat; the friend writes first.
FRIENDS = [
    ("kira", "Kira", "Vogel", ["Rowing club"], True, True, "Row early, row often", "+49 30 901820", {"signal": "+4930901820"},
     ["The boat is repaired.", "Good news! Is the water high enough?",
      "Since yesterday. The lock opens at seven, so we should leave at half past six, with two thermos flasks of tea and "
      "the spare oar that hung in Farid's garage all winter.", "I will be there.", "Bring Lars, he is awake anyway."]),
    ("lars", "Lars", "Åkesson", ["Rowing club", "Chess"], True, False, "", "+46 8 465 004 34", {"whatsapp": "+46846500434"},
     ["Knight to f3", "Knight to f6"]),
    ("mei", "梅", "林", ["Chess"], False, False, "下棋", "+886 2 2181 1111", {"telegram": "mei"}, ["你好", "你好！"]),
    ("nadia", "Надя", "Орлова", ["Chess"], True, False, "", "8 916 765 43 21", {"telegram": "", "viber": ""}, []),
    ("omar", "عمر", "حداد", ["Rowing club"], False, False, "مرحبا", "+961 1 234568", {}, ["مرحبا", "أهلا"]),
]
ONLINE = {"Rowing club": 2, "Chess": 2}
MESSENGERS = {"telegram": "X-TELEGRAM", "whatsapp": "X-WHATSAPP", "viber": "X-VIBER", "signal": "X-SIGNAL",
              "threema": "X-THREEMA"}


def folded(line):
    """RFC 6350 section 3.2: lines of at most 75 octets."""
    data, parts = line.encode(), []
    while len(data) > 74:
        end = 74
        while data[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(data[:end])
        data = b" " + data[end:]
    return b"\r\n".join(parts + [data]) + b"\r\n"


def card(word, family, given, organisation, email, phone, messengers, group):
    lines = ["BEGIN:VCARD", "VERSION:4.0", f"UID:sample-{word}", f"FN:{given} {family}", f"N:{family};{given};;;",
             f"ORG:{organisation}" if organisation else "", f"EMAIL:{email}", f"TEL;TYPE=cell:{phone}" if phone else "",
             f"CATEGORIES:{group}", *DETAILS.get(word, [])]
    # An ID of Threema has eight characters.
    lines += [f"{MESSENGERS[name]}:{word.upper():0<8}" if name == "threema" else f"{MESSENGERS[name]}:{word}" for name in messengers.split()]
    photos = sorted((ASSETS / "samples").glob(word + ".*"))
    if photos:
        kind = "png" if photos[0].suffix == ".png" else "jpeg"
        lines.append(f"PHOTO:data:image/{kind};base64," + base64.b64encode(photos[0].read_bytes()).decode())
    lines.append("END:VCARD")
    return b"".join(folded(line) for line in lines if line)


def friend(number, word, given, family, groups, is_online, is_vip, introduction, phone, messengers, chat):
    photos = sorted((ASSETS / "samples").iterdir())
    return {
        "id": f"sample-{word}", "name": {"given": given, "family": family}, "introduction": introduction or None,
        "phones": [{"value": phone, "types": ["cell"]}], "messengers": messengers,
        "groups": [{"name": name, "online": ONLINE[name]} for name in groups], "online": is_online, "vip": is_vip or None,
        "chatLog": chat, "photo": {"file": f"samples/{photos[-number].name}"} if number < 4 else None,
    }


def friends():
    contacts = [friend(number, *each) for number, each in enumerate(FRIENDS, 1)]
    return {"tondo": 1, "contacts": [{key: value for key, value in each.items() if value not in (None, [], {})} for each in contacts]}


if __name__ == "__main__":
    folder = ASSETS / "book"
    folder.mkdir(exist_ok=True)
    for person in PEOPLE:
        (folder / (person[0] + ".vcf")).write_bytes(card(*person))
    (ASSETS / "friends.json").write_text(json.dumps(friends(), ensure_ascii=False, indent=1) + "\n")
