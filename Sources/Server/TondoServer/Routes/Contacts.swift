internal import Hummingbird
internal import HummingbirdCore
internal import NIOHTTP1
internal import SystemPackage
internal import TondoAvatars
internal import TondoContacts
internal import TondoText

extension AvatarService {
    /// `GET /v1/contacts`, `GET` and `DELETE /v1/contacts/{id}`, `POST /v1/contacts/{id}/restore`, `PUT` and `DELETE
    /// /v1/contacts/{id}/favourite`, `GET /v1/sections` and `/v1/groups`.
    func addContacts(to router: Router<ServiceContext>) {
        router.get("/v1/contacts") { request, _ in try await self.contacts(request) }
        router.get("/v1/contacts/:id") { _, context in try await self.wholeContact(context) }
        router.delete("/v1/contacts/:id") { _, context in try await self.removeContact(context) }
        router.post("/v1/contacts/:id/restore") { request, context in try await self.restoreContact(request, context) }
        router.put("/v1/contacts/:id/favourite") { _, context in try await self.setFavourite(true, context) }
        router.delete("/v1/contacts/:id/favourite") { _, context in try await self.setFavourite(false, context) }
        router.get("/v1/sections") { request, _ in try await self.sections(request) }
        router.get("/v1/groups") { _, _ in
            guard await self.addressBooks.waitUntilServed() else { throw ProblemDetails.loading }
            let groups = try await self.lists.groups(of: self.addressBooks.directory.snapshot)
            return try JSONResponse.ok(report: groups)
        }
    }

    private func wholeContact(_ context: ServiceContext) async throws -> Response {
        JSONResponse.ok(try await document(of: try await contact(context)))
    }

    /// The object of one contact, with all that the service knows of it.
    /// `avatars`: nil: the keys that the service knows.
    func document(of contact: Contact, avatars: AvatarKeys.Keys? = nil) async throws -> [UInt8] {
        let (directory, keys) = (addressBooks.directory, avatars ?? addressBooks.avatarKeys.keys(of: contact.id))
        var more = ContactDocument.More(isFavourite: directory.isFavourite(contact.id), also: [])
        if let packed = directory.packed(contact.id) {
            more.also = try await lists.others(of: packed, in: directory.snapshot)
        }
        var json = ContactDocument.bytes(contact, avatars: keys, isWhole: true)
        more.add(to: &json)
        return json
    }

    /// Maximum bytes of a requested id: what a request's target can contain.
    static let longestID = 4_096

    /// The contact in the path; throws `contact-not-found`. `isSentOnce`: see `waitUntilServed`.
    func contact(_ context: ServiceContext, isSentOnce: Bool = false) async throws(ProblemDetails) -> Contact {
        try await contact(context.parameters.get("id") ?? "", isSentOnce: isSentOnce)
    }

    /// The contact with this percent-encoded id. While the books are being read, the request waits.
    func contact(_ escaped: String, isSentOnce: Bool = false) async throws(ProblemDetails) -> Contact {
        guard let id = PercentEncoding.decodeStrictly(escaped.utf8), id.utf8.count <= Self.longestID else {
            throw .contactNotFound
        }
        // A contact that is known already is served while the rest is still being read.
        if let contact = addressBooks.directory.contact(id) { return contact }
        let isRead = await addressBooks.waitUntilServed(isSentOnce: isSentOnce)
        if let contact = addressBooks.directory.contact(id) { return contact }
        throw isRead ? .contactNotFound : .loading
    }

    private func contacts(_ request: Request) async throws -> Response {
        let (target, revision) = (request.head.path ?? "", pages.revision)
        let query = try ContactQuery(request.uri)
        if query.fields == .index, let known = indexes.response(to: target, revision) { return known.response }
        let list = try await list(query)
        let page = try query.page(of: list)
        if query.fields == .index {
            let avatars = addressBooks.avatarKeys.all
            let items = try await lists.text(for: target, of: list) {
                Array(list.index(of: page.items, variant: query.variant, avatars: avatars).joined())
            }
            let response = response(page, of: list, size: items.count) { $0 += items }
            indexes.store(response, to: target, at: revision)
            return response.response
        }
        let avatars = addressBooks.avatarKeys
        // A page that no event loop made is a large one, or has to look for what matched: not on a thread that other requests need.
        let items = try await lists.text(for: target, of: list) {
            var json: [UInt8] = []
            list.add(page.items, variant: query.variant, avatars: avatars, to: &json)
            return json
        }
        let response = response(page, of: list, size: items.count) { $0 += items }
        pages.store(response, to: target, since: revision)
        return response.response
    }

    /// What an event loop writes in about a millisecond.
    private static let mostOnLoop = (contacts: 200, bytes: 256 << 10)

    /// The page with this target, if it needs no waiting and little work, so that event loops can make it: contacts of a list that
    /// is known, without a search. Nil: the router has to respond, which also reports what is wrong.
    func page(_ target: String) -> EncodedResponse? {
        // Before anything is read: a page that a change overtakes must not be kept.
        let revision = pages.revision
        guard let query = try? ContactQuery(URI(target)), query.fields == .all, query.choice.search.isEmpty,
            addressBooks.isServed, let snapshot = addressBooks.directory.madeSnapshot,
            let list = lists.known(query.choice, of: snapshot), query.start?.isFound(in: list) ?? true,
            let page = try? query.page(of: list), page.items.count <= Self.mostOnLoop.contacts
        else { return nil }
        var isSmall = true
        let response = response(page, of: list) { json in
            isSmall = list.add(
                page.items, variant: query.variant, avatars: addressBooks.avatarKeys, most: Self.mostOnLoop.bytes,
                to: &json)
        }
        guard isSmall else { return nil }
        pages.store(response, to: target, since: revision)
        return response
    }

    /// `add`: appends the contacts, which have about `size` bytes.
    private func response(
        _ page: ContactQuery.Page, of list: ContactList, size: Int? = nil, add: (inout [UInt8]) -> Void
    ) -> EncodedResponse {
        var json = head(of: list)
        json.reserveCapacity(size ?? 768 * page.items.count + 1_024)
        json += ",\"offset\":\(page.items.lowerBound),\"items\":[".utf8
        add(&json)
        let next = page.next.map { ContactCursor(offset: $0, id: list[$0 - 1].id).text }
        json += "],\"next\":\(next.map { JSONEscapes.quoted($0, style: .markup) } ?? "null")}".utf8
        return JSONResponse.fast(json)
    }

    private func sections(_ request: Request) async throws -> Response {
        let (target, revision) = (request.head.path ?? "", pages.revision)
        let query = try ContactQuery(request.uri)
        let list = try await list(query)
        var json = head(of: list)
        json += ",\"sections\":".utf8
        json += try await lists.text(for: target, of: list) {
            (try? JSONReport.encode(list.sections(query.variant))) ?? Array("[]".utf8)
        }
        json.append(UInt8(ascii: "}"))
        let response = JSONResponse.fast(json)
        pages.store(response, to: target, since: revision)
        return response.response
    }

    private func list(_ query: ContactQuery) async throws(ProblemDetails) -> ContactList {
        guard await addressBooks.waitUntilServed() else { throw .loading }
        return try await lists.list(query.choice, of: addressBooks.directory.snapshot)
    }

    /// The members that pages and sections have in common; the object is open.
    private func head(of list: ContactList) -> [UInt8] {
        let revision = addressBooks.revision(list.snapshot.revision)
        return Array("{\"total\":\(list.count),\"revision\":\"\(revision)\"".utf8)
    }
}
