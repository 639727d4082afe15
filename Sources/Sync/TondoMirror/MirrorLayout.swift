package import SystemPackage
package import TondoFiles

/// The folder of one mirror, by its name: `cards` is the address book; all else is the mirror's own.
///
///     NAME/cards/*.vcf      the book, with photos/ beside the cards
///     NAME/trash/DATE/      what the source deleted, and what other programs changed
///     NAME/trash-ages       how long that was seen to lie there
///     NAME/tmp/             files that are being written
///     NAME/state, journal   what lies in `cards`, and belongs to the mirror
///     NAME/state.former     the state before, from which a lost one is made again
///     NAME/status.json      the last run
///     NAME/refused          of a user that the server refused
///     NAME/lock             of the process that writes
package struct MirrorLayout: Equatable, Sendable {
    package let name: String
    package let root: FilePath

    /// `mirrors`: the folder of all mirrors.
    package init(_ name: String, in mirrors: FilePath) {
        self.name = name
        root = mirrors.appending(name)
    }

    /// The folder of all mirrors that applies unless one is configured. The user's goes before the one of a service
    /// (systemd), because service and synchronisation, with units or without, have to find the same one; the unit of the
    /// machine sets XDG_STATE_HOME. Nil if the environment names none.
    package static func standardFolder(_ paths: StandardPaths) -> FilePath? {
        paths.state?.pushing("tondo/sync") ?? paths.serviceState?.appending("sync")
    }

    package var cards: FilePath { root.appending("cards") }
    package var photos: FilePath { cards.appending(Self.photoFolder) }
    package var trash: FilePath { root.appending("trash") }
    package var trashAges: FilePath { root.appending("trash-ages") }
    package var temporary: FilePath { root.appending("tmp") }
    package var state: FilePath { root.appending("state") }
    package var formerState: FilePath { root.appending("state.former") }
    package var journal: FilePath { root.appending("journal") }
    package var status: FilePath { root.appending("status.json") }
    package var refusal: FilePath { root.appending("refused") }
    package var lock: FilePath { root.appending("lock") }

    static let photoFolder = "photos"

    /// Lower-case letters, digits and hyphens: a folder, a key of the configuration and a part of a URL alike.
    package static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.first != 0x2D
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }
}
