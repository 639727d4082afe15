"""Days as people and countries write them."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, **days):
    """`days`: texts by the ISO 8601 of their day, with underscores for hyphens and a letter before it."""
    for day, texts in days.items():
        for text in texts:
            card = contacts.vcard("FN:Ada Moe", f"BDAY:{text}", f"ANNIVERSARY:{text}", version="4.0")
            right = day[1:].replace("_", "-")
            contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"name": "Ada Moe", "birthday": right, "anniversary": right}])


@report(GITHUB + "datejs/Datejs/issues/97", GITHUB + "date-fns/date-fns/issues/4096", GITHUB + "moment/moment/issues/3536", GITHUB + "owncloud-archive/contacts/issues/852",
        "A birthday has the name of the month in the user's language, whole or abbreviated.", right="The day, with its year or without one.", before="wrong")
def months_in_many_languages(trial):
    expect(trial,
           d1996_04_15=["15 avril 1996", "lundi 15 avr. 1996", "15 de abril de 1996", "15 aprile 1996", "15. dubna 1996", "15 kwietnia 1996 r.", "15 апреля 1996 г.", "15 Nisan 1996"],
           d1985_12_01=["1er décembre 1985", "1. Dez. 1985", "Sonntag, 1. Dezember 1985", "1º de dezembro de 1985", "1 грудня 1985 року", "1 Δεκεμβρίου 1985"],
           d__08_03=["3 août", "3. elokuuta", "3 ağustos", "3. srpna"], d1996_04=["April 1996", "avril 1996"])


@report(GITHUB + "scrapinghub/dateparser/issues/1285", GITHUB + "scrapinghub/dateparser/issues/960", GITHUB + "date-fns/date-fns/pull/1430",
        "The short name of a month is a word or the beginning of several months in other languages.",
        right="The month that all languages mean; the text as it is where they differ, as for listopad (October in Croatian, November in Polish).", before="wrong")
def months_that_look_alike(trial):
    expect(trial, d1996_09_02=["2 sept. 1996", "2 Sep 1996", "2. září 1996"], d1996_06_02=["2 juin 1996", "2. června 1996"], d1996_07_02=["2 juil. 1996", "2. července 1996"],
           d1996_11_02=["2. listopadu 1996"])
    for text in ("2. listopada 1996", "2 jui 1996", "2 moons of 1996"):
        contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada Moe", f"BDAY:{text}")), [{"birthday": text}])


@report(GITHUB + "submersion-app/submersion/issues/1829", GITHUB + "1024pix/pix/pull/1850", GITHUB + "opensanctions/opensanctions/pull/5319", "A year has two digits, as spreadsheets and older programs write it.",
        right="A year between 1930 and 2029, never the year 96; what could be a year, a month and a day in several ways stays as it is.", before="wrong")
def years_of_two_digits(trial):
    expect(trial, d1996_04_15=["15.04.96", "4/15/96", "15-Apr-96", "96-04-15", "15 avr. 96"], d2004_02_29=["29.2.04", "29 Feb 04"], d1931_01_31=["31/1/31"])
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada Moe", "BDAY:01/02/03")), [{"birthday": "01/02/03"}])


@report(GITHUB + "wojtekmaj/react-date-picker/issues/294", GITHUB + "vaadin/web-components/issues/1938", GITHUB + "globalizejs/globalize/issues/33", GITHUB + "wanasit/chrono/pull/297", GITHUB + "moment/moment/issues/5698",
        "Years are those of an era: of Buddha in Thailand, of an emperor in Japan, of the republic in Taiwan, and digits are of full width.",
        right="The day in the calendar that all programs know.", before="wrong")
def years_of_eras(trial):
    expect(trial, d1996_04_15=["2539-04-15", "15/4/2539", "15 เมษายน 2539", "15 เม.ย. 2539", "平成8年4月15日", "H8.4.15", "民國85年4月15日", "１９９６年４月１５日"],
           d1912_04_15=["M45.4.15", "明治45年4月15日"], d1921_04_15=["T10.4.15", "T10/4/15"], d2019_05_01=["令和元年5月1日"], d1980_01_07=["昭和55年1月7日"])


@report(GITHUB + "lucc/khard/issues/134", GITHUB + "FossifyOrg/Contacts/issues/618", "A birthday without a year has digits as people write them, with or without a zero before them.", right="Month and day.", before="wrong")
def days_without_years_and_zeros(trial):
    expect(trial, d__04_15=["--4-15", "--04-15", "--0415", "15.4."], d__04_05=["--4-5", "--04-5"])


@report(GITHUB + "tutao/tutanota/issues/2793", GITHUB + "facebook/duckling/issues/150", GITHUB + "moment/luxon/issues/1120", GITHUB + "dart-lang/i18n/issues/852",
        "A date has the digits of another script, Arabic ones also with marks of the writing direction.", right="The day.", before="wrong")
def dates_in_digits_of_other_scripts(trial):
    expect(trial, d1996_04_15=["١٥ أبريل ١٩٩٦", "١٥/٤/١٩٩٦", "\u200f١٥\u200f/٤\u200f/١٩٩٦", "١٩٩٦-٠٤-١٥", "۱۹۹۶/۰۴/۱۵", "१९९६-०४-१५", "१५ अप्रैल १९९६", "১৫/৪/১৯৯৬", "๑๕ เมษายน ๒๕๓๙"])


@report(GITHUB + "wojtekmaj/react-date-picker/issues/294", GITHUB + "vaadin/web-components/issues/1938", "A Thai date has the last two digits of the year of Buddha: 7 พ.ค. 28.", right="The year 2528 of Buddha, which is 1985; later digits are of the usual years.",
        before="wrong")
def short_years_of_buddha(trial):
    expect(trial, d1985_05_07=["7 พ.ค. 28", "7 พฤษภาคม 28", "๗ พ.ค. ๒๘", "7 พ.ค. 85"], d2004_05_07=["7 พ.ค. 47"])
