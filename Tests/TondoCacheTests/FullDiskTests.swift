import Testing

@testable import TondoCache

/// A full disk makes the cache stop storing; all else goes on.
@Suite(.enabled(if: ProbeRun.canMount, "the kernel grants no mounts")) struct FullDiskTests {
    private static func run(_ script: String, options: String = "size=600k,mode=755") throws -> [String] {
        try ProbeRun.run(script, in: TemporaryCache(), .mounted(options: options))
    }

    @Test func storingStopsAndFindingGoesOn() throws {
        // More than half of the disk is another program's.
        let lines = try Self.run(
            """
            head -c 320k /dev/zero > $base/ballast
            $probe $cache fill find:1000 store:1 find:1 find:1001 flush find:1000
            """)
        #expect(lines.filter { $0.contains("stopped") } == ["notice stopped-storing cache-full"])
        #expect(
            lines.filter { !$0.hasPrefix("notice") } == [
                "fill: true cache-full", "find:1000: whole", "store:1: cache-full", "find:1: miss",
                "find:1001: whole", "flush: flushed", "find:1000: whole",
            ])
    }

    @Test func aFailedStoreLeavesNothingBehind() throws {
        let lines = try Self.run("$probe $cache fill; ls $cache/tmp | grep -v journal || true")
        #expect(lines.filter { !$0.hasPrefix("notice") } == ["fill: true cache-full"])
    }

    /// Half a minute later, since every try costs.
    @Test func withRoomAgainStoringGoesOn() throws {
        let lines = try Self.run(
            """
            head -c 300k /dev/zero > $base/ballast
            $probe $cache fill delete:$base/ballast store:1 wait:29 store:1 wait:1 store:1 find:1 verify
            """)
        #expect(
            lines.filter { !$0.hasPrefix("notice") }.suffix(8) == [
                "delete:\(lines.ballast): deleted", "store:1: cache-full", "wait:29: waited", "store:1: cache-full",
                "wait:1: waited", "store:1: stored", "find:1: whole", "verify: clean",
            ])
    }

    @Test func noRowIsLostThatTheIndexHadNoRoomFor() throws {
        let lines = try Self.run(
            """
            head -c 320k /dev/zero > $base/ballast
            $probe $cache store:1 flush fill
            rm $base/ballast
            $probe $cache find:1 find:1000 verify
            """)
        #expect(
            lines.filter { !$0.hasPrefix("notice") }.suffix(3) == [
                "find:1: whole", "find:1000: whole", "verify: clean",
            ])
    }

    @Test func aCacheThatCannotBeMadeIsAClearError() throws {
        let lines = try Self.run("head -c 1m /dev/zero > $base/ballast || true; $probe $cache find:1")
        #expect(lines.last == "open: cache-full")
    }

    @Test func aFullCacheOpensAndServes() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1
            head -c 1m /dev/zero > $base/ballast || true
            $probe $cache find:1 store:2 fail:1 find:1 failures
            """)
        #expect(
            lines.filter { !$0.hasPrefix("notice") }.suffix(5) == [
                "find:1: whole", "store:2: cache-full", "fail:1: cache-full", "find:1: whole", "failures: 0",
            ])
    }

    @Test func `Where no index has room, questions are answered from the files and nothing is left behind`() throws {
        let lines = try Self.run(
            """
            head -c 300k /dev/zero > $base/ballast
            $probe $cache fill
            rm -f $cache/index.sqlite*
            head -c 1m /dev/zero > $base/ballast || true
            $probe $cache entries find:1000 || true
            ls $cache/tmp | grep -v journal || true
            rm $base/ballast
            $probe $cache find:1000 verify
            """, options: "size=800k,mode=755")
        // Counted from the files.
        #expect(lines.contains { $0.wholeMatch(of: /entries: [1-9]\d*/) != nil })
        #expect(!lines.contains { $0.hasPrefix("index-") })
        #expect(lines.filter { !$0.hasPrefix("notice") }.suffix(2) == ["find:1000: whole", "verify: clean"])
    }

    @Test func withoutInodesItIsFullToo() throws {
        let lines = try Self.run("$probe $cache fill find:1000", options: "size=64m,nr_inodes=60,mode=755")
        #expect(lines.filter { !$0.hasPrefix("notice") }.suffix(2) == ["fill: true cache-full", "find:1000: whole"])
    }

    // A flush by the timer may have looked for room during `fill`: the next look is due 30 seconds later.
    @Test func `A cache that fills its disk evicts the oldest and goes on storing`() throws {
        let lines = try Self.run(
            "$probe $cache fill wait:31 flush store:1 flush find:1 find:1000 verify", options: Self.small)
        #expect(
            lines.filter { !$0.hasPrefix("notice") }.dropFirst(3) == [
                "store:1: stored", "flush: flushed", "find:1: whole", "find:1000: miss", "verify: clean",
            ])
    }

    @Test func `Eviction goes on where the disk was full before the limit was looked at`() throws {
        let lines = try Self.run(
            """
            head -c 1600k /dev/zero > $base/ballast
            $probe $cache limit:500000 fill wait:31 flush store:1 find:1 find:1000 entries verify
            """, options: Self.small)
        #expect(
            lines.filter { !$0.hasPrefix("notice") }.dropFirst(4).filter { !$0.hasPrefix("entries") } == [
                "store:1: stored", "find:1: whole", "find:1000: miss", "verify: clean",
            ])
        #expect(lines.contains { $0.hasPrefix("entries: 2") })
    }

    private static let small = "size=3m,mode=755"

    /// Nothing is left for the index, and no command ends with an error.
    @Test(arguments: ["clear", "prune:300000", "repair", "verify", "entries"])
    func `On a disk without a byte left every command works`(step: String) throws {
        let lines = try Self.run(
            """
            head -c 1m /dev/zero > $base/ballast
            $probe $cache store:1 fail:1 flush fill > /dev/null
            head -c 4m /dev/zero > $base/more 2> /dev/null || true
            $probe $cache \(step)
            rm $base/more $base/ballast
            $probe $cache verify
            """, options: Self.small)
        let output = lines.filter { !$0.hasPrefix("notice") }
        #expect(!lines.contains { $0.contains("cache-index") || $0.hasPrefix("\(step): cache-") }, "\(lines)")
        #expect(output.last == "verify: clean", "\(lines)")
        switch step {
        case "clear": #expect(output.first == "clear: 0 left")
        case "prune:300000": #expect(output.first?.wholeMatch(of: /prune:300000: [1-9]\d+/) != nil)
        case "entries": #expect(output.first?.wholeMatch(of: /entries: [1-9]\d+/) != nil)
        default: #expect(output.first == "\(step): clean")
        }
    }

    @Test func pruningMakesRoomOnAFullDisk() throws {
        let lines = try Self.run("$probe $cache store:1 flush fill; $probe $cache prune:0 store:2 find:2 verify")
        #expect(lines.suffix(3) == ["store:2: stored", "find:2: whole", "verify: clean"])
    }
}

/// What needs no disk of its own.
@Suite struct LargestFileTests {
    @Test func aLimitOfFileSizesIsAFullDisk() throws {
        let lines = try ProbeRun.run(
            """
            $probe $cache store:1
            trap '' XFSZ
            ulimit -f 8
            $probe $cache store:2 find:1
            """, in: TemporaryCache(), .plain)
        #expect(
            lines.filter { !$0.hasPrefix("notice") } == ["store:1: stored", "store:2: cache-full", "find:1: whole"])
    }
}

extension [String] {
    /// Where the test's ballast lay.
    fileprivate var ballast: String {
        first { $0.hasPrefix("delete:") }.map { String($0.dropFirst(7).dropLast(": deleted".count)) } ?? ""
    }
}
