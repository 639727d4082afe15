"""Columns as business programs, shops and clubs name them, and tables with lines before the header."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, text, *wanted, failures=0):
    contacts.expect_contacts(trial, contacts.write(trial, "book.csv", text), list(wanted), failures)


@report(GITHUB + "odoo/odoo/pull/135537", GITHUB + "OCA/partner-contact/issues/1650", "Odoo has the company in parent_id/name or Related Company, the job in function or Job Position, and a form of address as the title.",
        right="The company, the job and all parts of the address; the title is none of a job.", before="wrong")
def columns_of_odoo(trial):
    wanted = {"name": "Ada Moe", "organisation": ["Werft"], "title": "Chief", "prefix": "Dr.", "phones": ["1", "2"], "addresses": ["Weg 1\nHof\n24103 Kiel\nSH\nDE"], "note": "hi"}
    expect(trial, '"id","name","parent_id/name","street","street2","city","state_id","zip","country_id","phone","mobile","email","function","title","comment"\n'
           '"1","Ada Moe","Werft","Weg 1","Hof","Kiel","SH","24103","DE","1","2","a@example.org","Chief","Dr.","hi"\n', wanted)
    expect(trial, "Name,Related Company,Street,Street2,City,State,Zip,Country,Phone,Mobile,Email,Job Position,Title,Notes,Tags\n"
           "Ada Moe,Werft,Weg 1,Hof,Kiel,SH,24103,DE,1,2,a@example.org,Chief,Dr.,hi,Friends\n", wanted | {"groups": ["Friends"]})


@report(GITHUB + "civicrm/civicrm-core/pull/2640", GITHUB + "civicrm/civicrm-core/pull/5038", "CiviCRM writes Individual Prefix, Individual Suffix, Current Employer and Supplemental Address 1.",
        right="All of them, and the name that the program shows.", before="wrong")
def columns_of_civicrm(trial):
    expect(trial, "Contact ID,Contact Type,Sort Name,Display Name,Individual Prefix,First Name,Middle Name,Last Name,Individual Suffix,Current Employer,Job Title,Street Address,Supplemental Address 1,"
           'City,State,Postal Code,Country,Email,Phone\n1,Individual,"Moe, Ada",Dr. Ada Moe,Dr.,Ada,B,Moe,Jr.,Werft,Chief,Weg 1,Hof,Kiel,SH,24103,DE,a@example.org,1\n', {
               "name": "Dr. Ada Moe", "prefix": "Dr.", "suffix": "Jr.", "organisation": ["Werft"], "title": "Chief", "addresses": ["Weg 1\nHof\n24103 Kiel\nSH\nDE"]})


@report(GITHUB + "woocommerce/woocommerce-subscriptions-importer-exporter/issues/14", GITHUB + "woocommerce/woocommerce-subscriptions-importer-exporter/issues/44", GITHUB + "magento/magento2/issues/9469",
        "A shop puts a word for the customer before the names of columns: billing_first_name, customer_email, _address_city.", right="The customers, with the address of their bills.", before="wrong")
def customers_of_shops(trial):
    expect(trial, "customer_id,customer_email,billing_first_name,billing_last_name,billing_company,billing_address_1,billing_address_2,billing_city,billing_state,billing_postcode,billing_country,billing_phone,"
           "shipping_address_1,shipping_city\n1,a@example.org,Ada,Moe,Werft,Weg 1,Hof,Kiel,SH,24103,DE,1,Ufer 2,Lunden\n", {
               "name": "Ada Moe", "emails": ["a@example.org"], "organisation": ["Werft"], "addresses": ["Weg 1\nHof\n24103 Kiel\nSH\nDE"], "phones": ["1"]})
    expect(trial, "email,_website,firstname,lastname,prefix,_address_city,_address_company,_address_country_id,_address_fax,_address_postcode,_address_street,_address_telephone\n"
           "a@example.org,base,Ada,Moe,Dr.,Kiel,Werft,DE,3,24103,Weg 1,1\n", {
               "name": "Dr. Ada Moe", "organisation": ["Werft"], "phones": ["3", "1"], "addresses": ["Weg 1\n24103 Kiel\nDE"]})


@report(GITHUB + "invoiceninja/admin-portal/issues/660", GITHUB + "Kademi/kademi-dev/issues/5316", GITHUB + "openstreetmap/iD/issues/5039",
        "A program writes Client Phone, Contact Phone, Apt/Suite, Post Code, or Suburb for the town, as in Australia.", right="The numbers and all lines of the address.", before="wrong")
def columns_of_clients(trial):
    expect(trial, "Client Name,Client Phone,Street,Apt/Suite,City,State/Province,Post Code,Country,Contact Phone,Contact Email,Shipping Street\nAda,1,Weg 1,Hof,Kiel,SH,24103,DE,2,a@example.org,Ufer 2\n",
           {"name": "Ada", "phones": ["1", "2"], "emails": ["a@example.org"], "addresses": ["Weg 1\nHof\n24103 Kiel\nSH\nDE"]})
    expect(trial, "First Name,Last Name,Street Address,Suburb,State,Postcode,Email\nAda,Moe,Weg 1,Newtown,NSW,2042,a@example.org\n", {"addresses": ["Weg 1\n2042 Newtown\nNSW"]})


@report(GITHUB + "gophish/gophish/issues/62", GITHUB + "gophish/gophish/issues/492", "Tables of the same people have First, fname or FirstName for the given name.", right="The given and the family name.", before="wrong")
def short_names_of_columns(trial):
    for header in ("First,Last,Email,Position", "fname,lname,email,position", "FirstName,LastName,Email,Position"):
        expect(trial, header + "\nAda,Moe,a@example.org,Chief\n", {"name": "Ada Moe", "given": "Ada", "family": "Moe", "title": "Chief"})


@report(GITHUB + "bahaaldine/angular-csv-import/issues/12", "A program writes Alt email, Blog, Born on and accounts of networks.", right="Both addresses, the page, the day and the accounts.", before="wrong")
def columns_of_fat_free_crm(trial):
    expect(trial, "Id,First name,Last name,Title,Department,Email,Alt email,Phone,Mobile,Fax,Blog,Linkedin,Twitter,Born on,Skype,Tags\n1,Ada,Moe,Chief,Sales,a@example.org,b@example.org,1,2,3,http://a.example,ada-l,ada-t,1985-05-07,ada-s,Friends\n", {
        "name": "Ada Moe", "title": "Chief", "emails": ["a@example.org", "b@example.org"], "websites": ["http://a.example"], "birthday": "1985-05-07", "social": ["ada-l", "ada-t", "ada-s"], "groups": ["Friends"]})


@report(GITHUB + "espocrm/espocrm/issues/411", "A program has columns phoneNumberOffice, phoneNumberHome and emailAddress.", right="All of them with their types.", before="right")
def columns_of_espocrm(trial):
    expect(trial, "firstName,lastName,accountName,emailAddress,phoneNumber,phoneNumberOffice,phoneNumberHome,phoneNumberMobile\nAda,Moe,Werft,a@example.org,1,2,3,4\n", {
        "name": "Ada Moe", "organisation": ["Werft"], "phones": ["1", "2", "3", "4"], "phones types": [[], ["work"], ["home"], ["cell"]], "emails": ["a@example.org"]})


@report(GITHUB + "nbramia/LifeOS/pull/814", GITHUB + "FireBird-Technologies/Auto-Analyst/issues/125", "LinkedIn writes a remark in quotes and an empty line before the header of Connections.csv.", right="The contacts, with company, position and page.", before="right")
def connections_of_linkedin(trial):
    expect(trial, 'Notes:\n"When exporting, some of the addresses\nare missing, as people chose."\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\n'
           "Ada,Moe,https://www.linkedin.com/in/ada,,Werft,Chief,12 Mar 2024\nBo,Lie,https://www.linkedin.com/in/bo,bo@example.org,,,13 Mar 2024\n", {
               "name": "Ada Moe", "organisation": ["Werft"], "title": "Chief", "websites": ["https://www.linkedin.com/in/ada"], "birthday": None}, {"name": "Bo Lie", "emails": ["bo@example.org"]})


@report(GITHUB + "floriandiud/whatsapp-group-members-scraper/issues/1", "The members of a group of WhatsApp are a table of numbers, names and descriptions.", right="A contact for each number, also without a name.", before="right")
def members_of_whatsapp(trial):
    expect(trial, "Phone Number,Name,Description,Source\n+47 22 55 01 99,Ada,Hey there,Choir\n+47 22 55 01 98,,,Choir\n", {"name": "Ada", "phones": ["+47 22 55 01 99"]}, {"name": "+47 22 55 01 98"})


@report(GITHUB + "tine20/tine20/issues/3668", "A German table for customers has Firma, Strasse&Nr, PLZ, Ort and Tel beside Name and Vorname.", right="All fields; Name is the family name there.", before="right")
def german_customers(trial):
    expect(trial, "Firma;Name;Vorname;Strasse&Nr;PLZ;Ort;Tel;E-Mail\nWerft;Moe;Ada;Weg 1;24103;Kiel;1;a@example.org\n", {
        "name": "Ada Moe", "family": "Moe", "organisation": ["Werft"], "phones": ["1"], "addresses": ["Weg 1\n24103 Kiel"]})


@report(GITHUB + "frappe/crm/issues/2657", "ERPNext writes the table of a field behind its name: Email ID (Email IDs), Number (Contact Numbers).",
        right="The addresses and numbers, and none of the identifiers beside them.", before="wrong")
def columns_of_erpnext(trial):
    expect(trial, "ID,First Name,Last Name,Company Name,Designation,Department,ID (Email IDs),Email ID (Email IDs),Is Primary (Email IDs),ID (Contact Numbers),Number (Contact Numbers),"
           "Is Primary Phone (Contact Numbers)\nAda Moe-Werft,Ada,Moe,Werft,Chief,Sales,x1,a@example.org,1,y1,+49 431 1,1\n",
           {"name": "Ada Moe", "organisation": ["Werft", "Sales"], "title": "Chief", "emails": ["a@example.org"], "phones": ["+49 431 1"]})


@report(GITHUB + "RainLoop/rainloop-webmail/issues/960", GITHUB + "collective/Products.EasyNewsletter/pull/78", "The names of columns are Thai.", right="The contact with all of its fields.",
        before="wrong")
def columns_in_thai(trial):
    expect(trial, "ชื่อ-นามสกุล,ชื่อเล่น,เบอร์โทรศัพท์,เบอร์มือถือ,อีเมล,อีเมล (ที่ทำงาน),ถนน,จังหวัด,รหัสไปรษณีย์,ประเทศ,บริษัท,แผนก,ตำแหน่ง,วันเกิด,หมายเหตุ,กลุ่ม,เว็บไซต์\n"
           "สมชาย ใจดี,ชาย,02 123 4567,081 234 5678,s@example.org,w@example.org,12 ถนนสุขุมวิท,กรุงเทพ,10110,ไทย,ร้านหนังสือ,ขาย,ผู้จัดการ,1985-05-07,สวัสดี,เพื่อน,http://a.example\n", {
               "name": "สมชาย ใจดี", "nicknames": ["ชาย"], "phones": ["02 123 4567", "081 234 5678"], "phones types": [[], ["cell"]], "emails": ["s@example.org", "w@example.org"],
               "emails types": [[], ["work"]], "addresses": ["12 ถนนสุขุมวิท\n10110\nกรุงเทพ\nไทย"], "organisation": ["ร้านหนังสือ", "ขาย"], "title": "ผู้จัดการ", "birthday": "1985-05-07",
               "note": "สวัสดี", "groups": ["เพื่อน"], "websites": ["http://a.example"]})
    expect(trial, "ชื่อ,นามสกุล,มือถือ\nสมชาย,ใจดี,081 234 5678\n", {"given": "สมชาย", "family": "ใจดี", "phones": ["081 234 5678"]})


@report("https://help.yeastar.com/en/cloudpbx/references/import-parameters-contacts.html", "https://help.yeastar.com/en/p-series-software-edition/administrator-guide/import-and-export-parameters-contacts.html",
        GITHUB + "Rillke/Contact-Conversion-Wizard/issues/32", "Telephone systems have columns Work Number 2, Business Number, Office 1, Home2 and Business beside Mobile and Home.",
        right="All numbers with their types.", before="wrong")
def columns_of_telephone_systems(trial):
    expect(trial, "First Name,Last Name,Email,Company,Work Number,Work Number 2,Work Fax,Mobile,Mobile 2,Home,Home 2,Home Fax,Other,ZIP Code,Street,City\nAda,Moe,a@example.org,Werft,1,2,3,4,5,6,7,8,9,24103,Weg 1,Kiel\n", {
        "phones": ["1", "2", "3", "4", "5", "6", "7", "8", "9"], "phones types": [["work"], ["work"], ["work", "fax"], ["cell"], ["cell"], ["home"], ["home"], ["home", "fax"], []],
        "addresses": ["Weg 1\n24103 Kiel"]})
    expect(trial, "Display Name,Office Number,Mobile Number,Other Number\nAda,1,2,3\n", {"phones": ["1", "2", "3"], "phones types": [["work"], ["cell"], []]})
    expect(trial, "FirstName,LastName,Company,Mobile,Home,Home2,Business,Business2\nAda,Moe,Werft,1,2,3,4,5\n", {
        "organisation": ["Werft"], "phones": ["1", "2", "3", "4", "5"], "phones types": [["cell"], ["home"], ["home"], ["work"], ["work"]]})
    expect(trial, "Surname;First Name;Home;Mobile 1;Office 1\nMoe;Ada;1;2;3\n", {"phones": ["1", "2", "3"], "phones types": [["home"], ["cell"], ["work"]]})


@report(GITHUB + "nyaruka/rapidpro/pull/1991", GITHUB + "praekeltfoundation/vumi-go/pull/725", "Programs for short messages call the number MSISDN or URN:Tel.", right="The number, and the mail address of URN:Mailto.", before="wrong")
def columns_of_short_messages(trial):
    expect(trial, "URN:Tel,URN:Mailto,Name,Field:Team,Group:Testers\n+4722550101,a@example.org,Ada,x,TRUE\n", {"name": "Ada", "phones": ["+4722550101"], "emails": ["a@example.org"]})
    expect(trial, "name,msisdn\nAda,4722550101\n", {"name": "Ada", "phones": ["4722550101"]})
