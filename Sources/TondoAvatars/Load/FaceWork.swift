internal import Dispatch
internal import Synchronization
internal import TondoCache
internal import TondoContacts
internal import TondoImage
internal import TondoJobs

/// Makes faces of contacts and tells them: opens their photos on a few threads, asks the pipeline, and gives everybody
/// without a usable photo the placeholder.
final class FaceWork: Sendable {
    private let pipeline: AvatarPipeline
    private let styles: [AvatarStyle]
    private let set: StyleSet
    private let events: EventLine
    private let placeholder: Placeholder
    private let state: Mutex<State>
    private let threads: BlockingThreads
    private let open = DispatchGroup()
    /// Threads that open photos, each with one at a time.
    private let width = 2

    private struct State {
        var line = FaceLine()
        var photos: BookPhotos?
        var workers = 0
        var tasks: [String: FaceTask] = [:]
        var isCancelled = false
        var summary = LoadSummary()
        /// The faces each contact was told to have, as a hash of their keys, where that is to be remembered.
        var told: [String: Int]?
    }

    /// `isRemembering`: a contact's faces are not told again while they stay the same.
    init(_ pipeline: AvatarPipeline, styles: [AvatarStyle], events: EventLine, isRemembering: Bool) {
        (self.pipeline, self.styles, self.events) = (pipeline, styles, events)
        set = pipeline.styles(styles.map(\.style))
        placeholder = Placeholder(pipeline, set)
        threads = BlockingThreads(width, label: "tondo.loader.photos")
        state = Mutex(State(told: isRemembering ? [:] : nil))
    }

    /// Where the photos of those who are added from now on are.
    func use(_ photos: BookPhotos) { state.withLock { $0.photos = photos } }

    func add(_ contact: Contact) {
        open.enter()
        let (isWanted, isStarting) = state.withLock { state in
            if state.isCancelled { return (false, false) }
            state.line.add(FaceLine.Want(contact))
            guard state.workers < width else { return (true, false) }
            state.workers += 1
            return (true, true)
        }
        if !isWanted { open.leave() }
        if isStarting { threads.run { self.work() } }
    }

    /// Blocks until everybody who was added has a face, or none.
    func wait() { open.wait() }

    /// Calls `body` on `queue` when everybody who was added has a face, or none.
    func whenDone(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        open.notify(queue: queue, execute: body)
    }

    /// These are looked at; they come first.
    func show(_ ids: [String]) {
        let tasks = state.withLock { state in
            state.line.show(ids)
            return ids.compactMap { state.tasks[$0] }
        }
        for task in tasks { task.raise(to: .visible) }
    }

    func forget(_ id: String) { state.withLock { $0.told?[id] = nil } }

    var summary: LoadSummary { state.withLock { $0.summary } }

    /// Nothing more is begun or told.
    func cancel() {
        let (dropped, tasks) = state.withLock { state in
            state.isCancelled = true
            return (state.line.removeAll(), Array(state.tasks.values))
        }
        for _ in 0..<dropped { open.leave() }
        for task in tasks { task.cancel() }
    }

    /// For somebody who waits: at once, and in any styles. A full queue refuses. `drawing` is called when the photo's
    /// faces are not there yet, while they are made; maybe only after `completion`.
    func make(
        _ contact: Contact, _ styles: StyleSet, drawing: (@Sendable () -> Void)?,
        _ completion: @escaping @Sendable (Result<ContactFaces, FaceFailure>) -> Void
    ) {
        let photos = state.withLock { $0.photos }
        let asker = AvatarPipeline.Asks.Asker(patience: drawing, answer: completion)
        let wish = FaceWish(
            book: ObjectIdentifier(self), contact: PackedContact(contact), styles: ObjectIdentifier(styles))
        // Keeps alive what the wish is named by.
        pipeline.asks.ask(wish, asker) { [self] asker in
            DirectFaces(pipeline: pipeline).make(contact, styles, photos, asker)
        }
    }

    private func work() {
        while let (contact, photos, priority) = next() {
            begin(contact, photos, priority)
        }
    }

    private func next() -> (Contact, BookPhotos?, JobPriority)? {
        state.withLock { state in
            guard let want = state.line.take() else {
                state.workers -= 1
                return nil
            }
            let isShown = state.line.isShown(want.contact.id)
            return (want.contact, state.photos, isShown ? .visible : .background)
        }
    }

    private func begin(_ contact: Contact, _ photos: BookPhotos?, _ priority: JobPriority) {
        guard let photo = contact.photo, let photos else { return showPlaceholder(to: contact) }
        do {
            let opened = try photos.open(photo, of: contact, limit: pipeline.options.limits.maxMemory)
            var request = AvatarRequest(opened.file, crop: opened.crop, contact: contact.id, styles: set)
            (request.priority, request.isBrief) = (priority, true)
            let task = pipeline.facesWhenRoom(request) { self.end(contact, $0) }
            keep(task, of: contact.id)
        } catch { end(contact, .failure(FaceFailure(error))) }
    }

    /// So that it can be raised or cancelled; it may have ended already, which does no harm.
    private func keep(_ task: FaceTask, of id: String) {
        guard task.subscription != nil else { return }
        let isCancelled = state.withLock { state in
            state.tasks[id] = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private func end(_ contact: Contact, _ result: Result<[Face], FaceFailure>) {
        state.withLock { $0.tasks[contact.id] = nil }
        switch result {
        case .success(let faces):
            tell(faces, of: contact)
            open.leave()
        case .failure(let failure):
            if failure.isPassing, state.withLock({ $0.isCancelled }) { return open.leave() }
            state.withLock { $0.summary.failed += 1 }
            events.send(
                .avatarFailed(FailedAvatar(contact: contact.id, code: failure.code, message: failure.message)))
            showPlaceholder(to: contact)
        }
    }

    private func showPlaceholder(to contact: Contact) {
        placeholder.faces { result in
            if let faces = try? result.get() { self.tell(faces, of: contact) }
            self.open.leave()
        }
    }

    private func tell(_ faces: [Face], of contact: Contact) {
        let isNew = state.withLock { state in
            if state.isCancelled { return false }
            if state.told != nil {
                let keys = faces.map(\.key).hashValue
                if state.told?[contact.id] == keys { return false }
                state.told?[contact.id] = keys
            }
            state.summary.avatars += faces.count
            state.summary.cached += faces.count { $0.source == .cache }
            state.summary.rendered += faces.count { $0.source == .rendered }
            return true
        }
        guard isNew else { return }
        for (face, style) in zip(faces, styles) {
            events.send(.avatar(PreparedAvatar(face, style, contact: contact.id, in: pipeline.cache)))
        }
    }
}

extension PreparedAvatar {
    init(_ face: Face, _ style: AvatarStyle, contact: String, in cache: AvatarCache?) {
        (self.contact, self.style, key) = (contact, style.name, face.key.hexadecimal)
        state = style.style.state == .selected ? .selected : .normal
        scale = style.style.scale
        source = face.source == .cache ? .cache : .rendered
        milliseconds = face.milliseconds
        url = face.isStored ? cache.map { FileURL.text($0.file(of: face.key)) } : nil
    }
}
