"""Rows of tables: several values in a field, dates, and rows that are damaged."""
from support import contacts
from support.report import report


def expect(trial, text, *wanted, name="book.csv", failures=0):
    book = contacts.write(trial, name, text)
    contacts.expect_contacts(trial, book, list(wanted), failures)


@report("https://github.com/owncloud-archive/contacts/issues/820", "https://github.com/owncloud-archive/contacts/issues/819",
        "Google puts several addresses of one type into the same columns, between ' ::: '.",
        right="Several addresses, each with its own street, town and code.", before="wrong")
def google_several_addresses(trial):
    expect(trial, "Name,Address 1 - Type,Address 1 - Street,Address 1 - City,Address 1 - Postal Code\n"
           "Eva Moe,Home,Hafen 1 ::: Markt 2,Kiel ::: Bremen,24103 ::: 28195\n", {
               "addresses": ["Hafen 1\n24103 Kiel", "Markt 2\n28195 Bremen"], "addresses types": [["home"], ["home"]]})


@report("https://github.com/owncloud-archive/contacts/issues/818", "https://github.com/owncloud-archive/contacts/issues/574",
        "Google puts several phones and e-mail addresses of one type into one field.", right="Each by itself, all of them with the type.", before="right")
def google_several_phones(trial):
    expect(trial, "Name,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value\nEva Moe,Work,a@example.org ::: b@example.org,Home,1 ::: 2\n", {
        "emails": ["a@example.org", "b@example.org"], "phones": ["1", "2"], "phones types": [["home"], ["home"]]})


@report("https://github.com/owncloud-archive/contacts/issues/817", "https://github.com/owncloud-archive/contacts/issues/827",
        "Phones of different types stand in different columns of Google's table, and the type is a column of its own.",
        right="All phones with their types.", before="right")
def google_phones_of_several_types(trial):
    expect(trial, "Name,Group Membership,Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value,Phone 3 - Type,Phone 3 - Value\n"
           "Eva Moe,* My Contacts ::: Chor,Mobile,1,Work,2,Boot,3\n", {
               "phones": ["1", "2", "3"], "phones types": [["cell"], ["work"], []], "phones labels": [None, None, "Boot"], "groups": ["My Contacts", "Chor"]})


@report("https://github.com/m-i-n-a-r/birday/issues/271", "https://github.com/owncloud-archive/contacts/issues/864",
        "Outlook writes 0/0/00 for a person without a birthday.", right="No birthday.", before="wrong")
def birthday_of_zeros(trial):
    expect(trial, "First Name,Last Name,Birthday\nEva,Moe,0/0/00\nBo,Lie,1990-05-07\nCy,Aas,0000-00-00\n",
           {"birthday": None}, {"birthday": "1990-05-07"}, {"birthday": None})


@report("https://github.com/skarra/ASynK/issues/4", "https://github.com/nextcloud/integration_google/issues/45",
        "A birthday without a year is --05-07 in Google's table.", right="Month and day.", before="right")
def birthday_without_year(trial):
    expect(trial, "Name,Given Name,Birthday\nEva Moe,Eva,--05-07\nBo Lie,Bo, --12-24\n", {"birthday": "--05-07"}, {"birthday": "--12-24"})


@report("https://github.com/hhirsch/abook/issues/3", "Two tables were joined, each with its header.",
        right="The people of both, each by its own header; the second header is no person.", before="wrong")
def joined_tables(trial):
    expect(trial, "Name,Email\nEva Moe,eva@example.org\nName,Email\nBo Lie,bo@example.org\n",
           {"name": "Eva Moe", "emails": ["eva@example.org"]}, {"name": "Bo Lie", "emails": ["bo@example.org"]}, name="a.csv")
    expect(trial, "First Name,Last Name,E-mail Address\nEva,Moe,eva@example.org\nVorname,Nachname,E-Mail-Adresse,Mobiltelefon\nBo,Lie,bo@example.org,1\n",
           {"name": "Eva Moe", "phones": []}, {"name": "Bo Lie", "phones": ["1"]}, name="b.csv")


@report("https://github.com/MicrosoftDocs/OfficeDocs-Exchange/issues/3035",
        "A line end is lost, and two people stand in one row.",
        right="An error that names the line: no person has the other's address.", before="wrong")
def lost_line_end(trial):
    expect(trial, "Name,Email,Notes\nEva Moe,eva@example.org,HelloBo Lie,bo@example.org,Hi\nCy Aas,cy@example.org,Hey\n",
           {"name": "Cy Aas", "emails": ["cy@example.org"]}, failures=1)


@report("https://github.com/fusionpbx/fusionpbx/issues/1027",
        "Fields are in quotes, with line ends, doubled quotes and separators inside.", right="The text of the fields.", before="right")
def quoted_fields(trial):
    expect(trial, '"First Name","Last Name","Company","Notes","Home Street"\r\n"Eva","Moe","Lie, Aas & ""Co""","one\r\ntwo","Weg 1\nHof"\r\n', {
        "organisation": ['Lie, Aas & "Co"'], "note": "one\r\ntwo", "addresses": ["Weg 1\nHof"]})


@report("https://github.com/tine20/tine20/issues/2111", "https://github.com/chatwoot/chatwoot/pull/13313",
        "Google renamed the columns of its export in 2024: Labels, Organization Name, Phone 1 - Label.",
        right="The same contacts as before.", before="right")
def google_since_2024(trial):
    expect(trial, "First Name,Middle Name,Last Name,Nickname,Organization Name,Organization Title,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value\n"
           "Eva,Li,Moe,Ev,Werft,Chefin,* myContacts ::: Chor,* Work,eva@example.org,Mobile,1\n", {
               "given": "Eva", "additional": "Li", "family": "Moe", "organisation": ["Werft"], "title": "Chefin", "groups": ["myContacts", "Chor"],
               "emails": ["eva@example.org"], "phones types": [["cell"]]})
