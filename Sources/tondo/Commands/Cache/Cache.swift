import ArgumentParser

/// `tondo cache`: questions to the cache, and its upkeep.
struct Cache: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks into the cache of avatars, and keeps it in order.",
        discussion: """
            EXAMPLES
              tondo convert photos --cache            fill it
              tondo cache stat                        how much is in it, how it serves
              tondo cache ls --sort size --limit 10   the ten largest
              tondo cache why ada.jpg --scale 2       is this face there? if not, why?
              tondo cache verify --repair             check each byte, mend all

            The files are the truth; index.sqlite beside them is derived, and made anew when it is lost. Several programs \
            may use the cache at the same time, and any of them may be killed.

            \(ExitStatusText.text([
                0: "done; for why: every face asked for would come out of the cache",
                1: "show: no such entry; why: one would not; verify: something was wrong", 130: "interrupted",
            ]))
            """,
        subcommands: [
            CacheStat.self, CacheList.self, CacheShow.self, CacheWhy.self, CacheVerify.self, CachePrune.self,
            CacheClear.self,
        ])
}
