import ArgumentParser

/// `tondo sync`: address books on the network.
struct Sync: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Mirrors address books into folders that the service watches.",
        discussion: """
            EXAMPLES
              tondo sync add work https://dav.example.org --user ada   add an account
              tondo sync discover            find the books of other programs
              tondo sync                     fetch what changed, of all sources
              tondo sync work --dry-run      show what would change
              tondo sync --interval 15m      again and again, until Ctrl-C
              tondo sync status              when each mirror was last synchronised
              tondo sync remove work         no longer; the cards stay here

            Sources are tables [sync.NAME] of the configuration. Each has a mirror, a folder of vCards in the state folder; \
            'tondo serve' serves all mirrors beside its books and notices what changes in them. Servers are only read, \
            unless a CardDAV source has 'writable = true': then changes that Tondo makes in its mirror are made there, too.

            Whatever happens on the way, a mirror stays valid: a run that fails or is killed changes nothing that it did \
            not fetch, and the next one goes on. Contacts that the server deleted go to the mirror's trash for 30 days; \
            if all of them, or more than a fifth and ten, are gone at once, the next run has to find the same, or \
            --allow-delete is given.

            \(Sync.exitStatus)
            """,
        subcommands: [SyncRun.self, SyncStatus.self, SyncAdd.self, SyncDiscover.self, SyncRemove.self],
        defaultSubcommand: SyncRun.self)

    static let exitStatus = ExitStatusText.lines([
        (0, "all sources are synchronised"),
        (1, "at least one source failed, or is not asked again yet; the others are done"), (64, "wrong usage"),
        (ExitCode.unavailable.rawValue, "the program tondo-sync is not installed"),
        (ExitCode.misconfigured.rawValue, "errors in the configuration"), (130, "interrupted"),
        (ExitCode.readerGone.rawValue, ExitStatusText.readerGone),
    ])
}
