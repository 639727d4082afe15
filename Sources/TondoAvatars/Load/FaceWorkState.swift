internal import TondoContacts
internal import TondoJobs

/// The contacts whose avatars are being loaded, what was reported, and what is retried. Pure except for the photos and
/// tasks it holds.
///
/// Every added want holds the group of its `FaceWork` until exactly one of these: it is refused, dropped, reported, or
/// failed silently. A want that was replaced or forgotten is dropped wherever it is found.
struct FaceWorkState {
    typealias Want = FaceLine.Want

    enum Admission { case refused, begins, waits }

    /// The consequence of a failure.
    enum Verdict {
        /// Nothing: the want was replaced, or everything is cancelled.
        case dropped
        case again(after: Duration)
        case report(AvatarTally)
        /// It was reported before.
        case silent
    }

    enum Keeping { case kept, cancelled }

    /// Nil before the book is counted.
    struct Photos { var book: BookPhotos? }

    var line = FaceLine()
    var photos: BookPhotos?
    var tasks: [String: FaceTask] = [:]
    private(set) var ledger: AvatarLedger
    /// Contacts whose photo failed for a transient reason.
    private(set) var owed: Set<String> = []
    /// The want of each contact that is running, or to be retried later.
    private var current: [String: UInt64] = [:]
    /// Wants that wait for a retry, for which the end of the load waits.
    private var paused: Set<UInt64> = []
    private var last: UInt64 = 0
    private var isCancelled = false
    /// Running threads, including those that wait for room.
    private var working = 0
    private let width: Int

    init(width: Int, ledger: AvatarLedger) { (self.width, self.ledger) = (width, ledger) }

    private func isCurrent(_ want: Want) -> Bool { !isCancelled && current[want.contact.id] == want.number }

    /// `replaced`: a paused want no longer exists.
    mutating func add(_ contact: Contact) -> (Admission, replaced: Bool) {
        if isCancelled { return (.refused, false) }
        last += 1
        let old = current.updateValue(last, forKey: contact.id)
        let replaced = old.map { paused.remove($0) != nil } ?? false
        return (enqueue(Want(contact, number: last)), replaced)
    }

    /// `begins`: a thread must be started.
    mutating func enqueue(_ want: Want) -> Admission {
        guard isCurrent(want) else { return .refused }
        line.add(want)
        guard working < width else { return .waits }
        working += 1
        return .begins
    }

    /// The next want; without photos if it was replaced. Nil: the thread must end.
    mutating func next() -> (Want, Photos?, JobPriority)? {
        guard let want = line.take() else {
            working -= 1
            return nil
        }
        guard isCurrent(want) else { return (want, nil, .background) }
        let priority: JobPriority = line.isShown(want.contact.id) ? .visible : want.isLate ? .idle : .background
        return (want, Photos(book: photos), priority)
    }

    mutating func keep(_ task: FaceTask, of want: Want) -> Keeping {
        if isCancelled { return .cancelled }
        guard isCurrent(want) else { return .kept }
        var kept = tasks[want.contact.id] ?? FaceTask()
        kept.subscription = task.subscription ?? kept.subscription
        kept.waiter = task.waiter ?? kept.waiter
        tasks[want.contact.id] = kept
        return .kept
    }

    /// Returns the change of each avatar's event; nil: there is nothing to report.
    mutating func report(_ faces: [Face], of want: Want, isPlaceholder: Bool) -> [AvatarTally]? {
        guard isCurrent(want) else { return nil }
        tasks[want.contact.id] = nil
        if !isPlaceholder { owed.remove(want.contact.id) }
        letGo(of: want)
        return ledger.report(faces, of: want.contact.id, isPlaceholder: isPlaceholder)
    }

    mutating func fail(_ want: Want, _ failure: FaceFailure, _ retry: PhotoRetry) -> Verdict {
        guard isCurrent(want) else { return .dropped }
        tasks[want.contact.id] = nil
        if failure.retry == .never { owed.remove(want.contact.id) } else { owed.insert(want.contact.id) }
        if want.isLate {
            // Reported, unless it is a new permanent reason.
            return failure.retry == .never ? .report(ledger.reportFailure(of: want.contact.id)) : .silent
        }
        if failure.retry == .soon, let delay = retry.delay(soonAfter: want.failures + 1) { return .again(after: delay) }
        return .report(ledger.reportFailure(of: want.contact.id))
    }

    /// When to retry the placeholder; nil: the contact gets none.
    mutating func failPlaceholder(_ want: Want, _ failure: FaceFailure, _ retry: PhotoRetry) -> Duration? {
        guard isCurrent(want) else { return nil }
        if failure.retry != .never, let delay = retry.delay(ofPlaceholderAfter: want.placeholderFailures + 1) {
            return delay
        }
        letGo(of: want)
        return nil
    }

    /// A want that is to be retried stays known, so that it is dropped when it is replaced.
    private mutating func letGo(of want: Want) {
        if !owed.contains(want.contact.id) { current[want.contact.id] = nil }
    }

    /// Nil: it was replaced.
    mutating func pause(_ want: Want, isPlaceholder: Bool) -> Want? {
        guard isCurrent(want) else { return nil }
        var want = want
        if isPlaceholder { want.placeholderFailures += 1 } else { want.failures += 1 }
        paused.insert(want.number)
        return want
    }

    /// False: it was replaced or cancelled meanwhile.
    mutating func wake(_ want: Want) -> Bool { paused.remove(want.number) != nil }

    /// The want's next try, and when; nil if it was replaced.
    mutating func owe(_ want: Want, _ retry: PhotoRetry) -> (Want, Duration)? {
        guard isCurrent(want), owed.contains(want.contact.id) else { return nil }
        var next = want
        (next.isLate, next.placeholderFailures) = (true, 0)
        next.failures = want.isLate ? want.failures + 1 : 1
        return (next, retry.delay(laterAfter: next.failures))
    }

    /// `wasWaiting`: a paused want no longer exists.
    mutating func forget(_ id: String) -> (AvatarTally, wasWaiting: Bool) {
        owed.remove(id)
        tasks[id] = nil
        let wasWaiting = current.removeValue(forKey: id).map { paused.remove($0) != nil } ?? false
        return (ledger.forget(id), wasWaiting)
    }

    /// Returns the number of wants that will never be reported, and the tasks to cancel.
    mutating func cancel() -> (dropped: Int, tasks: [FaceTask]) {
        isCancelled = true
        defer { (paused, tasks, current) = ([], [:], [:]) }
        return (line.removeAll() + paused.count, Array(tasks.values))
    }
}
