internal import Hummingbird
internal import NIOHTTP1
internal import SystemPackage
internal import TondoAvatars
internal import TondoContacts
internal import TondoText

/// Changing, removing and restoring contacts. 204 and 200 are sent once every later `GET` and the events show the change; 202
/// says that the change is made, and names the event to wait for.
extension AvatarService {
    func removeContact(_ context: ServiceContext) async throws -> Response {
        let contact = try await contact(context, isSentOnce: true)
        let change = try await change(contact, refusal: "This service does not remove contacts.") {
            $0.remove([$1], now: WallClock.seconds).first
        }
        if !change.isPublished { return Self.accepted(contact.id, event: "contactRemoved", after: change.last) }
        return Response(status: .noContent)
    }

    /// A change of one contact, and what later requests see of it.
    struct ContactChange: Sendable {
        /// Nil: there was nothing to do.
        let outcome: BookChange.Outcome?
        /// False: the event with the change comes after the one with the number `last`.
        let isPublished: Bool
        let last: UInt64
    }

    /// What to do with a contact of a book.
    typealias ContactEdit = @Sendable (BookChange, Contact) -> BookChange.Outcome?

    /// Changes a contact in its book, by the way of all changes: a copy in the trash, a conditional exchange of the file, and then
    /// the wait until the lists show it. `contact`: the version that the client knows. `refusal`: the sentence for a service that
    /// changes nothing.
    func change(_ contact: Contact, refusal: String, by edit: @escaping ContactEdit) async throws -> ContactChange {
        guard let trash = options.trash, let (book, own) = addressBooks.place(of: contact.id) else {
            throw ProblemDetails(.forbidden, code: "read-only", detail: refusal)
        }
        // Before the change: its event, however early, has a higher number.
        let last = addressBooks.broadcaster.last
        let loader = addressBooks.loader(of: book)
        let outcome = try await Blocking.run(on: Blocking.changes) {
            try Self.change(
                contact, id: own, known: loader?.contents(with: own), from: book,
                owners: loader?.identityOwners ?? [:], to: trash, by: edit)
        }
        // Where nothing was changed, there is nothing to wait for.
        guard let outcome, outcome.isChanged, let file = outcome.file else {
            return ContactChange(outcome: outcome, isPublished: true, last: last)
        }
        let isPublished = await addressBooks.waitUntilPublished(file) { [addressBooks] in
            // Another contact may have the id by now.
            addressBooks.directory.contact(contact.id)?.hasSameContent(as: contact) != true
        }
        return ContactChange(outcome: outcome, isPublished: isPublished, last: last)
    }

    /// Reads the contact's file, or the whole book if the contact is not there any more. `contact`: the version the client
    /// knows; `known`: the file with it as it was read last.
    static func change(
        _ contact: Contact, id: String, known: BookContents?, from path: FilePath, owners: Identities.Owners,
        to trash: Trash, by edit: ContactEdit
    ) throws(ProblemDetails) -> BookChange.Outcome? {
        if let known, let found = known.contacts.first(where: { $0.id == id }),
            let file = found.place?.file, found.hasSameContent(as: contact)
        {
            let outcome = edit(BookChange(AddressBook(path, onlyAt: file), known, trash: trash), found)
            guard let problem = outcome?.problem else { return outcome }
            guard problem.mayBeElsewhere else { throw ProblemDetails(problem) }
        }
        // An earlier request may have removed the owner of the id a moment ago: no equal contact gets it.
        let owners = owners.knowing(trash.owners(of: path))
        guard let book = try? AddressBook(path, owners: owners), let contents = try? book.contents(),
            let found = contents.contacts.first(where: { $0.id == id })
        else { throw ProblemDetails(.conflict, code: "contact-gone", detail: "The book was changed meanwhile.") }
        guard found.hasSameContent(as: contact) else {
            throw ProblemDetails(
                .conflict, code: "contact-changed", detail: "The contact was changed meanwhile; fetch it again.")
        }
        let outcome = edit(BookChange(book, contents, trash: trash), found)
        if let problem = outcome?.problem { throw ProblemDetails(problem) }
        return outcome
    }

    /// What the trash has is put back. The query may name one `entry`; without it, the contact itself comes back, and no change
    /// of a contact that is still there is undone: a repeated request would undo one change after the other.
    func restoreContact(_ request: Request, _ context: ServiceContext) async throws -> Response {
        guard let id = context.parameters.get("id").flatMap({ PercentEncoding.decodeStrictly($0.utf8) }),
            id.utf8.count <= Self.longestID
        else { throw ProblemDetails.contactNotFound }
        guard let trash = options.trash else {
            throw ProblemDetails(.forbidden, code: "read-only", detail: "This service does not restore contacts.")
        }
        let entry = request.uri.queryParameters["entry"].map { String($0) }
        let (books, last, former) = (
            addressBooks.books, addressBooks.broadcaster.last, addressBooks.directory.contact(id)
        )
        let restored = try await Blocking.run(on: Blocking.changes) {
            try Self.restore(id, entry: entry, from: trash, to: books)
        }
        let isPublished = await addressBooks.waitUntilPublished(restored.file) { [addressBooks] in
            guard let shown = addressBooks.directory.contact(id) else { return false }
            // Where the change was never made, the contact stays as it is.
            guard restored.isChange, restored.outcome == .restored, let former else { return true }
            return !shown.hasSameContent(as: former)
        }
        if !isPublished { return Self.accepted(id, event: "contactChanged", after: last) }
        return JSONResponse.ok(Array(#"{"id":\#(JSONEscapes.quoted(id, style: .markup))}"#.utf8))
    }

    private struct Restored: Sendable {
        let file: FilePath
        let isChange: Bool
        let outcome: ContactRestoration.Outcome
    }

    /// `id`: as the service has it. `entry`: the name of the item; nil: the contact that was removed last.
    private static func restore(
        _ id: String, entry: String?, from trash: Trash, to books: [FilePath]
    ) throws(ProblemDetails) -> Restored {
        let (contents, failures) = trash.contents()
        for (index, book) in books.enumerated() {
            let items = Trash.items(contents, of: book)
            let wanted = items.lazy.filter { entry == nil ? !$0.record.isChange : $0.name == entry }
            guard let item = wanted.first(where: { AddressBookService.servedID($0.record.id, index) == id }) else {
                continue
            }
            do throws(ChangeProblem) {
                let outcome = try ContactRestoration(trash).restore(item)
                return Restored(
                    file: FilePath(item.record.file), isChange: item.record.isChange, outcome: outcome)
            } catch { throw ProblemDetails(error) }
        }
        throw trash.obstacle(in: failures) == nil ? .notInTrash : .trashUnreadable
    }

    /// `PUT` and `DELETE /v1/contacts/{id}/favourite`.
    func setFavourite(_ isFavourite: Bool, _ context: ServiceContext) async throws -> Response {
        let contact = try await contact(context, isSentOnce: true)
        try await Blocking.run(on: Blocking.changes) { [addressBooks] in
            try addressBooks.setFavourite(contact.id, isFavourite)
        }
        return Response(status: .noContent)
    }

    /// The files are changed, and the lists will show it with this event, which comes after the one with the number `last`.
    /// `entry`: what the trash has of it.
    static func accepted(_ id: String, event: String, after last: UInt64, entry: String? = nil) -> Response {
        var object = JSONObject()
        object.add("id", id)
        object.add("event", event)
        object.add("after", Int(clamping: last))
        object.add("entry", entry)
        return JSONResponse.ok(object.bytes, status: .accepted)
    }
}

extension ProblemDetails {
    fileprivate static let notInTrash = ProblemDetails(
        .notFound, code: "not-in-trash", detail: "The trash has no such contact.")

    fileprivate static let trashUnreadable = ProblemDetails(
        .insufficientStorage, code: "book-not-writable", detail: "The trash cannot be read.")

    /// Without the text of problems that contain file names.
    fileprivate init(_ problem: ChangeProblem) {
        switch problem {
        case .file:
            self.init(.insufficientStorage, code: "book-not-writable", detail: "The book or the trash is not writable.")
        case .notInTrash: self = .notInTrash
        case .changed, .interrupted:
            self.init(
                .conflict, code: "book-changed", detail: "Another program is changing the book; try again.")
        case .book(_, .refused(let why)):
            self.init(.conflict, code: "change-refused", detail: "The book was not changed: \(why).")
        case .book(_, .contactMoved):
            self.init(.conflict, code: "contact-moved", detail: "The book was changed meanwhile; try again.")
        case .book(_, let error):
            self.init(.conflict, code: "not-restored", detail: "The contact does not fit into the book: \(error).")
        case .otherName:
            self.init(
                .conflict, code: "change-refused",
                detail: "Another name of the contact's file could not be changed; the contact is as it was.")
        case .mirror(_, let name):
            self.init(
                .conflict, code: "change-refused",
                detail: "The contact is in a copy of a server (\(name)); change it there, or make the source writable.")
        case .outside, .noFolder, .strangeName:
            self.init(.conflict, code: "not-restored", detail: "The files of the book do not permit it.")
        }
    }
}
