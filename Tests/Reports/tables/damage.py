"""Tables that spreadsheets, data bases and scripts wrote, or damaged."""
from support import contacts
from support.report import report

HEADER = "First Name,Last Name,Phone,Email\n"


def expect(trial, text, *wanted, failures=0, name="book.csv"):
    contacts.expect_contacts(trial, contacts.write(trial, name, text), list(wanted), failures)


@report("https://github.com/mholt/PapaParse/issues/941", "https://github.com/JoshClose/CsvHelper/issues/107", "https://github.com/vincentlaucsb/csv-parser/issues/190",
        "https://github.com/parsecsv/parsecsv-for-php/issues/210", "Blanks stand around the quotes of fields.", right="The fields without quotes; a separator inside is text.",
        before="wrong")
def blanks_around_quotes(trial):
    expect(trial, '"First Name" ,"Last Name", "Phone"\nEva ,   "Moe, Dr." , "1"\n"Bo", Ek "B" X, "2"\nKim, "Ek,3\n',
           {"given": "Eva", "family": "Moe, Dr.", "phones": ["1"]}, {"given": "Bo", "family": 'Ek "B" X', "phones": ["2"]}, {"given": "Kim", "phones": ["3"]})


@report("https://github.com/sqlitebrowser/sqlitebrowser/issues/1032", "https://github.com/stevehansen/csv/issues/35", "https://github.com/webyog/sqlyog-community/issues/103",
        "A data base escapes quotes inside of fields by a backslash.", right="The quotes. A backslash at the end of a field is one.", before="wrong")
def quotes_behind_backslashes(trial):
    expect(trial, HEADER + '"Eva \\"Bibi\\" X","Moe",1,\n"Bo","Ek, \\"B\\"","2",\n"C:\\","Ek",3,\n"A ""b"" c","D \\""",4,\n',
           {"given": 'Eva "Bibi" X', "family": "Moe"}, {"family": 'Ek, "B"', "phones": ["2"]}, {"given": "C:\\", "family": "Ek"},
           {"given": 'A "b" c', "family": 'D \\"', "phones": ["4"]})


@report("https://github.com/mautic/mautic/issues/890", "https://github.com/CartoDB/cartodb/issues/6178", "https://github.com/fcturner/passwords/issues/57",
        "Rows of separators alone, and an empty line, stand in the table.", right="The people, and no error: such a row says nothing.", before="wrong")
def blank_rows(trial):
    expect(trial, HEADER + 'Eva,Moe,1,\n,,,\n" ",,"",\nBo,Ek,2,\n,,,\n\n', {"given": "Eva"}, {"given": "Bo"})


@report("https://github.com/ODM2/ODMToolsPython/issues/184", "https://github.com/wireservice/csvkit/issues/49", "https://github.com/apache/doris/issues/12510",
        "Fields without a value have a word for that: nan, NULL, #N/A, \\N.", right="Nothing there. Null and Nan are names.", before="wrong")
def words_for_nothing(trial):
    expect(trial, HEADER + "Eva,NULL,nan,#N/A\nNan,Null,#REF!,\\N\nundefined,Ek,-,None\n",
           {"name": "Eva", "phones": [], "emails": []}, {"name": "Nan Null", "phones": [], "emails": []}, {"name": "Ek", "given": "", "phones": [], "emails": []})


@report("https://github.com/wireservice/csvkit/issues/1143", "https://github.com/dilshod/xlsx2csv/issues/190", "https://github.com/nyaruka/rapidpro/pull/241",
        "A program took numbers of telephones for numbers: 1234567891.0, 3.108207129E9.", right="The number, if all of its digits are there.", before="wrong")
def numbers_with_a_fraction(trial):
    expect(trial, HEADER + "A,,491234567891.0,\nB,,3.108207129E9,\nC,,4.41E+11,\nD,,0431.550100,\n",
           *[{"phones": [number]} for number in ("491234567891", "3108207129", "4.41E+11", "0431.550100")])


@report("https://github.com/melgarafael/DeskcommCRM/pull/1421", "https://github.com/playsms/playsms/issues/304", "https://github.com/nextcloud/contacts/issues/1984",
        "The columns have names in Spanish, Arabic, Hebrew, Greek, Romanian, Vietnamese, Chinese, Dutch, French, German or Indian English.", right="The people with their numbers and addresses.", before="wrong")
def headers_of_more_languages(trial):
    for header, row, wanted in [
            ("nombre;apellidos;móvil;correo;nacimiento;etiquetas", "Eva;Moe;1;e@example.org;03/12/1985;Chor", {"given": "Eva", "family": "Moe", "groups": ["Chor"]}),
            ("الاسم,الهاتف,البريد الإلكتروني", "أحمد,1,e@example.org", {"name": "أحمد"}), ("שם מלא,טלפון,אימייל", "חוה מו,1,e@example.org", {"name": "חוה מו"}),
            ("Ονοματεπώνυμο;Τηλέφωνο;Email", "Εύα Μο;1;e@example.org", {"name": "Εύα Μο"}), ("Prenume,Nume de familie,Telefon,Email", "Eva,Moe,1,e@example.org", {"family": "Moe"}),
            ("姓名,手机号,电子邮箱", "王小明,1,e@example.org", {"name": "王小明"}), ("Contact Name,Contact No,Email ID,DOB", "Eva,1,e@example.org,12-Dec-1985", {"birthday": "1985-12-12"}),
            ("Roepnaam;Achternaam;Telefoon;E-mail", "Eva;Moe;1;e@example.org", {"given": "Eva"}),
            ("Nom;Prénom;Adresse;CP;Ville;Téléphone;E-mail", "Moe;Eva;1 rue X;75001;Paris;1;e@example.org", {"family": "Moe", "addresses": ["1 rue X\n75001 Paris"]}),
            ("Vorname;Nachname;Adresse;PLZ;Ort;Telefon;E-Mail", "Eva;Moe;Weg 1;24103;Kiel;1;e@example.org", {"addresses": ["Weg 1\n24103 Kiel"]}),
            ("Họ,Tên,Số điện thoại,Email", "Nguyễn,An,1,e@example.org", {"family": "Nguyễn", "given": "An"}), ("Nama Lengkap,Nomor Telepon,Email", "Eva,1,e@example.org", {"name": "Eva"})]:
        expect(trial, f"{header}\n{row}\n", {**wanted, "phones": ["1"], "emails": ["e@example.org"]})


@report("https://github.com/jobisoft/CategoryManager/issues/21", "https://github.com/Automattic/camptix/issues/136",
        "The fields were encoded twice, or have references of HTML.", right="The names as people wrote them.", before="wrong")
def damaged_fields(trial):
    twice = "Müller".encode().decode("cp1252")
    expect(trial, HEADER + f"J&uuml;rgen,{twice},1,\n=?UTF-8?Q?J=C3=BCrgen?=,O&#39;Neill,2,\n", {"name": "Jürgen Müller"}, {"name": "Jürgen O'Neill"})


@report("https://github.com/bartfeenstra/betty/issues/188", "https://github.com/mangstadt/ez-vcard/issues/134", "https://github.com/joshuatz/linkedin-to-jsonresume/issues/32",
        "Dates have zeros for what is not known, an impossible month, or are those of a programming language.", right="What is known of the date; no date for NaN.", before="wrong")
def dates_of_programs(trial):
    for value, day in [("1829-10-00", "1829-10"), ("1829-00-00", "1829"), ("19879215", "19879215"), ("NaNaNaN", None), ("Tue Dec 03 00:00:00 GMT 1985", "1985-12-03"),
                       ("Tue Dec 03 1985 00:00:00 GMT+0100 (CET)", "1985-12-03"), ("Tue, 03 Dec 1985 00:00:00 +0000", "1985-12-03"), ("1/1/4501", None)]:
        expect(trial, contacts.vcard("FN:Ada", f"BDAY:{value}"), {"birthday": day}, name="a.vcf")


@report("https://github.com/rroemhild/docker-test-openldap/issues/5", "https://github.com/alexferl/flask-simpleldap/pull/84",
        "The file is the output of ldapsearch, with its result and references behind the entries.", right="The people, and no error.", before="wrong")
def output_of_ldapsearch(trial):
    entry = "# extended LDIF\n#\n# LDAPv3\n\n# Eva, example.org\ndn: cn=Eva Moe,dc=example,dc=org\nobjectClass: person\ncn: Eva Moe\nsn: Moe\n\n"
    end = "# search reference\nref: ldap://dns.example.org/DC=dns,DC=example,DC=org\n\n# search result\nsearch: 2\nresult: 0 Success\n\n# numResponses: 2\n"
    book = contacts.write(trial, "book.ldif", entry + end)
    result = contacts.expect_contacts(trial, book, [{"name": "Eva Moe"}])
    trial.expect("exit status", result["status"], 0)
