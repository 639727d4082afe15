#!/usr/bin/env python3
"""Writes the address books of contacts/, except the vCards. All contacts in them are invented.

usage: make_books.py
"""
import base64
import json
from pathlib import Path

HERE = Path(__file__).parent / "contacts"
# The first bytes of a JPEG; nothing here is drawn.
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000") + bytes(range(100))
PLIST = ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
         '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n%s\n</plist>\n')


def write(name, content):
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def json_people():
    ada = {"first_name": "Ada", "last_name": "Example", "avatar_filename": "ada.png", "title": "Engineer",
           "introduction": "Counts.\nA lot."}
    bob = {"first_name": "Борис", "last_name": "Примеров", "avatar_filename": "", "title": "", "introduction": None}
    write("json-people/two.json", json.dumps([ada, bob], ensure_ascii=False, indent=2))
    write("json-people/escaped.json", json.dumps([bob], indent=None))
    write("json-people/byte-order-mark.json", b"\xef\xbb\xbf" + json.dumps([ada]).encode())
    write("json-people/utf-16.json", "\ufeff".encode("utf-16-le") + json.dumps([ada, bob]).encode("utf-16-le"))
    write("json-people/number-as-id.json", json.dumps([dict(ada, id=17)]))
    write("json-people/empty.json", "[]\n")
    write("json-people/latin-1.json", json.dumps([dict(ada, last_name="Exémple")], ensure_ascii=False).encode("latin-1"))


def json_messengers():
    flags = {"telegram": True, "whatsapp": False, "viber": True, "signal": False, "threema": False, "email": True}
    base = {"firstname": "Ada", "lastname": "Example", "phone_number": "89160000001", "photo_url": None,
            "messenger": flags, "email": "ada@example.org"}
    write("json-messengers/no-photo-drops-nobody.json", json.dumps({"contacts": [
        base, {k: v for k, v in base.items() if k != "photo_url"}, dict(base, photo_url=""), dict(base, email=None)]},
        indent=1))
    write("json-messengers/photo-kinds.json", json.dumps({"contacts": [
        dict(base, lastname=str(number), photo_url=url) for number, url in enumerate([
            "https://example.org/a.png", "HTTP://example.org/a.png", "file:///photos/a%20b.png", "photos/a.png",
            "C:/photos/a.png", "ftp://example.org/a.png",
            "data:image/jpeg;base64," + base64.b64encode(JPEG).decode()])]}, indent=1))
    write("json-messengers/phone-as-number.json", json.dumps({"contacts": [dict(base, phone_number=79160000001)]}))
    write("json-messengers/no-contacts.json", '{"contacts":[]}')


def json_tondo():
    full = {"id": "a-1", "kind": "organisation", "name": {"given": "Ada", "family": "Example", "additional": "B.",
            "prefix": "Dr.", "suffix": "Jr.", "formatted": "Dr. Ada", "nicknames": ["Ad", "Addie"]},
            "organisation": ["Example Works", "Faces"], "title": "Engineer", "role": "Lead", "introduction": "",
            "phones": [{"value": "+7 916 000-00-01", "types": ["cell"], "label": "Summer house"}],
            "emails": [{"value": "ada@example.org", "types": ["home", "work"]}],
            "addresses": [{"value": "1 Example Road\nSpringfield", "types": ["home"], "label": "Boat"}],
            "websites": [{"value": "https://example.org/ada"}], "birthday": "--04-15",
            "messengers": {"telegram": "ada", "threema": ""},
            "groups": [{"name": "Friends", "online": 3}, {"id": "f2", "name": "Friends"}],
            "online": False, "vip": True, "chatLog": ["Hello", "\u2028\u0000 \U0001f600"], "revision": "20260101T000000Z",
            "photo": {"data": base64.b64encode(JPEG).decode(), "crop": {"x": -1, "y": 2, "width": 30, "height": 40}},
            "members": ["b", "c"], "of a later minor version": [{}]}
    write("json-tondo/everything.json", json.dumps({"tondo": 1, "groups": [{"name": "Nobody", "online": 0}], "contacts": [
        full, {"id": "file", "photo": {"file": "a/b.png", "crop": {"x": 0, "y": 0, "width": 1, "height": 1}}},
        {"id": "url", "photo": {"url": "https://example.org/a.png"}}]}, indent=1))
    write("json-tondo/escaped-photo.json",
          '{"contacts":[{"id":"a","photo":{"data":"%s"}}],"tondo":1}' % base64.b64encode(JPEG).decode().replace("/", "\\/"))
    write("json-tondo/newer.json", '{"tondo":2,"contacts":[{"id":"a"}]}')
    write("json-tondo/version-is-text.json", '{"tondo":"1","contacts":[{"id":"a"}]}')


def json_broken():
    good = '{"first_name":"Ada","last_name":"Good"}'
    lines = lambda *parts: "[\n" + ",\n".join(parts) + "\n]\n"
    write("json-one-is-broken/wrong-types.json", lines(
        good, '{"first_name":5}', '{"first_name":"A","title":["x"]}', "null", "7", '"text"', "[]", "{}", good))
    write("json-one-is-broken/words.json", lines(
        good, '{"first_name":NaN}', '{"first_name":"A","title":Infinity}', '{"first_name":+1}', '{"first_name":01}',
        '{"first_name":"A","other":NaN}', good))
    write("json-one-is-broken/duplicated-keys.json", lines('{"first_name":"One","first_name":"Two"}', good))
    write("json-one-is-broken/lone-surrogates.json", lines(
        r'{"first_name":"A\ud83d","last_name":"\ude00B"}', r'{"first_name":"\ud83d\ude00","last_name":"\ud83dx\u"}'))
    write("json-one-is-broken/zeros.json", b'[{"first_name":"A\0B","last_name":"\\u0000"}]')
    write("json-one-is-broken/no-utf-8.json", b'[{"first_name":"\xff\xfe\xc0","last_name":"\xe2\x82"},' + good.encode() + b"]")
    write("json-one-is-broken/cut.json", "[" + good + ",\n" + good[:20])
    write("json-one-is-broken/no-comma.json", "[" + good + "\n" + good + "]")
    write("json-one-is-broken/comma-too-many.json", "[" + good + ",\n" + good + ",]")
    write("json-one-is-broken/wrong-bracket.json", "[" + good + "}\n")
    write("json-one-is-broken/text-behind.json", "[" + good + "]\n[]")
    write("json-one-is-broken/deep.json", '[{"first_name":"A","x":' + "[" * 5000 + "]" * 5000 + "}," + good + "]")
    write("json-one-is-broken/deep-from-the-start.json", "[" * 100_000)
    write("json-one-is-broken/messengers.json", '{"contacts":[{"firstname":"A","messenger":{"viber":"yes"}},'
          '{"firstname":"B","messenger":[]},{"firstname":"C","messenger":null,"photo_url":1},{"firstname":"D"}]}')
    write("json-one-is-broken/tondo.json", json.dumps({"tondo": 1, "groups": [{"id": "no name"}], "contacts": [
        {"id": 1}, {"id": "a", "kind": "robot"}, {"id": "b", "photo": {}}, {"id": "c", "phones": [{}]},
        {"id": "d", "photo": {"file": "a", "crop": {"x": 1}}}, {"id": "e", "photo": {"file": "a", "crop": {"x": 1.5}}},
        {"id": "f", "groups": [{"name": "G", "online": 99999999999999999999}]}, {"id": "fine"}]}, indent=1))


def friend(name, rest=""):
    return f"<dict><key>icon</key><string>{name}.png</string><key>intro</key><string>I am {name}</string>" \
           f"<key>name</key><string>{name}</string><key>vip</key><integer>1</integer>{rest}</dict>"


def group(name, friends, online="<integer>2</integer>"):
    return f"<dict>\n<key>friends</key>\n<array>\n" + "\n".join(friends) + \
           f"\n</array>\n<key>name</key><string>{name}</string>\n<key>online</key>{online}\n</dict>"


def plists():
    array = lambda *groups: PLIST % ("<array>\n" + "\n".join(groups) + "\n</array>")
    write("plist-friend-groups/two.plist", array(
        group("Family", [friend("Ada"), friend("Bob").replace("<integer>1</integer>", "<integer>0</integer>")]),
        group("Work &amp; more", [friend("Cleo &lt;3 &#1071;")], "<integer>0</integer>")))
    write("plist-friend-groups/equal-names.plist", array(group("Same", [friend("Ada")]), group("Same", [friend("Ada")])))
    write("plist-friend-groups/nobody-inside.plist", array(group("Empty", []), group("Also", []).replace("\n\n", "")))
    write("plist-friend-groups/online-and-chat.plist", array(group("G", [friend(
        "Ada", "<key>online</key><true/><key>chatLog</key><array><string>Hi</string><string>Ho</string></array>")])))
    write("plist-friend-groups/no-groups.plist", array())
    write("plist-friend-groups/cdata-and-comments.plist", array(group("G", [
        "<!-- <dict> --><dict><key>name</key><string><![CDATA[A <dict> & co]]></string></dict>"])))
    write("plist-friend-groups/windows-1251.plist", array(group("Друзья", [friend("Борис Примеров")])).replace(
        "UTF-8", "windows-1251").encode("cp1251"))
    write("plist-friend-groups/utf-16.plist", array(group("Друзья", [friend("Борис")])).replace(
        "UTF-8", "UTF-16").encode("utf-16"))
    write("plist-one-is-broken/wrong-types.plist", array(group("G", [
        friend("Ada"), "<string>text</string>", friend("Bob").replace("<integer>1</integer>", "<string>x</string>"),
        "<dict><key>name</key><integer>1</integer></dict>", "<dict><key>name</key></dict>", "<dict/>", friend("Cleo")])))
    write("plist-one-is-broken/groups.plist", array(
        "<string>no group</string>", group("G", [friend("Ada")], "<string>2</string>"),
        "<dict><key>friends</key><string>none</string><key>name</key><string>H</string></dict>", group("I", [friend("Bob")])))
    write("plist-one-is-broken/cut.plist", array(group("G", [friend("Ada"), friend("Bob"), friend("Cleo")]))[:600])
    write("plist-one-is-broken/unknown-entity.plist", array(group("G", [friend("Ada &nbsp; &xxe;"), friend("Bob")])))
    write("plist-one-is-broken/wrong-tag.plist", array(group("G", [friend("Ada"), "<dict></array>", friend("Bob")])))
    write("plist-one-is-broken/deep.plist", array(group("G", [friend("Ada"), "<array>" * 50_000])))
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha"}">' for n in range(12))
    write("plist-refused/entity-bomb.plist", '<?xml version="1.0"?><!DOCTYPE plist [%s]><plist><array>%s</array></plist>' % (
        bomb, group("G", [friend("&l11;")])))
    write("plist-refused/external-entity.plist", '<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/'
          'passwd">]><plist><array>%s</array></plist>' % group("G", [friend("&x;")]))


CURRENT = ("First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,"
           "Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,"
           "Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value")
OLD = ("Name,Given Name,Additional Name,Family Name,Yomi Name,Given Name Yomi,Additional Name Yomi,Family Name Yomi,"
       "Name Prefix,Name Suffix,Initials,Nickname,Short Name,Maiden Name,Birthday,Gender,Location,Billing Information,"
       "Directory Server,Mileage,Occupation,Hobby,Sensitivity,Priority,Subject,Notes,Language,Photo,Group Membership,"
       "E-mail 1 - Type,E-mail 1 - Value,E-mail 2 - Type,E-mail 2 - Value,IM 1 - Type,IM 1 - Service,IM 1 - Value,"
       "Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value,Organization 1 - Type,Organization 1 - Name,"
       "Organization 1 - Yomi Name,Organization 1 - Title,Organization 1 - Department,Website 1 - Type,Website 1 - Value")


def row(header, **values):
    quote = lambda text: '"' + text.replace('"', '""') + '"' if set(text) & set(',"\n\r') else text
    return ",".join(quote(values.pop(name, "")) for name in header.split(",")) + "".join(f"?{k}" for k in values)


def csv():
    current = row(CURRENT, **{
        "First Name": "Ada", "Middle Name": "B.", "Last Name": "Example", "Nickname": "Addie", "Name Prefix": "Dr.",
        "Organization Name": "Example, Works", "Organization Title": "Engineer", "Organization Department": "Faces",
        "Notes": "Says \"hi\"\nand more", "Photo": "https://example.org/a.jpg",
        "Labels": "* myContacts ::: Family ::: myContacts", "E-mail 1 - Label": "Work", "E-mail 1 - Value": "ada@example.org",
        "E-mail 2 - Label": "* Home", "E-mail 2 - Value": "a@example.org ::: b@example.org", "Phone 1 - Label": "Mobile",
        "Phone 1 - Value": "8 (916) 000-00-01"})
    old = row(OLD, **{
        "Name": "Борис Примеров", "Given Name": "Борис", "Family Name": "Примеров", "Occupation": "Painter",
        "Group Membership": "Family ::: * My Contacts", "E-mail 1 - Type": "* ", "E-mail 1 - Value": "boris@example.org",
        "IM 1 - Service": "Telegram", "IM 1 - Value": "@boris", "Phone 1 - Type": "Work Fax", "Phone 1 - Value": "1",
        "Phone 2 - Type": "Summer house", "Phone 2 - Value": "2", "Organization 1 - Name": "Works",
        "Website 1 - Value": "https://wa.me/79160000001"})
    write("csv-google/current.csv", CURRENT + "\r\n" + current + "\r\n")
    write("csv-google/old.csv", OLD + "\n" + old + "\n")
    write("csv-google/old-utf-16.csv", (OLD + "\r\n" + old + "\r\n" + old.replace("Борис", "😀") + "\r\n").encode("utf-16"))
    write("csv-google/byte-order-mark.csv", b"\xef\xbb\xbf" + (CURRENT + "\r\n" + current).encode())
    write("csv-google/any-order.csv", "Phone 1 - Value,Strange,Last Name,First Name\n1,x,Example,Ada\n")
    write("csv-google/tabs.csv", "First Name\tLast Name\tLabels\nAda\tExample, née B\tFamily\n")
    write("csv-google/semicolons.csv", "First Name;Last Name;Labels\nAda;Example, née B;Family\n")
    write("csv-google/windows-1251.csv", "First Name,Last Name\r\nБорис,Примеров\r\n".encode("cp1251"))
    write("csv-google/old-mac-line-ends.csv", "First Name,Last Name\rAda,One\rBob,Two\r")
    write("csv-google/header-only.csv", CURRENT + "\n")
    write("csv-google/addresses.csv",
          "First Name,Birthday,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 2 - Type,"
          "Address 2 - Street,Address 2 - City,Address 2 - Postal Code,Website 1 - Label,Website 1 - Value\n"
          'Ada, --04-15,Home,"1 Road\nTown",1 Road,Town,* Boat,2 Road,Port,12345,Profile,https://example.org/a ::: https://t.me/ada\n')
    write("csv-other-programs/addresses.csv",
          "First Name,Last Name,Home Street,Home City,Home State,Home Postal Code,Home Country/Region,Business Address 2,"
          "Business City,Birthday,Web Page\n"
          "Ada,Example,1 Road,Town,North,12345,Freedonia,Floor 2,Port,1996-04-15,example.org\n")
    write("csv-other-programs/outlook.csv",
          "Title,First Name,Last Name,Company,Job Title,Business Phone,Home Fax,Mobile Phone,Categories,E-mail Address\r\n"
          "Dr.,Ada,Example,Works,Engineer,1,2,3,Family;Friends,ada@example.org\r\n")
    write("csv-other-programs/thunderbird.csv",
          "First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Work Phone,Mobile Number,Organization\n"
          "Ada,Example,Ada E,Addie,ada@example.org,a@example.org,1,2,Works\n")
    write("csv-other-programs/linkedin.csv",
          'Notes:\n"When exporting your data, some addresses are missing."\n\n'
          "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"
          "Ada,Example,https://www.linkedin.com/in/ada,ada@example.org,Works,Engineer,01 Jan 2026\n")
    write("csv-other-programs/plain.csv", "full_name;email;phone (mobile);home address\nAda Example;ada@example.org;1;Street\n")
    write("csv-one-is-broken/quotes-without-end.csv",
          'First Name,Last Name,Notes\nAda,Good,"fine\nnote"\nBob,Bad,"no end\nCleo,Good,x\nDora,Good,"a "" b"\n')
    write("csv-one-is-broken/short-and-long-rows.csv", "First Name,Last Name,Notes\nAda\n,,\n\nBob,Good,x,y,z\n")
    write("csv-one-is-broken/zeros.csv", b"First Name,Last Name\nA\0da,\0\nBob,Good\n")
    write("csv-one-is-broken/stray-quotes.csv", 'First Name,Last Name\nA"d"a,Good\n"Bob"x,Good\n""Cleo"",Good\n')
    write("csv-one-is-broken/many-quotes-without-end.csv", "First Name,Last Name\n" + '"Ada,Bad\n' * 20)
    write("csv-one-is-broken/columns-twice.csv", "First Name,First Name,Last Name\nOne,Two,Good\n,Two,Good\n")


def fold(text, width=76):
    first, rest = text[:width], text[width:]
    return "\n ".join([first] + [rest[i:i + width - 1] for i in range(0, len(rest), width - 1)])


def ldif():
    b64 = lambda data: base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()
    ada = "\n".join([
        "dn: uid=ada,ou=People,dc=example,dc=org", "# a comment", " that goes on", "objectClass: person",
        "objectClass: inetOrgPerson", "cn;lang-en: Ada in English", "cn: Ada Example", "sn: Example", "givenName: Ada",
        "displayName:: " + b64("Ada Ëxample"), "o: Example Works", "ou: Faces", "ou: Drawing", "title: Engineer",
        "mail: ada@example.org", "mail: a@example.org", "telephoneNumber: +1 555 0100", "mobile: +7 916 000 00 01",
        "homePhone: 3", "facsimileTelephoneNumber: 4", "uid: ada", "entryUUID: 597ae2f6-16a6-1027-98f4-000000000001",
        fold("description: " + "long words " * 20), fold("jpegPhoto:: " + b64(JPEG)), "thumbnailPhoto:: AAAA"])
    bob = "dn:: " + b64("uid=bob,ou=Люди,dc=example,dc=org") + "\nobjectClass: person\ncn:: " + b64("Боб Примеров") + \
        "\nsn:: " + b64("Примеров") + "\nuid: bob\njpegPhoto:< file:///photos/bob.jpg\ndescription:< file:///etc/hostname"
    tree = "dn: ou=People,dc=example,dc=org\nobjectClass: organizationalUnit\nou: People"
    friends = "dn: cn=friends,dc=example,dc=org\nobjectClass: groupOfNames\ncn: Friends\n" \
        "member: UID=ada, OU=People, DC=example, DC=org\nmember:: " + b64("uid=bob,ou=Люди,dc=example,dc=org") + \
        "\nmember: uid=gone,dc=example,dc=org"
    write("ldif-directory/people-and-groups.ldif", "version: 1\n\n" + "\n\n".join([tree, ada, bob, friends]) + "\n")
    write("ldif-directory/line-ends-of-dos.ldif",
          ("version: 1\n" + ada + "\n\n\n" + bob + "\n").replace("\n", "\r\n"))
    write("ldif-directory/posix-group.ldif", bob + "\n\ndn: cn=p,dc=example\nobjectClass: posixGroup\ncn: Painters\n"
          "memberUid: bob\n")
    write("ldif-directory/thunderbird.ldif", "dn: cn=Ada Example,mail=ada@example.org\nobjectclass: top\n"
          "objectclass: mozillaAbPersonAlpha\ngivenName: Ada\nsn: Example\ncn: Ada Example\nmozillaNickname: Addie\n"
          "mail: ada@example.org\nmozillaSecondEmail: a@example.org\nmodifytimestamp: 1700000000\n")
    write("ldif-directory/addresses.ldif", "dn: cn=ada\ncn: Ada\nstreet: 1 Road\nl: Town\nst: North\npostalCode: 12345\nco: Freedonia\n"
          "labeledURI: https://example.org/ada Ada's page\nmozillaHomeUrl: example.com\nbirthyear: 1996\nbirthmonth: 4\nbirthday: 5\n\n"
          "dn: cn=bob\ncn: Bob\npostalAddress: 2 Road$Port $ Freedonia\nstreet: not this\nhomePostalAddress: 3 Road\n"
          "mozillaHomeStreet: 4 Road\nmozillaHomeStreet2: left\nmozillaHomeCountryName: Sylvania\nbirthmonth: 12\nbirthday: 31\n")
    write("ldif-directory/name-later.ldif", "cn: Nameless\n\nobjectClass: person\ncn: Ada\ndn: cn=ada\n\n"
          "dn: cn=bob\ncn: Bob\n")
    write("ldif-directory/version-alone.ldif", "version: 1\n")
    write("ldif-directory/same-uid.ldif", "dn: uid=a,ou=x\ncn: One\nuid: a\n\ndn: uid=a,ou=y\ncn: Two\nuid: a\n")
    write("ldif-one-is-broken/changes.ldif", "version: 1\n" + "\n\n".join([
        "dn: cn=a\nchangetype: add\ncn: Added", "dn: cn=b\nchangetype: delete",
        "dn: cn=c\nchangetype: modify\nreplace: cn\ncn: New\n-", "dn: cn=d\ncn: Fine"]) + "\n")
    write("ldif-one-is-broken/records.ldif", "\n\n".join([
        "dn: cn=a\ncn: Fine", "cn: Nameless", "dn: cn=c\ncn: Bad\nno colon here", "dn: cn=d", "dn: cn=e\ncn:: !!!!",
        "dn: cn=f\ncn: F\njpegPhoto::", "dn: cn=g\ncn: G\0\n \n x", "dn: cn=h\ncn: Last"]))


def others():
    write("no-book/page.html", "<html><body>hello</body></html>")
    write("no-book/svg.xml", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')
    write("no-book/settings.plist", PLIST % "<dict><key>name</key><string>x</string></dict>")
    write("no-book/numbers.json", "[1,2,3]")
    write("no-book/settings.json", '{"name":"x","contacts":5}')
    write("no-book/broken.json", "{]")
    write("no-book/table.csv", "a,b\n1,2\n")
    write("no-book/text.txt", "Dear diary: today,\nnothing\n")
    write("no-book/picture.vcf", JPEG)
    write("no-book/empty.json", "")
    write("no-book/blanks.txt", " \n\n ")
    write("no-book/zeros.bin", bytes(5000))
    write("no-book/binary.plist", b"bplist00\xd0\x08")


for make in (json_people, json_messengers, json_tondo, json_broken, plists, csv, ldif, others):
    make()
