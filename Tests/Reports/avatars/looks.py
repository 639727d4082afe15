"""Initials as people see them: in the middle, inside of the circle, readable, in a colour that stays."""
from support import contacts, drawn, pictures
from support.report import report

NAMES = "Iris Ibe", "Oda Oe", "Mo Wo", "ada", "李明", "유미", "กา", "אורי שלום"


@report("https://github.com/lucek/avatarly/issues/16", "https://github.com/LasseRafn/ui-avatars/issues/11",
        "https://github.com/LasseRafn/php-initial-avatar-generator/issues/49", "https://github.com/element-hq/element-ios/issues/85",
        "https://github.com/ynput/ayon-backend/issues/200",
        "Letters are drawn in a circle, at several sizes.",
        right="In the middle, to a pixel.", before="right")
def letters_in_the_middle(trial):
    for name in NAMES:
        for size in (24, 96):
            off = drawn.Ink(drawn.draw(trial, name, size)).off_centre
            trial.require(f"{name} at {size} is in the middle: {off}", max(map(abs, off)) <= 1)


@report("https://github.com/qaul/qaul.net/pull/924", "https://github.com/Qabel/qabel-android/issues/328",
        "Letters are wide, tall or have marks, or are emoji.",
        right="All of their ink is inside of the circle, with room around it.", before="right")
def letters_inside_of_the_circle(trial):
    for name in ("Mo Wo", "Ǻdne Ṏdi", "👨‍👩‍👧‍👦", "🇨🇭", "ﷺ", "Ⅷa Ⅷb", "ශ්‍රීමා පෙරේරා", "IJsbrand Wim", "유미", "Z" + "\u0300\u0323" * 20):
        ink = drawn.Ink(drawn.draw(trial, name, 96))
        trial.require(f"{name} reaches 0.42 of the diameter, not {ink.reach:.2f}", ink.reach <= 0.42)


@report("https://github.com/owncloud/client/issues/11863", "https://github.com/vuetifyjs/vuetify/issues/10551",
        "Letters are white, and the colour of the disc follows from the contact.",
        right="A contrast of at least 4.5:1 on each of the colours (WCAG 2.1).", before="right")
def letters_on_all_colours(trial):
    colours = set()
    cards = "".join(drawn.card(number, f"Ada {chr(65 + number % 26)}") for number in range(80))
    book = contacts.write(trial, "book.vcf", cards)
    trial.expect("exit status", trial.run("convert", book, "-o", trial.folder / "out", "--size", "16").returncode, 0)
    for path in (trial.folder / "out").iterdir():
        colours.add(pictures.Avatar(path.read_bytes()).at(0.5, 0.15)[:3])
    trial.expect("colours", len(colours), 16)
    for colour in colours:
        trial.require(f"{colour} has a contrast with white", drawn.contrast(colour, (255, 255, 255)) >= 4.5)


@report("https://github.com/alookai/alook/pull/360", "https://github.com/matterhorn-chat/matterhorn/issues/439",
        "https://github.com/FAForever/downlords-faf-client/issues/242", "https://github.com/krayin/laravel-crm/issues/1678",
        "https://github.com/bitwarden/clients/pull/4645",
        "A contact gets another name, and is drawn several times.",
        right="Its colour stays: it follows from the contact's id. Equal names of others have other colours.", before="right")
def colours_that_stay(trial):
    def colour(uid, name):
        book = contacts.write(trial, "one.vcf", drawn.card(uid, name))
        trial.run("convert", book, "-o", trial.folder / "one.png", "--force", "--size", "32")
        return pictures.Avatar((trial.folder / "one.png").read_bytes()).at(0.5, 0.1)
    first = colour("ada-1", "Ada Okafor")
    trial.expect("the colour after a new name", colour("ada-1", "Ada Bergqvist"), first)
    trial.expect("the colour in another run", colour("ada-1", "Ada Okafor"), first)
    trial.require("ids have several colours", len({colour(f"ada-{number}", "Ada Okafor") for number in range(8)}) > 2)


@report("https://github.com/common-voice/common-voice/issues/2388",
        "Initials are wanted for displays with one, two and three pixels a point.",
        right="Each is drawn by itself: edges are as sharp at each of them.", before="right")
def sharp_at_each_scale(trial):
    for scale in (1, 2, 3):
        avatar = drawn.draw(trial, "Iris Ibe", 32, "--scale", scale)
        trial.expect("pixels a side", avatar.width, 32 * scale)
        ink = drawn.Ink(avatar)
        # Both ends of capitals fall on the edges of pixels: the row above the ink is the disc.
        column = (ink.left + ink.right) // 2
        rows = [avatar.rows[y][4 * column:4 * column + 3] for y in (ink.top - 1, ink.bottom)]
        trial.require(f"sharp above and below at {scale}", all(max(abs(a - b) for a, b in zip(row, ink.disc)) <= 8 for row in rows))


@report("https://github.com/nextcloud/server/issues/19788", "https://github.com/mattermost/mattermost/issues/20417",
        "https://github.com/pocket-id/pocket-id/issues/308", "https://github.com/session-foundation/session-ios/pull/381",
        "A contact without a photo gets another name, and avatars are kept in a cache.",
        right="The new letters, at once; the old ones with the old name again.", before="right")
def letters_of_a_new_name(trial):
    def avatar(name):
        book = contacts.write(trial, "one.vcf", drawn.card("ada-1", name))
        ended = trial.run("convert", book, "-o", trial.folder / "one.png", "--cache", "--force", "--size", "48")
        trial.expect(f"{name}: status", ended.returncode, 0)
        return (trial.folder / "one.png").read_bytes()
    first, second, again = avatar("Ada Okafor"), avatar("Ina Iversen"), avatar("Ada Okafor")
    trial.require("the letters change", pictures.Avatar(first).rows != pictures.Avatar(second).rows)
    trial.require("the old name has the old letters", first == again)
