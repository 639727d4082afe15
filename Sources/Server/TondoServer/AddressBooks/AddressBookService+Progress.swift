internal import SystemPackage
package import TondoAvatars

extension AddressBookService {
    /// The progress of one book.
    package struct Progress: Equatable, Sendable {
        /// Its place among the served books, from 0.
        package var book: Int
        /// Nil before the book is counted.
        package var total: Int?
        /// All of its contacts are in the directory.
        package var isRead = false
        /// Contacts of the book in the directory, groups included.
        package var people = 0
        /// Avatars that contacts have, one for each style.
        package var avatars = 0
        /// Contacts whose photo gives no avatar, and what cannot be read, see `broken`.
        package var failed = 0
        /// How many of those failures are contacts, files and folders that cannot be read; the others are photos.
        var broken = 0
        /// How many of those are contacts, which `total` contains. Nil before the book is read.
        var brokenContacts: Int?
        /// Every avatar was made or has failed once. Changes of the book do not reset it.
        package var isLoaded = false
        /// The book was unreadable when the total was published. Nothing waits for it, and its contacts are published
        /// like later changes.
        var isLate = false
        /// A reload added it to books that are served: no list waits for it, and its contacts are published like later
        /// changes.
        var isAdded = false
        /// The directory has all of its contacts as they were read before the last reload.
        var isKept = false
        /// Why the whole book is unreadable, while it is; a code for scripts.
        package var problem: String?
        /// The problem for humans; may contain file names.
        package var reason: String?
        /// The problem for humans, without the path of the book.
        package var detail: String?
        /// Unreadable parts; the rest is served.
        package var unreadable = UnreadableParts()

        /// Its contacts are published like later changes.
        var isPublishedLater: Bool { isLate || isAdded }

        /// Parts of it are not served.
        package var isDegraded: Bool { problem != nil || !unreadable.isEmpty }

        /// A contact was added or removed after the book was read.
        mutating func add(_ people: Int) {
            self.people += people
            total = total.map { $0 + people }
        }

        /// The number of contacts, files and folders that cannot be read now.
        mutating func count(broken: Int) {
            failed += broken - self.broken
            self.broken = broken
        }

        /// The book was read, or parts of it again, with so many failures, of which `contacts` are contacts. Those that are repaired are
        /// added as well, so `total` no longer has them as broken ones.
        mutating func noteRead(broken: Int, contacts: Int) {
            if let brokenContacts { total = total.map { $0 + contacts - brokenContacts } }
            brokenContacts = contacts
            count(broken: broken)
        }

        /// `book`: its path, which `detail` leaves out.
        mutating func fail(_ error: LoadError, _ book: FilePath) {
            problem = error.code
            reason = error.message
            let start = "\(book): "
            detail = error.message.hasPrefix(start) ? String(error.message.dropFirst(start.count)) : error.message
        }

        mutating func endProblem() {
            problem = nil
            reason = nil
            detail = nil
        }

        mutating func count(_ tally: AvatarTally) {
            avatars += tally.ready
            failed += tally.failed
        }
    }
}
