"""Accounts in the words of programs, and properties of which one counts."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, *lines, version="4.0", **fields):
    card = contacts.vcard("N:Moe;Ada;;;", "FN:Ada Moe", *lines, version=version)
    path = contacts.write(trial, "ada.vcf", card)
    contacts.expect_contacts(trial, path, [{"name": "Ada Moe", **fields}])
    out = trial.folder / f"out{trial.checked}.vcf"
    trial.run("contacts", "export", path, "--output", out)
    contacts.expect_contacts(trial, out, [{"name": "Ada Moe", **fields}])


@report(GITHUB + "CardBook/CardBook/issues/66", GITHUB + "nextcloud/contacts/issues/800", "An account has the scheme of all accounts (im:), or that of mail, which names no network.",
        right="The account without a network.", before="wrong")
def schemes_of_no_network(trial):
    expect(trial, "IMPP;TYPE=personal,pref:im:ada@example.com", "IMPP:mailto:bo@example.com", "IMPP;TYPE=home:im:cy@example.com",
           **{"social": ["ada@example.com", "bo@example.com", "cy@example.com"], "social types": [["personal"], [], ["home"]]})


@report(GITHUB + "nextcloud/contacts/issues/432", GITHUB + "CardBook/CardBook/issues/124", "Programs name networks in words of their own: prpl-jabber of Pidgin, Google Talk, Facebook Messenger, Yahoo! Messenger's ymsgr, weixin, callto.",
        right="One name for each network.", before="wrong")
def words_for_networks(trial):
    lines = ["IMPP;X-SERVICE-TYPE=prpl-jabber:x-apple:a@example.org", "IMPP;X-SERVICE-TYPE=Google Talk:x-apple:b@example.org", "IMPP;X-SERVICE-TYPE=Facebook Messenger:x-apple:c", "IMPP:weixin:d",
             "IMPP:callto:e", "IMPP;X-SERVICE-TYPE=sip:sip:1234@example.org", "IMPP:msnim:f@example.org", "IMPP:ymsgr:g", "IMPP;X-SERVICE-TYPE=My Own:x-apple:h"]
    expect(trial, *lines, version="3.0", **{"social types": [["jabber"], ["gtalk"], ["facebook"], ["wechat"], ["skype"], ["sip"], ["msn"], ["yahoo"], ["my own"]]})


@report(GITHUB + "element-hq/riot-android/issues/2951", GITHUB + "matrix-org/synapse/issues/11100", "An account of Matrix is a URI (matrix:u/ada:example.org), the name behind a scheme, or a link to it.",
        right="The name with its @, as the network shows it; a room is no account.", before="wrong")
def accounts_of_matrix(trial):
    expect(trial, "IMPP:matrix:u/ada:example.org", "IMPP:matrix:@bo:example.org", "IMPP:https://matrix.to/#/@cy:example.org?via=example.org", "IMPP:https://matrix.to/#/%40di:example.org",
           **{"social": ["@ada:example.org", "@bo:example.org", "@cy:example.org", "@di:example.org"], "social types": [["matrix"]] * 4})


@report(GITHUB + "cyrusimap/cyrus-imapd/pull/4962", GITHUB + "nextcloud/contacts/issues/3983", "A second N has the sound of the name (PHONETIC, RFC 9554), before or behind the name.",
        right="The name as it is written, which is found and sorted by its sound.", before="wrong")
def names_with_their_sound(trial):
    sound = "N;ALTID=1;PHONETIC=jyut;SCRIPT=Latn;LANGUAGE=yue:syun1;zung1saan1;;;"
    for name, lines in [("a.vcf", ["N;ALTID=1:孫;中山;;;", sound]), ("b.vcf", [sound, "N;ALTID=1:孫;中山;;;"])]:
        path = contacts.write(trial, name, contacts.vcard("FN:孫中山", *lines, version="4.0") + contacts.vcard("FN:Ada", version="4.0"))
        contacts.expect_contacts(trial, path, [{"name": "孫中山", "family": "孫", "given": "中山"}, {"name": "Ada"}])
        trial.require(f"{name}: found by its sound", "孫中山" in trial.run("contacts", "ls", path, "--search", "syun1").stdout.decode())
        trial.run("contacts", "export", path, "--output", trial.folder / ("out-" + name))
        contacts.expect_contacts(trial, trial.folder / ("out-" + name), [{"name": "孫中山", "family": "孫", "given": "中山"}, {"name": "Ada"}])


@report(GITHUB + "FolkerKinzel/VCards/issues/7", GITHUB + "nextcloud/contacts/issues/1850", "A card has several companies, titles or roles, one of which is preferred (PREF=1).", right="The preferred one; without a preference the first.", before="wrong")
def preferred_of_several(trial):
    expect(trial, "ORG;PREF=2:Werft;Lager", "ORG;PREF=1:Hafen", "ORG:Markt", "TITLE:Chief", "TITLE;PREF=1:Captain", "ROLE;PREF=50:Cook", "ROLE;PREF=50:Baker", organisation=["Hafen"], title="Captain")
    expect(trial, "ORG:Werft", "ORG:Hafen", "TITLE:Chief", "TITLE:Captain", organisation=["Werft"], title="Chief")


@report(GITHUB + "abdelkader/vCardEditor/issues/9", GITHUB + "bitfireAT/vcard4android/issues/31", "A phone writes its own kinds of numbers as words: TEL;X-iPhone and TEL;X-Fax.", right="The numbers with these labels.", before="right")
def kinds_of_numbers_as_words(trial):
    card = contacts.vcard("N:;Ada;;;", "FN:Ada", "TEL;X-iPhone;PREF:976-555-1313", "TEL;X-Fax:800-555-6565", "NOTE;ENCODING=QUOTED-PRINTABLE:=30=33=38=32=\r\n=6F=6B", version="2.1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"phones": ["976-555-1313", "800-555-6565"], "note": "0382ok"}])


@report(GITHUB + "nextcloud/contacts/issues/1275", "A program wrote the name and the number of a person twice, with other parts, and a semicolon behind a birthday.",
        right="One contact with the number once, and the day.", before="right")
def names_with_other_parts(trial):
    card = contacts.vcard("FN:John Moe", "N:;John Moe;;;", "TEL;TYPE=CELL:+31611111111", "BDAY:1990-01-01;", "FN:John Moe", "N:Moe;John;;;", "TEL;TYPE=CELL:+31611111111")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"name": "John Moe", "phones": ["+31611111111"], "birthday": "1990-01-01"}])


@report(GITHUB + "mudita/mudita-center/pull/2862", "A name has an apostrophe, which a program takes for a quote.", right="Each part of the name with its apostrophe.", before="right")
def apostrophes_in_parts_of_names(trial):
    card = contacts.vcard("N:O'Connor;John;;;", "ORG:L'Eau;d'Or", "ADR:;;Rue de l'Eau;Val d'Or;;1;FR", "TEL:1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"name": "John O'Connor", "family": "O'Connor", "given": "John", "organisation": ["L'Eau", "d'Or"],
                                                                          "addresses": ["Rue de l'Eau\n1 Val d'Or\nFR"]}])
