/// What a server reports about the members of one collection, without the cards: a full listing, or the changes since a
/// token. Decides what a response means; holds no connection.
package struct CollectionListing: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        /// The path as the server writes it, for requests.
        package let href: String
        /// As in `getetag`; empty: the server reports none.
        package let etag: String
    }

    /// By the id of their path.
    package private(set) var members: [String: Member] = [:]
    /// Members that the server reports as deleted.
    package private(set) var gone: Set<String> = []
    /// The server has more than it reports (RFC 6578 section 3.6).
    package private(set) var isPartial = false
    /// The collection itself was listed.
    package private(set) var hasSelf = false
    /// Properties of the collection itself.
    package private(set) var syncToken: String?
    package var ctag: String?

    private let url: WebURL
    private let folder: String

    /// Members, and deletions that are reported: a server that goes on and on must not fill the memory.
    private let most: Int

    /// `url`: of the collection.
    package init(of url: WebURL, most: Int = 1_000_000) {
        (self.url, self.most, folder) = (url, most, DAVPath.folder(url.path))
    }

    package mutating func take(_ response: DAVResponse) throws(SyncError) {
        guard members.count + gone.count < most else {
            throw .unsupported("the server lists more than \(most) cards")
        }
        for href in response.hrefs { take(response, href) }
    }

    private mutating func take(_ response: DAVResponse, _ href: String) {
        // Only the path counts: behind proxies, servers write hosts and ports of their own.
        guard let target = url.resolve(href) else { return }
        let id = DAVPath.id(target.path)
        if id == folder || id + "/" == folder { return takeSelf(response) }
        guard DAVPath.isMember(id, of: folder), !response.types.contains(DAVNames.collection) else { return }
        switch response.status {
        case nil, 200, 201:
            // A property that is missing is not a member that is missing.
            members[id] = Member(href: target.path, etag: response.etag ?? "")
            gone.remove(id)
        case 404: if members[id] == nil { gone.insert(id) }
        case 507: isPartial = true
        default: break
        }
    }

    private mutating func takeSelf(_ response: DAVResponse) {
        if response.status == 507 { isPartial = true } else { hasSelf = true }
        syncToken = response.syncToken ?? syncToken
        ctag = response.ctag ?? ctag
    }

    /// Begins the next part of a report.
    mutating func beginPart() { isPartial = false }

    /// The members whose cards have to be fetched, in order of their paths. `version`: what the mirror has.
    package func wanted(_ version: (String) -> String?) -> [(id: String, member: Member)] {
        members.filter { id, member in member.etag.isEmpty || version(id) != member.etag }
            .sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The ids among `known` that a full listing does not have.
    package func missing(among known: some Sequence<String>) -> Set<String> {
        Set(known.filter { DAVPath.isMember($0, of: folder) && members[$0] == nil })
    }
}
