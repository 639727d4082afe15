/// Finds the address books of an account: from a URL of one book, of a home, of a server or of a domain (RFC 6764, RFC 6352
/// section 6 and 7).
package struct Discovery {
    /// A collection that holds cards.
    package struct Book: Equatable, Sendable {
        /// Ends with a slash, unless the server calls the configured URL itself a book.
        package let url: WebURL
        /// As in `displayname`, which may hold any characters; nil: the server has none.
        package let name: String?
    }

    /// The result of one search for books.
    package struct Found: Equatable, Sendable {
        /// Each once; those of one home are in the order of their paths.
        package var books: [Book] = []
        /// Homes that did not answer with a listing: what is in them is unknown.
        package var unlisted: [WebURL] = []
    }

    private let client: DAVClient
    /// Names of services in DNS (RFC 2782), of a domain.
    private let services: (String) -> [DNSService]

    /// `services`: the servers of a domain, best first. It may block for the time limits of DNS.
    package init(_ client: DAVClient, services: @escaping (String) -> [DNSService] = DNSLookup.cardDAV) {
        self.client = client
        self.services = services
    }

    /// The most homes, and the most books in each. A server that lists more is refused: nothing is left out silently.
    static let most = 10_000
    /// The book of Nextcloud that holds the accounts of all users.
    static let skipped = ["z-server-generated--system"]

    /// In the order of their paths; throws if there is none. The URL itself comes first: it may be a book, or a server that
    /// needs nothing else. The domain's services are asked for only if that finds nothing. `known`: the books of the last run, by the
    /// ids of their folders.
    package func find(at url: WebURL, known: Set<String> = []) throws(SyncError) -> Found {
        var failure: SyncError?
        let isBare = url.path == "/"
        // Some servers know a collection by its path with a slash alone, and lead nowhere without.
        let spellings = url.path.hasSuffix("/") ? [url] : [url, url.folder]
        let own = isBare ? [url, WebURL(url.origin, path: "/.well-known/carddav")] : spellings
        if let found = try find(atFirstOf: own, known: known, failure: &failure) { return found }
        if isBare, !url.origin.isLoopback {
            let servers = services(url.origin.host).compactMap { $0.url(for: url.origin) }
            for server in servers { client.trust(server.origin) }
            if let found = try find(atFirstOf: servers, known: known, failure: &failure) { return found }
        }
        throw failure ?? .noAddressBook("\(url)")
    }

    /// Nil: none of them has a book.
    private func find(
        atFirstOf starts: [WebURL], known: Set<String>, failure: inout SyncError?
    ) throws(SyncError) -> Found? {
        for start in starts {
            do throws(SyncError) {
                if let found = try DiscoveryWalk(client, known: known).find(from: start), !found.books.isEmpty {
                    return found
                }
            } catch {
                // A wrong password must not be tried at each place.
                if case .unauthorized = error { throw error }
                if case .cancelled = error { throw error }
                failure = failure ?? error
            }
        }
        return nil
    }
}
