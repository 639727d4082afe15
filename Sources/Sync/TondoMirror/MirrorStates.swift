internal import Synchronization
internal import TondoFiles

/// The states of mirrors, as programs that change many of their cards one after the other need them: each is read once, and again
/// when a run of `tondo sync` has replaced it. Usable from any thread.
package final class MirrorStates: Sendable {
    /// A state by its file, with the members by the names of their cards.
    struct Entry {
        let status: FileStatus
        let state: MirrorState
        let ids: [String: String]
    }

    // Those of one mirror: a book is in one.
    private let last = Mutex<(layout: MirrorLayout, entry: Entry)?>(nil)

    package init() {}

    /// Nil: there is none that can be read.
    func entry(of layout: MirrorLayout) -> Entry? {
        guard let status = FileStatus(layout.state, followingLinks: false) else { return nil }
        let known = last.withLock { $0 }
        if let known, known.layout == layout, known.entry.status == status { return known.entry }
        // A run that replaces it meanwhile gives the file another status: what is stored is read again then.
        guard let state = try? MirrorFile.state(at: layout.state) else { return nil }
        let ids = Dictionary(state.members.map { ($1.file, $0) }, uniquingKeysWith: min)
        let entry = Entry(status: status, state: state, ids: ids)
        last.withLock { $0 = (layout, entry) }
        return entry
    }
}
