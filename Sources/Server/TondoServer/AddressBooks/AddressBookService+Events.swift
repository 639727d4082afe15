internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage

/// Merges the events of all books into one stream: one `total` first, and one `finished`.
extension AddressBookService {
    func handle(_ delivered: DeliveredEvent, of book: Int, _ generation: Int) {
        guard state.withLock({ $0.isCurrent(book, generation) }) else { return }
        switch delivered.event {
        case .total(let total):
            takeOver(book, generation)
            noteReading(of: book, generation, total)
            publishTotal()
        case .contact(let index, let contact):
            add(contact, as: delivered.packed(contact, book), at: index, of: book, generation)
        case .contactChanged(let index, let contact):
            change(contact, as: delivered.packed(contact, book), at: index, of: book, generation)
        case .contactRemoved(let id): remove(Self.servedID(id, book), of: book, generation)
        case .contactFailed(let failure):
            note(book, generation: generation) { $0.count(broken: $0.broken + 1) }
            report(failure, of: book, generation)
        case .avatar(let avatar): publish(avatar, of: book, generation)
        case .avatarFailed(let failure): publish(failure, of: book, generation)
        case .finished(let summary):
            if !isLate(book, generation) { finish(summary, of: book) }
            note(book, generation: generation) { $0.isLoaded = true }
        }
    }

    /// A contact that was read, for the first time or again.
    private func add(_ contact: Contact, as packed: PackedContact, at index: Int, of book: Int, _ generation: Int) {
        var contact = contact
        contact.id = Self.servedID(contact.id, book)
        let place = directory.offset(of: book) + index
        if directory.book(of: contact.id) != nil { noteNewPhoto(of: contact) }
        // Of a book that is read again, contacts that are still to come, or are gone, follow.
        let change = directory.put(packed, at: index, in: book)
        changed(.contact(contact.id))
        note(book, generation: generation) { $0.people += 1 }
        let published = contact.withoutPhoto
        publish(
            isLate(book, generation) ? .contactChanged(index: place, published) : .contact(index: place, published),
            change: change, photo: contact.photo)
        followFavourite(contact, id: contact.id, in: book)
    }

    private func change(_ contact: Contact, as packed: PackedContact, at index: Int, of book: Int, _ generation: Int) {
        var contact = contact
        contact.id = Self.servedID(contact.id, book)
        if directory.book(of: contact.id) == nil { note(book, generation: generation) { $0.add(1) } }
        noteNewPhoto(of: contact)
        let change = directory.put(packed, at: index, in: book)
        changed(.contact(contact.id))
        publish(
            .contactChanged(index: directory.offset(of: book) + index, contact.withoutPhoto), change: change,
            photo: contact.photo)
        followFavourite(contact, id: contact.id, in: book)
    }

    /// The contact is a favourite now, or no longer one.
    func publish(_ marked: ContactDirectory.Marked) {
        let contact = marked.contact.contact
        changed(.contact(contact.id))
        publish(
            .contactChanged(index: marked.index, contact.withoutPhoto), change: marked.change, photo: contact.photo)
    }

    /// `id`: as the service publishes it.
    private func remove(_ id: String, of book: Int, _ generation: Int) {
        if directory.book(of: id) != nil { note(book, generation: generation) { $0.add(-1) } }
        let change = directory.remove(id)
        photoChecks.noteLook(id)
        noteUsable(id)
        avatarKeys.forget(id)
        changed(.contact(id))
        publish(PublishedEvent(event: .contactRemoved(id: id), change: change, revision: revision))
        followFavourite(removed: id, of: book)
    }

    private func publish(_ avatar: PreparedAvatar, of book: Int, _ generation: Int) {
        var avatar = avatar
        avatar.contact = Self.servedID(avatar.contact, book)
        avatar.url = address(of: avatar)
        photoChecks.noteLook(avatar.contact)
        if let key = CacheKey(avatar.key), let style = style(of: avatar)?.style {
            avatarKeys.learn(key, style: style, of: avatar.contact)
        }
        changed(.contact(avatar.contact))
        note(book, generation: generation) { $0.count(avatar.tally) }
        publish(.avatar(avatar))
    }

    private func publish(_ failure: FailedAvatar, of book: Int, _ generation: Int) {
        var failure = failure
        failure.contact = Self.servedID(failure.contact, book)
        photoChecks.noteLook(failure.contact)
        avatarKeys.forget(failure.contact)
        // A book may name any file, and clients must not see file names: only the text after the path is kept.
        if let colon = failure.message.firstIndex(of: ":"), failure.message.contains("/") {
            failure.message = String(failure.message[..<colon])
        }
        note(book, generation: generation) { $0.count(failure.tally) }
        publish(.avatarFailed(failure))
    }

    func handle(_ note: LoaderNotice, of book: Int, _ generation: Int) {
        guard state.withLock({ $0.isCurrent(book, generation) }) else { return }
        switch note {
        case .unreadable(let parts): handle(parts, of: book, generation)
        case .broken(let count, let contacts):
            self.note(book, generation: generation) { $0.noteRead(broken: count, contacts: contacts) }
        case .lost(let error): handle(loss: error, of: book, generation)
        case .read:
            removeUnseen(book)
            self.note(book, generation: generation) { $0.isRead = true }
            followFavourites(read: book)
            prepareFilters()
        case .moved(let contact):
            let served = Self.served(contact, book)
            // The revision changes with it: a kept page would have another one than the next.
            if directory.replace(served, in: book) { changed(.contact(served.id)) }
            if directory.isFavourite(served.id) { followFavourite(served.contact, id: served.id, in: book) }
        case .photoChecked(let id, let isUsable):
            let id = Self.servedID(id, book)
            photoChecks.noteLook(id)
            if isUsable == true { noteUsable(id) }
            if isUsable == false { noteUnusable(id) }
            // Cached responses are outdated, even if the photo has become the old one again.
            changed(.contact(id))
        case .reread(let ids?): for id in ids { changed(.contact(Self.servedID(id, book))) }
        case .reread(nil): changed(.allContacts)
        case .uncounted(let tally): self.note(book, generation: generation) { $0.count(tally) }
        }
    }

    /// What is known about the photo of a contact ends if the contact has another one now.
    private func noteNewPhoto(of contact: Contact) {
        guard directory.contact(contact.id)?.photo != contact.photo else { return }
        photoChecks.noteLook(contact.id)
        noteUsable(contact.id)
        avatarKeys.forget(contact.id)
    }

    /// The contact's photo may give an avatar. False if that was so before.
    @discardableResult
    private func noteUsable(_ id: String) -> Bool {
        guard unusablePhotos.remove(id) else { return false }
        directory.photoChanged(of: id)
        return true
    }

    /// The contact's photo gave no avatar. False if that was so before.
    @discardableResult
    private func noteUnusable(_ id: String) -> Bool {
        avatarKeys.forget(id)
        guard unusablePhotos.insert(id) else { return false }
        directory.photoChanged(of: id)
        return true
    }

    /// Records the result of a request for a contact's photo, at which the loader did not look meanwhile.
    /// Returns whether responses about the contact are outdated by it.
    func note(_ result: ServedAvatars, of contact: Contact, in style: Style) -> Bool {
        guard case .success(let avatars) = result else { return false }
        let id = contact.id
        switch avatars.problem?.code {
        // As the photo was seen last, it may be usable.
        case AvatarFailure.lost.code: return false
        case nil, "no-photo":
            // The photo may be another one by now.
            let isCurrent = avatarKeys.learns(style) && directory.contact(id)?.photo == contact.photo
            let isNew =
                isCurrent && (avatars.avatars.first.map { avatarKeys.learn($0.key, style: style, of: id) } ?? false)
            return noteUsable(id) || isNew
        default:
            // Another contact may stand for its addresses now.
            return noteUnusable(id)
        }
    }

    private func report(_ failure: FailedContact, of book: Int, _ generation: Int) {
        // A reload may have removed the book since the event came.
        let known = state.withLock { state in
            state.isCurrent(book, generation) && state.progress[book].broken <= 10
                ? (path: state.books[book], report: state.onBroken) : nil
        }
        if let known { known.report(known.path, failure) }
    }

    private func handle(_ parts: UnreadableParts, of book: Int, _ generation: Int) {
        let known = state.withLock { state in
            state.progress.indices.contains(book) ? (state.progress[book].unreadable, state.books[book]) : nil
        }
        guard let (last, path) = known, last != parts else { return }
        note(book, generation: generation) { $0.unreadable = parts }
        state.withLock { $0.onUnreadable }(path, parts)
    }

    /// The book was counted, for the first time or again.
    private func noteReading(of book: Int, _ generation: Int, _ total: Int) {
        let wasLost = state.withLock { state in
            state.former[book] = nil
            return state.progress.indices.contains(book) && state.progress[book].problem != nil
        }
        note(book, generation: generation) { progress in
            progress.people = 0
            progress.avatars = 0
            progress.failed = 0
            progress.broken = 0
            progress.brokenContacts = nil
            progress.total = total
            progress.endProblem()
        }
        if wasLost { reportLoss(nil, of: book) }
    }

    /// `loss`: why a book that was read cannot be read any more; nil: it can.
    private func handle(loss: ContactsError?, of book: Int, _ generation: Int) {
        guard let path = state.withLock({ $0.books.indices.contains(book) ? $0.books[book] : nil }) else { return }
        let error = loss.map { LoadError($0, path) }
        note(book, generation: generation) { progress in
            if let error { progress.fail(error, path) } else { progress.endProblem() }
        }
        reportLoss(error, of: book)
    }

    private func reportLoss(_ error: LoadError?, of book: Int) {
        let (path, report) = state.withLock { state in
            (state.books.indices.contains(book) ? state.books[book] : nil, state.onLost)
        }
        if let path { report(path, error) }
    }

    /// In the background, so that the first list with a filter is as fast as the others.
    private func prepareFilters() {
        DispatchQueue.global(qos: .utility).async { [directory] in directory.snapshot.prepare() }
    }

    /// From now on the new loader loads the avatars of the book.
    private func takeOver(_ book: Int, _ generation: Int) {
        let last = state.withLock { state -> ContactLoader? in
            guard state.isCurrent(book, generation) else { return nil }
            return state.drawingLoaders.updateValue(state.loaders[book], forKey: book)
        }
        last?.cancel()
    }

    /// The book cannot be read. Contacts that it had before it was to be read again stay, with the loader of their avatars.
    func fail(_ error: LoadError, book: Int, generation: Int) {
        guard state.withLock({ $0.isCurrent(book, generation) }) else { return }
        let (path, former) = state.withLock { state in
            (state.books.indices.contains(book) ? state.books[book] : "", state.former[book])
        }
        let kept = directory.count(of: book)
        if kept == 0 { state.withLock { $0.drawingLoaders.removeValue(forKey: book) }?.cancel() }
        note(book, generation: generation) { progress in
            progress.fail(error, path)
            progress.unreadable = UnreadableParts()
            guard kept > 0 else { return }
            progress.total = kept
            progress.brokenContacts = 0
            progress.people = kept
            progress.avatars = former?.avatars ?? 0
            progress.failed = former?.failed ?? 0
            progress.broken = former?.broken ?? 0
        }
        if !isLate(book, generation) { finish(LoadSummary()) }
    }

    /// Removes the contacts that were in the book before it was read again, and are no longer.
    private func removeUnseen(_ book: Int) {
        for removal in directory.finish(book) {
            avatarKeys.forget(removal.id)
            changed(.contact(removal.id))
            publish(event(of: removal))
            followFavourite(removed: removal.id, of: book)
        }
    }

    func event(of removal: ContactDirectory.Removal) -> PublishedEvent {
        PublishedEvent(
            event: .contactRemoved(id: removal.id), change: removal.change, revision: revision(removal.revision))
    }

    private func publish(_ event: LoaderEvent, change: ListChange? = nil, photo: ContactPhoto? = nil) {
        var published = PublishedEvent(event: event, change: change, revision: change.map { _ in revision })
        published.photo = photo
        switch event {
        case .contact(_, let contact), .contactChanged(_, let contact):
            published.avatars = avatarKeys.keys(of: contact.id)
            published.isFavourite = directory.isFavourite(contact.id)
        default: break
        }
        publish(published)
    }

    /// Publishes the event, or keeps it until every book is counted.
    func publish(_ event: PublishedEvent) {
        let events = state.withLock { state -> [PublishedEvent] in
            guard !state.hasPublishedTotal else { return [event] }
            state.held.append(event)
            return []
        }
        for event in events { broadcaster.send(event) }
    }

    /// Publishes the total and the kept events, once every book is counted.
    func publishTotal() {
        let events = state.withLock { state -> [PublishedEvent] in
            guard !state.hasPublishedTotal, state.isThere(.counted), !state.isStopped else { return [] }
            defer {
                state.hasPublishedTotal = true
                state.held = []
            }
            let total = state.progress.reduce(0) { $0 + ($1.total ?? 0) }
            return [PublishedEvent(event: .total(total))] + state.held
        }
        for event in events { broadcaster.send(event) }
    }

    /// `finished` was published without this book.
    private func isLate(_ book: Int, _ generation: Int) -> Bool {
        state.withLock { $0.isCurrent(book, generation) && $0.progress[book].isPublishedLater }
    }

    /// A book is finished; after the last one, `finished` is published once, with the sums of all. `book`: nil if it is
    /// unreadable.
    private func finish(_ summary: LoadSummary, of book: Int? = nil) {
        let isLast = state.withLock { state in
            state.summary.add(summary)
            // Together with its sums: another book that finishes at the same time may be the last one.
            if let book, state.progress.indices.contains(book) { state.progress[book].isLoaded = true }
            let isLast = state.progress.allSatisfy { $0.isLoaded || $0.problem != nil || $0.isPublishedLater }
            defer { if isLast { state.hasPublishedFinished = true } }
            return isLast && !state.hasPublishedFinished
        }
        publishTotal()
        if isLast { publish(.finished(state.withLock { $0.summary })) }
    }
}

extension LoadSummary {
    fileprivate mutating func add(_ other: LoadSummary) {
        contacts += other.contacts
        avatars += other.avatars
        cached += other.cached
        rendered += other.rendered
        failed += other.failed
        milliseconds = max(milliseconds, other.milliseconds)
    }
}

extension DeliveredEvent {
    /// The contact of the event as the service publishes it, with the bytes of the book's snapshot.
    fileprivate func packed(_ own: Contact, _ book: Int) -> PackedContact {
        AddressBookService.served(contact ?? PackedContact(own), book)
    }
}

extension Contact {
    /// Events never contain file names.
    fileprivate var withoutPhoto: Contact {
        var contact = self
        contact.photo = nil
        return contact
    }
}
