import Testing
import TondoAvatars
import TondoImage
import TondoJobs

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct GravatarsTests {
    private static func path(_ mail: String, _ query: String = "", isLong: Bool = false) -> String {
        let hash = isLong ? AddressHash.sha256(of: mail) : .md5(of: mail)
        let digits = hash.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "/avatar/\(digits)\(query)"
    }

    private static let ada = path("ada@example.org")

    @Test func `A mail address leads to its photo, by either hash and with any ending`() async throws {
        try await RunningService.run { service in
            let avatar = try await service.get(Self.ada)
            #expect(avatar.status == 200 && avatar.side == 80 && avatar.field("content-type") == "image/png")
            #expect(avatar.field("cache-control") == "max-age=300")
            for other in [
                Self.path("ada@example.org", isLong: true), Self.ada + ".png", Self.ada + ".jpg?d=404",
                Self.ada + "?s=zero", Self.ada + "?size=-1&r=x", Self.ada + "?s=0",
                Self.ada.replacing("/avatar/", with: "").uppercased().withPrefix("/avatar/"),
            ] {
                #expect(try await service.get(other).bytes == avatar.bytes, "\(other)")
            }
            let tag = try #require(avatar.field("etag"))
            #expect(try await service.get(Self.ada, fields: "If-None-Match: \(tag)\r\n").status == 304)
            let head = try await service.server.client().head(Self.ada + "?s=81")
            #expect(head.status == 200 && head.field("content-length") != "0")
        }
    }

    @Test func `The answer that there is no photo lives as long as one`() async throws {
        try await RunningService.run { service in
            for path in [Self.path("nobody@example.org", "?d=404"), Self.ada + "?d=404&f=y"] {
                let answer = try await service.get(path)
                #expect(answer.status == 404 && answer.field("cache-control") == "max-age=300")
            }
        }
    }

    @Test func `Programs get the photo by the requests that they were seen to send`() async throws {
        let browser = "Accept: image/jxl,image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8\r\n"
        let python = "Accept-Encoding: identity\r\nUser-Agent: Python-urllib/3.11\r\nConnection: close\r\n"
        try await RunningService.run { service in
            let colour = try await service.get(Self.ada).corner
            for (program, sent, fields, side) in [
                ("Roundcube", "?s=128&d=404", "Connection: close\r\n", 128),
                ("Claws Mail", "?s=48&d=404", "Accept: */*\r\n", 48), ("pyLibravatar", "?d=404&s=64", python, 64),
                ("HyperKitty", ".jpg?s=120&d=mm&r=g", python, 120), ("WordPress", "?s=96&d=mm&r=g", "", 96),
                ("Redmine", "?rating=PG&size=50&default=identicon", "", 50), ("cgit", "?s=13&d=retro", "", 13),
                ("gitweb", "?s=16", "", 16),
            ] {
                let avatar = try await service.get(Self.ada + sent, fields: fields)
                #expect(avatar.side == side && avatar.corner == colour, "\(program)")
                let shown = try await service.get(Self.ada + sent, fields: browser)
                #expect(shown.status == 200 && shown.field("content-type") == "image/webp", "\(program)")
            }
        }
    }

    @Test func `A photo has as many pixels as asked for, or one less`() async throws {
        for pixels in GravatarRequest.sizes {
            let style = Style.avatar(pixels: pixels, shape: .square)
            #expect(style.problem == nil && (style.side == pixels || pixels > 1_024 && style.side == pixels - 1))
            if pixels.isMultiple(of: 2) || pixels.isMultiple(of: 3) { #expect(style.side == pixels) }
        }
        try await RunningService.run { service in
            for size in [1, 7, 300] {
                let avatar = try await service.get("\(Self.ada)?s=\(size)")
                #expect(avatar.side == size)
            }
        }
    }

    @Test func `Faces are square, or round for those who ask`() async throws {
        try await RunningService.run { service in
            for target in [Self.ada, Self.path("nobody@example.org")] {
                #expect(try await service.get(target).corner.last == 255)
                let round = try await service.get(target + "?shape=circle")
                #expect(round.side == 80 && round.corner == [0, 0, 0, 0])
            }
        }
        var options = AvatarService.Options()
        options.isRound = true
        try await RunningService.run(options: options) { service in
            let (plain, square) = (try await service.get(Self.ada), try await service.get(Self.ada + "?shape=square"))
            #expect(plain.corner.last == 0 && square.corner.last == 255)
        }
    }

    @Test func `Every default stands for who has no photo, and for who has one when forced`() async throws {
        var options = AvatarService.Options()
        options.fallbackHosts = ["example.com"]
        try await RunningService.run(options: options) { service in
            for start in [
                Self.path("nobody@example.org") + "?", Self.path("bob@example.org") + "?", Self.ada + "?f=y&",
            ] {
                #expect(try await service.get(start + "d=404").status == 404)
                let there = try await service.get(start + "d=https%3A%2F%2Fexample.com%2Fa.png")
                #expect(there.status == 302 && there.field("location") == "https://example.com/a.png")
                let person = try await service.get(start + "d=https%3A%2F%2Fevil.example%2Fa.png")
                #expect(person.status == 200 && person.field("location") == nil)
                var tags: Set<String?> = []
                for kind in DefaultImage.Kind.allCases {
                    let image = try await service.get(start + "d=\(kind.rawValue)&s=33")
                    #expect(image.status == 200 && image.side == 33)
                    #expect(image.field("cache-control") == "max-age=300")
                    tags.insert(image.field("etag"))
                }
                #expect(tags.count == DefaultImage.Kind.allCases.count)
                #expect(try await service.get(start + "d=mm").bytes == person.bytes)
            }
        }
    }

    @Test func `A known address without a usable photo is answered like an unknown one, byte for byte`() async throws {
        let options = AvatarService.Options()
        let queries = ["", "?d=404", "?d=identicon&s=40", "?d=retro", "?d=color&shape=circle", "?d=blank", "?f=y"]
        let mails = ["bob@example.org", "eve@example.org"]
        let targets = mails.flatMap { mail in queries.map { Self.path(mail, $0) } }
        let known = try await Self.responses(to: targets, Card.people, options)
        let unknown = try await Self.responses(to: targets, ["ada": Card.people["ada"] ?? ""], options)
        #expect(known == unknown && known.count == targets.count * 2)
    }

    /// Each twice: from the router and from memory.
    private static func responses(
        to targets: [String], _ cards: [String: String], _ options: AvatarService.Options
    ) async throws -> [String] {
        var responses: [String] = []
        try await RunningService.run(cards, options: options) { service in
            for target in targets + targets { responses.append(try await service.get(target).timeless) }
        }
        return responses
    }

    @Test func `What strangers ask for takes no room in the cache`() async throws {
        try await RunningService.run { service in
            for name in 0..<5 {
                let target = Self.path("\(name)@example.org", "?d=identicon&shape=circle")
                let response = try await service.get(target)
                #expect(response.status == 200)
            }
            #expect(service.addressBooks.pipeline.counters.done == 0)
        }
    }

    @Test(arguments: [
        "undefined", "x", "0", String(repeating: "g", count: 32), String(repeating: "0", count: 63),
        "nobody%40example.org",
        "ada@example.org",
    ])
    func `A word in place of a hash gets the fallback`(word: String) async throws {
        try await RunningService.run { service in
            let response = try await service.get("/avatar/\(word)?d=blank&s=9")
            let blank = try await service.get("/avatar/?d=blank&s=9")
            #expect(response.status == 200 && response.bytes == blank.bytes)
            #expect(try await service.get("/avatar/\(word)?d=404").status == 404)
        }
    }

    @Test(arguments: ["..", ".png", "%2e%2e%2f", "a!", "%00", "%ff", "%C3%A9", String(repeating: "a", count: 255)])
    func `What is no word is not found`(hash: String) async throws {
        try await RunningService.run { service in
            let response = try await service.get("/avatar/\(hash)?d=mp")
            #expect(response.status == 404 && response.body.hasPrefix("{"))
        }
    }
}

extension String {
    fileprivate func withPrefix(_ prefix: String) -> String { prefix + self }
}
