"""Names, notes and labels: encodings, line ends, and properties that one program alone writes."""
import base64

from support import contacts
from support.report import report


def expect(trial, fields, *lines, version="2.1", name="a.vcf", end="\r\n", failures=0):
    book = contacts.write(trial, name, contacts.vcard(*lines, version=version, end=end))
    contacts.expect_contacts(trial, book, [fields], failures)


def quoted(text):
    return "".join(f"={byte:02X}" for byte in text.encode())


@report("https://github.com/Dolibarr/dolibarr/issues/31958", "ENCODING=QUOTED, QUOTED_PRINTABLE, QP and other spellings.",
        right="The decoded text.", before="wrong")
def encoding_in_other_spellings(trial):
    for word in ["QUOTED", "QUOTED_PRINTABLE", "Quoted Printable", "QP", "quotedprintable", "\"QUOTED-PRINTABLE\"", "Q"]:
        expect(trial, {"name": "Zoé"}, f"FN;CHARSET=UTF-8;ENCODING={word}:Zo=C3=A9")


@report("https://github.com/kparal/esmska/issues/95", "A text is quoted-printable, and no ENCODING says so.", right="The decoded text.", before="wrong")
def quoted_printable_without_declaration(trial):
    expect(trial, {"name": "Babička", "given": "Babička"}, "N;CHARSET=UTF-8:;" + quoted("Babička"))
    expect(trial, {"name": "山田"}, "FN:" + quoted("山田"), version="3.0")
    expect(trial, {"name": "a=b"}, "FN:a=b", "URL:https://example.org/?q=D0=B8", version="3.0")


@report("https://github.com/mangstadt/ez-vcard/issues/80", "Lines behind soft line breaks are indented, also inside of a character.",
        right="The text without the blanks of the folds.", before="wrong")
def soft_breaks_with_indented_lines(trial):
    expect(trial, {"name": "Владимир", "family": "Капустин"},
           "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=9A=D0=B0=D0=BF=D1=83=D1=81=D1=\r\n =82=D0=B8=D0=BD;;;;",
           "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=92=D0=BB=D0=B0=D0=B4=D0=B8=\r\n =D0=BC=D0=B8=D1=80")


@report("https://github.com/jhermsmeier/node-vcf/pull/31", "The line behind a soft line break begins with a blank of the text.",
        right="The blank stays: it separates two words.", before="right")
def soft_break_before_a_blank_of_the_text(trial):
    expect(trial, {"note": "one two three four"}, "FN:Ada", "NOTE;ENCODING=QUOTED-PRINTABLE:one=\r\n two thr=\r\nee=\r\n four")


@report("https://github.com/sabre-io/dav/issues/1005", "A soft line break cuts an escape: 0D= and =0A.", right="The address in two lines.", before="right")
def soft_break_inside_an_escape(trial):
    expect(trial, {"note": "Baytown\nTX"}, "FN:Ada", "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Baytown=0D=\r\n=0ATX")


@report("https://github.com/KnugiHK/WhatsApp-Chat-Exporter/pull/175", "A soft line break stands in the middle of a row of emoji.",
        right="The whole name.", before="right")
def soft_break_between_emoji(trial):
    expect(trial, {"name": "Rus ⚽⚽⚽"}, "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=52=75=73=20=E2=9A=BD=E2=9A=BD=E2=\r\n=9A=BD")


@report("https://github.com/owncloud-archive/apps/issues/282", "Names with letters beyond ASCII are written in base64.", right="The decoded names.", before="wrong")
def names_in_base64(trial):
    name = base64.b64encode("Rüdiger Müller".encode()).decode()
    expect(trial, {"name": "Rüdiger Müller", "phones": ["1"]}, f"FN;ENCODING=B;CHARSET=UTF-8:{name}", "TEL:1", version="3.0")


@report("https://github.com/Kozea/Radicale/issues/1986", "https://github.com/jeroendesloovere/vcard/issues/157",
        "A name has raw line ends inside.", right="The whole name: such a line can be no property.", before="wrong")
def raw_line_ends_in_a_name(trial):
    expect(trial, {"name": "Elek Béla Nagy-Kiss", "phones": ["1"]}, "FN:Elek Béla\n\nNagy-Kiss", "TEL:1", version="3.0")
    expect(trial, {"organisation": ["Kiss és Társa"], "phones": ["1"]}, "FN:A", "ORG:Kiss\nés Társa", "TEL:1", version="3.0")


@report("https://github.com/jowave/vcard2to3/issues/4", "https://github.com/chatmail/core/issues/7893", "A note has raw line ends inside.",
        right="The note with its lines, and what follows it.", before="wrong")
def raw_line_ends_in_a_note(trial):
    expect(trial, {"note": "bla bla\nbla bla bla\nand: more", "phones": ["1"]}, "FN:A", "NOTE:bla bla\r\nbla bla bla\r\nand: more", "TEL:1",
           version="3.0")
    expect(trial, {"note": "- one\n- two", "phones": ["1"]}, "FN:A", "NOTE:- one\r\n- two", "TEL:1", version="3.0")


@report("https://github.com/nextcloud/contacts/issues/1277", "An empty line stands behind each line of a card with soft line breaks.",
        right="The whole texts.", before="wrong")
def empty_lines_between_soft_breaks(trial):
    expect(trial, {"name": "Rüdiger", "note": "a long text"}, "FN;ENCODING=QUOTED-PRINTABLE:R=C3=BC=", "diger", "NOTE;ENCODING=QUOTED-PRINTABLE:a=",
           " long text", end="\r\n\r\n")


@report("https://github.com/sabre-io/vobject/issues/315", "Samsung writes a custom label as X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,...).",
        right="The number with its label.", before="wrong")
def custom_label_of_samsung(trial):
    label = "X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,"
    expect(trial, {"phones": ["+49 1", "+49 2"], "phones labels": ["Hütte", None]}, "FN:Ada", f"TEL;{label}{quoted('Hütte')}):+49 1", "TEL;CELL:+49 2")
    expect(trial, {"phones": ["+49 1"], "phones labels": ["Ferienhaus"]}, "FN:Ada", f"TEL;{label}{quoted('Ferien')}=\r\n{quoted('haus')}):+49 1")
    expect(trial, {"emails": ["a@example.org"], "emails labels": ["Office"]}, "FN:Ada", "EMAIL;PREF;X-CUSTOM(Office):a@example.org")


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/382", "Android writes a custom label as a type: TEL;X-Jacky.",
        right="The number with the label Jacky.", before="wrong")
def custom_label_as_a_type(trial):
    expect(trial, {"phones": ["012"], "phones labels": ["Jacky"]}, "N:;Ada;;;", "TEL;X-Jacky:012")


@report("https://github.com/nextcloud/contacts/issues/2005", "https://github.com/pinoaffe/org-vcard/issues/42",
        "Labels of a group: ITEM1.X-ABLABEL, before or behind the number.", right="The number and the address with their labels.", before="right")
def labels_of_groups(trial):
    expect(trial, {"emails": ["a@example.org"], "emails labels": ["Rechnung"], "phones labels": ["Boot"]}, "FN:Ada", "ITEM1.EMAIL:a@example.org",
           "ITEM1.X-ABLABEL:Rechnung", "item2.X-ABLabel:Boot", "item2.TEL:+1 1111", version="4.0")


@report("https://github.com/nextcloud/contacts/issues/3150", "The label of a group is empty.", right="The addresses, without a label.", before="wrong")
def empty_labels_of_groups(trial):
    expect(trial, {"emails": ["a@example.org", "b@example.org"], "emails labels": [None, None]}, "FN:Ada", "ITEM1.EMAIL;TYPE=INTERNET:a@example.org",
           "ITEM1.X-ABLABEL:", "ITEM2.EMAIL;TYPE=INTERNET;VALUE=UNKNOWN:b@example.org", "ITEM2.X-ABLABEL:", version="3.0")


@report("https://github.com/tutao/tutanota/issues/9968", "https://github.com/sabre-io/vobject/issues/315",
        "Android keeps nicknames and events in X-ANDROID-CUSTOM.", right="The nickname and the birthday.", before="wrong")
def android_rows(trial):
    row = "X-ANDROID-CUSTOM:vnd.android.cursor.item/"
    expect(trial, {"name": "Ana Ruiz", "nicknames": ["Anita"], "birthday": "1985-04-12"}, "FN:Ana Ruiz", row + "nickname;Anita;1;;;;;;;;;;;;;",
           row + "contact_event;1985-04-12;3;;;;;;;;;;;;;", row + "contact_event;2010-05-01;1;;;;;;;;;;;;;")
    expect(trial, {"name": "Anita"}, "N:;;;;", row + "nickname;Anita;1;;;;;;;;;;;;;", "TEL;CELL:+34 1")


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/1047", "SOUND;X-IRMC-N:;;;; as phones write it.", right="The contact.", before="right")
def sound_of_a_phone(trial):
    expect(trial, {"name": "Ada Moe", "phones": ["1"]}, "N:Moe;Ada;;;", "SOUND;X-IRMC-N:;;;;", "TEL;CELL:1")


@report("https://github.com/nextcloud/server/issues/31917", "The comma between types is escaped: TYPE=VOICE\\,CELL.", right="Both types.", before="wrong")
def types_with_an_escaped_comma(trial):
    expect(trial, {"phones": ["+49 1681"], "phones types": [["voice", "cell"]]}, "FN:Anna", "TEL;TYPE=VOICE\\,CELL:+49 1681", version="3.0")


@report("https://github.com/owncloud/contacts/issues/443", "Types of vCard 2.1 got an equals sign and no value: TEL;CELL=;PREF=:", right="The number.", before="right")
def types_with_an_equals_sign(trial):
    expect(trial, {"phones": ["+123", "+456"]}, "FN:Anna", "TEL;HOME=:+456", "TEL;CELL=;PREF=:+123", version="4.0")


@report("https://github.com/jeroendesloovere/vcard/issues/211", "https://github.com/skarim/vobject/issues/132",
        "Numbers begin with tel:, or have an extension.", right="The number, and the extension apart from it.", before="right")
def numbers_as_uris(trial):
    expect(trial, {"phones": ["0715557031", "+1-555-0100 ext. 5555"]}, "FN:A", "TEL;TYPE=home:tel:0715557031",
           "TEL;VALUE=uri:tel:+1-555-0100;ext=5555", version="4.0")


@report("https://github.com/lucc/khard/issues/134", "https://github.com/mangstadt/ez-vcard/issues/155",
        "Birthdays without a year: 1604 of Apple, --0414 of Google in a vCard 3.0, --01-01 of others.", right="Month and day alone.", before="right")
def birthdays_without_a_year(trial):
    for value, day in [(";X-APPLE-OMIT-YEAR=1604:1604-05-09", "--05-09"), (":--0414", "--04-14"), (":--01-01", "--01-01"),
                       (";X-APPLE-OMIT-YEAR=1604;VALUE=DATE:16040105", "--01-05"), (";VALUE=text:--0415", "--04-15")]:
        expect(trial, {"birthday": day}, "FN:A", "BDAY" + value, version="3.0")


@report("https://github.com/Intermesh/groupoffice/issues/410", "Birthdays with a time of day in the short form.", right="The date.", before="right")
def birthdays_with_a_time(trial):
    for value in ["20160725T000000Z", "2016-07-25T00:00:00Z", "20160725", "2016-07-25 00:00:00"]:
        expect(trial, {"birthday": "2016-07-25"}, "FN:A", "BDAY:" + value, version="3.0")


@report("https://github.com/nextcloud/contacts/issues/413", "iCloud writes an empty N and FN, and a nickname.", right="The nickname as the name.", before="right")
def nickname_alone(trial):
    expect(trial, {"name": "somenick"}, "N:;;;;", "FN:", "NICKNAME:somenick", "NOTE:", version="3.0")


@report("https://github.com/owncloud-archive/contacts/issues/774", "A name has a colon, escaped in N and plain in FN.", right="The name with its colon.", before="right")
def name_with_a_colon(trial):
    expect(trial, {"name": "Kni Bz Rp: Wr.no", "family": "Rp: Wr.no"}, "FN:Kni Bz Rp: Wr.no", "N:Rp\\: Wr.no;Kni Bz;;;", version="3.0")


@report("https://github.com/libical/libical/issues/339", "https://github.com/nilclass/vcardjs/issues/1",
        "Outlook writes addresses with quoted-printable line ends, a LABEL of several soft breaks, and a picture of the business card.",
        right="Number, addresses and links; the picture of a business card is no photo of the person.", before="right")
def card_of_outlook(trial):
    expect(trial, {"name": "Test de Tester", "phones": ["(010) 1"], "emails": ["t@example.org"], "avatar": "initials",
                   "addresses": ["Work 99\nBox 2\n1111AA Town\nNetherlands"]},
           "N:de Tester;Test;;;", "FN:Test de Tester", "TEL;WORK;VOICE:(010) 1",
           "ADR;WORK;PREF;ENCODING=QUOTED-PRINTABLE:;;Work 99=0D=0A=\r\nBox 2;Town;;1111AA;Netherlands",
           "LABEL;WORK;PREF;ENCODING=QUOTED-PRINTABLE:Work 99=0D=0A=\r\n1111AA  Town=0D=0A=\r\nNetherlands", "EMAIL;PREF;INTERNET:t@example.org",
           "X-MS-CARDPICTURE;TYPE=JPEG;ENCODING=BASE64:\r\n /9j/4AAQSkZJRgABAQEAYABgAAD/2wBD\r\n")


@report("https://github.com/nextcloud/contacts/issues/523", "Social profiles of an iPhone.", right="The contact; a network of another kind is none of its messengers.", before="right")
def social_profiles_of_an_iphone(trial):
    expect(trial, {"name": "Tom Ichats", "websites": []}, "N:Ichats;Tom;;;", "FN: Tom Ichats", "X-SOCIALPROFILE;type=twitter:http://twitter.com/tom",
           "X-SOCIALPROFILE;type=Custom Chat;x-user=tom:x-apple:tom", version="3.0")


@report("https://github.com/libasys/contactsplus/issues/44", "The semicolons between the parts of a name are escaped: N:Back\\;Fore\\;\\;\\;;;;;",
        right="Family and given name.", before="wrong")
def name_with_escaped_semicolons(trial):
    expect(trial, {"family": "Back", "given": "Fore"}, "N:Back\\;Fore\\;\\;\\;;;;;", "FN:Fore Back", version="3.0")


@report("https://github.com/jowave/vcard2to3/issues/12", "https://github.com/nextcloud/contacts/issues/2693", "Nokia and others write N and no FN.",
        right="A name made of the parts.", before="right")
def name_without_formatted_name(trial):
    expect(trial, {"name": "Ada Moe"}, "N:Moe;Ada", "TEL;CELL:1")


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/693", "https://github.com/FossifyOrg/Contacts/issues/235",
        "SORT-AS has a comma in quotes.", right="The name alone.", before="right")
def sort_as_in_quotes(trial):
    expect(trial, {"name": "Rene van der Harten", "family": "van der Harten", "given": "Rene"},
           "N;SORT-AS=\"Harten,Rene\":van der Harten;Rene;;;", "FN:Rene van der Harten", version="4.0")
