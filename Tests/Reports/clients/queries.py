"""The parameters that clients send."""
from support.report import report
from support.service import Service, avatar, card, expect_photo, md5

RED = (200, 30, 40)
NOBODY = md5("unknown@example.org")


@report("https://github.com/ambassify/react-avatar/issues/9", "https://github.com/brainpink/gravatar/issues/6",
        "https://github.com/AfterShip/email-verifier/issues/19",
        "A client asks with d=404 whether there is a photo.",
        right="404 without one, 200 with one, for GET and for HEAD.", before="right")
def exists_or_404(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for method in ("GET", "HEAD"):
        trial.expect(f"{method} known", served.get(avatar(md5("ada@example.org"), "d=404"), method=method).status, 200)
        trial.expect(f"{method} unknown", served.get(avatar(NOBODY, "d=404"), method=method).status, 404)


@report("https://github.com/brainpink/gravatar/pull/30", "https://github.com/sindresorhus/gravatar-url/pull/11",
        "https://github.com/NodeBB/NodeBB/issues/3483",
        "The silhouette is called mm by old clients and mp by new ones; some write mystery or mystery-man.",
        right="The same silhouette for all of them.", before="right")
def names_of_the_silhouette(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    wanted = served.get(avatar(NOBODY, "d=mp")).body
    for word in ("mm", "mystery", "mystery-man", "mysteryperson"):
        answer = served.get(avatar(NOBODY, f"d={word}"))
        trial.expect(word, (answer.status, answer.body == wanted), (200, True))


@report("https://github.com/getsentry/sentry/pull/8831", "https://github.com/Automattic/wp-calypso/issues/15604",
        "https://github.com/microlinkhq/unavatar/issues/66",
        "The default is a word that no server knows, or empty: d=undefined, d=wp_user_avatar, d=.",
        right="A picture of the wanted size, not an error.", before="right")
def unknown_default(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for word in ("undefined", "wp_user_avatar", "", "avatar_default"):
        answer = served.get(avatar(NOBODY, f"s=48&d={word}"))
        trial.expect(f"d={word}", (answer.status, answer.side), (200, 48))


@report("https://github.com/StackExchange/stack-blog/issues/64", "https://github.com/forxer/gravatar/issues/2",
        "A client forces the default: forcedefault=y, f=y, and f=1 as some write it.",
        right="The default, though there is a photo; f=n and f=0 show the photo.", before="wrong")
def forced_default(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    target = md5("ada@example.org")
    wanted = served.get(avatar(target, "d=identicon&f=y")).body
    for query in ("f=1", "forcedefault=y", "forcedefault=1", "f=Y"):
        trial.expect(query, served.get(avatar(target, f"d=identicon&{query}")).body == wanted, True)
    for query in ("f=n", "f=0"):
        expect_photo(trial, served, avatar(target, f"d=identicon&{query}"), RED, query)


@report("https://github.com/qsniyg/maxurl/issues/733", "https://github.com/ralfebert/jgravatar/pull/12",
        "A client asks for more pixels than the largest picture has, for none, or for no number.",
        right="2048 above the limit, the usual 80 otherwise; never an error.", before="right")
def sizes_beyond_the_limits(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for size, side in [("9999", 2048), ("4096", 2048), ("0", 80), ("-1", 80), ("big", 80), ("", 80)]:
        answer = served.get(avatar(NOBODY, f"d=blank&s={size}"))
        trial.expect(f"s={size}", (answer.status, answer.side), (200, side))


@report("https://github.com/owncloud/core/issues/17390",
        "A page multiplies the size by the pixels of a point, and sends a number with a fraction.",
        right="The picture in that size, not in the usual one, which is too small.", before="wrong")
def size_with_a_fraction(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for size, side in [("62.5", 62), ("120.0", 120), ("100.8000000000001", 100)]:
        answer = served.get(avatar(md5("ada@example.org"), f"s={size}"))
        trial.expect(f"s={size}", (answer.status, answer.side), (200, side))


@report("https://github.com/qsniyg/maxurl/pull/1156", "https://github.com/emerleite/node-gravatar/issues/33",
        "Long names of parameters: size, default, forcedefault; and a rating, r=pg or r=X.",
        right="As the short names; a rating hides nothing here.", before="right")
def long_names_and_ratings(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    answer = expect_photo(trial, served, avatar(md5("ada@example.org"), "size=64&r=X&default=404"), RED, "long names")
    trial.expect("side", answer.side, 64)
    short, long = served.get(avatar(NOBODY, "s=64&d=retro")), served.get(avatar(NOBODY, "size=64&rating=g&default=retro"))
    trial.expect("default", long.body == short.body, True)


@report("https://github.com/rubygems/rubygems.org/pull/235", "A template escapes the ampersand twice: ?s=40&amp;d=404.",
        right="Both parameters count.", before="wrong")
def escaped_ampersand(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    trial.expect("d", served.get(avatar(NOBODY, "s=40&amp;d=404")).status, 404)
    trial.expect("s", served.get(avatar(NOBODY, "d=retro&amp;s=40")).side, 40)


@report("https://github.com/LasseRafn/ui-avatars/issues/17", "https://github.com/fleetdm/fleet/issues/10227",
        "https://github.com/wallin/angular-gravatar/issues/21",
        "The default is the address of a picture elsewhere, encoded once or twice.",
        right="A redirection to allowed hosts alone, with the address as it was given; else a picture of our own.", before="right")
def default_elsewhere(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial, 'fallback-hosts = ["pictures.example.com"]\n')
    answer = served.get(avatar(NOBODY, "d=https%3A%2F%2Fpictures.example.com%2Fapi%2FJohn%2BSmith%2F200"))
    trial.expect("allowed", (answer.status, answer.field("Location")), (302, "https://pictures.example.com/api/John+Smith/200"))
    for other in ("https%3A%2F%2Fevil.example%2Fa.png", "https%253A%252F%252Fpictures.example.com%252Fa.png",
                  "//pictures.example.com/a.png", "/images/default.png", "https%3A%2F%2Fpictures.example.com%40evil.example%2F"):
        answer = served.get(avatar(NOBODY, f"d={other}"))
        trial.expect(other, (answer.status, answer.field("Location")), (200, None))


@report("https://github.com/it-at-m/ad2image/issues/141", "https://github.com/Automattic/gravatar-enhanced/pull/67",
        "https://github.com/awcodes/filament-gravatar/issues/4",
        "A client asks for initials, with a name, with letters, or with neither.",
        right="A picture each time; equal for a name and its letters, and never the contact's own initials.", before="right")
def initials(trial):
    card(trial, "ada", "ada@example.org")
    served = Service(trial)
    hash_ = md5("ada@example.org")
    named, letters = served.get(avatar(hash_, "d=initials&name=John%20Doe")), served.get(avatar(hash_, "d=initials&initials=jd"))
    trial.expect("name", (named.status, named.side, named.body == letters.body), (200, 80, True))
    plain = served.get(avatar(hash_, "d=initials"))
    trial.expect("neither", (plain.status, plain.body == served.get(avatar(NOBODY, "d=initials")).body), (200, True))
