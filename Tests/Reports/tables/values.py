"""Values of tables: dates, marks of spreadsheets, and columns that one program or country has."""
from support import contacts
from support.report import report


def expect(trial, text, *wanted):
    contacts.expect_contacts(trial, contacts.write(trial, "book.csv", text), list(wanted))


@report("https://github.com/dannymcc/may/issues/250", "https://github.com/ChurchCRM/CRM/issues/8691", "https://github.com/rapidpro/rapidpro/issues/557",
        "Dates of a table have the month first, or the day, and some have no year.", right="One order for the whole table, as those dates show it that fit no other one.",
        before="wrong")
def order_of_day_and_month(trial):
    expect(trial, "Name,Birthday,Email\nA,12/31/1990,\nB,5/7/1990,\nC,1/2,\n", {"birthday": "1990-12-31"}, {"birthday": "1990-05-07"}, {"birthday": "--01-02"})
    expect(trial, "Name,Birthday,Email\nA,5/7/1990,\nB,31/12/1990,\n", {"birthday": "1990-07-05"}, {"birthday": "1990-12-31"})
    expect(trial, "Name,Birthday,Email\nA,5/7/1990,\n", {"birthday": "5/7/1990"})


@report("https://github.com/roundcube/roundcubemail/issues/6668", "A German table has a column Geburtstag, which is the day of the month in Thunderbird's.",
        right="The date of birth.", before="wrong")
def birthday_in_a_german_table(trial):
    expect(trial, "Vorname;Nachname;E-Mail;Geburtstag\nEva;Moe;eva@example.org;07.05.1990\n", {"given": "Eva", "birthday": "1990-05-07"})


@report("https://github.com/Automattic/camptix/issues/40", "https://github.com/hhurz/tableExport.jquery.plugin/issues/103",
        "Numbers are marked as texts for spreadsheets: ='0431' in double quotation marks, or with an apostrophe in front.", right="The numbers, without the marks.",
        before="wrong")
def marks_for_spreadsheets(trial):
    expect(trial, "First Name,Last Name,Phone\nEva,'t Hooft,=\"0431 1\"\nBo,Moe,'+49 431 2\n",
           {"family": "'t Hooft", "phones": ["0431 1"]}, {"phones": ["+49 431 2"]})


@report("https://github.com/Diego81/omnicontacts/issues/99", "Yahoo names the columns of phones by their places alone: Home, Work, Mobile, Other.",
        right="All phones and addresses with their types.", before="wrong")
def yahoo_phones(trial):
    expect(trial, "First,Last,Email,Home,Work,Pager,Fax,Mobile,Other,Alternate Email 1,Home Address,Home City\n"
           "Eva,Moe,eva@example.org,1,2,3,4,5,6,e@example.org,Weg 1,Kiel\n", {
               "phones": ["1", "2", "3", "4", "5", "6"], "phones types": [["home"], ["work"], ["pager"], ["fax"], ["cell"], []],
               "emails": ["eva@example.org", "e@example.org"], "addresses": ["Weg 1\nKiel"]})


@report("https://github.com/saproto/saproto/issues/132", "Dutch tables have a column for what stands between the names: Tussenvoegsel.",
        right="It belongs to the family name.", before="wrong")
def dutch_particles(trial):
    expect(trial, "Voornaam;Tussenvoegsel;Achternaam;Telefoon\nJan;van der;Berg;1\nEva;;Moe;2\n",
           {"name": "Jan van der Berg", "family": "van der Berg", "initials": "JB"}, {"name": "Eva Moe"})


@report("https://github.com/takbok/shared-contacts-admin/issues/6", "https://github.com/constantcontact/php-sdk/issues/100",
        "Google's table has events, relations and accounts, Outlook's an anniversary and a spouse.", right="The anniversary, the people and the accounts.", before="wrong")
def events_relations_and_accounts(trial):
    expect(trial, "Name,Event 1 - Label,Event 1 - Value,Relation 1 - Label,Relation 1 - Value,IM 1 - Service,IM 1 - Value\n"
           "Eva,Anniversary,2010-06-08,Sister,Kim,Skype,eva.moe\n", {
               "anniversary": "2010-06-08", "related": ["Kim"], "related labels": ["Sister"], "social": ["eva.moe"], "social types": [["skype"]]})
    expect(trial, "First Name,Last Name,Spouse,Anniversary\nEva,Moe,Kim,6/28/2010\n",
           {"anniversary": "2010-06-28", "related": ["Kim"], "related types": [["spouse"]]})


@report("https://github.com/owncloud/contacts/issues/190", "https://github.com/dannymcc/may/issues/250", "https://github.com/collec-science/collec-science/issues/225",
        "All dates of a table could have the month or the day first, and its columns have names in another language than English.",
        right="The day first: English alone has the month first, and does not always.", before="wrong")
def order_of_dates_by_language(trial):
    expect(trial, "Prénom;Nom;Anniversaire;E-mail\nEva;Moe;05/04/1996;\n", {"birthday": "1996-04-05"})
    expect(trial, "Nombre,Apellidos,Fecha de nacimiento,Correo\nEva,Moe,5/4/1996,\n", {"birthday": "1996-04-05"})
    expect(trial, "Prénom;Nom;Anniversaire;E-mail\nEva;Moe;05/04/1996;\nBo;Lie;12/31/1990;\n", {"birthday": "1996-05-04"}, {"birthday": "1990-12-31"})
    expect(trial, "First Name,Last Name,Birthday,E-mail\nEva,Moe,05/04/1996,\n", {"birthday": "05/04/1996"})


@report("https://github.com/wealthfolio/wealthfolio/pull/1622", "https://github.com/1024pix/pix/pull/1850", "https://github.com/JuliaData/CSV.jl/issues/620",
        "Spreadsheets write years with two digits, and months by their short names.", right="The day, in one order for the whole table.", before="wrong")
def short_dates_of_spreadsheets(trial):
    expect(trial, "Name,Birthday,Email\nA,03/08/57,\nB,26/06/96,\nC,15-Apr-96,\n", {"birthday": "1957-08-03"}, {"birthday": "1996-06-26"}, {"birthday": "1996-04-15"})
    expect(trial, "Name;Geburtstag;E-Mail\nA;15. Mär 96;\nB;1. Okt. 1985;\n", {"birthday": "1996-03-15"}, {"birthday": "1985-10-01"})


@report("https://github.com/buttondown/roadmap/issues/2276", "https://github.com/MrTheBino/mist-engine-fvtt/issues/64", "https://github.com/Shopify/shopify_transporter/issues/152",
        "Mailchimp writes each tag in quotes of its own, inside of the quotes of the field.", right="The tags without quotes.", before="wrong")
def tags_of_mailchimp(trial):
    expect(trial, "Email Address,First Name,Last Name,MEMBER_RATING,TAGS\neva@example.org,Eva,Moe,2,\"\"\"Friends\"\",\"\"Work\"\"\"\n", {"name": "Eva Moe", "groups": ["Friends", "Work"]})


@report("https://github.com/evil-morfar/RCLootCouncil2/pull/214", "https://github.com/dfinke/ImportExcel/issues/997", "https://github.com/cloudera/hue/issues/1889",
        "Cells are formulas that link to an address: =HYPERLINK(...).", right="What the cell shows; in a column of addresses the address.", before="wrong")
def links_of_spreadsheets(trial):
    link = '"=HYPERLINK(""mailto:eva@example.org""{}""{}"")"'
    expect(trial, f"Name,Email,Website\n{link.format(',', 'Eva Moe')},{link.format(';', 'Mail')},\"=HYPERLINK(\"\"https://eva.example.org\"\")\"\n",
           {"name": "Eva Moe", "emails": ["eva@example.org"], "websites": ["https://eva.example.org"]})


@report("https://github.com/ho-nl/magento1-Ho_Import/issues/84", "https://github.com/UnionInternationalCheminsdeFer/OSDM/issues/435", "The number of a house has a column of its own, behind the street or before it.",
        right="One line of the address, in the order of the columns.", before="wrong")
def numbers_of_houses(trial):
    expect(trial, "Vorname;Nachname;Straße;Hausnummer;PLZ;Ort\nEva;Moe;Am Markt;12a;24103;Kiel\nBo;Lie;Weg 3;;24103;Kiel\n", {"addresses": ["Am Markt 12a\n24103 Kiel"]}, {"addresses": ["Weg 3\n24103 Kiel"]})
    expect(trial, "Voornaam;Achternaam;Huisnummer;Straat;Postcode;Plaats\nEva;Moe;12;Hoofdweg;9711;Groningen\n", {"addresses": ["12 Hoofdweg\n9711 Groningen"]})


@report("https://github.com/CardBook/CardBook/issues/41", "https://github.com/CaliOpen/Caliopen/pull/242", "Names of columns are abbreviated: Tel. gesch., Mob, Addr1, Known as; a Palm has Work, Home and Other beside no mobile.",
        right="All numbers and lines, each with its type.", before="wrong")
def abbreviated_columns(trial):
    expect(trial, "Vorname;Nachname;Tel. priv.;Tel. gesch.;Handy\nEva;Moe;1;2;3\n", {"phones": ["1", "2", "3"], "phones types": [["home"], ["work"], ["cell"]]})
    expect(trial, "Forename,Surname,Known as,Tel,Mob,Addr1,Addr2,Town,Postcode\nEva,Moe,Evi,1,2,1 High Street,Flat 2,Leeds,LS1\n",
           {"nicknames": ["Evi"], "phones": ["1", "2"], "addresses": ["1 High Street\nFlat 2\nLS1 Leeds"]})
    expect(trial, "Last name,First name,Title,Company,Work,Home,Fax,Other,E-mail\nMoe,Eva,,Kiel AG,1,2,3,4,eva@example.org\n",
           {"phones": ["1", "2", "3", "4"], "phones types": [["work"], ["home"], ["fax"], []]})


@report("https://github.com/StarGW-net/contacts-import/issues/2", "https://github.com/owncloud-archive/contacts/issues/827", "https://github.com/gophish/gophish/issues/2410",
        "Rows are shorter than the header, because a spreadsheet leaves empty cells at their end out; a field begins with the separator of others.",
        right="The people with what their rows have.", before="right")
def rows_that_end_early(trial):
    expect(trial, "Vorname;Nachname;E-Mail;Telefon;Notizen\nEva;Moe;eva@example.org\nBo\nCy;Roe;;0431 550100\n", {"name": "Eva Moe", "emails": ["eva@example.org"]}, {"name": "Bo"},
           {"name": "Cy Roe", "phones": ["0431 550100"]})
    expect(trial, "Name,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value\nИван Ёлкин,* ,ivan@example.org,Mobile,+7 000 000-00-00\n",
           {"name": "Иван Ёлкин", "emails": ["ivan@example.org"], "phones": ["+7 000 000-00-00"], "phones types": [["cell"]]})


@report("https://github.com/freescout-help-desk/freescout/issues/3258", "https://github.com/cluster-software/agent-crm/issues/84",
        "A table has columns of accounts: Telegram, Skype ID, LinkedIn, Twitter.", right="The accounts, each with its network.", before="wrong")
def columns_of_accounts(trial):
    expect(trial, "Name,Telegram,Skype ID,linkedin_url,Twitter handle,Google Talk,Facebook Profile URL\nEva,https://t.me/eva,eva.moe,https://linkedin.com/in/eva,@eva,eva@example.org,\n",
           {"name": "Eva", "websites": [], "social": ["eva.moe", "https://linkedin.com/in/eva", "@eva", "eva@example.org"],
            "social types": [["skype"], ["linkedin"], ["twitter"], ["gtalk"]]})


@report("https://github.com/MrTheBino/mist-engine-fvtt/issues/64", "https://github.com/Shopify/shopify_transporter/issues/152",
        "Tags have quotes around each, and commas inside, as Mailchimp writes them; or the list of a card has quotes around all of it.", right="The tags.", before="wrong")
def tags_in_quotes(trial):
    expect(trial, 'Email Address,First Name,TAGS\neva@example.org,Eva,"""VIP"",""Friends, close"""\nbo@example.org,Bo,"5"" club, B"\n',
           {"groups": ["VIP", "Friends, close"]}, {"groups": ['5" club', "B"]})
    card = contacts.vcard("FN:Eva", 'CATEGORIES:"VIP,Friends"')
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"groups": ["VIP", "Friends"]}])


@report("https://github.com/Intermesh/groupoffice/issues/653", "A table is one column of mail addresses, with its name or without one.", right="A contact for each of them.", before="wrong")
def mail_addresses_alone(trial):
    for header in ("email\n", "E-Mail-Adresse\r\n", ""):
        expect(trial, header + "eva@example.org\nbo@example.org\n", {"emails": ["eva@example.org"]}, {"emails": ["bo@example.org"]})
