internal import TondoMirror

/// What a CardDAV source remembers between runs, in the attributes of its mirror.
struct CardDAVMemory: Equatable {
    struct Collection: Equatable {
        let url: WebURL
        /// Empty: none.
        var token = ""
        var ctag: String?
        /// The server does not know `sync-collection`.
        var hasNoReport = false
        /// The card at which the last run ceased to ask for failed ones alone: the next run goes on behind it. Nil: it came to all.
        var lastAlone: String?
    }

    /// A listed card that the mirror does not have in its version: it is asked for again, since later lists of changes lack it.
    struct Failed: Equatable {
        /// See `CardFailure`.
        var code: String
        /// The path as the server writes it.
        var href: String
        /// As it was listed; empty: unknown.
        var etag: String
    }

    private(set) var collections: [Collection] = []
    /// Servers of the account's domain that got its credentials.
    var servers: Set<WebURL.Origin> = []
    /// By the ids of members.
    var failed: [String: Failed] = [:]
    /// Whether the server permits changes in an address book, by its folder. Empty: the source is not written to.
    var permissions: [String: Bool] = [:]
    /// The folders of address books that took a change: one that is refused there is that of one card.
    var proven: Set<String> = []
    /// The last full listing; seconds since 1970.
    var full = 0
    /// What was remembered is about another URL or user.
    let isOfAnotherAccount: Bool
    private let source: String
    private let user: String

    /// A week: what a server's report forgets does not stay longer.
    private static let period = 7 * 86_400

    /// Another URL or user in the configuration means another account: nothing is remembered. A mirror of before has no user.
    init(attributes: [String: String], url: WebURL, user: String = "") {
        source = "\(url)"
        self.user = user
        let isSame = attributes["source"] == source && attributes["user"] ?? user == user
        isOfAnotherAccount = attributes["source"] != nil && !isSame
        guard isSame else { return }
        full = attributes["full"].flatMap { Int($0) } ?? 0
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
            let words = key.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            let name = String(words[1])
            switch words[0] {
            case "collection": if let url = WebURL(name) { add(url, token: value) }
            case "failed":
                let href = attributes["href \(name)"] ?? name
                failed[name] = Failed(code: value, href: href, etag: attributes["etag \(name)"] ?? "")
            case "writable": permissions[name] = value == MirrorState.yes
            case "taken": proven.insert(name)
            case "server": if let url = WebURL(name) { servers.insert(url.origin) }
            default: break
            }
        }
        for index in collections.indices {
            collections[index].ctag = attributes["ctag \(collections[index].url)"]
            collections[index].lastAlone = attributes["alone \(collections[index].url)"]
        }
    }

    private mutating func add(_ url: WebURL, token: String) {
        var collection = Collection(url: url)
        // A prefix, since tokens are any text.
        if token.hasPrefix("token ") { collection.token = String(token.dropFirst(6)) }
        collection.hasNoReport = token == "listed"
        collections.append(collection)
    }

    var attributes: [String: String] {
        var attributes = ["source": source, "user": user, "full": "\(full)"]
        for collection in collections {
            let token =
                collection.hasNoReport ? "listed" : collection.token.isEmpty ? "new" : "token \(collection.token)"
            attributes["collection \(collection.url)"] = token
            if let ctag = collection.ctag { attributes["ctag \(collection.url)"] = ctag }
            if let last = collection.lastAlone { attributes["alone \(collection.url)"] = last }
        }
        for (id, card) in failed {
            attributes["failed \(id)"] = card.code
            if card.href != id { attributes["href \(id)"] = card.href }
            if !card.etag.isEmpty { attributes["etag \(id)"] = card.etag }
        }
        for (folder, isPermitted) in permissions {
            attributes[MirrorState.writable + folder] = isPermitted ? MirrorState.yes : "no"
        }
        for folder in proven { attributes["taken \(folder)"] = "" }
        for origin in servers { attributes["server \(origin)"] = "" }
        return attributes
    }

    /// The book is listed as a whole again.
    mutating func forgetList(of url: WebURL) {
        guard let index = collections.firstIndex(where: { $0.url == url }) else { return }
        collections[index].token = ""
        collections[index].ctag = nil
    }

    /// Keeps what is known about collections that stay.
    mutating func take(_ urls: [WebURL]) {
        collections = urls.map { url in collections.first { $0.url == url } ?? Collection(url: url) }
    }

    /// Everything that was listed is in the mirror, or is one of `failed`.
    mutating func set(_ token: String, ctag: String?, hasNoReport: Bool, of url: WebURL) {
        guard let index = collections.firstIndex(where: { $0.url == url }) else { return }
        collections[index].token = token
        collections[index].ctag = ctag
        collections[index].hasNoReport = hasNoReport
    }

    mutating func set(lastAlone: String?, of url: WebURL) {
        guard let index = collections.firstIndex(where: { $0.url == url }) else { return }
        collections[index].lastAlone = lastAlone
    }

    /// The first run is due, too, and so is one after the clock was set back.
    func isDue(_ now: Int) -> Bool { now - full >= Self.period || now < full }
}
