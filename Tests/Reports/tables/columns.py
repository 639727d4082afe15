"""Names of columns: other languages, other programs, and what stands around the first row."""
from support import contacts
from support.report import report


def expect(trial, text, *wanted, name="book.csv", failures=0):
    book = contacts.write(trial, name, text)
    contacts.expect_contacts(trial, book, list(wanted), failures)


@report("https://github.com/owncloud-archive/contacts/issues/1028", "https://github.com/RainLoop/rainloop-webmail/issues/960",
        "Thunderbird names the columns of its export in the language of the user.",
        right="The contacts with all their fields.", before="wrong")
def thunderbird_in_other_languages(trial):
    headers = {
        "it": "Nome,Cognome,Nome visualizzato,Soprannome,Email primaria,Email secondaria,Tel. lavoro,Tel. casa,Numero fax,Cercapersone,Numero cellulare",
        "ru": "Имя,Фамилия,Отображаемое имя,Псевдоним,Адрес электронной почты,Альтернативный адрес электронной почты,Рабочий телефон,Домашний телефон,Номер факса,Номер пейджера,Номер мобильного телефона",
        "de": "Vorname,Nachname,Anzeigename,Spitzname,Primäre E-Mail-Adresse,Sekundäre E-Mail-Adresse,Tel. dienstlich,Tel. privat,Fax-Nummer,Pager-Nummer,Mobil-Tel.-Nr."}
    for language, header in headers.items():
        expect(trial, f"{header}\r\nEva,Moe,Eva M,,eva@example.org,e@example.org,1,2,3,4,5\r\n", {
            "name": "Eva M", "given": "Eva", "family": "Moe", "emails": ["eva@example.org", "e@example.org"],
            "phones": ["1", "2", "3", "4", "5"], "phones types": [["work"], ["home"], ["fax"], ["pager"], ["cell"]]}, name=f"{language}.csv")


@report("https://github.com/MicrosoftDocs/OfficeDocs-Support/issues/1692", "https://github.com/owncloud-archive/contacts/issues/589",
        "Outlook names the columns of its export in the language of the user, and writes categories between semicolons.",
        right="The contacts, and each category by itself.", before="wrong")
def outlook_in_other_languages(trial):
    fields = {"name": "Dr Eva Moe", "prefix": "Dr", "family": "Moe", "organisation": ["Werft"], "title": "Chefin", "addresses": ["Hafen 1\n24103 Kiel"],
              "addresses types": [["work"]], "phones": ["1"], "emails": ["eva@example.org"], "groups": ["Freunde", "Chor"]}
    row = "Dr,Eva,Moe,Werft,Chefin,Hafen 1,24103,Kiel,1,eva@example.org,Freunde;Chor"
    expect(trial, f"Anrede,Vorname,Nachname,Firma,Position,Straße geschäftlich,Postleitzahl geschäftlich,Ort geschäftlich,Telefon geschäftlich,E-Mail-Adresse,Kategorien\r\n{row}\r\n", fields, name="de.csv")
    expect(trial, f"Titre,Prénom,Nom,Société,Titre,Rue (bureau),Code postal (bureau),Ville (bureau),Téléphone (bureau),Adresse de messagerie,Catégories\r\n{row}\r\n", fields, name="fr.csv")
    expect(trial, f"Tratamiento,Nombre,Apellidos,Organización,Puesto,Calle del trabajo,Código postal del trabajo,Ciudad de trabajo,Teléfono del trabajo,Dirección de correo electrónico,Categorías\r\n{row}\r\n", fields, name="es.csv")
    expect(trial, f"Titolo,Nome,Cognome,Società,Posizione,Via (uff.),CAP (uff.),Città (uff.),Ufficio,Indirizzo posta elettronica,Categorie\r\n{row}\r\n", fields, name="it.csv")


@report("https://github.com/owncloud-archive/contacts/issues/803", "https://github.com/owncloud-archive/contacts/issues/832",
        "Thunderbird's and SeaMonkey's tables have two postal addresses of six columns each.",
        right="Two addresses, each with its own street, town, code and country.", before="wrong")
def thunderbird_two_addresses(trial):
    header = ("First Name,Last Name,Home Address,Home Address 2,Home City,Home State,Home ZipCode,Home Country,"
              "Work Address,Work Address 2,Work City,Work State,Work ZipCode,Work Country,Birth Year,Birth Month,Birth Day")
    expect(trial, f"{header}\nEva,Moe,Weg 1,Hof,Kiel,SH,24103,DE,Markt 2,,Oslo,,0150,NO,1990,5,7\n", {
        "addresses": ["Weg 1\nHof\n24103 Kiel\nSH\nDE", "Markt 2\n0150 Oslo\nNO"], "addresses types": [["home"], ["work"]],
        "birthday": "1990-05-07"})


@report("https://github.com/owncloud-archive/contacts/issues/1108",
        "Thunderbird's row ends with a comma, and most of its 37 columns are empty.", right="Given and family name, each in its field.",
        before="right")
def thunderbird_mostly_empty(trial):
    header = "First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Screen Name,Work Phone,Home Phone,Notes,"
    expect(trial, f"{header}\nEva,Moe,Eva Moe,Ev,eva@example.org,,,,,,\n", {
        "given": "Eva", "family": "Moe", "nicknames": ["Ev"], "emails": ["eva@example.org"]})


@report("https://github.com/baserow/baserow/issues/483", "https://github.com/chatwoot/chatwoot/pull/14126",
        "A byte order mark stands before the first name, inside of quotes or twice.", right="The first column is known.", before="right")
def byte_order_marks(trial):
    for number, start in enumerate(["\ufeffEmail", "\ufeff\"Email\"", "\"\ufeffEmail\"", "\ufeff\ufeffEmail"]):
        expect(trial, f"{start},Name\neva@example.org,Eva Moe\n", {"name": "Eva Moe", "emails": ["eva@example.org"]}, name=f"{number}.csv")


@report("https://github.com/asafdav/ng-csv/issues/28", "https://github.com/formbricks/formbricks/pull/8172", "https://github.com/StarGW-net/contacts-import/issues/2",
        "Excel in Europe separates by semicolons, and a first line says so: sep=;", right="The contacts; the line is no header.", before="right")
def separator_line(trial):
    for number, first in enumerate(["sep=;\r\n", "\"sep=;\"\r\n", ""]):
        expect(trial, f"{first}First Name;Last Name;E-mail\r\nEva;Moe, geb. Lie;eva@example.org\r\n", {
            "given": "Eva", "family": "Moe, geb. Lie", "emails": ["eva@example.org"]}, name=f"{number}.csv")


@report("https://github.com/rubengees/Vocabletrainer/issues/3", "https://github.com/ozdemirburak/json-csv/issues/7",
        "The table is in the character set of a country, as Excel and Outlook on Windows write it.",
        right="The letters of the language, in names of columns and in values.", before="wrong")
def character_sets_of_countries(trial):
    tables = {
        "cp1252": ("Vorname;Nachname;Straße privat;E-Mail-Adresse", "Jürgen;Groß;Weg 1;j@example.org", "Jürgen Groß"),
        "cp1250": ("Jméno;Příjmení;Ulice (dom.);E-mailová adresa", "Jiří;Dvořák;Ulice 1;j@example.org", "Jiří Dvořák"),
        "cp1251": ("Имя;Фамилия;Улица (дом. адрес);Адрес эл. почты", "Юрий;Лебедев;Улица 1;j@example.org", "Юрий Лебедев"),
        "cp932": ("名;姓;番地 (自宅);電子メール アドレス", "花子;山田;1;j@example.org", "山田花子"),
        "gbk": ("名;姓;住宅地址 街道;电子邮件地址", "明;李;1;j@example.org", "李明"),
        "cp949": ("이름;성;집 번지;전자 메일 주소", "민지;김;1;j@example.org", "김민지"),
        "utf-16": ("Vorname\tNachname\tStraße privat\tE-Mail-Adresse", "Jürgen\tGroß\tWeg 1\tj@example.org", "Jürgen Groß")}
    for charset, (header, row, name) in tables.items():
        expect(trial, f"{header}\r\n{row}\r\n".encode(charset), {"name": name, "emails": ["j@example.org"]}, name=f"{charset}.csv")


@report("https://github.com/owncloud-archive/contacts/pull/426", "Google's older export is UTF-16 with a byte order mark.",
        right="The contacts, and the groups by themselves.", before="right")
def google_in_utf_16(trial):
    text = "Name,Given Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value\r\nEva Moë,Eva,Moë,* My Contacts ::: Chor,* ,eva@example.org\r\n"
    for charset in ("utf-16-le", "utf-16-be"):
        expect(trial, ("\ufeff" + text).encode(charset), {"name": "Eva Moë", "emails": ["eva@example.org"], "groups": ["My Contacts", "Chor"]}, name=f"{charset}.csv")


@report("https://github.com/lucc/khard/pull/350", "https://github.com/Intermesh/groupoffice/issues/653",
        "A table that no address book wrote: a name and an address a row.", right="The contacts.", before="wrong")
def tables_by_hand(trial):
    expect(trial, "name,email\nEva Moe,eva@example.org\n", {"name": "Eva Moe", "emails": ["eva@example.org"]}, name="a.csv")
    expect(trial, "Name;Vorname;Telefon;Ort\nMoe;Eva;1;Kiel\n", {"name": "Eva Moe", "phones": ["1"], "addresses": ["Kiel"]}, name="b.csv")
    expect(trial, "Naam,E-mailadres,Mobiel,Woonplaats\nEva Moe,eva@example.org,1,Utrecht\n", {
        "name": "Eva Moe", "emails": ["eva@example.org"], "phones types": [["cell"]], "addresses": ["Utrecht"]}, name="c.csv")
    expect(trial, "氏名,フリガナ,郵便番号,住所,電話番号,メールアドレス\n山田 花子,,100-0001,東京 1,03-1,hanako@example.org\n", {
        "name": "山田 花子", "phones": ["03-1"], "emails": ["hanako@example.org"], "addresses": ["東京 1\n100-0001"]}, name="d.csv")


@report("https://github.com/impress-org/givewp/issues/2164", "https://github.com/takbok/shared-contacts-admin/issues/6",
        "Microsoft 365, Google Workspace, Zimbra and Salesforce name columns in other ways: Postal code, First Name [Required], homePostalCode, Mailing Street.",
        right="The fields, as from any other table.", before="wrong")
def columns_of_services(trial):
    expect(trial, "Display name,First name,Last name,Street address,Postal code,City,Country/Region\nEva Moe,Eva,Moe,Weg 1,24103,Kiel,DE\n", {"addresses": ["Weg 1\n24103 Kiel\nDE"]}, name="m365.csv")
    expect(trial, "First Name [Required],Last Name [Required],Email Address [Required]\nEva,Moe,eva@example.org\n",
           {"name": "Eva Moe", "emails": ["eva@example.org"]}, name="workspace.csv")
    expect(trial, "email,firstName,lastName,homePostalCode,homeCity,homeStreet\neva@example.org,Eva,Moe,24103,Kiel,Weg 1\n",
           {"name": "Eva Moe", "addresses": ["Weg 1\n24103 Kiel"]}, name="zimbra.csv")
    expect(trial, "First Name,Last Name,Account Name,Mailing Street,Mailing City\nEva,Moe,Werft,Weg 1,Kiel\n",
           {"organisation": ["Werft"], "addresses": ["Weg 1\nKiel"]}, name="salesforce.csv")


@report("https://github.com/Rillke/Contact-Conversion-Wizard/issues/26", "A Speedport has its own names of columns.", right="All fields.", before="right")
def columns_of_a_speedport(trial):
    header = "Name,Vorname,Rufnummer Privat,Rufnummer Arbeit,Rufnummer Mobil,Rufnummer Mobil 2,\"Strasse, Nr.\",PLZ,Ort,Geburtstag"
    expect(trial, f"{header}\nMoe,Eva,1,2,3,4,Weg 1,24103,Kiel,07.05.1990\n", {
        "given": "Eva", "family": "Moe", "phones types": [["home"], ["work"], ["cell"], ["cell"]], "addresses": ["Weg 1\n24103 Kiel"], "birthday": "1990-05-07"})


@report("https://github.com/objectstack-ai/objectui/issues/2556", "https://github.com/brianmario/charlock_holmes/issues/98", "https://github.com/jakob/TableTool/issues/4",
        "https://github.com/fligtar/password-exporter/issues/20", "Excel writes the table in the set of the country or of the system, under English names of columns.",
        right="The names as people wrote them.", before="wrong")
def character_sets_under_english_names(trial):
    for charset, names in {"gbk": ["王大明", "李小红"], "big5": ["陳小明"], "mac-roman": ["Jörg Müller", "José"], "cp850": ["Jörg Müller"],
                           "cp1250": ["Stanisław Żółć", "Jiří"], "cp1253": ["Γιώργος"], "cp1254": ["Çağrı Yıldız"], "shift_jis": ["山田太郎"]}.items():
        rows = "".join(f"{name},a@example.org\n" for name in names)
        expect(trial, f"Name,Email\n{rows}".encode(charset), *[{"name": name} for name in names], name=f"{charset}.csv")


@report("https://github.com/genspark-ai/genoffice/pull/438", "https://github.com/jamovi/jamovi/issues/257", "https://github.com/jsoizo/kotlin-csv/issues/77",
        "The table is UTF-16 without a byte order mark.", right="The contacts.", before="wrong")
def utf_16_without_a_mark(trial):
    for charset in ("utf-16-le", "utf-16-be"):
        expect(trial, "Name,Phone\nEva Bø,1\n".encode(charset), {"name": "Eva Bø", "phones": ["1"]}, name=f"{charset}.csv")
