"""What spreadsheets, data bases and guards against formulas do to the cells of a table."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, text, *wanted, failures=0):
    contacts.expect_contacts(trial, contacts.write(trial, "book.csv", text), list(wanted), failures)


@report(GITHUB + "chatwoot/chatwoot/pull/15334", GITHUB + "ryanhowdy/fcms/pull/667", GITHUB + "avniproject/avni-server/issues/695", GITHUB + "iris-connect/iris-client/issues/443",
        "A program puts an apostrophe, a tab or a blank before what a spreadsheet would take for a formula.", right="The text without the guard; the apostrophe of a name stays.", before="wrong")
def guards_against_formulas(trial):
    expect(trial, "Name,Email,Phone,Twitter,Notes\n"
           "Ada,'a@example.org,'+4722550199,'@ada,'=1+1\n"
           'Bo,b@example.org,"\t+4722550198","\t@bo","\t-5"\n'
           "'t Hooft,c@example.org, +4722550197,,'90s Club\n", {
               "emails": ["a@example.org"], "phones": ["+4722550199"], "social": ["@ada"], "note": "=1+1"}, {
               "phones": ["+4722550198"], "social": ["@bo"], "note": "-5"}, {"name": "'t Hooft", "phones": ["+4722550197"], "note": "'90s Club"})
    expect(trial, "Name,Email,Phone\nAda,a@example.org,=+4722550199\n", {"phones": ["+4722550199"]})


@report(GITHUB + "dilshod/xlsx2csv/issues/108", GITHUB + "dilshod/xlsx2csv/issues/196", GITHUB + "hougaard/BCCL_support/issues/21",
        "Programs have days for a birthday that is not known: the first of 1900 of a spreadsheet, or of 1753 of a data base.", right="No birthday.", before="wrong")
def days_that_are_not_known(trial):
    days = ["1/1/1900", "1900-01-01", "1900-01-00", "1/0/1900", "01.01.1753", "1753-01-01 00:00:00"]
    rows = "".join(f"Ada,a@example.org,{day}\n" for day in days)
    expect(trial, f"Name,Email,Birthday\n{rows}Bo,b@example.org,2.1.1900\nCy,c@example.org,1900-05-07\n", *[{"birthday": None} for _ in days], {"name": "Bo"}, {"birthday": "1900-05-07"})


@report(GITHUB + "parsecsv/parsecsv-for-php/issues/70", "A spreadsheet had all of Google's table in one column, and writes each row in quotes.", right="The contacts; one of them is removed and restored as in any table.", before="wrong")
def rows_in_quotes(trial):
    text = '"First Name,Last Name,E-mail 1 - Value,Notes"\n"Ada,Moe,a@example.org,""one, two"""\n"Bo,Lie,b@example.org,"\n'
    for text in (text, text.replace("\n", "\r\n")):
        book = contacts.write(trial, "book.csv", text)
        contacts.expect_contacts(trial, book, [{"name": "Ada Moe", "note": "one, two"}, {"name": "Bo Lie", "emails": ["b@example.org"]}])
        trial.expect("rm", trial.run("contacts", "rm", book, "Ada Moe", "--yes").returncode, 0)
        contacts.expect_contacts(trial, book, [{"name": "Bo Lie"}])
        trial.expect("restore", trial.run("contacts", "restore", book, "Ada Moe").returncode, 0)
        trial.expect("the same bytes", book.read_bytes().decode(), text)


@report(GITHUB + "OpenRefine/OpenRefine/issues/1086", GITHUB + "h2oai/datatable/issues/1922", GITHUB + "ExcelDataReader/ExcelDataReader/issues/336", "All names of a header have apostrophes for quotes, or one value begins with one.",
        right="Fields as with quotes; an apostrophe of a name is one.", before="wrong")
def apostrophes_for_quotes(trial):
    expect(trial, "'Name','Email','Phone'\n'Moe, Ada','a@example.org','+4722550199'\n'Bo O''Hara','b@example.org',''\n",
           {"name": "Moe, Ada", "emails": ["a@example.org"], "phones": ["+4722550199"]}, {"name": "Bo O'Hara", "emails": ["b@example.org"]})
    expect(trial, "Name|Email|Notes\n'Ndrangheta|a@example.org|'\nBo|b@example.org|x\n", {"name": "'Ndrangheta"}, {"name": "Bo"})


@report(GITHUB + "wireservice/csvkit/issues/1143", GITHUB + "nyaruka/rapidpro/pull/389", "A program took numbers and postal codes for numbers of arithmetic, and writes them with decimals.", right="The digits before the point.", before="wrong")
def decimals_of_numbers_and_codes(trial):
    expect(trial, "Name,Email,Phone,City,Zip\nAda,a@example.org,1234567891.0,Kiel,24103.0\nBo,b@example.org,447912345678.00,Bern,3011.00\n",
           {"phones": ["1234567891"], "addresses": ["24103 Kiel"]}, {"phones": ["447912345678"], "addresses": ["3011 Bern"]})


@report(GITHUB + "alphagov/notifications-utils/pull/539", GITHUB + "drkane/geo-lookups/issues/2", "A byte order mark stands before a row or a value inside of a file.", right="Names without it, in all formats.", before="wrong")
def byte_order_marks_inside(trial):
    expect(trial, "Name,\ufeffEmail,Phone\nAda,\ufeffa@example.org,1\n\ufeffBo,b@example.org,2\n", {"name": "Ada", "emails": ["a@example.org"]}, {"name": "Bo", "initials": "B"})
    card = contacts.vcard("N:\ufeffMoe;Ada;;;", "FN:\ufeffAda Moe")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"name": "Ada Moe", "family": "Moe"}])
    contacts.expect_contacts(trial, contacts.write(trial, "a.ldif", "dn: cn=Ada\ncn: \ufeffAda\nmail: a@example.org\n"), [{"name": "Ada"}])


@report(GITHUB + "elekto-dev/elekto/pull/63", GITHUB + "RainLoop/rainloop-webmail/pull/1342", "A cell has several mail addresses on lines of their own, or with semicolons, bars or slashes between them.", right="Each address by itself.", before="wrong")
def mail_addresses_in_one_cell(trial):
    for separator in ("\n", "; ", ";", " | ", "|", "/", ", ", " "):
        expect(trial, f'Name,Email,Phone\nAda,"a@example.org{separator}b@example.org",1\n', {"emails": ["a@example.org", "b@example.org"]})
    expect(trial, "Name,Email,Phone\nAda,a/b@example.org,1\n", {"emails": ["a/b@example.org"]})


@report(GITHUB + "department-of-veterans-affairs/vets-website/pull/21103", GITHUB + "ranguard/text-vcard/issues/31", "A number or a part of an address is required, and people write NONE, N/A or a hyphen.", right="No number, and an address of the other parts.", before="wrong")
def signs_in_place_of_numbers(trial):
    expect(trial, "Name,Email,Phone,Mobile Phone,City,Zip\nAda,a@example.org,NONE,---,Kiel,-\nBo,b@example.org,N/A,+,-,-\n", {"phones": [], "addresses": ["Kiel"]}, {"phones": [], "addresses": []})
    card = contacts.vcard("FN:Ada", "TEL;TYPE=HOME:-", "TEL:n/a", "TEL;TYPE=CELL:None", "TEL:*123#", "ADR:-;-;Weg 1;Kiel;-;24103;-", "ADR;TYPE=WORK:-;;;;;;")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"phones": ["*123#"], "addresses": ["Weg 1\n24103 Kiel"]}])
    contacts.expect_contacts(trial, contacts.write(trial, "a.ldif", "dn: cn=Ada\ncn: Ada\ntelephoneNumber: none\nl: -\nstreet: Weg 1\n"), [{"phones": [], "addresses": ["Weg 1"]}])
