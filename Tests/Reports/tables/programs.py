"""Tables of programs and services, by their columns, and what spreadsheets make of values."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, text, *wanted, name="book.csv", failures=0):
    book = contacts.write(trial, name, text)
    contacts.expect_contacts(trial, book, list(wanted), failures)


@report(GITHUB + "MicrosoftDocs/microsoft-365-docs/issues/3252", "Microsoft 365 has the address in the column User Name, and parts of the postal address in State or Province, ZIP or Postal Code, Country or Region.",
        right="The mail address and all lines of the postal one.", before="wrong")
def users_of_microsoft_365(trial):
    expect(trial, "User Name,First Name,Last Name,Display Name,Job Title,Department,Office Number,Office Phone,Mobile Phone,Fax,Address,City,State or Province,ZIP or Postal Code,Country or Region\n"
           "ada@example.org,Ada,Moe,Ada Moe,Chief,Sales,101,1,2,3,Weg 1,Kiel,SH,24103,DE\n", {
               "name": "Ada Moe", "emails": ["ada@example.org"], "phones": ["1", "2", "3"], "addresses": ["Weg 1\n24103 Kiel\nSH\nDE"], "title": "Chief"})
    expect(trial, "User principal name,Display name,Email\nada@example.org,Ada Moe,ada@example.org\nbo,Bo Lie,bo@example.org\n",
           {"emails": ["ada@example.org"]}, {"emails": ["bo@example.org"]})


@report(GITHUB + "krayin/laravel-crm/issues/2630", GITHUB + "hitobito/hitobito/issues/3903", "A spreadsheet wrote dates as the numbers that it has for days: 31182.", right="The day: 31182 is 1985-05-15.", before="wrong")
def days_of_spreadsheets(trial):
    expect(trial, "Name,Email,Birthday,Anniversary\nA,a@example.org,31182,40306\nB,b@example.org,36585.0,\nC,c@example.org,1985-05-15,\nD,d@example.org,1985,\n",
           {"birthday": "1985-05-15", "anniversary": "2010-05-08"}, {"birthday": "2000-02-29", "anniversary": None}, {"birthday": "1985-05-15"}, {"birthday": "1985"})


@report(GITHUB + "hhirsch/abook/issues/3", "abook marks the header as a remark, calls the nickname nick, and puts commas between groups.", right="All fields, and each group by itself.", before="wrong")
def tables_of_abook(trial):
    expect(trial, '#"name","email","address","address2","city","state","zip","country","phone","workphone","fax","mobile","nick","url","notes","anniversary","groups","Custom1"\n'
           '"Ada Moe","a@example.org,b@example.org","Weg 1","Hof","Kiel","SH","24103","DE","1","2","3","4","Ad","http://a.example","hi","2010-05-06","Choir,Chess","c"\n', {
               "name": "Ada Moe", "emails": ["a@example.org", "b@example.org"], "addresses": ["Weg 1\nHof\n24103 Kiel\nSH\nDE"], "phones": ["1", "2", "3", "4"], "nicknames": ["Ad"],
               "anniversary": "2010-05-06", "groups": ["Choir", "Chess"]})


@report(GITHUB + "margince/margince/issues/3012", "The lines of an address are numbered: address_line1, address_line2, or Address Line 1.", right="All lines of the address.", before="wrong")
def numbered_lines_of_an_address(trial):
    expect(trial, "display_name,legal_name,address_line1,address_line2,address_city,address_region,address_postal_code,address_country,email\nAda,x,Weg 1,Hof,Kiel,SH,24103,DE,a@example.org\n",
           {"name": "Ada", "addresses": ["Weg 1\nHof\n24103 Kiel\nSH\nDE"]})
    expect(trial, "First Name,Last Name,Address Line 1,Address Line 2,City,Postcode,Email\nAda,Moe,Weg 1,Hof,Kiel,24103,a@example.org\n", {"addresses": ["Weg 1\nHof\n24103 Kiel"]})


@report(GITHUB + "creecros/Mailmagik/issues/54", GITHUB + "jeevatkm/ReplyWithHeader-Apple-Mail/issues/38", "Outlook keeps the quotes of a mail around names, also in a table.", right="The names without quotes; an apostrophe in a name stays.", before="wrong")
def names_in_quotes_in_a_table(trial):
    expect(trial, "Name,E-mail Address\n'Ada Moe',ada@example.org\n'bo@example.org','bo@example.org'\nEva 't Hooft,eva@example.org\n",
           {"name": "Ada Moe", "initials": "AM"}, {"name": "bo@example.org", "emails": ["bo@example.org"]}, {"name": "Eva 't Hooft"})
    expect(trial, "First Name,Last Name,Email\n'Ada','Moe',ada@example.org\n", {"given": "Ada", "family": "Moe", "name": "Ada Moe"})


@report(GITHUB + "ProtonMail/proton-contacts/issues/292", GITHUB + "NBS-LLC/ng-spotify-importer/issues/268", GITHUB + "cluster-software/agent-crm/issues/84",
        "The last column has no name, a title stands above the header, or people have numbers alone.", right="The contacts.", before="right")
def headers_with_more_or_less(trial):
    expect(trial, "Name,Email,\nAda,ada@example.org,\nBo,bo@example.org,x\n", {"emails": ["ada@example.org"]}, {"emails": ["bo@example.org"]})
    expect(trial, "Members of the club\n\nName,Phone\nAda,1\n", {"name": "Ada", "phones": ["1"]})
    expect(trial, "name,phone,mobile_number,work_phone,work_phone_2,personal_phone\nAda,1,2,3,4,5\n", {"phones": ["1", "2", "3", "4", "5"], "phones types": [[], ["cell"], ["work"], ["work"], ["home"]]})


@report(GITHUB + "fusionpbx/fusionpbx/issues/1871", "Names of columns have no blanks, numbers behind them, or words of another program: BusinessPhone, Cellular telephone 1, Position beside a title.",
        right="All numbers; a title beside a position is a form of address.", before="wrong")
def columns_in_other_words(trial):
    expect(trial, "FirstName,LastName,BusinessPhone,HomePhone,MobilePhone,EmailAddress\nAda,Moe,1,2,3,a@example.org\n", {"phones": ["1", "2", "3"], "phones types": [["work"], ["home"], ["cell"]]})
    expect(trial, "Display name,Last name,First name,Title,Position,Telephone business 1,Cellular telephone 1,Email 1,Comment\nAda Moe,Moe,Ada,Dr.,Chief,1,2,a@example.org,hi\n",
           {"prefix": "Dr.", "title": "Chief", "phones": ["1", "2"], "phones types": [["work"], ["cell"]], "note": "hi"})
    expect(trial, "First Name,Last Name,Business Phone,Callback,ISDN,TTY/TDD Phone,Car Phone,iPhone,E-mail Address\nAda,Moe,1,2,3,4,5,6,a@example.org\n",
           {"phones": ["1", "2", "3", "4", "5", "6"], "phones labels": [None, None, None, "tty", "car", None]})
    expect(trial, "First Name,Last Name,Work,Home,Cell,Email\nAda,Moe,1,2,3,a@example.org\n", {"phones": ["1", "2", "3"], "phones types": [["work"], ["home"], ["cell"]]})


@report(GITHUB + "owncloud-archive/contacts/issues/818", "A field has several numbers between commas with a blank, as other tables than Google's do.", right="Each number by itself; a comma alone is a pause.", before="wrong")
def numbers_between_commas(trial):
    expect(trial, 'Name,Email,Phones\nAda,a@example.org,"+47 22 55 01 99, +47 22 55 01 98"\nBo,b@example.org,"+4722550199,,0123456#"\n',
           {"phones": ["+47 22 55 01 99", "+47 22 55 01 98"]}, {"phones": ["+4722550199,,0123456#"]})
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", "TEL:+47 22 55 01 99\\, +47 22 55 01 98")), [{"phones": ["+47 22 55 01 99", "+47 22 55 01 98"]}])
