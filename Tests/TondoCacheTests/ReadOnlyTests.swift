import Testing

@testable import TondoCache

/// A disk that takes no changes: hits are served, questions answered, nothing is stored.
@Suite(.enabled(if: ProbeRun.canMount, "the kernel grants no mounts")) struct ReadOnlyTests {
    private static func run(_ script: String) throws -> [String] {
        try ProbeRun.run(script, in: TemporaryCache(), .mounted(options: "size=2m,mode=755"))
    }

    @Test func hitsAreServedAndNothingIsStored() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 > $base/log
            mount -o remount,ro $base
            $probe $cache find:1 find:2 store:2 remove:1 prune:0 fail:1 repair find:1
            """)
        #expect(
            lines == [
                "find:1: whole", "find:2: miss", "notice stopped-storing cache-read-only", "store:2: cache-read-only",
                "remove:1: cache-read-only", "prune:0: cache-read-only", "fail:1: cache-read-only",
                "repair: cache-read-only", "find:1: whole",
            ])
    }

    @Test func questionsAreAnswered() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 store:2 fail:1 > $base/log
            mount -o remount,ro $base
            $probe $cache entries failures verify rebuild entries
            """)
        #expect(
            lines.filter { !$0.hasPrefix("notice") } == [
                "entries: 2", "failures: 1", "verify: clean", "rebuild: 2", "entries: 2",
            ])
    }

    @Test func withoutAnIndexTheFilesAnswer() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 store:2 > $base/log
            rm $cache/index.sqlite*
            mount -o remount,ro $base
            $probe $cache entries verify
            """)
        #expect(lines == ["entries: 2", "verify: clean"])
    }

    @Test func withADamagedIndexTheFilesAnswer() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 store:2 > $base/log
            head -c 8192 /dev/zero | tr '\\0' x > $cache/index.sqlite
            mount -o remount,ro $base
            $probe $cache entries verify
            """)
        #expect(lines == ["entries: 2", "verify: clean"])
    }

    @Test func aDamagedEntryIsAMissAndStays() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 > $base/log
            for file in $cache/objects/*/*.png; do printf x >> $file; done
            mount -o remount,ro $base
            $probe $cache find:1 find:1 verify
            ls $cache/objects/*
            """)
        #expect(lines.prefix(4) == ["notice damaged", "find:1: miss", "find:1: miss", "verify: damaged"])
        #expect(lines.count == 5 && lines[4].hasSuffix(".png"))
    }

    @Test func withoutACacheItIsAClearError() throws {
        #expect(try Self.run("mount -o remount,ro $base; $probe $cache find:1") == ["open: cache-read-only"])
        #expect(
            try Self.run("mkdir $cache; mount -o remount,ro $base; $probe $cache find:1") == ["open: cache-read-only"])
    }
}
