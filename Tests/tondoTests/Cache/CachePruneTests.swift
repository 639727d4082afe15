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

    @Test(arguments: [
        (#"printf 'cache-max-size = "1B"\n' > tondo.toml"#, [2, 2]),
        (#"printf 'cache-max-size = "1B"\n' > tondo.toml; export TONDO_CACHE_MAX_SIZE=1GB"#, [0, 2]),
        (#"printf 'cache-max-size = "1GB"\n' > tondo.toml; export TONDO_CACHE_MAX_SIZE=1B"#, [2, 0]),
        (#"printf '' > tondo.toml"#, [0, 2]),
    ])
    func `Without a size the configured one holds: the file's, unless a variable or a flag overrides it`(
        _ setting: String, _ removed: [Int]
    ) throws {
        let shell = setting + #"; exec "$@""#
        let words = ["prune", "--dry-run", "--json", "--config", "tondo.toml"]
        let outcome = try cache.run(["cache"] + words + ["--cache-dir", "cache"], shell: shell)
        #expect(try outcome.json().first?["removed"] as? Int == removed[0], "\(outcome)")
        let size = removed[1] == 0 ? "1GB" : "1"
        let flagged = try cache.run(["cache"] + words + ["--max-size", size, "--cache-dir", "cache"], shell: shell)
        #expect(try flagged.json().first?["removed"] as? Int == removed[1])
    }

    @Test func `A configuration that cannot be read removes nothing`() throws {
        for text in ["cache-max-size = \"much\"\n", "cache-max-size = [\n", "cache-max-size = 0\n"] {
            try cache.folder.write(text, to: "tondo.toml")
            let outcome = try cache.run("prune", "--config", "tondo.toml")
            #expect(outcome.status == 78 && outcome.error.contains("tondo.toml"), "\(outcome)")
        }
        let variable = ["cache", "prune", "--cache-dir", "cache"]
        let zero = try cache.run(variable, shell: #"export TONDO_CACHE_MAX_SIZE=0; exec "$@""#)
        #expect(zero.status == 78 && zero.error.contains("cache-max-size must be 1 byte or more, not 0"), "\(zero)")
        #expect(try cache.run("prune", "--max-size", "0").status == 64)
        #expect(try cache.run("prune", "--config", "none.toml").status == 78)
        #expect(try entries() == 2)
    }

    @Test func `The unit that prunes every night leaves the size to the configuration`() throws {
        let unit = String(decoding: try Repository.data("systemd/tondo-prune.service"), as: UTF8.self)
        let command = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        #expect(command.contains(" cache prune ") && !command.contains("--max-size"))
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
