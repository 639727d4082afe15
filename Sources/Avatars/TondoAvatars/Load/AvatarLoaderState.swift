internal import TondoContacts
internal import TondoJobs

/// The contacts whose avatars are being loaded, what was reported, and what is retried. Pure except for the photos and
/// tasks it holds.
///
/// Every added want holds the group of its `AvatarLoader` until exactly one of these: it is refused, dropped, reported, or
/// failed silently. A want that was replaced or forgotten is dropped wherever it is found.
struct AvatarLoaderState {
    typealias Item = AvatarBacklog.Item

    enum EnqueueResult {
        case refused, begins, waits
        /// It waits in the place of an earlier want, which no longer exists.
        case replaces
    }

    /// The consequence of a failure.
    enum Verdict {
        /// Nothing: the want was replaced, or everything is cancelled.
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
    /// The want of each contact that is running, or to be retried later.
    private var current: [String: UInt64] = [:]
    /// Wants that wait for a retry, for which the end of the load waits.
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
    func isCurrent(_ item: Item) -> Bool { !isCancelled && current[item.contact.id] == item.number }

    /// `replaced`: a paused want no longer exists.
    mutating func add(_ contact: Contact, hasNewPhoto: Bool = false) -> (EnqueueResult, replaced: Bool) {
        if isCancelled { return (.refused, false) }
        known[contact.id] = nil
        if hasNewPhoto { ledger.forgetReport(of: contact.id) }
        last += 1
        let old = current.updateValue(last, forKey: contact.id)
        let replaced = old.map { paused.remove($0) != nil } ?? false
        return (enqueue(Item(contact, number: last)), replaced)
    }

    /// `begins`: the next contact must be submitted.
    mutating func enqueue(_ item: Item) -> EnqueueResult {
        guard isCurrent(item) else { return .refused }
        // The submission that is under way takes the new one.
        if backlog.add(item) { return .replaces }
        guard working < width else { return .waits }
        working += 1
        return .begins
    }

    /// The next want; without photos if it was replaced. Nil: there is none.
    mutating func next() -> (Item, Photos?, JobPriority)? {
        guard let item = backlog.take() else {
            working -= 1
            return nil
        }
        guard isCurrent(item) else { return (item, nil, .background) }
        let priority: JobPriority = backlog.isShown(item.contact.id) ? .visible : item.isLate ? .idle : .background
        return (item, Photos(book: photos), priority)
    }

    mutating func track(_ task: AvatarTask, of item: Item) -> TrackResult {
        if isCancelled { return .cancelled }
        if isCurrent(item) { tasks[item.contact.id] = task }
        return .kept
    }

    /// Returns the change of each avatar's event; nil: there is nothing to report. `isPlaceholder`: because the photo failed.
    /// `isFinal`: no better avatar follows by itself.
    mutating func report(
        _ avatars: [Avatar], of item: Item, isPlaceholder: Bool, isFinal: Bool
    ) -> [AvatarTally]? {
        guard isCurrent(item) else { return nil }
        tasks[item.contact.id] = nil
        if isFinal { transientFailures.remove(item.contact.id) }
        forgetIfDone(item)
        if keepsPhotos, known.count < Self.mostKnown { known[item.contact.id] = avatars.first?.photo }
        return ledger.report(avatars, of: item.contact.id, isPlaceholder: isPlaceholder)
    }

    mutating func fail(_ item: Item, _ failure: AvatarFailure, _ retry: PhotoRetry) -> Verdict {
        guard isCurrent(item) else { return .dropped }
        tasks[item.contact.id] = nil
        if failure.retry == .never {
            transientFailures.remove(item.contact.id)
        } else {
            transientFailures.insert(item.contact.id)
        }
        if item.isLate {
            // Reported, unless it is a new permanent reason.
            return failure.retry == .never ? .report(ledger.reportFailure(of: item.contact.id)) : .silent
        }
        if failure.retry == .soon, let delay = retry.delay(soonAfter: item.failures + 1) { return .again(after: delay) }
        return .report(ledger.reportFailure(of: item.contact.id))
    }

    /// When to retry initials; nil: the contact gets the silhouette for now.
    mutating func failInitials(_ item: Item, _ failure: AvatarFailure, _ retry: PhotoRetry) -> Duration? {
        guard isCurrent(item), failure.retry != .never else { return nil }
        tasks[item.contact.id] = nil
        transientFailures.insert(item.contact.id)
        guard !item.isLate, failure.retry == .soon else { return nil }
        return retry.delay(soonAfter: item.placeholderFailures + 1)
    }

    /// When to retry the placeholder; nil: the contact gets none.
    mutating func failPlaceholder(_ item: Item, _ failure: AvatarFailure, _ retry: PhotoRetry) -> Duration? {
        guard isCurrent(item) else { return nil }
        if failure.retry != .never, let delay = retry.delay(ofPlaceholderAfter: item.placeholderFailures + 1) {
            return delay
        }
        forgetIfDone(item)
        return nil
    }

    /// A want that is to be retried stays known, so that it is dropped when it is replaced.
    private mutating func forgetIfDone(_ item: Item) {
        if !transientFailures.contains(item.contact.id) { current[item.contact.id] = nil }
    }

    /// Nil: it was replaced.
    mutating func pause(_ item: Item, isPlaceholder: Bool) -> Item? {
        guard isCurrent(item) else { return nil }
        var item = item
        if isPlaceholder { item.placeholderFailures += 1 } else { item.failures += 1 }
        paused.insert(item.number)
        return item
    }

    /// False: it was replaced or cancelled meanwhile.
    mutating func wake(_ item: Item) -> Bool { paused.remove(item.number) != nil }

    /// The next try of a photo that failed with `failure`, or of initials that failed with `reason`, and when; nil if there is
    /// nothing to try, or the want was replaced.
    mutating func nextTry(
        _ item: Item, after failure: AvatarFailure?, _ reason: AvatarFailure?, _ retry: PhotoRetry
    ) -> (Item, Duration)? {
        let (triesPhoto, triesInitials) = (failure?.retry ?? .never != .never, reason?.retry ?? .never != .never)
        guard triesPhoto || triesInitials, isCurrent(item), transientFailures.contains(item.contact.id) else {
            return nil
        }
        var next = item
        next.lacksInitials = triesInitials
        // So that its failure is not reported twice.
        next.photoFailure = triesPhoto ? nil : failure
        next.isLate = true
        next.placeholderFailures = 0
        next.failures = item.isLate ? item.failures + 1 : 1
        return (next, retry.delay(laterAfter: next.failures))
    }

    /// `wasWaiting`: a paused want no longer exists.
    mutating func forget(_ id: String) -> (AvatarTally, wasWaiting: Bool) {
        transientFailures.remove(id)
        tasks[id] = nil
        known[id] = nil
        let wasWaiting = current.removeValue(forKey: id).map { paused.remove($0) != nil } ?? false
        return (ledger.forget(id), wasWaiting)
    }

    /// Returns the number of wants that will never be reported, and the tasks to cancel.
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
