internal import Hummingbird
internal import NIOHTTP1
internal import SystemPackage
internal import TondoAvatars
internal import TondoContacts
internal import TondoText

/// The cards of a contact, and those of all books: what a client shows, by data.
extension AvatarService {
    /// `GET /v1/cards` and `/v1/contacts/{id}/cards`; below both, `/{card}` is one card, and `/{card}/rows` more of its rows.
    func addCards(to router: Router<ServiceContext>) {
        router.get("/v1/cards") { _, _ in try Self.response(try await self.bookCards(), path: Self.bookPath) }
        router.get("/v1/cards/:card") { _, context in
            try Self.card(context, of: try await self.bookCards(), path: Self.bookPath)
        }
        router.get("/v1/cards/:card/rows") { request, context in
            try Self.rows(request, context: context, of: try await self.bookCards(), path: Self.bookPath)
        }
        router.get("/v1/contacts/:id/cards") { _, context in
            let contact = try await self.contact(context)
            return try Self.response(contact.cards, path: Self.path(of: contact))
        }
        router.get("/v1/contacts/:id/cards/:card") { _, context in
            let contact = try await self.contact(context)
            return try Self.card(context, of: contact.cards, path: Self.path(of: contact))
        }
        router.get("/v1/contacts/:id/cards/:card/rows") { request, context in
            let contact = try await self.contact(context)
            return try Self.rows(request, context: context, of: contact.cards, path: Self.path(of: contact))
        }
    }

    private static let bookPath = "/v1/cards"

    private static func path(of contact: Contact) -> String {
        "/v1/contacts/\(PercentEncoding.encode(contact.id, as: .pathSegment))/cards"
    }

    private func bookCards() async throws(ProblemDetails) -> [Card] {
        guard await addressBooks.waitUntilServed() else { throw .loading }
        let snapshot = addressBooks.directory.snapshot
        let groups = try await lists.groups(of: snapshot)
        return BookCards.cards(
            addressBooks.progress, names: BookCards.names(of: addressBooks.books), contacts: snapshot.count,
            groups: groups, path: Self.bookPath)
    }

    private static func response(_ cards: [Card], path: String) throws -> Response {
        try JSONResponse.ok(report: ["items": cards.map { $0.beginning(path: "\(path)/\($0.id)") }])
    }

    private static func card(_ context: ServiceContext, of cards: [Card], path: String) throws -> Response {
        let card = try found(context, in: cards)
        return try JSONResponse.ok(report: card.beginning(path: "\(path)/\(card.id)"))
    }

    private static func rows(
        _ request: Request, context: ServiceContext, of cards: [Card], path: String
    ) throws -> Response {
        let card = try found(context, in: cards)
        let text = request.uri.queryParameters["offset"].map { String($0) } ?? "0"
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let offset = Int(text) else {
            throw ProblemDetails.badParameter("offset", "0 or more")
        }
        return try JSONResponse.ok(report: CardRows(all: card.rows, offset: offset, path: "\(path)/\(card.id)"))
    }

    private static func found(_ context: ServiceContext, in cards: [Card]) throws(ProblemDetails) -> Card {
        guard let card = cards.first(where: { $0.id == context.parameters.get("card") }) else {
            throw ProblemDetails(.notFound, code: "card-not-found", detail: "There is no such card.")
        }
        return card
    }
}

/// The cards of the books. Pure.
enum BookCards {
    /// What people call the books: the names of their files and folders, never where these are. A name that several
    /// have, and one that is empty, is nil.
    static func names(of books: [FilePath]) -> [String?] {
        let names = books.map { $0.lastComponent?.string ?? "" }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return names.map { $0.isEmpty || counts[$0] != 1 ? nil : $0 }
    }

    /// The summary, the groups, and a card for each book, whose header is its name, or its number where it has none of
    /// its own. `names`: by the numbers of the books; `path`: of all cards.
    static func cards(
        _ books: [AddressBookService.Progress], names: [String?] = [], contacts: Int, groups: [GroupSummary],
        path: String
    ) -> [Card] {
        var summary = Card(
            "summary",
            [
                .init("contacts", String(contacts)), .init("groups", String(groups.count)),
                .init("books", String(books.count)), .init("avatars", String(books.reduce(0) { $0 + $1.avatars })),
                .init("failed", String(books.reduce(0) { $0 + $1.failed })),
            ])
        summary.spacing = 0
        var members = Card("groups", groups.map { .init("group", $0.name, note: "\($0.online)/\($0.total)") })
        members.fold = false
        return [summary] + (groups.isEmpty ? [] : [members])
            + books.map { book in
                card(of: book, name: names.indices.contains(book.book) ? names[book.book] : nil, path)
            }
    }

    private static func card(of book: AddressBookService.Progress, name: String?, _ path: String) -> Card {
        let number = String(book.book + 1)
        var card = Card("source", id: "book-\(number)", title: "book")
        card.header = name ?? number
        if let problem = book.problem {
            card.error = Card.Failure(
                code: problem, detail: "Book \(number) cannot be read.", retry: "\(path)/\(card.id)")
            return card
        }
        card.rows = [.init("contacts", String(book.people))]
        if !book.unreadable.isEmpty { card.rows.append(.init("unreadable", String(book.unreadable.count))) }
        card.fold = book.unreadable.isEmpty
        return card
    }
}
