internal import Hummingbird
internal import NIOHTTP1
internal import SystemPackage
internal import TondoAvatars
internal import TondoContacts
internal import TondoText

/// Removing and restoring contacts. 204 and 200 are sent once every later `GET` and the events show the change; 202 says that
/// the change is made, and names the event to wait for.
extension AvatarService {
    func removeContact(_ context: ServiceContext) async throws -> Response {
        let contact = try await contact(context, isSentOnce: true)
        guard let trash = options.trash, let (book, own) = addressBooks.place(of: contact.id) else {
            throw ProblemDetails(.forbidden, code: "read-only", detail: "This service does not remove contacts.")
        }
        // Before the change: its event, however early, has a higher number.
        let last = addressBooks.broadcaster.last
        let loader = addressBooks.loader(of: book)
        let file = try await Blocking.run(on: Blocking.changes) {
            try Self.remove(
                contact, id: own, known: loader?.contents(with: own), from: book,
                owners: loader?.identityOwners ?? [:], to: trash)
        }
        if let file {
            let isPublished = await addressBooks.waitUntilPublished(file) { [addressBooks] in
                // Another contact may have the id by now.
                addressBooks.directory.contact(contact.id)?.hasSameContent(as: contact) != true
            }
            if !isPublished { return Self.accepted(contact.id, event: "contactRemoved", after: last) }
        }
        return Response(status: .noContent)
    }

    /// Reads the contact's file, or the whole book if the contact is not there any more. `contact`: the version the client
    /// knows; `known`: the file with it as it was read last. Returns the file.
    static func remove(
        _ contact: Contact, id: String, known: BookContents?, from path: FilePath, owners: Identities.Owners,
        to trash: Trash
    ) throws(ProblemDetails) -> FilePath? {
        if let known, let found = known.contacts.first(where: { $0.id == id }),
            let file = found.place?.file, found.hasSameContent(as: contact)
        {
            let removal = BookChange(AddressBook(path, onlyAt: file), known, trash: trash)
            let outcome = removal.remove([found], now: WallClock.seconds).first
            guard let problem = outcome?.problem else { return outcome?.file }
            guard problem.mayBeElsewhere else { throw ProblemDetails(problem) }
        }
        // An earlier request may have removed the owner of the id a moment ago: no equal contact gets it.
        let owners = owners.knowing(trash.owners(of: path))
        guard let book = try? AddressBook(path, owners: owners), let contents = try? book.contents(),
            let found = contents.contacts.first(where: { $0.id == id })
        else {
            throw ProblemDetails(.conflict, code: "contact-gone", detail: "The book was changed meanwhile.")
        }
        guard found.hasSameContent(as: contact) else {
            throw ProblemDetails(
                .conflict, code: "contact-changed", detail: "The contact was changed meanwhile; fetch it again.")
        }
        let outcome = BookChange(book, contents, trash: trash).remove([found], now: WallClock.seconds).first
        if let problem = outcome?.problem { throw ProblemDetails(problem) }
        return outcome?.file
    }

    func restoreContact(_ context: ServiceContext) async throws -> Response {
        guard let id = context.parameters.get("id").flatMap({ PercentEncoding.decodeStrictly($0.utf8) }),
            id.utf8.count <= Self.longestID
        else {
            throw ProblemDetails.contactNotFound
        }
        guard let trash = options.trash else {
            throw ProblemDetails(.forbidden, code: "read-only", detail: "This service does not restore contacts.")
        }
        let (books, last) = (addressBooks.books, addressBooks.broadcaster.last)
        let file = try await Blocking.run(on: Blocking.changes) {
            let contents = trash.contents().items
            for (index, book) in books.enumerated() {
                let items = Trash.items(contents, of: book)
                // Changes of contacts that are still there are another matter.
                let removed = items.lazy.filter { !$0.record.isChange }
                guard let item = removed.first(where: { AddressBookService.servedID($0.record.id, index) == id }) else {
                    continue
                }
                do throws(ChangeProblem) { _ = try ContactRestoration(trash).restore(item) } catch {
                    throw ProblemDetails(error)
                }
                return FilePath(item.record.file)
            }
            throw ProblemDetails.notInTrash
        }
        let isPublished = await addressBooks.waitUntilPublished(file) { [addressBooks] in
            addressBooks.directory.contact(id) != nil
        }
        if !isPublished { return Self.accepted(id, event: "contactChanged", after: last) }
        return JSONResponse.ok(Array(#"{"id":\#(JSONEscapes.quoted(id, style: .markup))}"#.utf8))
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
    private static func accepted(_ id: String, event: String, after last: UInt64) -> Response {
        let json = #"{"id":\#(JSONEscapes.quoted(id, style: .markup)),"event":"\#(event)","after":\#(last)}"#
        return JSONResponse.ok(Array(json.utf8), status: .accepted)
    }
}

extension ProblemDetails {
    fileprivate static let notInTrash = ProblemDetails(
        .notFound, code: "not-in-trash", detail: "The trash has no such contact.")

    /// Without the text of problems that contain file names.
    fileprivate init(_ problem: ChangeProblem) {
        switch problem {
        case .file:
            self.init(.insufficientStorage, code: "book-not-writable", detail: "The book or the trash is not writable.")
        case .notInTrash: self = .notInTrash
        case .changed:
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
                detail: "Another name of the contact's file could not be changed; the contact is still there.")
        case .mirror(_, let name):
            self.init(
                .conflict, code: "change-refused",
                detail: "The contact is in a copy of a server (\(name)); change it there.")
        case .outside, .noFolder, .strangeName:
            self.init(.conflict, code: "not-restored", detail: "The files of the book do not permit it.")
        }
    }
}
