/// What a server reports about the members of one collection, without the cards: a full listing, or the changes since a
/// token. Decides what a response means; holds no connection. Call `settle` once all responses were taken.
package struct CollectionListing: Equatable, Sendable {
    /// One card as the server lists it.
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
    /// Cards that the server lists outside of the collection, by their ids.
    package private(set) var strangers: Set<String> = []
    /// The server has more than it reports (RFC 6578 section 3.6).
    package private(set) var isPartial = false
    /// The collection itself was listed.
    package private(set) var hasSelf = false
    /// Properties of the collection itself.
    package private(set) var syncToken: String?
    /// As in `getctag`. The source sets it to nil where it cannot be relied on, see `CollectionTag`.
    package var ctag: String?

    private let url: WebURL
    private let folder: String
    /// The name that the server gives the collection, if it is another one.
    private var alias: PathAlias?
    /// Responses outside of the collection, until it is clear what the server calls it.
    private var outside: [Outside] = []

    private struct Outside: Equatable {
        let id: String
        let response: DAVResponse
        let href: String
    }

    /// Members, and deletions that are reported: a server that goes on and on must not fill the memory.
    private let most: Int

    /// Folders of the account's other books, which list their cards themselves.
    private let others: Set<String>

    /// `url`: of the collection; `books`: the URLs of all books of the account.
    package init(of url: WebURL, among books: [WebURL] = [], most: Int = 1_000_000) {
        self.url = url
        self.most = most
        folder = DAVPath.folder(url.path)
        others = Set(books.map { DAVPath.folder($0.path) }).subtracting([folder])
    }

    /// Reads an answer of depth 0, which is about the collection alone, whatever the server calls it.
    mutating func takeOwn(_ response: DAVResponse) {
        takeSelf(response)
        guard response.isFound, let href = response.hrefs.first, let path = url.resolve(href)?.path else { return }
        alias = PathAlias(requested: url.path, written: path)
    }

    /// What another answer of the same server calls the collection.
    mutating func takeAlias(of other: CollectionListing) { alias = other.alias }

    /// Takes one response of depth 1 or of a report. Throws `unsupported` once `most` members are exceeded.
    package mutating func take(_ response: DAVResponse) throws(SyncError) {
        guard members.count + gone.count + outside.count < most else {
            throw .unsupported("the server lists more than \(most) cards")
        }
        for href in response.hrefs { take(response, at: href) }
    }

    private mutating func take(_ response: DAVResponse, at href: String) {
        // Only the path counts: behind proxies, servers write hosts and ports of their own.
        guard let target = url.resolve(member: href) else { return note(stranger: href) }
        let id = DAVPath.id(target.path)
        if id == folder || id + "/" == folder { return takeSelf(response) }
        guard DAVPath.isMember(id, of: folder) else {
            // A path without its first slash (Baikal with such a base URI).
            if let rooted = rooted(href) { return take(response, id: DAVPath.id(rooted), href: rooted) }
            if let id = Self.member(id, of: folder, as: response) { return take(response, id: id, href: target.path) }
            if response.status == 507 { isPartial = true }
            // A server that reports the changes of a whole account: this book is not the other one under another name.
            if others.contains(Self.folder(of: id)) { return }
            // A name with a slash that is not escaped: a listing has direct members alone.
            if id.hasPrefix(folder), !id.hasSuffix("/") {
                let name = id.dropFirst(folder.count).replacing("/", with: "%2F")
                return take(response, id: folder + name, href: target.path)
            }
            return outside.append(Outside(id: id, response: response, href: target.path))
        }
        take(response, id: id, href: target.path)
    }

    /// The id without the slash at its end, which some servers write behind all paths; nil for a folder: what says that it is one, or
    /// has no name or type of a card, no tag, and is not gone.
    private static func plain(_ id: String, as response: DAVResponse) -> String? {
        guard id.hasSuffix("/") else { return id }
        let hasMark = response.etag != nil || [404, 410].contains(response.status ?? 0)
        return response.types.isEmpty && (hasMark || isNamedAsCard(response, id: id)) ? String(id.dropLast()) : nil
    }

    private static func isNamedAsCard(_ response: DAVResponse, id: String) -> Bool {
        id.lowercased().hasSuffix(".vcf/") || response.contentType?.lowercased().contains("vcard") == true
    }

    /// The id of a direct member of the folder, with a slash behind it or not.
    private static func member(_ id: String, of folder: String, as response: DAVResponse) -> String? {
        plain(id, as: response).flatMap { DAVPath.isMember($0, of: folder) ? $0 : nil }
    }

    private func rooted(_ href: String) -> String? {
        guard let path = url.resolve(member: "/" + href.drop { $0 == " " })?.path else { return nil }
        return DAVPath.isMember(DAVPath.id(path), of: folder) ? path : nil
    }

    private mutating func take(_ response: DAVResponse, id: String, href: String) {
        guard !response.types.contains(DAVNames.collection), !Self.isOther(response, id: id) else { return }
        switch response.status {
        case 404, 410: if members[id] == nil { gone.insert(id) }
        case 507: isPartial = true
        case let status? where !(200..<300 ~= status):
            // It is there, and its card is asked for: the answer to that decides.
            if members[id] == nil { members[id] = Member(href: href, etag: "") }
            gone.remove(id)
        default:
            // A property that is missing is not a member that is missing.
            members[id] = Member(href: href, etag: response.etag ?? "")
            gone.remove(id)
        }
    }

    /// What a folder may hold beside cards: files of other kinds, and what systems leave in every folder, such as macOS.
    private static func isOther(_ response: DAVResponse, id: String) -> Bool {
        let name = id.split(separator: "/").last.map { $0.lowercased() } ?? ""
        // Of the attributes of a file (AppleDouble), whose name, and so whose type, is that of the file.
        if name.hasPrefix("._") { return true }
        let type = response.contentType?.lowercased() ?? ""
        if name.hasSuffix(".vcf") || type.contains("vcard") || type.hasPrefix("text/directory") { return false }
        if name.hasPrefix(".") || otherNames.contains(where: name.hasSuffix) { return true }
        return otherTypes.contains(where: type.hasPrefix)
    }

    private static let otherTypes = [
        "text/calendar", "text/html", "image/", "application/pdf", "httpd/unix-directory",
    ]
    private static let otherNames = [
        ".ics", ".html", ".htm", ".txt", ".md", ".json", ".csv", ".ldif", ".jpg", ".jpeg", ".png", ".gif", ".pdf",
        ".zip", ".ini", ".db", ".bak", ".tmp", "~",
    ]

    private mutating func takeSelf(_ response: DAVResponse) {
        if response.status == 507 { isPartial = true } else { hasSelf = true }
        syncToken = response.syncToken ?? syncToken
        ctag = response.ctag ?? ctag
    }

    /// Begins the next part of a report.
    mutating func beginPart() { isPartial = false }

    /// Gives responses outside of the collection their place: a proxy that strips or adds the beginning of paths moves all of them
    /// alike. Where that is not beyond doubt, they are strangers.
    package mutating func settle() {
        // A card within the collection shows that its name is the one that was requested.
        let alias = members.isEmpty && gone.isEmpty ? alias ?? likelyAlias : nil
        for item in outside {
            if let id = alias?.requested(item.id + (item.id.hasSuffix("/") ? "" : "/")), id == folder {
                takeSelf(item.response)
            } else if let id = alias?.requested(item.id).flatMap({ Self.member($0, of: folder, as: item.response) }) {
                take(item.response, id: id, href: item.href)
            } else if Self.isCard(item.response, id: item.id) || isLostDeletion(item) {
                note(stranger: item.id)
            }
        }
        outside = []
    }

    /// Whether the response reports the deletion of a card that may be the collection's: to pass over it would lose it,
    /// since the token moves on.
    private func isLostDeletion(_ item: Outside) -> Bool {
        [404, 410].contains(item.response.status ?? 0) && PathAlias.isLikely(url.path, Self.folder(of: item.id))
    }

    /// All responses lie in one other folder of the same name, and none in the collection.
    private var likelyAlias: PathAlias? {
        // Deletions count, too: else they would be lost, and the token moves on.
        let ids = outside.compactMap { Self.plain($0.id, as: $0.response) }
        let parents = Set(ids.map { Self.folder(of: $0) })
        // One of them may be the collection itself.
        let folders = Set(ids.filter { !parents.contains($0 + "/") }.map { Self.folder(of: $0) })
        guard folders.count == 1, let written = folders.first, PathAlias.isLikely(url.path, written) else { return nil }
        return PathAlias(requested: url.path, written: written)
    }

    private static func folder(of id: String) -> String { id.lastIndex(of: "/").map { String(id[...$0]) } ?? "/" }

    private static func isCard(_ response: DAVResponse, id: String) -> Bool {
        !response.types.contains(DAVNames.collection) && !isOther(response, id: id)
            && (!id.hasSuffix("/") || isNamedAsCard(response, id: id))
            && (response.status.map { 200..<300 ~= $0 } ?? true)
    }

    private mutating func note(stranger: String) {
        if strangers.count < most { strangers.insert(stranger) }
    }

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
