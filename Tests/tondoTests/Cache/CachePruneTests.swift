import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct CachePruneTests {
    private let cache: FilledCache

    init() throws { cache = try FilledCache() }

    private func entries() throws -> Int { try cache.run("ls", "--json").json().count }

    @Test func `A dry run reports what would be removed and removes nothing`() throws {
        let outcome = try cache.run("prune", "--max-size", "1", "--dry-run")
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("2 entries ("))
        #expect(outcome.text.hasSuffix(" would be removed; 0 entries (0 B) left\n"))
        #expect(try entries() == 2)
    }

    @Test func `Over the size limit the least recently used goes`() throws {
        _ = try cache.convert(only: "ada.jpg", "-o", "again")
        let bytes = try cache.run("stat", "--json").json()[0]["bytes"] as? Int ?? 0
        let outcome = try cache.run("prune", "--max-size", "\(bytes - 1)")
        #expect(outcome.text.hasPrefix("1 entry ("))
        #expect(try cache.run("ls", "--contact", "ada", "--json").json().count == 1)
        #expect(try cache.run("ls", "--contact", "bo", "--json").json().isEmpty)
    }

    @Test func `Within both limits nothing goes`() throws {
        #expect(try cache.run("prune", "--max-age", "1y").text.hasPrefix("0 entries (0 B) removed; 2 entries ("))
    }

    @Test func `What was not used for the age limit goes`() throws {
        let document = try #require(try cache.run("prune", "--max-age", "0s", "--json").json().first)
        #expect(document["removed"] as? Int == 2)
        #expect(document["left"] as? Int == 0)
        #expect(document["dryRun"] as? Bool == false)
    }

    @Test func `Failures make room, too`() throws {
        try cache.folder.add(Repository.truncated, as: "cut.jpg")
        _ = try cache.convert(only: "cut.jpg")
        let outcome = try cache.run("prune", "--max-size", "1")
        #expect(outcome.text.hasPrefix("2 entries ("))
        #expect(outcome.text.hasSuffix(", 1 failure removed; 0 entries (0 B) left\n"))
        #expect(try cache.folder.files(below: "cache/failures") == [])
    }

    @Test func `Clearing needs a yes`() throws {
        for words in [["clear"], ["clear", "--failures"]] {
            let outcome = try cache.run(["cache"] + words + ["--cache-dir", "cache"])
            #expect(outcome.status == 64)
            #expect(outcome.error.contains("add --yes"))
        }
        #expect(try entries() == 2)
    }

    @Test func `Clearing removes entries and failures`() throws {
        try cache.folder.add(Repository.truncated, as: "cut.jpg")
        _ = try cache.convert(only: "cut.jpg")
        let outcome = try cache.run("clear", "--yes")
        #expect(outcome.text.hasPrefix("2 entries ("))
        #expect(outcome.text.hasSuffix(", 1 failure removed; 0 entries (0 B) left\n"))
        #expect(try entries() == 0)
        #expect(try cache.folder.files(below: "cache/failures") == [])
    }

    @Test func `Failures can be forgotten alone`() throws {
        try cache.folder.add(Repository.truncated, as: "cut.jpg")
        _ = try cache.convert(only: "cut.jpg")
        #expect(try cache.run("clear", "--failures", "--yes").text == "1 failure removed\n")
        #expect(try entries() == 2)
        let error = try cache.convert(only: "cut.jpg", "--json").json()[0]["error"] as? [String: Any]
        #expect(error?["remembered"] == nil)
    }
}
