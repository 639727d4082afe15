"""Several contacts with one address."""
import base64

from support import contacts, service
from support.report import report
from support.service import Service, avatar, card, expect_photo, md5

RED, GREEN, BLUE = (200, 30, 40), (20, 160, 60), (30, 60, 200)
BROKEN = "PHOTO;ENCODING=b;TYPE=JPEG:" + base64.b64encode(b"BM" + b"x" * 60).decode()


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/1021",
        "https://github.com/SimpleMobileTools/Simple-Contacts/issues/218",
        "A person is stored several times, and not the first contact has the photo: that one has none, a URL, or a broken one.",
        right="The photo that there is.", before="wrong")
def photo_of_the_second_contact(trial):
    card(trial, "a1", "collected@example.org")
    card(trial, "a2", "collected@example.org", RED)
    card(trial, "b1", "remote@example.org", None, "PHOTO;VALUE=uri:https://example.org/b.jpg")
    card(trial, "b2", "remote@example.org", GREEN)
    card(trial, "c1", "broken@example.org", None, BROKEN)
    card(trial, "c2", "Broken@Example.org", BLUE)
    served = Service(trial)
    for name, color in [("collected", RED), ("remote", GREEN), ("broken", BLUE)]:
        expect_photo(trial, served, avatar(md5(f"{name}@example.org"), "d=404"), color, name)


@report("https://github.com/moezbhatti/qksms/issues/1264", "https://github.com/FossifyOrg/Contacts/issues/149",
        "A family shares an address, and several of its contacts have a photo.",
        right="The first contact's photo for the shared address, each one's own for the own address.", before="right")
def family_with_one_address(trial):
    card(trial, "a-mother", "home@example.org", RED, "EMAIL:mother@example.org")
    card(trial, "b-son", "home@example.org", GREEN, "EMAIL:son@example.org")
    served = Service(trial)
    for name, color in [("home", RED), ("mother", RED), ("son", GREEN)]:
        expect_photo(trial, served, avatar(md5(f"{name}@example.org")), color, name)


@report("https://github.com/microlinkhq/unavatar/issues/292", "https://github.com/ambassify/react-avatar/issues/73",
        "The first of two contacts with one address gets a photo, later a broken one, while the service runs.",
        right="The answer follows: the second contact's photo, the first's, then the second's again.", before="wrong")
def photos_that_come_and_break(trial):
    card(trial, "a1", "shared@example.org")
    card(trial, "a2", "shared@example.org", RED)
    served = Service(trial)
    target = avatar(md5("shared@example.org"), "d=404")

    def shows(color):
        answer = served.get(target)
        return answer.status == 200 and service.is_near(answer.center, color)

    expect_photo(trial, served, target, RED, "at first")
    card(trial, "a1", "shared@example.org", GREEN)
    served.wait("the first contact's photo shows", lambda: shows(GREEN))
    card(trial, "a1", "shared@example.org", None, BROKEN)
    served.wait("the second contact's photo shows again", lambda: shows(RED))
    (trial.folder / "book/a2.vcf").unlink()
    served.wait("no photo is left", lambda: served.get(target).status == 404)
    trial.require("the answer follows each change", True)


@report("https://github.com/owncloud/client/issues/3786",
        "A card names its photo in a hidden folder beside it, and the picture is exchanged while the service runs.",
        right="The new picture, whether the file is written in place, replaced by a rename, or its folder is exchanged.",
        before="wrong")
def photo_in_a_hidden_folder(trial):
    from support import pictures

    hidden = trial.folder / "book/.photos"
    hidden.mkdir(parents=True)

    def draw(color, name="x.png", folder=hidden):
        (folder / name).write_bytes(pictures.png([[color] * 48] * 48))

    draw(RED)
    contacts.write(trial, "a.vcf", contacts.vcard("UID:a", "FN:A", "EMAIL:a@example.org", "PHOTO;VALUE=uri:.photos/x.png"))
    served = Service(trial)
    target = avatar(md5("a@example.org"), "d=404")

    def shows(color):
        answer = served.get(target)
        return answer.status == 200 and service.is_near(answer.center, color)

    served.wait("the photo shows", lambda: shows(RED))
    draw(GREEN)
    served.wait("the rewritten photo shows", lambda: shows(GREEN))
    draw(BLUE, "new.png")
    (hidden / "new.png").rename(hidden / "x.png")
    served.wait("the replaced photo shows", lambda: shows(BLUE))
    other = trial.folder / "book/.other"
    other.mkdir()
    draw(RED, folder=other)
    hidden.rename(trial.folder / "book/.old")
    other.rename(hidden)
    served.wait("the photo of the exchanged folder shows", lambda: shows(RED))
    trial.require("each change is seen", True)
