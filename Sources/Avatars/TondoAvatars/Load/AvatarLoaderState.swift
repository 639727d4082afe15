internal import TondoContacts
internal import TondoJobs

/// The contacts whose avatars are being loaded, what was reported, and what is retried. Pure except for the photos and
/// tasks it holds.
///
/// Every added entry holds the group of its `AvatarLoader` until exactly one of these: it is refused, dropped, reported, or
/// failed silently. An entry that was replaced or forgotten is dropped wherever it is found.
struct AvatarLoaderState {
    typealias PendingContact = AvatarBacklog.PendingContact

    enum EnqueueResult {
        case refused, begins, waits
        /// It waits in the place of an earlier entry, which no longer exists.
        case replaces
    }

    /// The consequence of a failure.
    enum Verdict {
        /// Nothing: the entry was replaced, or everything is cancelled.
        case dropped
        case again(after: Duration)
        /// What is shown instead is tried. The tally of the event that reports the failure; nil: none does.
        case next(AvatarTally?)
        /// Nothing is shown now that was not shown before.
        case wait
    }

    enum TrackResult { case kept, cancelled }

    /// Nil before the book is counted.
    struct Photos { var book: BookPhotos? }

    var backlog = AvatarBacklog()
    var photos: BookPhotos?
    var tasks: [String: AvatarTask] = [:]
    private(set) var ledger: AvatarLedger
    /// The photos of contacts whose avatars were reported, until they may have changed.
    private(set) var known: [String: KnownPhoto] = [:]
    /// More than contacts of the largest books: 20 MB.
    private static let mostKnown = 100_000
    private let keepsPhotos: Bool
    /// Contacts whose photo or initials failed for a transient reason.
    private(set) var transientFailures: Set<String> = []
    /// The entry of each contact that is running, or to be retried later.
    private var current: [String: UInt64] = [:]
    /// Entries that wait for a retry, for which the end of the load waits.
    private var paused: Set<UInt64> = []
    private var last: UInt64 = 0
    private var isCancelled = false
    /// The book cannot be read, see `BookWatcher`.
    var isLost = false
    /// Contacts that may be submitted at a time until the pipeline has room, and how many are.
    private var working = 0
    private let width: Int

    /// `keepsPhotos`: fills `known`.
    init(width: Int, ledger: AvatarLedger, keepsPhotos: Bool = false) {
        self.width = width
        self.ledger = ledger
        self.keepsPhotos = keepsPhotos
    }

    /// False: it was replaced, or everything is cancelled.
    func isCurrent(_ pending: PendingContact) -> Bool { !isCancelled && current[pending.contact.id] == pending.number }

    /// `replaced`: a paused entry no longer exists.
    mutating func add(_ contact: Contact, hasNewPhoto: Bool = false) -> (EnqueueResult, replaced: Bool) {
        if isCancelled { return (.refused, false) }
        known[contact.id] = nil
        if hasNewPhoto { ledger.forgetReport(of: contact.id) }
        last += 1
        let old = current.updateValue(last, forKey: contact.id)
        let replaced = old.map { paused.remove($0) != nil } ?? false
        return (enqueue(PendingContact(contact, number: last)), replaced)
    }

    /// `begins`: the next contact must be submitted.
    mutating func enqueue(_ pending: PendingContact) -> EnqueueResult {
        guard isCurrent(pending) else { return .refused }
        // The submission that is under way takes the new one.
        if backlog.add(pending) { return .replaces }
        guard working < width else { return .waits }
        working += 1
        return .begins
    }

    /// The next entry; without photos if it was replaced. Nil: there is none.
    mutating func next() -> (PendingContact, Photos?, JobPriority)? {
        guard let pending = backlog.take() else {
            working -= 1
            return nil
        }
        guard isCurrent(pending) else { return (pending, nil, .background) }
        let priority: JobPriority =
            backlog.isShown(pending.contact.id) ? .visible : pending.isLate ? .idle : .background
        return (pending, Photos(book: photos), priority)
    }

    mutating func track(_ task: AvatarTask, of pending: PendingContact) -> TrackResult {
        if isCancelled { return .cancelled }
        if isCurrent(pending) { tasks[pending.contact.id] = task }
        return .kept
    }

    /// Returns the change of each avatar's event; nil: there is nothing to report.
    mutating func report(_ avatars: [Avatar], of pending: PendingContact) -> [AvatarTally]? {
        guard isCurrent(pending) else { return nil }
        tasks[pending.contact.id] = nil
        // No better avatar follows by itself.
        if !pending.canImprove { transientFailures.remove(pending.contact.id) }
        forgetIfDone(pending)
        if keepsPhotos, known.count < Self.mostKnown { known[pending.contact.id] = avatars.first?.photo }
        return ledger.report(avatars, of: pending.contact.id, isPlaceholder: pending.photoFailure != nil)
    }

    /// Every kind follows the same rules, which `PhotoRetry` has the numbers of. What fails for a moment is tried again
    /// soon, except by a late retry, which has no waiter. Then comes what is shown instead.
    mutating func fail(
        _ kind: PreparedAvatar.Kind, of pending: inout PendingContact, with failure: AvatarFailure, retry: PhotoRetry
    ) -> Verdict {
        guard isCurrent(pending) else { return .dropped }
        tasks[pending.contact.id] = nil
        let isLasting = failure.retry == .never
        switch kind {
        case .photo where isLasting: transientFailures.remove(pending.contact.id)
        case .photo, .initials: if !isLasting { transientFailures.insert(pending.contact.id) }
        case .silhouette: break
        }
        let isTriedSoon = kind == .silhouette ? !isLasting : failure.retry == .soon && !pending.isLate
        if isTriedSoon, let delay = retry.delay(after: pending.failures[kind, default: 0] + 1, of: kind) {
            pending.failures[kind, default: 0] += 1
            return .again(after: delay)
        }
        pending.note(failure, of: kind)
        switch kind {
        case .photo:
            // A late retry was reported, unless it has a new permanent reason.
            if pending.isLate, !isLasting { return pending.lacksInitials ? .next(nil) : .wait }
            return .next(ledger.reportFailure(of: pending.contact.id))
        case .initials: return .next(nil)
        case .silhouette:
            forgetIfDone(pending)
            return .wait
        }
    }

    /// An entry that is to be retried stays known, so that it is dropped when it is replaced.
    private mutating func forgetIfDone(_ pending: PendingContact) {
        if !transientFailures.contains(pending.contact.id) { current[pending.contact.id] = nil }
    }

    /// False: it was replaced.
    mutating func pause(_ pending: PendingContact) -> Bool {
        guard isCurrent(pending) else { return false }
        paused.insert(pending.number)
        return true
    }

    /// False: it was replaced or cancelled meanwhile.
    mutating func wake(_ pending: PendingContact) -> Bool { paused.remove(pending.number) != nil }

    /// The next late try, and when; nil if there is nothing to try, or the entry was replaced.
    func nextTry(_ pending: PendingContact, _ retry: PhotoRetry) -> (PendingContact, Duration)? {
        guard pending.canImprove, isCurrent(pending), transientFailures.contains(pending.contact.id) else { return nil }
        let next = pending.nextTry
        return (next, retry.delay(laterAfter: next.lateTries))
    }

    /// `wasWaiting`: a paused entry no longer exists.
    mutating func forget(_ id: String) -> (AvatarTally, wasWaiting: Bool) {
        transientFailures.remove(id)
        tasks[id] = nil
        known[id] = nil
        let wasWaiting = current.removeValue(forKey: id).map { paused.remove($0) != nil } ?? false
        return (ledger.forget(id), wasWaiting)
    }

    /// Returns the number of entries that will never be reported, and the tasks to cancel.
    mutating func cancel() -> (dropped: Int, tasks: [AvatarTask]) {
        isCancelled = true
        defer {
            paused = []
            tasks = [:]
            current = [:]
        }
        return (backlog.removeAll() + paused.count, Array(tasks.values))
    }
}
