package import TondoAvatars
internal import TondoMirror

/// Whether a service serves its books, as JSON: of `GET /readyz` and `tondo status`. While it does not, the report is a
/// problem with extension members (RFC 9457 3.2).
package struct ReadinessReport: Codable, Equatable, Sendable {
    /// The progress of one book, without its path: every machine may read the report.
    package struct Book: Codable, Equatable, Sendable {
        /// From 1.
        package var book: Int
        /// Its contacts; absent before the book is counted.
        package var total: Int?
        /// Contacts that are served, groups included.
        package var people: Int
        /// Avatars that are served, one for each contact and style; nil from a service of the version before.
        package var avatars: Int?
        /// The number of `avatars` under its former name, which readers of the version before expect.
        package var faces: Int
        /// Contacts whose photo gives no avatar, and contacts, files and folders that cannot be read.
        package var failed: Int
        /// Every avatar of the book was made or has failed once.
        package var loaded: Bool
        /// A code, if the book cannot be read.
        package var problem: String?
        /// The problem in words, without the path of the book.
        package var detail: String?
        /// The number of folders and files in it that cannot be read.
        package var unreadable: Int?

        init(_ progress: AddressBookService.Progress) {
            book = progress.book + 1
            total = progress.total
            people = progress.people
            avatars = progress.avatars
            faces = progress.avatars
            failed = progress.failed
            loaded = progress.isLoaded
            problem = progress.problem
            detail = progress.detail
            unreadable = progress.unreadable.isEmpty ? nil : progress.unreadable.count
        }
    }

    /// A mirror of an address book on the network. Paths and hosts are not shown.
    package struct Mirror: Codable, Equatable, Sendable {
        /// NAME of the table `[sync.NAME]` in the configuration.
        package var name: String
        /// The kind of a `SyncSource`, such as `carddav`; absent before the first run, like the following members.
        package var kind: String?
        /// Seconds since the last run that succeeded; absent: none did.
        package var age: Int?
        /// Cards in the mirror.
        package var contacts: Int?
        /// Contacts whose deletion waits for a second run.
        package var withheld: Int?
        /// The code of what the last run failed with.
        package var problem: String?

        init(layout: MirrorLayout, now: Int) {
            name = layout.name
            guard let status = MirrorStatus.read(layout) else { return }
            kind = status.kind
            age = status.age(now: now)
            contacts = status.contacts
            withheld = status.withheld > 0 ? status.withheld : nil
            problem = status.error?.code
        }
    }

    /// `about:blank` while the service is not ready; absent once it is, like the next three.
    package var type: String?
    /// The reason phrase of the status.
    package var title: String?
    /// The HTTP status, 503.
    package var status: Int?
    /// `loading` or `drawing-stuck`.
    package var code: String?
    /// Whether every book is counted, and drawing makes progress.
    package var ready: Bool
    /// A book, or a part of it, cannot be read; the rest is served, and what was read before as it was.
    package var degraded: Bool?
    /// Contacts of all books that are served so far, without groups, like `total` of lists.
    package var contacts: Int
    /// In the order of the configuration; books of mirrors follow.
    package var books: [Book]
    /// Absent without any.
    package var mirrors: [Mirror]?
    /// Absent without a shared tier. It never keeps the service from being ready.
    package var shared: SharedTierReport?
    /// Absent without a work queue. Neither does this.
    package var queue: WorkQueueReport?

    /// `problem`: why the service is not ready.
    package init(
        books: [AddressBookService.Progress], contacts: Int, mirrors: [Mirror] = [], problem: ProblemDetails?,
        shared: SharedTierReport? = nil, queue: WorkQueueReport? = nil
    ) {
        self.shared = shared
        self.queue = queue
        if let problem {
            type = "about:blank"
            title = problem.title
            status = problem.status
            code = problem.code
        }
        ready = problem == nil
        self.contacts = contacts
        degraded = books.contains(where: \.isDegraded) ? true : nil
        self.books = books.map(Book.init)
        self.mirrors = mirrors.isEmpty ? nil : mirrors
    }
}
