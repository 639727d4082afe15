import Testing
import TondoImage

@testable import TondoServer

@Suite struct GravatarRequestTests {
    private static let md5 = "0bc83cb571cd1c50ba6f3e8a78ef1346"

    private func request(_ query: String) throws -> GravatarRequest {
        try #require(
            GravatarRequest(component: Self.md5, query: query, allowedHosts: ["cdn.example.org", "x.example:8080"]))
    }

    @Test(arguments: ["", ".png", ".jpg", ".JPEG", ".gif", ".svg", ".png.png", "."])
    func `A hash of any letter case, with or without an ending, is read`(ending: String) {
        // The example of Gravatar's own documentation.
        let hash = AddressHash.md5(of: " MyEmailAddress@example.com ")
        #expect(AddressHash(Self.md5 + ending) == hash && AddressHash(Self.md5.uppercased() + ending) == hash)
        let long = "84059b07d4be67b806386c0aad8070a23f18836bbaae342275dc0a83414c32ee"
        #expect(AddressHash(long + ending) == .sha256(of: "myemailaddress@example.com"))
    }

    @Test(arguments: [
        "", "x", md5.dropLast() + "g", md5 + "0", "../" + md5, String(md5.dropLast()), md5 + "%00",
        "é" + md5.dropFirst(), "ada@example.org",
    ])
    func `Anything else is no hash, and as a word stands for no address`(text: String) {
        #expect(AddressHash(text) == nil)
        let hash = GravatarRequest(component: text, query: "")?.hash
        let isWord = !text.isEmpty && text.utf8.allSatisfy { ![0x25, 0x2F, 0xC3].contains($0) }
        #expect((hash != nil) == isWord && hash.map { !AddressHash.both(of: text).contains($0) } ?? true)
    }

    @Test(arguments: [
        "?default=404", "d=404?s=290", "s=290?d=404", "s=290??d=404&f=y",
    ])
    func `A second question mark separates parameters`(query: String) throws {
        #expect(try request(query).fallback == .notFound)
        #expect(try request(query).size == (query.contains("290") ? 290 : 80))
    }

    @Test func `The last of equal names counts that has a value`() throws {
        #expect(try request("d=mm&default=404&d=").fallback == .notFound)
        #expect(try !request("f=y&forcedefault=n").forcesFallback)
        #expect(try request("f=n&f=y&f=").forcesFallback)
    }

    @Test func `The address of a default keeps its question mark`() throws {
        let fallback = try request("d=https://cdn.example.org/a?b=1&s=9").fallback
        #expect(fallback == .redirect("https://cdn.example.org/a?b=1"))
    }

    @Test(arguments: [
        ("", 80), ("s=1", 1), ("size=2048", 2048), ("s=0", 80), ("s=2049", 2_048), ("s=4096", 2_048), ("s=-5", 80),
        ("s=x", 80), ("s=", 80),
        ("s=62.5", 62), ("s=80.0", 80), ("s=1.2.3", 80), ("s=.5", 80), ("s=40&size=50", 50), ("s=40&s=", 40),
        ("s=40&s=x", 40), ("d=404&amp;s=50", 50),
        ("s", 80), ("s=4%30", 40), ("s=99999999999999999999", 2_048), ("s=+40", 40),
        ("s=%2B40", 80), ("s=%2040%0A", 40),
        ("s=40px", 40), ("s=40PX", 40), ("s=100x50", 100), ("s=40,5", 40), ("s=40p", 80), ("s=1e2", 80), ("s=px", 80),
    ])
    func `A size counts from 1 on, and stands for 2048 above that`(query: String, size: Int) throws {
        #expect(try request(query).size == size)
    }

    @Test(
        arguments: [
            ("", .generated(.person)), ("d=404", .notFound), ("default=mm", .generated(.person)),
            ("d=mp", .generated(.person)), ("d=identicon", .generated(.identicon)), ("d=retro", .generated(.retro)),
            ("d=monsterid", .generated(.person)), ("d=wavatar", .generated(.person)), ("d=initials", .initials),
            ("d=color", .generated(.color)), ("d=blank", .generated(.blank)), ("d=robohash", .generated(.person)),
            ("d=https%3A%2F%2Fcdn.example.org%2Fa.png", .redirect("https://cdn.example.org/a.png")),
            ("d=http://x.example:8080", .redirect("http://x.example:8080")),
            ("d=https://evil.example/", .generated(.person)),
            ("d=https://cdn.example.org@evil.example/", .generated(.person)),
            ("d=https://cdn.example.org%0d%0aX:y", .generated(.person)),
            ("d=https://cdn.example.org%5C@evil.example", .generated(.person)),
            ("d=HTTPS://CDN.example.org/a", .redirect("HTTPS://CDN.example.org/a")),
            ("d=https://cdn.example.org:443/a", .redirect("https://cdn.example.org:443/a")),
            ("d=https://cdn.example.org:80/a", .generated(.person)),
            ("d=https://cdn.example.org/%C3%A4+b.png", .redirect("https://cdn.example.org/%C3%A4%20b.png")),
            ("d=https://cdn.example.org%20.evil.example/", .generated(.person)),
            ("d=https://%C3%A4cdn.example.org/", .generated(.person)), ("d=%20404%0A", .notFound),
            ("d=javascript:alert(1)", .generated(.person)), ("d=//cdn.example.org", .generated(.person)),
            ("d=Identicon", .generated(.identicon)), ("d=MP", .generated(.person)), ("d=%ff", .generated(.person)),
            ("d=%2", .generated(.person)),
        ] as [(String, GravatarRequest.Fallback)])
    func `A fallback is one of ours or at an allowed host`(query: String, fallback: GravatarRequest.Fallback) throws {
        #expect(try request(query).fallback == fallback)
    }

    @Test(
        arguments: [
            ("initials=JD", "JD"), ("initials=jdx", "JD"), ("initials=%20a", "A"), ("initials=7", "7"),
            ("initials=%F0%9F%8C%BB", "🌻"),
            ("initials=!", nil), ("initials=", nil), ("initials=%ff", nil),
            ("initials=" + String(repeating: "a", count: 257), nil),
            ("initials=e%CC%81x", "E\u{301}X"), ("initials=a" + String(repeating: "%CC%81", count: 60), "A"),
        ] as [(String, String?)])
    func `Letters that a client names are at most two clusters`(query: String, letters: String?) throws {
        #expect(try request(query).initials == letters)
    }

    @Test func `A name that a client names is bounded`() throws {
        #expect(try request("name=Ada+Okafor").name == "Ada Okafor")
        #expect(try request("name=" + String(repeating: "a", count: 257)).name == nil)
    }

    @Test func `Ratings are ignored, the rest is read`() throws {
        let read = try request("r=x&f=y&shape=circle&s=32")
        #expect(read.forcesFallback && read.isCircle && read.size == 32)
        #expect(try !self.request("f=n&shape=square").forcesFallback)
        for word in ["y", "Y", "1", "yes", "true"] { #expect(try self.request("forcedefault=\(word)").forcesFallback) }
        for word in ["n", "0", "no", ""] { #expect(try !self.request("f=\(word)").forcesFallback) }
    }

    @Test(
        arguments: [
            ("/avatar/x", nil), ("/avatar/x?d=//a", nil), ("/avatar//x?s=1", "/avatar/x?s=1"),
            ("/avatar/x/", "/avatar/x"),
            ("/avatar///x//?d=/", "/avatar/x?d=/"), ("/avatar/?d=mp", "/avatar/d41d8cd98f00b204e9800998ecf8427e?d=mp"),
            ("/avatar", "/avatar/d41d8cd98f00b204e9800998ecf8427e"),
            ("//avatar/x", "/avatar/x"), ("///avatar//x", "/avatar/x"), ("//avatars/x", nil),
            ("/avatarx?d=404", nil),
            ("/avatar?d=404/\(md5)?s=9&r=g", "/avatar/\(md5)?d=404&s=9&r=g"),
            ("/avatar/?s=9/\(md5.uppercased())", "/avatar/\(md5.uppercased())?s=9&"),
            ("/avatar?d=mp/x", "/avatar/d41d8cd98f00b204e9800998ecf8427e?d=mp/x"),
            (
                "/avatar?d=https://x.example/\(md5)",
                "/avatar/d41d8cd98f00b204e9800998ecf8427e?d=https://x.example/\(md5)"
            ), ("/avatar/a/b", nil), ("/avatar//v1/contacts", nil),
            ("/v1//contacts", nil), ("/avatar/%78?s=1", "/avatar/x?s=1"), ("/avatar/%20x%0A", "/avatar/x"),
            ("/avatar/a%2Fb", nil), ("/avatar/a%20b", nil), ("/avatar/x%", nil), ("/%61vatar/x", nil),
            ("/avatar/x%3Fs=1&d=404", "/avatar/x?s=1&d=404"), ("/avatar/x%3fs%3D1%26d%3D404", "/avatar/x?s=1&d=404"),
            ("/avatar/x%3Fname%3DAda%20Moe", "/avatar/x?name=Ada%20Moe"),
            ("/avatar/x%3Fs=1%0D%0AX:%20y", "/avatar/x?s=1%0D%0AX:%20y"), ("/avatar/x%3F", "/avatar/x"),
            ("/avatar/x#y", "/avatar/x"), ("/avatar/x?s=1#y", "/avatar/x?s=1"),
            ("/avatars/x#y", nil),
            ("/avatar/x&s=1&d=404", "/avatar/x?s=1&d=404"), ("/avatar/x&s=1?d=404", "/avatar/x?s=1&d=404"),
            ("/avatar.php?gravatar_id=x&size=9", "/avatar/x?size=9"),
            ("/avatar.php?s=9&gravatar_id=x", "/avatar/x?s=9"),
            ("/avatar.php", "/avatar/d41d8cd98f00b204e9800998ecf8427e"), ("/avatar.php/x", nil), ("/avatar.phpx", nil),
            ("/avatar.php?gravatar_id=../v1/contacts", "/avatar/../v1/contacts"),
        ] as [(String, String?)])
    func `An avatar has one spelling of its path, and lends it to no other path`(_ target: String, _ canonical: String?)
    {
        #expect(GravatarRequest.canonical(target) == canonical)
    }

    @Test(arguments: [("", Style.Crop.face), ("crop=top", .top), ("crop=centre", .centre), ("crop=left", .face)])
    func `A crop is one of ours, else the face`(query: String, crop: Style.Crop) throws {
        #expect(try request(query).crop == crop)
    }

    @Test func `Where pictures are round, only a shape makes them square`() {
        let hash = String(repeating: "0", count: 32)
        for (query, isCircle) in [("", true), ("shape=square", false), ("shape=circle", true), ("shape=star", true)] {
            #expect(GravatarRequest(component: hash, query: query, isRound: true)?.isCircle == isCircle)
        }
    }
}
