import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct CacheListTests {
    private let cache: FilledCache

    init() throws {
        cache = try FilledCache()
        _ = try cache.run(["convert", "ada.jpg", "--size", "20", "--state", "selected", "--cache-dir", "cache"])
    }

    /// The contacts and sides of what is listed.
    private func list(_ words: String...) throws -> [String] {
        let outcome = try cache.run(["cache", "ls", "--json", "--cache-dir", "cache"] + words)
        return try outcome.json().map { "\(($0["contacts"] as? [String])?.first ?? "") \($0["side"] as? Int ?? 0)" }
    }

    @Test func `Each entry has a line under the headings`() throws {
        let table = try cache.run("ls").table
        #expect(table[0] == ["KEY", "PIXELS", "FORMAT", "BYTES", "COST", "CREATED", "USED", "STYLE", "CONTACTS"])
        #expect(table.count == 4)
        #expect(Set(table.dropFirst().map { $0[1] }) == ["16", "20"])
        #expect(Set(table.dropFirst().compactMap(\.last)) == ["ada", "bo"])
    }

    @Test func `A contact's entries are listed alone`() throws {
        #expect(try list("--contact", "bo") == ["bo 16"])
        #expect(try list("--contact", "ad") == [])
    }

    @Test func `A style is named by its side or by words of its recipe`() throws {
        #expect(try list("--style", "20") == ["ada 20"])
        #expect(try list("--style", "side=16,background=none").sorted() == ["ada 16", "bo 16"])
        #expect(try list("--style", "side=1") == [])
    }

    @Test func `Since leaves out what was not used since then`() throws {
        #expect(try list("--since", "1h").count == 3)
        #expect(try list("--since", "2999-01-01") == [])
    }

    @Test func `Larger entries are listed alone`() throws {
        let sizes = try cache.run("ls", "--json").json().compactMap { $0["bytes"] as? Int }.sorted()
        #expect(try list("--larger-than", "\(sizes[1])").count == 1)
    }

    @Test func `Sorting puts the largest, latest or most costly first`() throws {
        for (order, name) in [("size", "bytes"), ("cost", "cost")] {
            let values = try cache.run("ls", "--json", "--sort", order).json().compactMap { $0[name] as? Double }
            #expect(values.count == 3 && values == values.sorted(by: >), "\(order)")
        }
        for order in ["created", "used"] {
            let values = try cache.run("ls", "--json", "--sort", order).json().compactMap { $0[order] as? String }
            #expect(values.count == 3 && values == values.sorted(by: >), "\(order)")
        }
    }

    @Test func `A limit says that there is more`() throws {
        let outcome = try cache.run("ls", "--limit", "2")
        #expect(outcome.lines.count == 3)
        #expect(outcome.error == "more entries exist; --limit 0 lists all\n")
        #expect(try cache.run("ls", "--limit", "3").error.isEmpty)
        #expect(try cache.run("ls", "--limit", "0").lines.count == 4)
    }

    @Test func `Nothing to list is no error`() throws {
        let outcome = try cache.run("ls", "--contact", "nobody")
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error == "no entries\n")
    }

    @Test func `JSON has all there is to know, with whole dates`() throws {
        let entry = try #require(try cache.run("ls", "--contact", "bo", "--json").json().first)
        #expect(
            Set(entry.keys) == [
                "key", "file", "recipe", "photo", "style", "format", "side", "bytes", "cost", "created", "used",
                "contacts",
            ])
        #expect(cache.folder.exists(entry["file"] as? String ?? ""))
        #expect((entry["created"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test func `On a terminal no line is wider than it`() throws {
        let list = "NO_COLOR=1 '$1' cache ls --sort cost --cache-dir cache"
        let outcome = try cache.run([], shell: "exec script -qec \"stty cols 80; \(list)\" /dev/null")
        // A terminal ends its lines with CR LF, which are one character.
        let lines = outcome.text.split(whereSeparator: \.isNewline)
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines[0].contains("COST") && !lines[0].contains("CREATED"))
    }

    @Test func `Names that are no UTF-8 or would upset a terminal are listed legibly`() throws {
        let photo = try cache.folder.data("ada.jpg") + Data([0])
        try cache.folder.write(photo, to: "red\u{1B}[31m.jpg")
        _ = try cache.run(["convert", "red\u{1B}[31m.jpg", "--size", "16", "--cache-dir", "cache"])
        _ = try cache.run(
            [], shell: #"cp bo.png "$(printf '\377.png')"; exec "$1" convert *.png --size 16 --cache-dir cache -o o"#)
        let text = try cache.run("ls").text
        #expect(text.contains(#"red\u{1B}[31m"#))
        #expect(text.contains("bo, \u{FFFD}"))
    }
}
