import Testing

@testable import TondoCache

/// Permissions that are in the way.
@Suite(.enabled(if: ProbeRun.canBeUnprivileged, "nobody else can run the programs of this build"))
struct PermissionTests {
    private static func run(_ script: String) throws -> [String] {
        try ProbeRun.run(script, in: TemporaryCache(), .unprivileged).filter { !$0.hasPrefix("notice") }
    }

    @Test func aFolderThatCannotBeWrittenServesHits() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 > $base/log
            chmod -R a-w $cache
            $probe $cache find:1 store:2 entries verify find:1
            chmod -R u+w $cache
            """)
        #expect(
            lines == ["find:1: whole", "store:2: cache-read-only", "entries: 1", "verify: clean", "find:1: whole"])
    }

    @Test(arguments: ["", "VERSION", "objects", "tmp", "failures"])
    func whatCannotBeEnteredIsAClearError(name: String) throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 > $base/log
            chmod 000 $cache/\(name)
            $probe $cache find:1
            chmod 700 $cache/\(name)
            """)
        #expect(lines == ["open: cache-read-only"])
    }

    @Test func anEntryThatCannotBeReadIsAMissThatHeals() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 > $base/log
            chmod 000 $cache/objects/*/*.png
            $probe $cache verify find:1 find:1 entries store:1 find:1 verify
            """)
        #expect(
            lines == [
                "verify: damaged", "find:1: miss", "find:1: miss", "entries: 0", "store:1: stored", "find:1: whole",
                "verify: clean",
            ])
    }

    @Test func repairTakesAnEntryThatCannotBeReadAway() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 > $base/log
            chmod 000 $cache/objects/*/*.png
            $probe $cache repair verify entries
            """)
        #expect(lines == ["repair: damaged", "verify: clean", "entries: 0"])
    }

    @Test func aFolderOfEntriesThatCannotBeEnteredKeepsNothingElse() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 > $base/log
            chmod 000 $cache/objects/*
            $probe $cache find:1 store:2 find:2 store:1 rebuild entries verify
            chmod 700 $cache/objects/*
            $probe $cache find:1 repair entries
            """)
        #expect(
            lines == [
                "find:1: miss", "store:2: stored", "find:2: whole", "store:1: cache-read-only", "rebuild: 1",
                "entries: 1", "verify: foreign", "find:1: whole", "repair: unlisted", "entries: 2",
            ])
    }

    @Test func anIndexThatCannotBeReadIsMadeAnew() throws {
        let lines = try Self.run(
            """
            $probe $cache store:1 > $base/log
            chmod 000 $cache/index.sqlite
            $probe $cache entries store:2 entries verify
            """)
        #expect(lines == ["entries: 1", "store:2: stored", "entries: 2", "verify: clean"])
    }
}
