/// Whether deletions of a source are carried out. An empty answer, an emptied account or the page of a captive portal
/// must not empty a mirror: large deletions wait for a second run that agrees.
struct DeletionGuard {
    /// Up to so many deletions, or up to a fifth of the mirror, need no second run.
    static let few = 10
    static let share = 5

    /// How many members the mirror had before the run.
    let members: Int
    /// What the last run withheld.
    let withheld: Set<String>

    func permits(_ gone: Set<String>) -> Bool {
        let isLarge = gone.count >= members || gone.count > Self.few && gone.count * Self.share > members
        return gone.isEmpty || !isLarge || gone.isSubset(of: withheld)
    }
}
