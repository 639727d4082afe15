"""Phone numbers that programs and people write in different ways."""
import json

from support.report import report
from support.searches import book, expect

GITHUB = "https://github.com/"


def avatar(trial, path, number):
    """The name of the contact whose avatar `tondo avatar` prints; None if there is none."""
    out = trial.run("avatar", "--json", "--book", path, number)
    return json.loads(out.stdout)["name"] if out.returncode == 0 else None


@report(GITHUB + "netzbegruenung/keycloak-mfa-plugins/issues/35", "A number has a zero behind the code of the country, in brackets or not, as cards of companies have it: +44 (0)20.",
        right="The contact, by the number as a telephone shows it, and within the country.", before="wrong")
def zeros_behind_the_code(trial):
    path = book(trial, ["FN:A", "TEL:+44 (0)20 7946 0958"], ["FN:B", "TEL:+490176 1234567"], ["FN:C", "TEL:+39 06 6982 0000"], ["FN:D", "TEL:0049 (0) 30 / 1234567"])
    expect(trial, path, {("+442079460958", "00442079460958", "020 7946 0958", "+44 (0)20 7946 0958"): ["A"], ("+491761234567", "0176 1234567", "+490176"): ["B"],
                         ("+390669820000", "06 6982 0000"): ["C"], ("+49301234567", "030 1234567"): ["D"]})
    trial.expect("avatar", [avatar(trial, path, number) for number in ("+442079460958", "+491761234567", "+49301234567")], ["A", "B", "D"])


@report(GITHUB + "blak3r/yaai/issues/99", "A number is stored with its extension, and the number that calls has none.", right="The contact, with the code of the country and without it.", before="wrong")
def numbers_with_an_extension(trial):
    path = book(trial, ["FN:A", "TEL:(555) 123-4567 ext. 89"], ["FN:B", "TEL:030 1234567 DW 12"], ["FN:C", "TEL:+1 555 765 4321,,4#"])
    expect(trial, path, {("+15551234567", "+1 (555) 123-4567", "5551234567", "555 123-4567 89"): ["A"], ("+49301234567", "030 1234567"): ["B"], ("+15557654321", "0015557654321"): ["C"]})


@report(GITHUB + "codeforamerica/ohana-api/issues/192", GITHUB + "daddyz/phonelib/issues/102", GITHUB + "PolymerElements/gold-phone-input/issues/46", GITHUB + "florisboard/florisboard/issues/355",
        "A number has letters for digits: 1-800-FLOWERS.", right="The contact, by the digits and by the letters.", before="wrong")
def letters_for_digits(trial):
    path = book(trial, ["FN:A", "TEL:1-800-FLOWERS"], ["FN:B", "TEL:877-222-VETS"])
    expect(trial, path, {("18003569377", "1-800-356-9377", "1-800-flowers", "flowers"): ["A"], ("+18772228387", "877 222 8387", "vets"): ["B"]})


@report(GITHUB + "i-p-tel/sipdroid/issues/765", GITHUB + "element-hq/element-ios/issues/4411", "A number is written as it is dialled abroad, in a country where that is not 00: 011, 0011, 010, 810.",
        right="The contact whose number has a plus sign; national numbers that begin so are found as they are.", before="wrong")
def prefixes_of_other_countries(trial):
    path = book(trial, ["FN:A", "TEL:+44 20 7946 0958"], ["FN:B", "TEL:011 123 4567"], ["FN:C", "TEL:011-49-30-1234567"])
    expect(trial, path, {("011442079460958", "0011 44 20 7946 0958", "010 44 20 7946 0958", "8 10 44 20 7946 0958"): ["A"], "0111234567": ["B"], ("+49301234567", "0301234567"): ["C"]})
    trial.expect("avatar", [avatar(trial, path, number) for number in ("011442079460958", "0111234567", "+49 30 1234567")], ["A", "B", "C"])


@report(GITHUB + "lucc/khard/pull/14", GITHUB + "everythingandroid/android-smspopup/issues/32", GITHUB + "firescript/nativescript-contacts/issues/91",
        GITHUB + "BelledonneCommunications/linphone-desktop/issues/1005",
        "A program has the number of a sender or caller, in its own notation, and looks for the contact and its picture.",
        right="The contact with this whole number, a photo before none; no contact for a part of a number.", before="wrong")
def contacts_by_number(trial):
    path = book(trial, ["FN:Ada", "TEL:0176 123 45 67"], ["FN:Bo", "TEL;TYPE=work:+47 22 55 01 99"], ["FN:Cy", "TEL:+47 22 55 01 99", "PHOTO:data:image/png\\;base64\\,iVBORw0KGgo="])
    trial.expect("avatars", [avatar(trial, path, number) for number in ("+491761234567", "tel:+49-176-1234567", "sip:01761234567@pbx.example", "22550199", "0176123")], ["Ada", "Ada", "Ada", "Cy", None])
    shown = trial.run("contacts", "show", path, "+49 176 1234567")
    trial.expect("show", shown.stdout.decode().split()[:2], ["Name", "Ada"])
    trial.expect("two contacts with one number", trial.run("contacts", "show", path, "+4722550199").returncode, 1)
