/// Finds the address books of an account: from a URL of one book, of a home, of a server or of a domain (RFC 6764, RFC 6352
/// section 6 and 7).
package struct Discovery {
    package struct Book: Equatable, Sendable {
        package let url: WebURL
        package let name: String?
    }

    package struct Found: Equatable, Sendable {
        package var books: [Book] = []
        /// Homes that did not answer with a listing: what is in them is unknown.
        package var unlisted: [WebURL] = []
    }

    private let client: DAVClient
    /// Names of services in DNS (RFC 2782), of a domain.
    private let services: (String) -> [DNSService]

    package init(_ client: DAVClient, services: @escaping (String) -> [DNSService] = DNSLookup.cardDAV) {
        (self.client, self.services) = (client, services)
    }

    /// Of homes, and of the books in each.
    private static let most = 100
    /// Of Nextcloud: the accounts of all users.
    private static let skipped = ["z-server-generated--system"]

    /// In the order of their paths; throws if there is none. The URL itself comes first: it may be a book, or a server that
    /// needs nothing else. The domain's services are asked for only if that finds nothing.
    package func find(at url: WebURL) throws(SyncError) -> Found {
        var failure: SyncError?
        let isBare = url.path == "/"
        let own = isBare ? [url, WebURL(url.origin, path: "/.well-known/carddav")] : [url]
        if let found = try find(atFirstOf: own, &failure) { return found }
        if isBare, !url.origin.isLoopback {
            let servers = services(url.origin.host).compactMap { $0.url(for: url.origin) }
            for server in servers { client.trust(server.origin) }
            if let found = try find(atFirstOf: servers, &failure) { return found }
        }
        throw failure ?? .noAddressBook("\(url)")
    }

    /// Nil: none of them has a book.
    private func find(atFirstOf starts: [WebURL], _ failure: inout SyncError?) throws(SyncError) -> Found? {
        for start in starts {
            do throws(SyncError) {
                if let found = try find(from: start), !found.books.isEmpty { return found }
            } catch {
                // A wrong password must not be tried at each place.
                if case .unauthorized = error { throw error }
                if case .cancelled = error { throw error }
                failure = failure ?? error
            }
        }
        return nil
    }

    /// Nil: the URL leads to nothing.
    private func find(from url: WebURL) throws(SyncError) -> Found? {
        var (found, base) = (DAVResponse(), url)
        let reply = try client.propfind(url, depth: 0, DAVBody.discovery) { found.take($0) }
        guard reply.status == 207 else { return nil }
        base = reply.url
        if found.types.contains(DAVNames.addressBook) {
            return Found(books: [Book(url: base, name: found.displayName)])
        }
        var (result, homes) = (Found(), found.homes)
        if homes.isEmpty, let principal = found.principal.flatMap({ base.resolve($0) }) {
            var own = DAVResponse()
            let reply = try client.propfind(principal, depth: 0, DAVBody.discovery) { own.take($0) }
            if reply.status == 207 {
                (homes, base) = (own.homes, reply.url)
            } else {
                // Its homes may be anywhere.
                result.unlisted.append(WebURL(base.origin, path: "/"))
            }
        }
        for home in homes.compactMap({ base.resolve($0) }).prefix(Self.most) { try children(of: home, &result) }
        // The URL of a home, on a server without principals.
        if result.books.isEmpty, found.types.contains(DAVNames.collection) { try children(of: base, &result) }
        return result
    }

    private func children(of home: WebURL, _ result: inout Found) throws(SyncError) {
        var found: [(href: String, name: String?)] = []
        var (isListed, isCut) = (false, false)
        let reply = try client.propfind(
            home, depth: 1, DAVBody.collections, restart: { found = [] },
            { response in
                isListed = true
                isCut = isCut || response.status == 507
                guard response.types.contains(DAVNames.addressBook), let href = response.hrefs.first,
                    found.count < Self.most
                else { return }
                found.append((href, response.displayName))
            })
        // One that is gone has no books. An answer without even the home itself is no listing.
        if !(reply.status == 207 && isListed && !isCut), ![404, 410].contains(reply.status) {
            result.unlisted.append(home)
        }
        guard reply.status == 207 else { return }
        var seen: Set<String> = []
        result.books += found.compactMap { href, name -> Book? in
            guard var url = reply.url.resolve(href) else { return nil }
            // iCloud lists other partitions, Nextcloud behind a proxy its own name; credentials stay where they are.
            if !reply.url.origin.shares(with: url.origin) { url.origin = reply.url.origin }
            if !url.path.hasSuffix("/") { url.path += "/" }
            let isSkipped = Self.skipped.contains { DAVPath.id(url.path).hasSuffix("/\($0)/") }
            return !isSkipped && seen.insert(DAVPath.id(url.path)).inserted ? Book(url: url, name: name) : nil
        }.sorted { $0.url.path < $1.url.path }
    }
}
