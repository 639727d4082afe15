import Foundation
import Testing
import TondoAvatars
import TondoCache
import TondoContacts
import TondoJobs
import TondoServer
import TondoTestSupport

@testable import tondo

/// A command and the service answer the same question with the same JSON, except for names of files and for what only
/// one of the two has.
@Suite(.timeLimit(.minutes(15))) struct SharedReportsTests {
    private let served: ServedBook
    private let running: RunningTondo

    init() throws {
        served = try ServedBook()
        let ada = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            UID:ada\r
            N:Lovelace;Ada;;;\r
            FN:Ada <Lovelace> \u{2028} & co\r
            TEL;TYPE=CELL:+44 1\r
            X-TELEGRAM:ada\r
            CATEGORIES:Friends,R&D\r
            PHOTO;ENCODING=b:\(LoadedBook.photo(0).base64EncodedString())\r
            END:VCARD\r\n
            """
        try served.folder.write(Data(ada.utf8), to: "book/ada.vcf")
        running = try served.serve()
        try served.manager.wait(for: "STATUS=2 contacts, 4 avatars")
    }

    private func http(_ path: String) throws -> Data {
        let response = try ServiceClient(address: served.socket).get(path)
        #expect(response.status == 200, "\(path)")
        return Data(response.body)
    }

    private func command(_ words: [String]) throws -> Outcome { try RunningTondo(words, in: served.folder).finish() }

    private func cache(_ words: String...) throws -> Outcome {
        try command(["cache"] + words + ["--cache-dir", "cache"])
    }

    /// The elements of an array, or one object; in one spelling, and without these members at any depth.
    private func objects(_ json: Data, without names: Set<String> = []) throws -> [String] {
        func strip(_ value: Any) -> Any {
            if let array = value as? [Any] { return array.map(strip) }
            guard let object = value as? [String: Any] else { return value }
            return object.filter { !names.contains($0.key) }.mapValues(strip)
        }
        let value = try JSONSerialization.jsonObject(with: json)
        return try (value as? [Any] ?? [value]).map {
            let json = try JSONSerialization.data(withJSONObject: strip($0), options: .sortedKeys)
            return String(decoding: json, as: UTF8.self)
        }
    }

    private func objects(_ outcome: Outcome, without names: Set<String> = []) throws -> [String] {
        try outcome.lines.flatMap { try objects(Data($0.utf8), without: names) }
    }

    @Test func `Statistics of the cache are the same`() throws {
        let response = try http("/v1/cache")
        let outcome = try cache("stat", "--json")
        #expect(try objects(response) == objects(outcome, without: ["path", "limit"]))
        var report = try #require(try outcome.reports(CacheReport.self).first)
        #expect(report.entries == 4 && report.path != nil && report.limit != nil)
        (report.path, report.limit) = (nil, nil)
        #expect(try JSONDecoder().decode(CacheReport.self, from: response) == report)
    }

    @Test func `An entry is the same`() throws {
        // The service writes its journal to the index before it responds.
        _ = try http("/v1/cache")
        let listed = try cache("ls", "--json", "--limit", "1")
        let key = try #require(try listed.reports(EntryReport.self).first).key
        let shown = try cache("show", key, "--json")
        #expect(try objects(shown) == objects(listed))
        let response = try http("/v1/cache/entries/\(key)")
        #expect(try objects(response) == objects(shown, without: ["file"]))
        #expect(try JSONDecoder().decode(EntryReport.self, from: response).key == key)
    }

    @Test(arguments: [
        ("size=96&state=normal", "--size 96 --ring-width 4 --ring-gap 3", "hit"), ("size=20", "--size 20", "miss"),
    ])
    func `An explanation is the same`(query: String, words: String, verdict: String) throws {
        let response = try http("/v1/cache/why/ada?\(query)")
        let outcome = try command(
            ["cache", "why", "ada", "--json", "--cache-dir", "cache"] + words.split(separator: " ").map(String.init))
        // Of a miss, the service knows the photo as it is now; the command knows what the cache has of the contact.
        // Of a hit, the service knows the size of the photo, and so the square in its centre.
        let own: Set = verdict == "miss" ? ["key", "recipe", "differences"] : ["crop"]
        #expect(try objects(response, without: own) == objects(outcome, without: own.union(["file"])))
        let report = try #require(try JSONDecoder().decode([ExplanationReport].self, from: response).first)
        #expect(report.verdict == verdict && report.file == nil && (report.nearest != nil) == (verdict == "miss"))
        #expect(report.recipe != nil && report.key != nil)
    }

    @Test func `The state of the service is the same in its responses and in status`() throws {
        let status = try #require(
            try command(["status", "--socket", "s.sock", "--json"]).reports(StatusReport.self).first)
        #expect(try JSONDecoder().decode(JobsReport.self, from: http("/v1/jobs")) == status.jobs)
        #expect(try JSONDecoder().decode(CacheReport.self, from: http("/v1/cache")) == status.cache)
        let readiness = try JSONDecoder().decode(ReadinessReport.self, from: http("/readyz"))
        #expect(readiness.books == status.books && readiness.contacts == status.contacts && status.ready)
        let object = try #require(try JSONSerialization.jsonObject(with: http("/v1/jobs")) as? [String: Any])
        let shown = try command(["status", "--socket", "s.sock", "--json"]).json()[0]["jobs"] as? [String: Any]
        #expect(shown?.keys.sorted() == object.keys.sorted())
    }

    @Test func `Groups are the same, byte for byte`() throws {
        let lines = try command(["contacts", "groups", "book", "--json"]).lines
        #expect(lines.count == 2)
        #expect(String(decoding: try http("/v1/groups"), as: UTF8.self) == "[\(lines.joined(separator: ","))]")
    }

    @Test func `Listed contacts are the same, but for their avatars and the others that are the same person`() throws {
        struct Page: Decodable {
            var total: Int
            var items: [ContactReport]
        }
        let response = try http("/v1/contacts")
        let outcome = try command(["contacts", "ls", "book", "--json"])
        let page = try JSONDecoder().decode(Page.self, from: response)
        var contacts = page.items
        for index in contacts.indices { (contacts[index].avatar, contacts[index].avatars) = (nil, nil) }
        #expect(try page.total == 2 && contacts == outcome.reports(ContactReport.self))
        #expect(contacts.map(\.photo) == [true, true])
        let items = try JSONSerialization.jsonObject(with: response) as? [String: Any]
        let json = try JSONSerialization.data(withJSONObject: #require(items?["items"]))
        let own: Set = ["avatar", "avatars", "also"]
        #expect(try objects(json, without: own) == objects(outcome))
        #expect(try objects(http("/v1/contacts/ada"), without: own) == Array(objects(outcome).prefix(1)))
    }
}
