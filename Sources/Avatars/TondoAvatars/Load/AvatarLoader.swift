internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoCache
internal import TondoContacts
internal import TondoFiles
internal import TondoImage
internal import TondoJobs

/// Loads the avatars of contacts and reports them: submits them to the pipeline, a few at a time, and gives every
/// contact without a usable photo its initials or the silhouette. A photo that failed for a transient reason is retried, and
/// so are initials.
///
/// The pipeline calls for the next contact once it has room. Nothing here blocks.
final class AvatarLoader: Sendable {
    typealias PendingContact = AvatarBacklog.PendingContact

    private let pipeline: AvatarPipeline
    private let styles: [AvatarStyle]
    private let set: StyleSet
    private let events: EventQueue
    private let placeholder: Placeholder
    private var initials: InitialsPhotos { pipeline.options.initials }
    private let state: Mutex<AvatarLoaderState>
    /// Entries without a report, except for late retries that wait.
    private let open = DispatchGroup()
    /// The book is watched.
    private let isRetrying: Bool
    /// Nil without a cache.
    private let entryURL: EntryURL?

    /// `isWatching`: unchanged avatars of a contact are not reported again, and transient failures are retried without
    /// end.
    init(_ pipeline: AvatarPipeline, styles: [AvatarStyle], events: EventQueue, isWatching: Bool) {
        self.pipeline = pipeline
        self.styles = styles
        self.events = events
        isRetrying = isWatching
        set = pipeline.styles(styles.map(\.style))
        placeholder = Placeholder(pipeline, drawing: set)
        entryURL = pipeline.cache.map { EntryURL($0) }
        let ledger = AvatarLedger(styles: styles.count, tracksChanges: isWatching)
        // Enough to keep all workers of the open queue busy; they hold no photos.
        state = Mutex(
            AvatarLoaderState(
                width: 4 * max(pipeline.options.queue.workers, 2), ledger: ledger,
                keepsPhotos: isWatching && pipeline.looksUp))
    }

    /// Sets where the photos of contacts that are added from now on are.
    func use(_ photos: BookPhotos) { state.withLock { $0.photos = photos } }

    /// Replaces running work of the same contact. `hasNewPhoto`: its avatars are reported even if they are those that were
    /// reported last, since clients forget avatars with the photo: another photo came and went, or has the same bytes.
    func add(_ contact: Contact, hasNewPhoto: Bool = false) {
        open.enter()
        let (outcome, replaced) = state.withLock { $0.add(contact, hasNewPhoto: hasNewPhoto) }
        if replaced { open.leave() }
        follow(outcome)
    }

    private func follow(_ outcome: AvatarLoaderState.EnqueueResult) {
        switch outcome {
        case .begins: submitNext()
        case .waits: break
        case .refused, .replaces: open.leave()
        }
    }

    /// Whether its photo or its initials failed for a transient reason.
    func hasTransientFailure(_ id: String) -> Bool { state.withLock { $0.transientFailures.contains(id) } }

    /// The contacts with such a failure.
    var transientFailures: Set<String> { state.withLock { $0.transientFailures } }

    /// Whether the book as a whole cannot be read: its photos are those that were seen before.
    func noteLoss(_ isLost: Bool) { state.withLock { $0.isLost = isLost } }

    /// Calls `body` on `queue` once every added contact has its avatars, or a failure.
    func whenDone(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        open.notify(queue: queue, execute: body)
    }

    /// Contacts on the screen; they come first.
    func show(_ ids: [String]) {
        let tasks = state.withLock { state in
            state.backlog.show(ids)
            return ids.compactMap { state.tasks[$0] }
        }
        for task in tasks { task.raise(to: .visible) }
    }

    /// Nothing more is reported of the contact. Returns the change of the counters.
    func forget(_ id: String) -> AvatarTally {
        let (tally, wasWaiting) = state.withLock { $0.forget(id) }
        if wasWaiting { open.leave() }
        return tally
    }

    var summary: LoadSummary { state.withLock { $0.ledger.summary } }

    /// Nothing more is started or reported.
    func cancel() {
        let (dropped, tasks) = state.withLock { $0.cancel() }
        for _ in 0..<dropped { open.leave() }
        for task in tasks { task.cancel() }
    }

    /// For a direct request: at once, and in any styles. A full queue refuses. `drawing` is called if the avatars take a
    /// while; maybe only after `completion`. A contact without a usable photo gets its initials, or the silhouette; a
    /// failure that may be gone in a moment is the answer, so that the client asks again and gets the photo.
    func make(
        _ contact: Contact, styles: StyleSet, drawing: AvatarPipeline.Drawing?,
        _ completion: @escaping @Sendable (Result<ContactAvatars, AvatarFailure>) -> Void
    ) {
        let photos = state.withLock { $0.photos }
        let direct = DirectRequest(contact: contact, styles: styles, drawing: drawing, completion: completion)
        let photo = ShownPhoto(of: contact, in: photos, else: initials)
        make(photo, for: direct, problem: photo.kind == .photo ? nil : .noPhoto)
    }

    /// `problem`: why it is not the contact's photo.
    private func make(_ photo: ShownPhoto, for direct: DirectRequest, problem: AvatarFailure?) {
        let contact = direct.contact
        var request = AvatarRequest(photo, styles: direct.styles)
        request.priority = .visible
        request.isStoredLater = photo.kind != .silhouette
        request.findsFormer = direct.drawing != nil && photo.kind == .photo
        request.lastAvatars = lastAvatars(of: contact, for: photo, in: direct.styles)
        let made: AvatarPipeline.Completion = { [self] result in
            switch result.mapError({ seen($0, of: contact, for: photo) }) {
            case .success(let avatars):
                let isLasting = photo.kind != .silhouette || !initials.hasLetters(contact)
                let made = ContactAvatars(avatars: avatars, kind: photo.kind, problem: problem, isLasting: isLasting)
                direct.completion(.success(made))
            case .failure(let failure):
                if failure.isTransient { return direct.completion(.failure(failure)) }
                note(failure, of: photo)
                guard let next = photo.next(initials) else { return direct.completion(.failure(failure)) }
                make(next, for: direct, problem: problem ?? failure)
            }
        }
        if photo.kind == .photo, direct.drawing == nil, let known = state.withLock({ $0.known[contact.id] }) {
            return pipeline.avatars(request, of: known, completion: made)
        }
        pipeline.avatars(request, onSlow: direct.drawing, completion: made)
    }

    /// A failure of initials that holds for all contacts is not waited for with each of them.
    private func note(_ failure: AvatarFailure, of photo: ShownPhoto) {
        if photo.kind == .initials { initials.note(failure) }
    }

    /// Why each avatar is in the cache or not.
    func explain(
        _ contact: Contact, styles: StyleSet,
        _ completion: @escaping @Sendable (Result<[CacheExplainer.Explanation], AvatarFailure>) -> Void
    ) {
        let photo = ShownPhoto(of: contact, in: state.withLock { $0.photos }, else: initials)
        if photo.kind == .silhouette { return completion(.failure(.noPhoto)) }
        pipeline.explain(AvatarRequest(photo, styles: styles), completion: completion)
    }
}

extension AvatarLoader {
    /// Submits contacts until one has to wait for room in the pipeline; continues then.
    private func submitNext() {
        Submissions.run { [self] admitted in
            guard let (pending, photos, priority) = state.withLock({ $0.next() }) else { return false }
            if let photos {
                attempt(first(pending, in: photos.book), of: pending, at: priority, admitted: admitted)
            } else {
                open.leave()
                admitted()
            }
            return true
        }
    }

    /// Goes on where the last try of the contact ended.
    private func first(_ pending: PendingContact, in photos: BookPhotos?) -> ShownPhoto {
        if pending.initialsFailure != nil { return .silhouette }
        if pending.photoFailure != nil { return ShownPhoto(withoutPhoto: pending.contact, else: initials) }
        let photo = ShownPhoto(of: pending.contact, in: photos, else: initials)
        if photo.kind != .photo, pending.failures.isEmpty {
            events.send(.photoChecked(contact: pending.contact.id, isUsable: nil))
        }
        return photo
    }

    /// Calls `admitted` once, when the next contact may be submitted.
    private func attempt(
        _ photo: ShownPhoto, of pending: PendingContact, at priority: JobPriority,
        admitted: @escaping @Sendable () -> Void = {}
    ) {
        // The load may have been cancelled, or the contact replaced.
        guard state.withLock({ $0.isCurrent(pending) }) else {
            open.leave()
            return admitted()
        }
        let ended: AvatarPipeline.Completion = { [self] in end(photo, of: pending, with: $0) }
        if photo.kind == .silhouette {
            placeholder.avatars(ended)
            return admitted()
        }
        var request = AvatarRequest(photo, styles: set)
        request.priority = priority
        request.omitsBytes = true
        request.lastAvatars = lastAvatars(of: pending.contact, for: photo, in: set)
        let task = pipeline.avatars(request, .wait, admitted: admitted, completion: ended)
        // Kept, so that it can be raised or cancelled. It may have ended already, which does no harm.
        if state.withLock({ $0.track(task, of: pending) }) == .cancelled { task.cancel() }
    }

    private func end(
        _ photo: ShownPhoto, of pending: PendingContact, with result: Result<[Avatar], AvatarFailure>
    ) {
        switch result.mapError({ seen($0, of: pending.contact, for: photo) }) {
        case .success(let avatars):
            if photo.kind == .photo { events.send(.photoChecked(contact: pending.contact.id, isUsable: true)) }
            report(avatars, as: photo.kind, of: pending)
            tryLater(pending)
            open.leave()
        case .failure(let failure):
            note(failure, of: photo)
            var failed = pending
            switch fail(photo.kind, of: &failed, with: failure) {
            case .dropped: open.leave()
            case .again(let delay): pause(failed, for: delay)
            case .next:
                guard let next = photo.next(initials) else { fallthrough }
                attempt(next, of: failed, at: .visible)
            case .wait:
                tryLater(failed)
                open.leave()
            }
        }
    }

    /// Appends the event under the lock, as `report` does.
    private func fail(
        _ kind: PreparedAvatar.Kind, of pending: inout PendingContact, with failure: AvatarFailure
    ) -> AvatarLoaderState.Verdict {
        let retry = pipeline.options.retry
        let (verdict, appended) = state.withLock { state -> (AvatarLoaderState.Verdict, EventQueue.Appended?) in
            let verdict = state.fail(kind, of: &pending, with: failure, retry: retry)
            guard case .next(let tally?) = verdict else { return (verdict, nil) }
            let isUsable: Bool? = failure.retry == .never && !failure.isTransient ? false : nil
            return (
                verdict,
                events.append(
                    [.avatarFailed(FailedAvatar(failure, of: pending.contact.id, tally: tally))],
                    after: .photoChecked(contact: pending.contact.id, isUsable: isUsable))
            )
        }
        appended?.deliver()
        return verdict
    }

    /// Appends the events under the lock, so that their order is the ledger's.
    private func report(_ avatars: [Avatar], as kind: PreparedAvatar.Kind, of pending: PendingContact) {
        var prepared = zip(avatars, styles).map { avatar, style in
            PreparedAvatar(avatar, kind: kind, style: style, contact: pending.contact.id, at: entryURL)
        }
        let appended = state.withLock { state -> EventQueue.Appended? in
            guard let tallies = state.report(avatars, of: pending) else { return nil }
            for index in prepared.indices { prepared[index].tally = tallies[index] }
            return events.append(prepared.map { .avatar($0) })
        }
        appended?.deliver()
    }
}

extension AvatarLoader {
    /// Retries after `delay`, for which the end of the load waits.
    private func pause(_ pending: PendingContact, for delay: Duration) {
        guard state.withLock({ $0.pause(pending) }) else { return open.leave() }
        pipeline.options.system.after(delay) { [self] in
            if state.withLock({ $0.wake(pending) }) { follow(state.withLock { $0.enqueue(pending) }) }
        }
    }

    /// Retries again and again after the load is finished.
    private func tryLater(_ pending: PendingContact) {
        guard isRetrying,
            let (pending, delay) = state.withLock({ $0.nextTry(pending, pipeline.options.retry) })
        else { return }
        pipeline.options.system.after(delay) { [weak self] in
            guard let self else { return }
            open.enter()
            follow(state.withLock { $0.enqueue(pending) })
        }
    }
}

extension AvatarLoader {
    /// The failure of a photo, with the reason that its whole book or card is lost.
    private func seen(_ failure: AvatarFailure, of contact: Contact, for photo: ShownPhoto) -> AvatarFailure {
        photo.kind != .photo || failure.isTransient || !isLost(contact) ? failure : .lost
    }

    /// The contact's file, and its photo with it, cannot be read. Not a photo file alone: a photo that was removed is gone.
    private func isLost(_ contact: Contact) -> Bool {
        let (isLost, folder) = state.withLock { ($0.isLost, $0.photos?.folder) }
        if isLost { return true }
        guard let folder, let place = contact.place else { return false }
        return BookLocation.obstacle(to: folder.pushing(place.file)).map { !$0.isShortage } ?? false
    }

    /// The avatars that the contact had when its photo was seen last, for a photo that cannot be opened with its book.
    private func lastAvatars(
        of contact: Contact, for photo: ShownPhoto, in styles: StyleSet
    ) -> (@Sendable () -> [Avatar]?)? {
        guard photo.kind == .photo, let cache = pipeline.cache else { return nil }
        return { [self] in
            guard isLost(contact), let hash = state.withLock({ $0.ledger.lastKeys(of: contact.id) }) else { return nil }
            let last = LastAvatars(cache: cache, reported: set.source.styles, hash: hash)
            return last.avatars(of: contact.id, styles)
        }
    }
}

/// A client waits for these avatars.
private struct DirectRequest: Sendable {
    let contact: Contact
    let styles: StyleSet
    let drawing: AvatarPipeline.Drawing?
    let completion: @Sendable (Result<ContactAvatars, AvatarFailure>) -> Void
}
