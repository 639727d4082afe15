import ArgumentParser

/// `tondo cache`: inspecting and maintaining the cache.
struct Cache: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Inspects, verifies and prunes the avatar cache.",
        discussion: """
            EXAMPLES
              tondo convert photos --cache            fill it
              tondo cache stat                        size, hits and misses
              tondo cache ls --sort size --limit 10   the ten largest
              tondo cache why ada.jpg --scale 2       a hit? if not, why?
              tondo cache verify --repair             check every byte, repair

            The files are authoritative; index.sqlite is derived from them and rebuilt when it is lost. Several processes \
            can share the cache, and any of them can be killed at any moment.

            \(ExitStatusText.text([
                0: "done; for why: every requested avatar is a hit",
                1: "show: no such entry; why: a miss; verify: problems found",
                ExitCode.misconfigured.rawValue: "prune and stat: an error in the configuration", 130: "interrupted",
            ]))
            """,
        subcommands: [
            CacheStat.self, CacheList.self, CacheShow.self, CacheWhy.self, CacheVerify.self, CachePrune.self,
            CacheClear.self,
        ])
}
