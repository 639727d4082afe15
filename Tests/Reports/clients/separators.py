"""How clients separate, write and escape the parameters of an avatar."""
from support.report import report
from support.service import Service, avatar, card, expect_photo, md5

GITHUB = "https://github.com/"
RED = (200, 30, 40)
NOBODY = md5("nobody@example.org")


@report(GITHUB + "dereuromark/cakephp-tools/issues/246", GITHUB + "gravitee-io/issues/issues/1342", GITHUB + "twaddington/django-gravatar/issues/16",
        "Semicolons separate the parameters, as HTML 4 advised; a template escapes the ampersand three times: ?size=25&amp;amp;default=404.",
        right="The parameters, as with ampersands. A semicolon inside of an address that is the default stays there.", before="wrong")
def semicolons_between_parameters(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial, 'fallback-hosts = ["pictures.example.com"]\n')
    for query in ("s=40;d=404", "s=40&amp;amp;d=404", "s=40;r=g&d=404", ";s=40;;d=404;", "s=40;amp;d=404"):
        expect_photo(trial, served, avatar(md5("ada@example.org"), query), RED, query)
        trial.expect(f"{query}: size", served.get(avatar(md5("ada@example.org"), query)).side, 40)
        trial.expect(f"{query}: default", served.get(avatar(NOBODY, query)).status, 404)
    trial.expect("before the question mark", served.get(f"/avatar/{NOBODY};jsessionid=1A2B?s=40").side, 40)
    for query, place in (("s=40;d=https%3A%2F%2Fpictures.example.com%2Fa%3Bb.png", "https://pictures.example.com/a;b.png"),
                         ("s=40&amp;d=https://pictures.example.com/a;b.png", "https://pictures.example.com/a;b.png")):
        trial.expect(query, served.get(avatar(NOBODY, query)).field("Location"), place)


@report(GITHUB + "drexedam/gravatar/issues/1", GITHUB + "forxer/gravatar/issues/2",
        "A client writes names of parameters in letters of another case: forceDefault=y, Size=40, D=404.",
        right="The parameters: no server has two of them that differ by case.", before="wrong")
def names_of_parameters_in_any_case(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    hash_ = md5("ada@example.org")
    wanted = served.get(avatar(hash_, "d=retro&f=y&s=40")).body
    for query in ("d=retro&forceDefault=y&s=40", "Default=Retro&ForceDefault=Y&Size=40", "D=RETRO&F=1&S=40"):
        trial.expect(query, served.get(avatar(hash_, query)).body == wanted, True)
    trial.expect("D=404", served.get(avatar(NOBODY, "D=404")).status, 404)
    trial.expect("Format=WebP", served.get(avatar(hash_, "Format=WebP")).field("Content-Type"), "image/webp")
    trial.expect("Shape=Circle", served.get(avatar(hash_, "Shape=Circle")).body == served.get(avatar(hash_, "shape=circle")).body, True)


@report(GITHUB + "MDA2AV/Http11Probe/issues/18", GITHUB + "httpwg/http-core/issues/1097", GITHUB + "nodejs/llhttp/issues/877", GITHUB + "dlundquist/sniproxy/issues/366",
        "Lines of a request end in a line feed alone, all of them or one, with another request hidden behind it.",
        right="One answer: two servers that read such a request differently would answer two.", before="right")
def lines_that_end_in_a_lone_line_feed(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    target = avatar(md5("ada@example.org"), "d=404")
    host = "Host: localhost"
    whole = f"GET {target} HTTP/1.1\r\n{host}\r\n\r\n"
    for name, text in {"all": f"GET {target} HTTP/1.1\n{host}\nConnection: close\n\n", "first": f"GET {target} HTTP/1.1\n{host}\r\nConnection: close\r\n\r\n",
                       "hidden": f"GET {target} HTTP/1.1\r\n{host}\nX: GET / HTTP/1.1\r\nConnection: close\r\n\r\n{whole}"}.items():
        answer = served.raw(text.encode())
        trial.expect(f"{name}: answers", answer.count(b"HTTP/1.1 "), 1)
        trial.require(f"{name}: 200 or 400, not {answer[:40]!r}", answer[9:12] in (b"200", b"400"))
    trial.expect("the service lives", served.get(target, {"Host": "localhost"}).status, 200)
