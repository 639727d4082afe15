package import SystemPackage
package import TondoFiles

/// The folder of one mirror, by its name: `cards` is the address book; all else is the mirror's own.
///
///     NAME/cards/*.vcf      the book, with photos/ beside the cards
///     NAME/trash/DATE/      what the source deleted, and what other programs changed
///     NAME/trash-ages       how long that was seen to lie there
///     NAME/pending/         changes that were made in `cards`, and are not at the server yet
///     NAME/tmp/             files that are being written
///     NAME/state, journal   what lies in `cards`, and belongs to the mirror
///     NAME/state.former     the state before, from which a lost one is made again
///     NAME/status.json      the last run
///     NAME/refused          of a user that the server refused
///     NAME/lock             of the process that writes
package struct MirrorLayout: Equatable, Sendable {
    /// The NAME of the table `[sync.NAME]`, see `isName`.
    package let name: String
    /// The folder NAME itself; the first run that writes creates it.
    package let root: FilePath

    /// `mirrors`: the folder of all mirrors.
    package init(name: String, in mirrors: FilePath) {
        self.name = name
        root = mirrors.appending(name)
    }

    /// The mirror in whose address book a file is, by the files beside the book; nil: in none. `file`: without links.
    package init?(holding file: FilePath) {
        var folder = file.removingLastComponent()
        while let name = folder.lastComponent {
            let root = folder.removingLastComponent()
            if name.string == "cards", let mirror = root.lastComponent?.string, Self.isName(mirror) {
                self.init(name: mirror, in: root.removingLastComponent())
                // The lock is never removed; the state is there after the first run.
                if FileStatus(lock)?.kind == .regular, FileStatus(state)?.kind == .regular { return }
            }
            folder.removeLastComponent()
        }
        return nil
    }

    /// The folder of all mirrors that applies unless one is configured. The user's goes before the one of a service
    /// (systemd), because service and synchronisation, with units or without, have to find the same one; the unit of the
    /// machine sets XDG_STATE_HOME. Nil if the environment names none.
    package static func standardFolder(_ paths: StandardPaths) -> FilePath? {
        paths.state?.pushing("tondo/sync") ?? paths.serviceState?.appending("sync")
    }

    /// The address book: the folder that the service reads and watches.
    package var cards: FilePath { root.appending("cards") }
    /// Inside the book, because cards name their photos by paths relative to it. Created with the first photo.
    package var photos: FilePath { cards.appending(Self.photoFolder) }
    /// Holds a folder for each day (UTC), see `MirrorTrash`; created with the first file in it.
    package var trash: FilePath { root.appending("trash") }
    /// The record of `TrashAges`. Without it, everything in the trash begins to age again.
    package var trashAges: FilePath { root.appending("trash-ages") }
    /// The files of `PendingChanges`; created with the first one.
    package var pending: FilePath { root.appending("pending") }
    /// On the file system of `cards`, so that a complete file takes its place by a rename.
    package var temporary: FilePath { root.appending("tmp") }
    /// The text of `MirrorState`; each commit replaces it as a whole.
    package var state: FilePath { root.appending("state") }
    /// What `state` was before the last commit; `FoundState` takes the names of files from it.
    package var formerState: FilePath { root.appending("state.former") }
    /// The lines of `MirrorJournal`; removed by the next commit.
    package var journal: FilePath { root.appending("journal") }
    /// The JSON of `MirrorStatus`, replaced at the end of each run that had the lock.
    package var status: FilePath { root.appending("status.json") }
    /// Exists for as long as the server refuses the user, see `Refusal`.
    package var refusal: FilePath { root.appending("refused") }
    /// An empty file for flock(2). It is never removed: two processes could then lock two files of one name.
    package var lock: FilePath { root.appending("lock") }

    static let photoFolder = "photos"

    /// Lower-case letters, digits and hyphens: a folder, a key of the configuration and a part of a URL alike.
    package static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.first != 0x2D
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }
}
