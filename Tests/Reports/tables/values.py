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
