import Foundation
import Testing
import TondoCache
import TondoTestSupport

@testable import tondo

@Suite struct CacheStatTests {
    private let cache: FilledCache

    init() throws { cache = try FilledCache() }

    @Test func `Entries, bytes, lookups, times and failures are shown`() throws {
        let outcome = try cache.run("stat")
        #expect(outcome.status == 0)
        #expect(outcome.value("Cache") == "cache")
        #expect(outcome.value("Entries")?.hasPrefix("2, ") == true)
        #expect(outcome.value("Lookups") == "0 hits, 2 misses (0 % hits)")
        for name in ["Oldest", "Newest", "Least recently used"] {
            #expect(outcome.value(name)?.wholeMatch(of: /[\d-]{10} [\d:]{8} \(.+\)/) != nil, "\(name)")
        }
        #expect(outcome.value("Failures") == "none")
    }

    @Test func `Entries are counted by style and size`() throws {
        _ = try cache.run(["convert", "ada.jpg", "--size", "20", "--state", "selected", "--cache-dir", "cache"])
        let rows = try cache.run("stat").table.drop { $0 != ["ENTRIES", "BYTES", "PIXELS", "FORMAT", "STYLE"] }
            .dropFirst()
        #expect(Set(rows.map { $0[0] + " " + $0[3] }) == ["2 16", "1 20"])
        #expect(rows.contains { $0.suffix(3) == ["ring", "0.8333333333333334", "#0a84ff"] })
    }

    @Test func `Hits are counted over all runs`() throws {
        for number in 0..<3 { _ = try cache.convert("-o", "out\(number)") }
        #expect(try cache.run("stat").value("Lookups") == "6 hits, 2 misses (75 % hits)")
    }

    @Test func `Failures are counted by their code`() throws {
        try cache.folder.add(Repository.truncated, as: "cut.jpg")
        _ = try cache.convert(only: "cut.jpg")
        let failures = try #require(try cache.run("stat").value("Failures"))
        #expect(failures.wholeMatch(of: /1 stored, \d+ B: 1 truncated/) != nil)
        let report = try cache.run("stat", "--json", "--max-size", "1").reports(CacheReport.self)[0]
        #expect(report.failures == 1 && report.failuresByCode == ["truncated": 1] && report.failureBytes > 0)
        #expect(report.limit?.failuresToRemove == 1)
    }

    @Test func `Without a limit the configured one holds`() throws {
        let limit = try cache.run("stat", shell: #"TONDO_CACHE_MAX_SIZE=1kB exec "$@""#).value("Limit")
        #expect(limit?.hasPrefix("1.0 kB: over it by ") == true)
    }

    @Test func `Below the limit the free room is shown`() throws {
        #expect(try cache.run("stat", "--max-size", "1GB").value("Limit") == "1.0 GB: 1.0 GB free")
    }

    @Test func `Above the limit the evictions to get below it are shown`() throws {
        let limit = try #require(try cache.run("stat", "--max-size", "1kB").value("Limit"))
        #expect(limit.hasPrefix("1.0 kB: over it by "))
        #expect(limit.contains("prune would evict 2 entries, "))
    }

    @Test func `JSON is one object with whole dates`() throws {
        let documents = try cache.run("stat", "--json", "--max-size", "1kB").json()
        #expect(documents.count == 1)
        let document = documents[0]
        #expect(document["entries"] as? Int == 2)
        #expect(document["misses"] as? Int == 2)
        #expect((document["styles"] as? [[String: Any]])?.first?["entries"] as? Int == 2)
        let limit = try #require(document["limit"] as? [String: Any])
        #expect(limit["isOver"] as? Bool == true)
        #expect(limit["entriesToRemove"] as? Int == 2)
        let newest = try #require(document["newest"] as? String)
        #expect(try Date(newest, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) > .distantPast)
    }

    @Test func `An empty cache has no table`() throws {
        _ = try cache.run("clear", "--yes")
        let outcome = try cache.run("stat")
        #expect(outcome.value("Entries") == "0, 0 B")
        #expect(!outcome.text.contains("PIXELS"))
    }
}
