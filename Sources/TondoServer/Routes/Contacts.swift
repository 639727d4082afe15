internal import Hummingbird
internal import NIOHTTP1
internal import SystemPackage
internal import TondoAvatars
internal import TondoContacts

extension AvatarService {
    /// `GET /v1/contacts`, `GET` and `DELETE /v1/contacts/{id}`, `POST /v1/contacts/{id}/restore`, `GET /v1/groups`.
    func addContacts(to router: Router<ServiceContext>) {
        router.get("/v1/contacts") { request, _ in try await self.contacts(request) }
        router.get("/v1/contacts/:id") { _, context in
            JSONAnswer.ok(ContactDocument.bytes(try await self.contact(context), isWhole: true))
        }
        router.delete("/v1/contacts/:id") { _, context in try await self.removeContact(context) }
        router.post("/v1/contacts/:id/restore") { _, context in try await self.restoreContact(context) }
        router.get("/v1/groups") { _, _ in
            guard await self.library.waitUntilRead() else { throw ProblemDetails.loading }
            let all = self.library.directory.contacts.all
            let groups = await Blocking.run { GroupSummary.all(of: all.lazy.map(\.contact)) }
            return JSONAnswer.ok(JSONAnswer.array(groups.map(ContactDocument.bytes)))
        }
    }

    /// Whom the path names; throws `contact-not-found`.
    func contact(_ context: ServiceContext) async throws(ProblemDetails) -> Contact {
        try await contact(context.parameters.get("id") ?? "")
    }

    /// Who has this id, which is still escaped. Whoever asks while the books are being read waits for the answer.
    func contact(_ escaped: String) async throws(ProblemDetails) -> Contact {
        guard let id = PercentText.plain(escaped.utf8), id.utf8.count <= 1_024 else { throw .contactNotFound }
        if let contact = library.directory.contact(id) { return contact }
        let isRead = await library.waitUntilRead()
        if let contact = library.directory.contact(id) { return contact }
        throw isRead ? .contactNotFound : .loading
    }

    private func contacts(_ request: Request) async throws -> Response {
        let query = try ContactQuery(request.uri)
        guard await library.waitUntilRead() else { throw ProblemDetails.loading }
        let (all, revision) = library.directory.contacts
        let list = await Blocking.run { [lists] in lists.list(query, of: all, revision: revision) }
        let page = query.page(of: list)
        var json = Array(#"{"total":\#(list.count),"items":"#.utf8)
        json += JSONAnswer.array(page.items.map { ContactDocument.bytes(all[$0].contact) })
        let next = page.next.map { ContactCursor(offset: $0, id: all[list[$0 - 1]].id).text }
        json += Array(",\"next\":\(next.map(JSONText.quoted) ?? "null")}".utf8)
        return JSONAnswer.ok(json)
    }

    private func removeContact(_ context: ServiceContext) async throws -> Response {
        let contact = try await contact(context)
        guard let trash = options.trash, let (book, own) = library.place(of: contact.id) else {
            throw ProblemDetails(.forbidden, code: "read-only", detail: "This service removes nobody.")
        }
        try await Blocking.run(on: Blocking.changes) {
            let problem = Self.remove(own, from: book, to: trash)
            if let problem { throw problem }
        }
        return Response(status: .noContent)
    }

    /// Read anew, since others in its file may have moved it.
    private static func remove(_ id: String, from path: FilePath, to trash: Trash) -> ProblemDetails? {
        guard let book = try? AddressBook(path), let found = try? book.contents().contacts.first(where: { $0.id == id })
        else { return ProblemDetails(.conflict, code: "contact-gone", detail: "The book was changed meanwhile.") }
        let now = WallClock.seconds
        guard let problem = ContactRemoval(book, trash: trash).remove([found], now: now).first?.problem else {
            return nil
        }
        // Its words name files.
        return problem.isInputOutput
            ? ProblemDetails(
                .insufficientStorage, code: "book-not-writable", detail: "The book or the trash takes nothing.")
            : ProblemDetails(
                .conflict, code: "contact-moved", detail: "The book was changed at this moment; try again.")
    }

    private func restoreContact(_ context: ServiceContext) async throws -> Response {
        guard let id = context.parameters.get("id").flatMap({ PercentText.plain($0.utf8) }), id.utf8.count <= 1_024
        else {
            throw ProblemDetails.contactNotFound
        }
        guard let trash = options.trash else {
            throw ProblemDetails(.forbidden, code: "read-only", detail: "This service restores nobody.")
        }
        let books = library.books
        try await Blocking.run(on: Blocking.changes) {
            for (index, book) in books.enumerated() {
                let items = Trash.items(trash.contents().items, of: book)
                guard let item = items.first(where: { Library.servedID($0.record.id, index) == id }) else { continue }
                do { _ = try ContactRestoration(trash).restore(item) } catch {
                    throw ProblemDetails(.conflict, code: "not-restored", detail: "The book does not take it back now.")
                }
                return
            }
            throw ProblemDetails(.notFound, code: "not-in-trash", detail: "There is no such contact in the trash.")
        }
        return JSONAnswer.ok(Array(#"{"id":\#(JSONText.quoted(id))}"#.utf8))
    }
}
