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
        placeholder = Placeholder(pipeline, set)
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
    /// while; maybe only after `completion`. A contact without a usable photo gets its initials, or the silhouette.
    func make(
        _ contact: Contact, _ styles: StyleSet, drawing: (@Sendable () -> Void)?,
        _ completion: @escaping @Sendable (Result<ContactAvatars, AvatarFailure>) -> Void
    ) {
        let (photos, known) = state.withLock { ($0.photos, $0.known[contact.id]) }
        guard let photos, let photo = PhotoSource(contact, in: photos) else {
            return makeInitials(contact, styles, after: .noPhoto, drawing, completion)
        }
        var request = AvatarRequest(photo, contact: contact.id, styles: styles)
        request.priority = .visible
        request.isStoredLater = true
        request.lastAvatars = lastAvatars(of: contact, styles)
        let made: AvatarPipeline.Completion = { [self] result in
            switch result.mapError({ seen($0, of: contact) }) {
            case .success(let avatars): completion(.success(ContactAvatars(avatars: avatars)))
            case .failure(let failure) where failure.isTransient: completion(.failure(failure))
            case .failure(let failure): makeInitials(contact, styles, after: failure, drawing, completion)
            }
        }
        if drawing == nil, let known { return pipeline.avatars(request, of: known, completion: made) }
        pipeline.avatars(request, onSlow: drawing, completion: made)
    }

    /// Why each avatar is in the cache or not.
    func explain(
        _ contact: Contact, _ styles: StyleSet,
        _ completion: @escaping @Sendable (Result<[CacheExplainer.Explanation], AvatarFailure>) -> Void
    ) {
        let photos = state.withLock { $0.photos }
        guard let photo = photos.flatMap({ PhotoSource(contact, in: $0) }) ?? initials.photo(of: contact) else {
            return completion(.failure(.noPhoto))
        }
        pipeline.explain(AvatarRequest(photo, contact: contact.id, styles: styles), completion: completion)
    }

    private func makeInitials(
        _ contact: Contact, _ styles: StyleSet, after failure: AvatarFailure, _ drawing: (@Sendable () -> Void)?,
        _ completion: @escaping @Sendable (Result<ContactAvatars, AvatarFailure>) -> Void
    ) {
        guard let photo = initials.photo(of: contact) else {
            return makeSilhouette(contact, styles, after: failure, drawing, completion)
        }
        var request = AvatarRequest(photo, contact: contact.id, styles: styles)
        request.priority = .visible
        request.isStoredLater = true
        pipeline.avatars(request, onSlow: drawing) { [self] result in
            switch result {
            case .success(let avatars):
                completion(.success(ContactAvatars(avatars: avatars, kind: .initials, problem: failure)))
            case .failure(let reason) where reason.isTransient: completion(.failure(reason))
            case .failure(let reason):
                initials.note(reason)
                makeSilhouette(contact, styles, after: failure, drawing, completion)
            }
        }
    }

    private func makeSilhouette(
        _ contact: Contact, _ styles: StyleSet, after failure: AvatarFailure, _ drawing: (@Sendable () -> Void)?,
        _ completion: @escaping @Sendable (Result<ContactAvatars, AvatarFailure>) -> Void
    ) {
        var request = AvatarRequest(.silhouette, styles: styles)
        request.priority = .visible
        let isLasting = !initials.hasLetters(contact)
        pipeline.avatars(request, onSlow: drawing) { result in
            completion(
                result.map {
                    ContactAvatars(avatars: $0, kind: .silhouette, problem: failure, isLasting: isLasting)
                })
        }
    }
}

extension AvatarLoader {
    /// Submits contacts until one has to wait for room in the pipeline; continues then.
    private func submitNext() {
        Submissions.run { [self] admitted in
            guard let (pending, photos, priority) = state.withLock({ $0.next() }) else { return false }
            if let photos {
                submit(pending, photos, priority, admitted)
            } else {
                open.leave()
                admitted()
            }
            return true
        }
    }

    /// Calls `admitted` once, when the next contact may be submitted.
    private func submit(
        _ pending: PendingContact, _ photos: AvatarLoaderState.Photos, _ priority: JobPriority,
        _ admitted: @escaping @Sendable () -> Void
    ) {
        if let failure = pending.photoFailure {
            return showInitials(pending, after: failure, priority, admitted: admitted)
        }
        guard let photos = photos.book, let photo = PhotoSource(pending.contact, in: photos) else {
            events.send(.photoChecked(contact: pending.contact.id, isUsable: nil))
            return showInitials(pending, after: nil, priority, admitted: admitted)
        }
        var request = AvatarRequest(photo, contact: pending.contact.id, styles: set)
        request.priority = priority
        request.omitsBytes = true
        request.lastAvatars = lastAvatars(of: pending.contact, set)
        let task = pipeline.avatars(request, .wait, admitted: admitted) { [self] result in
            end(pending, result.mapError { seen($0, of: pending.contact) })
        }
        track(task, of: pending)
    }

    /// Keeps the task, so that it can be raised or cancelled. It may have ended already, which does no harm.
    private func track(_ task: AvatarTask, of pending: PendingContact) {
        if state.withLock({ $0.track(task, of: pending) }) == .cancelled { task.cancel() }
    }

    private func end(_ pending: PendingContact, _ result: Result<[Avatar], AvatarFailure>) {
        switch result {
        case .success(let avatars):
            events.send(.photoChecked(contact: pending.contact.id, isUsable: true))
            report(avatars, .photo, of: pending)
            open.leave()
        case .failure(let failure):
            let (verdict, appended) = state.withLock { state -> (AvatarLoaderState.Verdict, EventQueue.Appended?) in
                let verdict = state.fail(pending, failure, pipeline.options.retry)
                // Under the lock, as `report` does.
                guard case .report(let tally) = verdict else { return (verdict, nil) }
                let isUsable: Bool? = failure.retry == .never && !failure.isTransient ? false : nil
                return (
                    verdict,
                    events.append(
                        [.avatarFailed(FailedAvatar(failure, of: pending.contact.id, tally: tally))],
                        after: .photoChecked(contact: pending.contact.id, isUsable: isUsable))
                )
            }
            appended?.deliver()
            act(verdict, pending, failure)
        }
    }

    private func act(_ verdict: AvatarLoaderState.Verdict, _ pending: PendingContact, _ failure: AvatarFailure) {
        switch verdict {
        case .dropped: open.leave()
        case .again(let delay): pause(pending, delay)
        case .report: showInitials(pending, after: failure)
        case .silent where pending.lacksInitials: showInitials(pending, after: failure)
        case .silent:
            tryLater(pending, after: failure)
            open.leave()
        }
    }

    /// The initials, else the silhouette. `failure`: why the contact gets them; nil: it has no photo. `admitted`: as in
    /// `submit`.
    private func showInitials(
        _ pending: PendingContact, after failure: AvatarFailure?, _ priority: JobPriority = .visible,
        admitted: @escaping @Sendable () -> Void = {}
    ) {
        guard let photo = initials.photo(of: pending.contact) else {
            showSilhouette(pending, after: failure)
            return admitted()
        }
        var request = AvatarRequest(photo, contact: pending.contact.id, styles: set)
        request.priority = priority
        request.omitsBytes = true
        let task = pipeline.avatars(request, .wait, admitted: admitted) { result in
            switch result {
            case .success(let avatars): self.end(pending, avatars, .initials, after: failure)
            case .failure(let reason):
                self.initials.note(reason)
                let delay = self.state.withLock { $0.failInitials(pending, reason, self.pipeline.options.retry) }
                if let delay { return self.pause(pending, delay, forPhoto: false, after: failure) }
                self.showSilhouette(pending, after: failure, reason)
            }
        }
        track(task, of: pending)
    }

    /// `reason`: why it has no initials either; nil if it has no letters.
    private func showSilhouette(
        _ pending: PendingContact, after failure: AvatarFailure?, _ reason: AvatarFailure? = nil
    ) {
        // The load may have been cancelled, or the contact replaced.
        guard state.withLock({ $0.isCurrent(pending) }) else { return open.leave() }
        placeholder.avatars { result in
            switch result {
            case .success(let avatars): self.end(pending, avatars, .silhouette, after: failure, reason)
            case .failure(let problem):
                let delay = self.state.withLock { $0.failPlaceholder(pending, problem, self.pipeline.options.retry) }
                if let delay { return self.pause(pending, delay, forPhoto: false, after: failure) }
                self.tryLater(pending, after: failure, reason)
                self.open.leave()
            }
        }
    }

    /// The contact got `avatars` instead of its photo.
    private func end(
        _ pending: PendingContact, _ avatars: [Avatar], _ kind: PreparedAvatar.Kind, after failure: AvatarFailure?,
        _ reason: AvatarFailure? = nil
    ) {
        report(avatars, kind, of: pending, after: failure, reason)
        tryLater(pending, after: failure, reason)
        open.leave()
    }

    /// Appends the events under the lock, so that their order is the ledger's. `failure`: of the photo. `reason`: of the
    /// initials.
    private func report(
        _ avatars: [Avatar], _ kind: PreparedAvatar.Kind, of pending: PendingContact,
        after failure: AvatarFailure? = nil,
        _ reason: AvatarFailure? = nil
    ) {
        let isFinal = [failure, reason].allSatisfy { $0?.retry ?? .never == .never }
        var prepared = zip(avatars, styles).map { avatar, style in
            PreparedAvatar(avatar, kind: kind, style: style, contact: pending.contact.id, at: entryURL)
        }
        let appended = state.withLock { state -> EventQueue.Appended? in
            guard let tallies = state.report(avatars, of: pending, isPlaceholder: failure != nil, isFinal: isFinal)
            else { return nil }
            for index in prepared.indices { prepared[index].tally = tallies[index] }
            return events.append(prepared.map { .avatar($0) })
        }
        appended?.deliver()
    }
}

extension AvatarLoader {
    /// Retries after `delay`, for which the end of the load waits: the photo, or what stands for it after its `failure`.
    private func pause(
        _ pending: PendingContact, _ delay: Duration, forPhoto: Bool = true, after failure: AvatarFailure? = nil
    ) {
        guard let pending = state.withLock({ $0.pause(pending, isPlaceholder: !forPhoto) }) else { return open.leave() }
        pipeline.options.system.after(delay) { [self] in
            guard state.withLock({ $0.wake(pending) }) else { return }
            guard forPhoto else { return showInitials(pending, after: failure) }
            follow(state.withLock { $0.enqueue(pending) })
        }
    }

    /// Retries again and again after the load is finished. `failure`: of the photo. `reason`: of the initials.
    private func tryLater(_ pending: PendingContact, after failure: AvatarFailure?, _ reason: AvatarFailure? = nil) {
        guard isRetrying,
            let (pending, delay) = state.withLock({
                $0.nextTry(pending, after: failure, reason, pipeline.options.retry)
            })
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
    private func seen(_ failure: AvatarFailure, of contact: Contact) -> AvatarFailure {
        failure.isTransient || !isLost(contact) ? failure : .lost
    }

    /// The contact's file, and its photo with it, cannot be read. Not a photo file alone: a photo that was removed is gone.
    private func isLost(_ contact: Contact) -> Bool {
        let (isLost, folder) = state.withLock { ($0.isLost, $0.photos?.folder) }
        if isLost { return true }
        guard let folder, let place = contact.place else { return false }
        return BookPlace.obstacle(to: folder.pushing(place.file)).map { !$0.isShortage } ?? false
    }

    /// The avatars that the contact had when its photo was seen last, for a photo that cannot be opened with its book.
    private func lastAvatars(of contact: Contact, _ styles: StyleSet) -> (@Sendable () -> [Avatar]?)? {
        guard let cache = pipeline.cache else { return nil }
        return { [self] in
            guard isLost(contact), let hash = state.withLock({ $0.ledger.lastKeys(of: contact.id) }) else { return nil }
            let last = LastAvatars(cache: cache, reported: set.styles, hash: hash)
            return last.avatars(of: contact.id, styles.styles)
        }
    }
}
