import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct CacheConvertTests {
    private let cache: FilledCache
    private var folder: TemporaryFolder { cache.folder }

    init() throws { cache = try FilledCache(isFilled: false) }

    private func sources(_ outcome: Outcome) throws -> [String] {
        try outcome.json().flatMap { $0["outputs"] as? [[String: Any]] ?? [] }.map { $0["source"] as? String ?? "" }
    }

    @Test func `A second run takes its pictures from the cache, byte for byte`() throws {
        _ = try cache.run(["convert"] + cache.photos + ["--size", "16", "-o", "plain"])
        _ = try cache.convert("-o", "first")
        let outcome = try cache.convert("-o", "second")
        #expect(outcome.text.hasPrefix("2 photos converted to 2 avatars (2 from the cache) in "))
        for name in ["ada.png", "bo.png"] {
            #expect(try folder.data("first/" + name) == folder.data("plain/" + name))
            #expect(try folder.data("second/" + name) == folder.data("plain/" + name))
        }
    }

    @Test func `A photo that was renamed is a hit`() throws {
        _ = try cache.convert()
        try folder.add(Repository.small, as: "synced/other.jpg")
        let outcome = try cache.convert(only: "synced/other.jpg")
        #expect(outcome.text.hasPrefix("1 photo converted to 1 avatar (1 from the cache)"))
        #expect(try cache.run("show", "avatars/other.png").value("Contacts") == "ada, other")
    }

    @Test func `Results report the source of each avatar`() throws {
        _ = try cache.convert(only: "ada.jpg", "-o", "one")
        #expect(try sources(cache.convert("--json", "-o", "one")) == ["kept", "rendered"])
        let outcome = try cache.convert("--json", "-o", "two")
        #expect(try sources(outcome) == ["cache", "cache"])
        #expect(try outcome.json().last?["cached"] as? Int == 2)
    }

    @Test func `Only the styles that are missing are drawn`() throws {
        _ = try cache.convert(only: "ada.jpg")
        let outcome = try cache.run([
            "convert", "ada.jpg", "--size", "16,18", "--cache-dir", "cache", "--json", "-o", "two",
        ])
        #expect(try sources(outcome) == ["cache", "rendered"])
    }

    @Test func `Force draws again and stores anew`() throws {
        _ = try cache.convert(only: "ada.jpg")
        let before = try cache.run("ls", "--json").json()[0]["created"] as? String
        #expect(try sources(cache.convert(only: "ada.jpg", "--force", "--json")) == ["rendered"])
        let entries = try cache.run("ls", "--json").json()
        #expect(entries.count == 1)
        #expect(entries[0]["created"] as? String != before)
    }

    @Test func `Standard output gets the same bytes, drawn or from the cache`() throws {
        let plain = try cache.run(["convert", "ada.jpg", "--size", "16", "-o", "-"]).output
        #expect(try cache.convert(only: "ada.jpg", "-o", "-").output == plain)
        #expect(try cache.convert(only: "ada.jpg", "-o", "-").output == plain)
        #expect(try cache.run("stat", "--json").json()[0]["hits"] as? Int == 1)
    }

    @Test func `Standard input goes through the cache, too, without a contact`() throws {
        let photo = try folder.data("ada.jpg")
        for count in 0...1 {
            let outcome = try Tondo.run(
                "convert", "-", "--size", "16", "--cache-dir", "cache", "-o", "out\(count)", in: folder, input: photo)
            #expect(outcome.text.contains("(1 from the cache)") == (count == 1))
        }
        #expect(try cache.run("show", "out1/stdin.png").value("Contacts") == "none")
    }

    @Test func `A corrupt photo is not decoded again until its bytes change`() throws {
        try folder.add(Repository.truncated, as: "cut.jpg")
        let first = try cache.convert(only: "cut.jpg", "--json")
        let second = try cache.convert(only: "cut.jpg", "--json")
        let errors = try [first, second].map { try $0.json()[0]["error"] as? [String: Any] }
        #expect(errors[0]?["remembered"] == nil)
        #expect(errors[1]?["remembered"] as? Bool == true)
        #expect(errors[0]?["message"] as? String == errors[1]?["message"] as? String)
        #expect([first.status, second.status] == [1, 1])
        #expect(first.error == second.error)
        try folder.add(Repository.small, as: "cut.jpg")
        #expect(try cache.convert(only: "cut.jpg").status == 0)
    }

    @Test func `A damaged entry is reported once, drawn again and never served`() throws {
        _ = try cache.convert(only: "ada.jpg")
        let key = try #require(try cache.run("ls", "--json").json()[0]["key"] as? String)
        try cache.damage(key)
        let outcome = try cache.convert(only: "ada.jpg", "-o", "again")
        #expect(outcome.error == "tondo: cache: removed a damaged entry (the checksum differs): \(key)\n")
        #expect(try folder.data("again/ada.png") == folder.data("avatars/ada.png"))
        #expect(try cache.run("verify").status == 0)
    }

    @Test func `Beyond its limit the cache makes room`() throws {
        _ = try cache.convert("--cache-max-size", "1")
        #expect(try cache.run("stat", "--json").json()[0]["evicted"] as? Int == 2)
    }

    @Test func `The cache's own pictures are no photos`() throws {
        _ = try cache.convert()
        #expect(try cache.run(["convert", ".", "-r", "--cache-dir", "cache"]).text.hasPrefix("2 photos converted"))
        let outcome = try cache.run(["convert", "cache", "-r", "--cache-dir", "cache"])
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("tondo: cache is the cache folder; its avatars are not photos\n"))
    }

    @Test func `Pictures are not written into the cache's folder`() throws {
        let outcome = try cache.convert(only: "ada.jpg", "-o", "cache/pictures")
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("is in the cache folder; name another output folder"))
        #expect(!folder.exists("cache"))
    }
}
