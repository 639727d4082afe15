import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct CacheVerifyTests {
    private let cache: FilledCache
    private let keys: [String]

    init() throws {
        cache = try FilledCache()
        keys = try cache.keys()
    }

    private func makeProblems() throws {
        try cache.damage(keys[0])
        try cache.remove(cache.file(keys[1]))
        try cache.folder.write(Data(), to: "cache/tmp/left-behind")
        try cache.folder.write(Data(), to: "cache/objects/00/note.txt")
    }

    @Test func `A clean cache is well`() throws {
        let outcome = try cache.run("verify")
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("2 entries, ") && outcome.text.hasSuffix(" checked: no problems\n"))
        #expect(outcome.error.isEmpty)
    }

    @Test func `Everything that is wrong is named, left as it is, and ends with 1`() throws {
        try makeProblems()
        let outcome = try cache.run("verify")
        #expect(outcome.status == 1)
        #expect(
            outcome.lines.dropLast() == [
                "damaged: objects/\(keys[0].prefix(2))/\(keys[0]).png: the checksum differs",
                "foreign: objects/00/note.txt: not an entry's name",
                "missing: objects/\(keys[1].prefix(2))/\(keys[1]).png: row without a file",
                "stray: tmp/left-behind: left behind",
            ])
        #expect(outcome.lines.last?.hasSuffix(" checked: 4 problems; --repair fixes them") == true)
        #expect(cache.folder.exists(cache.file(keys[0])))
    }

    @Test func `Repair mends all of it, and says so`() throws {
        try makeProblems()
        let outcome = try cache.run("verify", "--repair")
        #expect(outcome.status == 1)
        #expect(outcome.lines.dropLast().allSatisfy { $0.hasSuffix(" (repaired)") })
        #expect(outcome.lines.last?.hasSuffix(" checked: 4 problems, repaired") == true)
        #expect(try cache.run("verify").status == 0)
    }

    @Test func `A file without a row is listed again`() throws {
        let file = try cache.folder.data(cache.file(keys[0]))
        _ = try cache.run("clear", "--yes")
        try cache.folder.write(file, to: cache.file(keys[0]))
        #expect(try cache.run("verify", "--repair").text.contains("unlisted: "))
        #expect(try cache.run("show", keys[0]).value("Contacts") == "ada")
    }

    @Test func `JSON is one object a problem and then the summary`() throws {
        try makeProblems()
        let lines = try cache.run("verify", "--json").json()
        #expect(lines.map { $0["kind"] as? String } == ["damaged", "foreign", "missing", "stray", nil])
        #expect(lines[0]["key"] as? String == keys[0])
        #expect(lines[0]["repaired"] as? Bool == false)
        #expect(lines[4]["event"] as? String == "summary")
        #expect(lines[4]["problems"] as? Int == 4)
        #expect(lines[4]["interrupted"] as? Bool == false)
    }

    @Test func `A lost index is made anew from the files`() throws {
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"]
        where cache.folder.exists("cache/" + name) { try cache.remove("cache/" + name) }
        let outcome = try cache.run("ls")
        #expect(outcome.lines.count == 3)
        #expect(outcome.error == "tondo: cache: the index was missing; rebuilt from 2 files\n")
        #expect(try cache.run("verify").status == 0)
    }
}
