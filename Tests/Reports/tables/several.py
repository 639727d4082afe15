"""Cells that have more than one value, and columns that share a field."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, text, *wanted):
    contacts.expect_contacts(trial, contacts.write(trial, "a.csv", text), list(wanted))


@report(GITHUB + "ONLYOFFICE/CommunityServer/issues/68", GITHUB + "krayin/laravel-crm/issues/2632", GITHUB + "instedd/verboice/issues/682",
        "A cell has several numbers without a plus sign or a zero before them, with semicolons, slashes, bars, line ends or a word between.",
        right="Each number by itself; what is dialled behind a number, or stands behind the code of its area, stays with it.", before="wrong")
def numbers_in_one_cell(trial):
    cells = ["22550101;22550102", '"22550101\n22550102"', "22550101 / 22550102", "22550101|22550102", "22550101 or 22550102", "22550101 & 22550102", "22550101、22550102"]
    expect(trial, "Name,Phone\n" + "".join(f"N{number},{cell}\n" for number, cell in enumerate(cells)), *[{"phones": ["22550101", "22550102"]} for _ in cells])
    single = ["0431/1234567", "0049 (0) 30 / 1234567", "+47 225501 / 225502", "+4722550101;123456", "22550101 / 12", '"22550101,,123456"', "040 / 12345678"]
    expect(trial, "Name,Phone\n" + "".join(f"N{number},{cell}\n" for number, cell in enumerate(single)), *[{"phones": [cell.strip('"')]} for cell in single])


@report(GITHUB + "krayin/laravel-crm/issues/2632", GITHUB + "ONLYOFFICE/CommunityServer/issues/68", "A cell has several mail addresses with a word, an ampersand or a sign of Chinese between them.", right="Each address by itself.", before="wrong")
def mail_addresses_with_words_between(trial):
    cells = ["a@example.org or b@example.org", "a@example.org & b@example.org", "a@example.org、b@example.org", "a@example.org；b@example.org", '"a@example.org, and b@example.org"']
    expect(trial, "Name,Email\n" + "".join(f"N{number},{cell}\n" for number, cell in enumerate(cells)), *[{"emails": ["a@example.org", "b@example.org"]} for _ in cells])


@report(GITHUB + "krayin/laravel-crm/issues/2632", GITHUB + "Southpaw-TACTIC/TACTIC/pull/1752", "A program writes the addresses and numbers of a person as JSON: with their labels, as a list, or by their labels.",
        right="Each of them, with what it is; other text with brackets stays.", before="wrong")
def lists_in_json(trial):
    def cell(text):
        return '"' + text.replace('"', '""') + '"'
    expect(trial, "name,emails,contact_numbers,notes\n"
           + ",".join(["Ada", cell('[{"label": "work", "value": "a@example.org"}, {"label": "home", "value": "b@example.org"}]'), cell('[{"value": "22550101", "label": "Boat"}]'), "[see below]"]) + "\n"
           + ",".join(["Bo", cell('["a@example.org", "b@example.org"]'), cell('{"mobile": "22550102"}'), cell('["x"]')]) + "\n"
           + ",".join(["Cy", cell("[]"), cell("[22550101, 22550102]"), ""]) + "\n",
           {"name": "Ada", "emails": ["a@example.org", "b@example.org"], "emails types": [["work"], ["home"]], "phones": ["22550101"], "phones labels": ["Boat"], "note": "[see below]"},
           {"name": "Bo", "emails": ["a@example.org", "b@example.org"], "phones": ["22550102"], "phones types": [["cell"]], "note": '["x"]'},
           {"name": "Cy", "emails": [], "phones": ["22550101", "22550102"]})


@report(GITHUB + "younginnovations/aidstream/issues/140", GITHUB + "phatcher/CsvReader/issues/25", GITHUB + "pentacent/keila/pull/483",
        "An editor made quotes of typography of those of a table.", right="The values without them; quotes inside of a note stay.", before="wrong")
def curly_quotes(trial):
    expect(trial, "“Name”,“E-mail”,“Phone”,“Notes”\n“Ada Moe”,“a@example.org”,„1“,“Hi” she said\nBo “Bobo” Lie,b@example.org,2,“Hi”\n",
           {"name": "Ada Moe", "emails": ["a@example.org"], "phones": ["1"], "note": "“Hi” she said"}, {"name": "Bo “Bobo” Lie", "note": "“Hi”"})


@report(GITHUB + "tine20/tine20/issues/2542", GITHUB + "tine20/tine20/issues/5139", "A table has a column for the form of address and another one for the academic title.", right="Both, in their order.", before="wrong")
def two_titles_of_a_person(trial):
    expect(trial, "Anrede;Titel;Vorname;Nachname;Position\nFrau;Dr.;Ada;Moe;Chefin\nHerr;;Bo;Lie;\n", {"name": "Frau Dr. Ada Moe", "prefix": "Frau Dr.", "title": "Chefin"}, {"name": "Herr Bo Lie"})
    expect(trial, "Salutation,Title,First Name,Last Name,Job Title\nMs.,Dr.,Ada,Moe,Chief\n", {"prefix": "Ms. Dr.", "title": "Chief"})


@report(GITHUB + "KingdomFirst/Excavator/issues/57", GITHUB + "SuiteCRM/SuiteCRM/issues/214", "A person has a second address: Alternate Address Street, Secondary City, Private Street, Office Postal Code.",
        right="Two addresses, each with its own parts.", before="wrong")
def second_addresses(trial):
    expect(trial, "First Name,Last Name,Primary Address Street,Primary Address City,Primary Address Postal Code,Alternate Address Street,Alternate Address City,Alternate Address Postal Code,Description\n"
           "Ada,Moe,Weg 1,Kiel,24103,Ufer 2,Lunden,25774,x\n", {"addresses": ["Weg 1\n24103 Kiel", "Ufer 2\n25774 Lunden"], "note": "x"})
    expect(trial, "First Name,Last Name,Office Street,Office City,Office Postal Code,Private Street,Private City\nAda,Moe,Weg 1,Kiel,24103,Ufer 2,Lunden\n", {
        "addresses": ["Weg 1\n24103 Kiel", "Ufer 2\nLunden"], "addresses types": [["work"], ["home"]]})


@report(GITHUB + "solidusio-contrib/solidus_importer/pull/21", GITHUB + "Shopify/shopify_transporter/pull/94", GITHUB + "customeros/customeros/issues/2775",
        "A shop has two words before the names of columns, Default Address City and Default Address Phone, and Pipedrive writes Person - Name.", right="The customers and people with all fields.", before="wrong")
def words_before_columns(trial):
    expect(trial, "First Name,Last Name,Email,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Note\n"
           "Ada,Moe,a@example.org,Werft,Weg 1,Hof,Kiel,SH,DE,24103,1,x\n", {
               "name": "Ada Moe", "organisation": ["Werft"], "addresses": ["Weg 1\nHof\n24103 Kiel\nSH\nDE"], "phones": ["1"], "note": "x"})
    expect(trial, "Person - Name,Person - Organization,Person - Phone - Work,Person - Phone - Mobile,Person - Email - Work,Person - Label\nAda Moe,Werft,1,2,a@example.org,Hot\n", {
        "name": "Ada Moe", "organisation": ["Werft"], "phones": ["1", "2"], "phones types": [["work"], ["cell"]], "emails": ["a@example.org"]})


@report(GITHUB + "Kademi/kademi-dev/issues/3977", GITHUB + "margince/margince/issues/3012", "A customer relation program has the note in Description, the manager in Reports To, and the phone of an assistant.",
        right="The note, the manager, and the number with whose it is.", before="wrong")
def columns_of_customer_relations(trial):
    expect(trial, "Customer Email,Customer First Name,Customer Surname,Customer Phone,Customer Job Title,Description,Reports To,Asst. Phone\na@example.org,Ada,Moe,1,Chief,A good one,Bo Lie,2\n", {
        "name": "Ada Moe", "phones": ["1", "2"], "phones labels": [None, "assistant"], "title": "Chief", "note": "A good one", "related": ["Bo Lie"], "related types": [["manager"]]})
    expect(trial, "name,email,details,notes,description\nAda,a@example.org,z,x,y\n", {"note": "x\ny"})


@report(GITHUB + "department-of-veterans-affairs/vets-website/pull/21103", GITHUB + "ranguard/text-vcard/issues/31", "A mail address is required, and people write none, N/A, a hyphen or an at sign alone.",
        right="No address; an address of another network without an at sign stays.", before="wrong")
def signs_in_place_of_mail_addresses(trial):
    expect(trial, "Name,Email,Phone\nAda,none,1\nBo,-,2\nCy,@,3\nDi,N/A,4\nEva,e@example.org,5\n", *[{"emails": []}] * 4, {"emails": ["e@example.org"]})
    card = contacts.vcard("FN:Ada", "EMAIL:none", "EMAIL:-", "EMAIL;TYPE=INTERNET:a@example.org", "EMAIL:/C=no/O=werft")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"emails": ["a@example.org", "/C=no/O=werft"]}])
    contacts.expect_contacts(trial, contacts.write(trial, "b.ldif", "dn: cn=Ada\ncn: Ada\nmail: none\nmail: a@example.org\n"), [{"emails": ["a@example.org"]}])
