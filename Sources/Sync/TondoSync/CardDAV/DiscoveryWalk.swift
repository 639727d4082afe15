/// The way from one URL to address books: the URL itself, its principal, the principal's homes, the collections in them.
struct DiscoveryWalk {
    private let client: DAVClient
    /// The books of the last run, by the ids of their folders.
    private let known: Set<String>
    private var result = Discovery.Found()
    /// Other paths for those that the server writes, behind a proxy that changes their beginnings.
    private var alias: PathAlias?

    init(_ client: DAVClient, known: Set<String>) {
        self.client = client
        self.known = known
    }

    /// Nil: the URL leads to nothing.
    consuming func find(from url: WebURL) throws(SyncError) -> Discovery.Found? {
        var found = DAVResponse()
        let reply = try client.propfind(url, depth: 0, body: DAVBody.discovery) { found.take($0, isOwn: true) }
        // A page, or nothing at all. Another status has a reason of its own, which the user has to know.
        if [200, 204, 404, 405, 410, 501].contains(reply.status) {
            // A proxy in front of the server lets people log in at a page, which no program can.
            let isPage = [200, 405].contains(reply.status) && reply.url.folder != url.folder
            if isPage {
                throw .noAddressBook("\(url): it leads to \(reply.url.origin)\(reply.url.path), perhaps a login")
            }
            return nil
        }
        guard reply.status == 207 else { throw reply.refusal(of: "PROPFIND") }
        var base = reply.url
        if found.types.contains(DAVNames.addressBook) {
            return Discovery.Found(books: [.init(url: base, name: found.displayName)])
        }
        note(found, at: base)
        let homes = try homes(of: found, base: &base)
        guard homes.count <= Discovery.most else { throw Self.tooMany("homes", at: reply.url) }
        for home in homes { try children(of: home) }
        guard result.books.isEmpty, found.types.contains(DAVNames.collection) else { return result }
        // The URL of a home, on a server without principals.
        let holdsCards = try children(of: reply.url)
        // The user named this collection: it is a book, although the server does not say so.
        if result.books.isEmpty, isPlainBook(found, at: reply.url, holdsCards: holdsCards) {
            result.books = [.init(url: reply.url.folder, name: found.displayName)]
            result.unlisted = []
        }
        return result
    }

    /// A plain collection, as of Zarafa, or one of GroupDAV: what holds cards, or did so in the last run. A calendar is none, and
    /// neither is a server's root, which says nothing about what the user wants.
    private func isPlainBook(_ found: DAVResponse, at url: WebURL, holdsCards: Bool) -> Bool {
        let others = [DAVNames.calendar, DAVNames.principalType]
        if found.types.contains(DAVNames.groupBook) { return true }
        guard url.path != "/", found.types.isDisjoint(with: others) else { return false }
        return holdsCards || known.contains(DAVPath.folder(url.path))
    }

    /// `base`: becomes the URL that the homes are relative to.
    private mutating func homes(of found: DAVResponse, base: inout WebURL) throws(SyncError) -> [WebURL] {
        var homes = found.homes
        if homes.isEmpty, let principal = found.principal.flatMap({ place($0, at: base) }) {
            var own = DAVResponse()
            let reply = try propfind(principal, depth: 0, body: DAVBody.discovery) { own.take($0, isOwn: true) }
            if reply.status == 207 {
                homes = own.homes
                base = reply.url
            } else {
                // Its homes may be anywhere.
                result.unlisted.append(WebURL(base.origin, path: "/"))
            }
        }
        let start = base
        return homes.compactMap { place($0, at: start) }
    }

    /// Where a reference leads: iCloud lists other partitions, and servers behind proxies write names and ports of their own, such as
    /// http where the proxy has https; credentials stay where they are.
    private func place(_ reference: String, at base: WebURL) -> WebURL? {
        guard var url = base.resolve(reference) else { return nil }
        if !base.origin.shares(with: url.origin), !client.trusted.contains(url.origin) { url.origin = base.origin }
        return url
    }

    /// Adds the books in a collection. True: it holds cards itself.
    @discardableResult
    private mutating func children(of home: WebURL) throws(SyncError) -> Bool {
        var listing = HomeListing()
        let reply = try propfind(
            home, depth: 1, body: DAVBody.collections, restart: { listing = HomeListing() },
            output: { listing.take($0) })
        // One that is gone has no books. An answer without even the home itself is no listing.
        if !(reply.status == 207 && listing.isListed && !listing.isCut), ![404, 410].contains(reply.status) {
            result.unlisted.append(home)
        }
        guard reply.status == 207 else { return false }
        guard listing.books.count <= Discovery.most else { throw Self.tooMany("address books", at: home) }
        var books: [Discovery.Book] = []
        for found in listing.books {
            if let book = book(found.href, named: found.name, in: reply.url) { books.append(book) }
        }
        result.books += try placed(books, listing: listing, home: reply.url).sorted { $0.url.path < $1.url.path }
        return listing.holdsCards
    }

    private func book(_ href: String, named name: String?, in home: WebURL) -> Discovery.Book? {
        guard let url = place(href, at: home)?.folder else { return nil }
        let isSkipped = Discovery.skipped.contains { DAVPath.id(url.path).hasSuffix("/\($0)/") }
        return isSkipped ? nil : Discovery.Book(url: url, name: name)
    }

    /// Each book once. Where the server calls the home by another path, the first book shows by which of the two it is reached.
    private mutating func placed(
        _ books: [Discovery.Book], listing: HomeListing, home: WebURL
    ) throws(SyncError) -> [Discovery.Book] {
        var seen = Set(result.books.map { DAVPath.folder($0.url.path) })
        var books = books.filter { seen.insert(DAVPath.folder($0.url.path)).inserted }
        let isInside = listing.paths(home).contains { DAVPath.folder($0) == DAVPath.folder(home.path) }
        guard let first = books.first, !isInside || alias != nil else { return books }
        if alias == nil, let own = listing.own(home) { alias = PathAlias(requested: home.path, written: own)?.prefix }
        guard let other = mapped(first.url) else { return books }
        let direct = try client.propfind(first.url, depth: 0, body: DAVBody.discovery) { _ in }
        if direct.status == 404 || direct.status == 403, other != first.url {
            books = books.map { Discovery.Book(url: mapped($0.url) ?? $0.url, name: $0.name) }
        }
        return books
    }

    private mutating func note(_ found: DAVResponse, at url: WebURL) {
        guard found.isFound, let path = found.hrefs.first.flatMap({ url.resolve($0) })?.path else { return }
        alias = PathAlias(requested: url.path, written: path)?.prefix
    }

    private func mapped(_ url: WebURL) -> WebURL? {
        var url = url
        guard let path = alias?.requested(DAVPath.id(url.path)) else { return nil }
        url.path = path
        return url
    }

    /// By the path that the server writes, else by the one that its proxy knows.
    private func propfind(
        _ url: WebURL, depth: Int, body: [UInt8], restart: () -> Void = {},
        output: @escaping (DAVResponse) throws -> Void
    ) throws(SyncError) -> DAVClient.Reply {
        let reply = try client.propfind(url, depth: depth, body: body, restart: restart, output: output)
        guard reply.status == 404, let other = mapped(url), other != url else { return reply }
        return try client.propfind(other, depth: depth, body: body, restart: restart, output: output)
    }

    private static func tooMany(_ what: String, at url: WebURL) -> SyncError {
        .unsupported("\(url) lists more than \(Discovery.most) \(what)")
    }
}

/// The collections and cards in a home, as its listing has them.
private struct HomeListing {
    private(set) var books: [(href: String, name: String?)] = []
    private(set) var isListed = false
    /// The server has more than it lists.
    private(set) var isCut = false
    private(set) var holdsCards = false
    /// Collections that are no books: one of them may be the home.
    private var others: [String] = []

    mutating func take(_ response: DAVResponse) {
        isListed = true
        isCut = isCut || response.status == 507
        guard let href = response.hrefs.first else { return }
        if response.types.contains(DAVNames.addressBook) {
            if books.count <= Discovery.most { books.append((href, response.displayName)) }
        } else if response.types.contains(DAVNames.collection) {
            if others.count < 100 { others.append(href) }
        } else if response.isFound {
            holdsCards = holdsCards || Self.isCard(href, type: response.contentType?.lowercased())
        }
    }

    private static func isCard(_ href: String, type: String?) -> Bool {
        let name = href.split(separator: "/").last ?? ""
        if name.lowercased().hasSuffix(".vcf") { return true }
        return type.map { $0.contains("vcard") || $0.hasPrefix("text/directory") }
            ?? !(name.contains(".") || href.hasSuffix("/"))
    }

    func paths(_ home: WebURL) -> [String] { others.compactMap { home.resolve($0)?.path } }

    /// What the server calls the home: the shortest of the collections.
    func own(_ home: WebURL) -> String? { paths(home).min { $0.utf8.count < $1.utf8.count } }
}
