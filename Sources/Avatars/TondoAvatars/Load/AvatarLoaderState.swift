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
        case report(AvatarTally)
        /// It was reported before.
        case silent
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

    /// Returns the change of each avatar's event; nil: there is nothing to report. `isPlaceholder`: because the photo failed.
    /// `isFinal`: no better avatar follows by itself.
    mutating func report(
        _ avatars: [Avatar], of pending: PendingContact, isPlaceholder: Bool, isFinal: Bool
    ) -> [AvatarTally]? {
        guard isCurrent(pending) else { return nil }
        tasks[pending.contact.id] = nil
        if isFinal { transientFailures.remove(pending.contact.id) }
        forgetIfDone(pending)
        if keepsPhotos, known.count < Self.mostKnown { known[pending.contact.id] = avatars.first?.photo }
        return ledger.report(avatars, of: pending.contact.id, isPlaceholder: isPlaceholder)
    }

    mutating func fail(_ pending: PendingContact, _ failure: AvatarFailure, _ retry: PhotoRetry) -> Verdict {
        guard isCurrent(pending) else { return .dropped }
        tasks[pending.contact.id] = nil
        if failure.retry == .never {
            transientFailures.remove(pending.contact.id)
        } else {
            transientFailures.insert(pending.contact.id)
        }
        if pending.isLate {
            // Reported, unless it is a new permanent reason.
            return failure.retry == .never ? .report(ledger.reportFailure(of: pending.contact.id)) : .silent
        }
        if failure.retry == .soon, let delay = retry.delay(soonAfter: pending.failures + 1) {
            return .again(after: delay)
        }
        return .report(ledger.reportFailure(of: pending.contact.id))
    }

    /// When to retry initials; nil: the contact gets the silhouette for now.
    mutating func failInitials(_ pending: PendingContact, _ failure: AvatarFailure, _ retry: PhotoRetry) -> Duration? {
        guard isCurrent(pending), failure.retry != .never else { return nil }
        tasks[pending.contact.id] = nil
        transientFailures.insert(pending.contact.id)
        guard !pending.isLate, failure.retry == .soon else { return nil }
        return retry.delay(soonAfter: pending.placeholderFailures + 1)
    }

    /// When to retry the placeholder; nil: the contact gets none.
    mutating func failPlaceholder(_ pending: PendingContact, _ failure: AvatarFailure, _ retry: PhotoRetry) -> Duration?
    {
        guard isCurrent(pending) else { return nil }
        if failure.retry != .never, let delay = retry.delay(ofPlaceholderAfter: pending.placeholderFailures + 1) {
            return delay
        }
        forgetIfDone(pending)
        return nil
    }

    /// An entry that is to be retried stays known, so that it is dropped when it is replaced.
    private mutating func forgetIfDone(_ pending: PendingContact) {
        if !transientFailures.contains(pending.contact.id) { current[pending.contact.id] = nil }
    }

    /// Nil: it was replaced.
    mutating func pause(_ pending: PendingContact, isPlaceholder: Bool) -> PendingContact? {
        guard isCurrent(pending) else { return nil }
        var pending = pending
        if isPlaceholder { pending.placeholderFailures += 1 } else { pending.failures += 1 }
        paused.insert(pending.number)
        return pending
    }

    /// False: it was replaced or cancelled meanwhile.
    mutating func wake(_ pending: PendingContact) -> Bool { paused.remove(pending.number) != nil }

    /// The next try of a photo that failed with `failure`, or of initials that failed with `reason`, and when; nil if there is
    /// nothing to try, or the entry was replaced.
    mutating func nextTry(
        _ pending: PendingContact, after failure: AvatarFailure?, _ reason: AvatarFailure?, _ retry: PhotoRetry
    ) -> (PendingContact, Duration)? {
        let (triesPhoto, triesInitials) = (failure?.retry ?? .never != .never, reason?.retry ?? .never != .never)
        guard triesPhoto || triesInitials, isCurrent(pending), transientFailures.contains(pending.contact.id) else {
            return nil
        }
        var next = pending
        next.lacksInitials = triesInitials
        // So that its failure is not reported twice.
        next.photoFailure = triesPhoto ? nil : failure
        next.isLate = true
        next.placeholderFailures = 0
        next.failures = pending.isLate ? pending.failures + 1 : 1
        return (next, retry.delay(laterAfter: next.failures))
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
