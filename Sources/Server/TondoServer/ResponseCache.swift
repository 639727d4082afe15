internal import Dispatch
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// Avatars and pages of the contact list that were requested lately, ready to be written, by the exact address they were
/// requested by, and whether the client accepts WebP.
///
/// Used on event loops: the lock is held for a table lookup only. Responses that a change of the books invalidates are
/// removed before its event is published.
final class ResponseCache: Sendable {
    /// What an answer depends on: on one contact, or on all of them, such as whose a mail address is.
    enum Owner: Hashable {
        case contact(String)
        case addresses
    }

    private enum Answer {
        case image(AvatarResponse)
        /// Without an entity tag: it is sent whole each time.
        case page(EncodedResponse)

        func response(ifNoneMatch: String?) -> EncodedResponse {
            switch self {
            case .image(let image): image.response(ifNoneMatch: ifNoneMatch)
            case .page(let page): page
            }
        }
    }

    private struct Entry {
        let response: Answer
        let owner: Owner
        /// Nanoseconds of `now`; nil: good until a change.
        let end: UInt64?
    }

    private struct State {
        var responses: LRUCache<String, Entry>
        var targets: [Owner: Set<String>] = [:]
        /// The last allowed host name: most clients use only one.
        var host: String?
        /// It is a loopback name.
        var isLoopback = false
        var revision = 0

        mutating func disown(_ target: String, of owner: Owner) {
            targets[owner]?.remove(target)
            if targets[owner]?.isEmpty == true { targets[owner] = nil }
        }

        mutating func remove(_ owner: Owner) {
            for target in targets.removeValue(forKey: owner) ?? [] { responses.remove(target) }
        }
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> UInt64
    /// Maximum bytes of a remembered target.
    private static let longestTarget = 1_024

    /// `limit`: bytes of avatars and their overhead. `now`: monotonic nanoseconds; replaced in tests.
    init(limit: Int = 16 << 20, now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
        state = Mutex(State(responses: LRUCache(limit: limit)))
        self.now = now
    }

    /// To be read before any lookup, and passed to `store` later.
    var revision: Int { state.withLock { $0.revision } }

    var count: Int { state.withLock { $0.responses.count } }

    /// Nil: the router has to respond, also with refusals. For requests from other machines, only paths that are always
    /// open are served here: the router checks the token.
    func response(
        _ head: HTTPRequestHead, from peer: ConnectionPeer, guard requestGuard: RequestGuard
    ) -> EncodedResponse? {
        // Nothing is served to phones without a token, which the router checks.
        if case .phone = peer { return nil }
        guard head.method == .GET || head.method == .HEAD, let fields = Fields(head.headers) else { return nil }
        let name = Self.name(head.uri, acceptsWebP: fields.acceptsWebP)
        let (entry, isTrusted, isLoopback) = state.withLock { state -> (Entry?, Bool, Bool) in
            (state.responses.get(name), fields.host == state.host && fields.host != nil, state.isLoopback)
        }
        guard let entry, entry.end.map({ now() < $0 }) ?? true else { return nil }
        let isLocal: Bool
        if isTrusted {
            isLocal = isLoopback && peer.isOwnMachine && !fields.isForwarded
        } else {
            let request = RequestGuard.Credentials(
                method: head.method.rawValue, target: head.uri, host: fields.host, connection: peer,
                isForwarded: fields.isForwarded)
            guard requestGuard.problem(request) == nil else { return nil }
            isLocal = request.isLocal
            state.withLock {
                $0.host = fields.host
                $0.isLoopback = request.host?.isLoopback ?? false
            }
        }
        // The router decides about pages of other sites, and about the tokens of other machines.
        if isLocal ? fields.isCrossSite : !head.uri.hasPrefix("/avatar/") { return nil }
        var response = entry.response.response(ifNoneMatch: fields.ifNoneMatch)
        response.isCrossOrigin = !isLocal
        return response
    }

    /// What responses are stored under: a target, which has no blanks. Without the mark for clients that accept PNG only, so
    /// that pages, which have one form, are found under their address.
    static func name(_ target: String, acceptsWebP: Bool) -> String { acceptsWebP ? target + " webp" : target }

    /// Stores the response for `target`, a `name`, unless something has changed since `revision`. `lifetime`: nil until a change.
    func store(
        _ response: AvatarResponse, to target: String, of owner: Owner, since revision: Int,
        for lifetime: Duration? = nil
    ) {
        let end = lifetime.map { now() + UInt64($0 / .nanoseconds(1)) }
        let entry = Entry(response: .image(response), owner: owner, end: end)
        keep(entry, to: target, since: revision, size: response.size)
    }

    /// Keeps a page of the contact list until anything changes, unless something has changed since `revision`.
    func store(_ page: EncodedResponse, to target: String, since revision: Int) {
        let size = page.head.storageCapacity + (page.body?.storageCapacity ?? 0) + 512
        keep(Entry(response: .page(page), owner: .addresses, end: nil), to: target, since: revision, size: size)
    }

    private func keep(_ entry: Entry, to target: String, since revision: Int, size: Int) {
        guard target.utf8.count <= Self.longestTarget else { return }
        state.withLock { state in
            guard state.revision == revision else { return }
            if let last = state.responses.remove(target) { state.disown(target, of: last.owner) }
            state.targets[entry.owner, default: []].insert(target)
            // Two tables hold the target.
            for gone in state.responses.put(entry, for: target, cost: size + 2 * target.utf8.count) {
                state.disown(gone.key, of: gone.value.owner)
            }
        }
    }

    /// Removes responses that may be outdated. Every change may change the owner of a mail address.
    func forget(_ change: AddressBookService.Change) {
        state.withLock { state in
            state.revision += 1
            switch change {
            case .contact(let id):
                state.remove(.contact(id))
                state.remove(.addresses)
            case .allContacts:
                state.responses.removeAll()
                state.targets = [:]
            }
        }
    }
}

extension ResponseCache {
    /// The relevant fields of a request, found in one pass.
    struct Fields {
        var host: String?
        var ifNoneMatch: String?
        var acceptsWebP = false
        var isForwarded = false
        /// A page of another site makes the browser send it; on this machine the router has to look closer.
        var isCrossSite = false

        /// Nil for a request with a body.
        init?(_ headers: HTTPHeaders) {
            for (name, value) in headers {
                switch name.utf8.count {
                case 4 where Self.isEqual(name, "host"): host = value
                case 6 where Self.isEqual(name, "origin"): isCrossSite = isCrossSite || PublicOrigin.isElsewhere(value)
                case 6 where Self.isEqual(name, "accept"):
                    acceptsWebP = acceptsWebP || FormatPreference.acceptsWebP(value)
                case 13 where Self.isEqual(name, "if-none-match"):
                    ifNoneMatch = ifNoneMatch.map { $0 + ", " + value } ?? value
                case 14 where Self.isEqual(name, "content-length"): return nil
                case 14 where Self.isEqual(name, "sec-fetch-site"): isCrossSite = isCrossSite || value == "cross-site"
                case 17 where Self.isEqual(name, "transfer-encoding"): return nil
                default: isForwarded = isForwarded || ProxyHeaders.isProxyHeader(name)
                }
            }
        }

        /// `lower`: lower-case letters and hyphens.
        private static func isEqual(_ name: String, _ lower: StaticString) -> Bool {
            lower.withUTF8Buffer { lower in name.utf8.elementsEqual(lower) { $0 | 0x20 == $1 } }
        }
    }
}
