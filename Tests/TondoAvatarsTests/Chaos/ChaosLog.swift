import TondoContacts

@testable import TondoAvatars

/// What a loader reported, checked event by event. Pure.
struct ChaosLog {
    private(set) var texts: [String] = []
    /// The first rules that were broken.
    private(set) var problems: [String] = []
    private(set) var isFinished = false
    /// The book was changed before it was read to its end: what was counted may be less or more than what was read.
    var isChanging = false
    /// The last event of each contact's avatar: its key, or nil after a failure.
    private(set) var keys: [String: String?] = [:]
    /// What loaders call the contacts that are there.
    private(set) var contacts: [String: Contact] = [:]
    /// Their ids, as a client puts them that applies the events.
    private var order: [String] = []
    private var counted = AvatarTally()
    private var failed: Set<String> = []
    private var last: UInt64 = 0
    private var total: Int?
    private var read = 0
    private var unread = 0

    private mutating func require(_ isTrue: Bool, _ rule: String) {
        if !isTrue, problems.count < 3 { problems.append("\(rule), at event \(texts.count)") }
    }

    mutating func take(_ event: LoaderEvent, _ number: UInt64) {
        texts.append("\(number) \(event.text)\(event.avatar.map { " " + $0.key.prefix(4) } ?? "")")
        require(number == last + 1, "numbers grow by one")
        last = number
        if case .total = event {
            require(total == nil, "one total")
        } else {
            require(total != nil, "total comes first")
        }
        switch event {
        case .total(let count): total = count
        case .contact(let index, let contact):
            require(!isFinished && index == read && contacts[contact.id] == nil, "each contact once, in order")
            read += 1
            contacts[contact.id] = contact
            order.append(contact.id)
        // A file that went after it was listed.
        case .contactFailed: if !isFinished { unread += 1 }
        case .avatar(let avatar):
            require(contacts[avatar.contact] != nil, "a contact comes before its avatar")
            keys[avatar.contact] = avatar.key
            count(avatar.tally)
            if avatar.tally.failed < 0 { failed.remove(avatar.contact) }
        case .avatarFailed(let failure):
            require(contacts[failure.contact] != nil, "a contact comes before its failure")
            keys.updateValue(nil, forKey: failure.contact)
            count(failure.tally)
            if failure.tally.failed > 0 { require(failed.insert(failure.contact).inserted, "a failure counts once") }
        case .finished(let summary):
            require(
                !isFinished && (read + unread == total || isChanging) && summary.contacts == read,
                "the end comes after every contact")
            require(keys.count == read && keys.values.allSatisfy { $0 != nil }, "the end comes after every avatar")
            require(
                summary.avatars == read && summary.failed == failed.count + unread, "the end counts each avatar once")
            require(summary.cached + summary.rendered == read, "each avatar is cached or rendered")
            isFinished = true
        case .contactChanged(let index, let contact):
            contacts[contact.id] = contact
            order.removeAll { $0 == contact.id }
            require(isFinished && index <= order.count, "changes come after the end, with a place in the list")
            order.insert(contact.id, at: min(index, order.count))
        case .contactRemoved(let id):
            require(isFinished && contacts.removeValue(forKey: id) != nil, "only who is there is removed")
            keys[id] = nil
            order.removeAll { $0 == id }
            failed.remove(id)
        }
        if isFinished { require(counted.failed == failed.count, "failures are counted once") }
    }

    mutating func take(_ note: LoaderNotice) {
        switch note {
        case .moved(let contact):
            require(contacts.updateValue(contact.contact, forKey: contact.id) != nil, "only who is there moves")
        case .uncounted(let tally):
            // The removal follows.
            count(tally)
        case .read, .reread, .photoChecked, .unreadable, .lost, .broken: break
        }
    }

    private mutating func count(_ tally: AvatarTally) {
        counted.ready += tally.ready
        counted.failed += tally.failed
    }

    /// Every contact's last event is the avatar it has to be, each is counted once, and a client has them in this order.
    func isComplete(on expected: [String: String], order: [String]) -> Bool {
        isFinished && self.order == order && counted.ready == expected.count
            && expected.allSatisfy { keys[$0.key] == .some($0.value) }
    }
}
