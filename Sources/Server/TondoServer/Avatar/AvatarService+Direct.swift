internal import Dispatch
package import NIOHTTP1
internal import TondoAvatars
internal import TondoContacts
internal import TondoText

/// Avatars that are not in memory, and pages of contacts, without the router: its tasks would take as long as finding a stored
/// avatar does.
extension AvatarService {
    /// The avatar of a contact, as `GET /v1/contacts/{id}/avatar` of the router gives it, or a page of `GET /v1/contacts`.
    /// Never blocks; `done` is called once, on a thread of the pipeline or on this one. False, and no call: the router has to
    /// respond, which also reports whatever is wrong with the request.
    package func respond(
        to head: HTTPRequestHead, from peer: ConnectionPeer, done: @escaping @Sendable (EncodedResponse) -> Void
    ) -> Bool {
        let isPage = head.uri.hasPrefix(Self.pagePath + "?")
        guard head.method == .GET || head.method == .HEAD, let id = isPage ? "" : Self.contactID(of: head.uri),
            let fields = ResponseCache.Fields(head.headers)
        else { return false }
        let begin = DispatchTime.now().uptimeNanoseconds
        let credentials = RequestGuard.Credentials(head, fields: fields, from: peer)
        guard requestGuard.problem(seeing: credentials) == nil else { return false }
        if isPage {
            guard var page = page(head.uri) else { return false }
            page.isCrossOrigin = requestGuard.allowsOtherOrigins(credentials)
            count(page, of: Self.pagePath, since: begin)
            done(page)
            return true
        }
        guard let contact = addressBooks.directory.contact(id),
            let query = try? AvatarQuery(
                Self.query(of: head.uri), styles: options.styles, acceptsWebP: fields.acceptsWebP,
                quality: options.webPQuality),
            query.waits, query.key == nil
        else { return false }
        // Before the request is made: a response that a change overtakes must not be kept.
        let revision = responseCache.revision
        let target = ResponseCache.name(head.uri, acceptsWebP: fields.acceptsWebP)
        let isCrossOrigin = requestGuard.allowsOtherOrigins(credentials)
        addressBooks.avatars(of: contact, styles: styleSets.set(query.style)) { [self] result in
            var response: EncodedResponse
            let served = LoadedAvatar(result, output: options.output)
            do throws(ProblemDetails) {
                let whole = try answer(served, for: query, of: contact, as: target, since: revision)
                response = whole.response(ifNoneMatch: fields.ifNoneMatch)
            } catch { response = error.encodedResponse }
            response.isCrossOrigin = isCrossOrigin
            response.held = served.body
            count(response, of: Self.avatarRoute, since: begin)
            done(response)
        }
        return true
    }

    /// The health for a probe, which must not wait behind the requests of others: many of them are ahead in the router. Nil: the
    /// router has to respond.
    func health(_ head: HTTPRequestHead, from peer: ConnectionPeer) -> EncodedResponse? {
        let begin = DispatchTime.now().uptimeNanoseconds
        var head = head
        ProxyHeaders.mark(&head)
        guard head.method == .GET || head.method == .HEAD, let fields = ResponseCache.Fields(head.headers),
            var response = try? health()
        else { return nil }
        let credentials = RequestGuard.Credentials(head, fields: fields, from: peer)
        guard requestGuard.problem(seeing: credentials) == nil else { return nil }
        response.isCrossOrigin = requestGuard.allowsOtherOrigins(credentials)
        count(response, of: HTTPServer.probe, since: begin)
        return response
    }

    /// `begin`: nanoseconds of the monotonic clock.
    private func count(_ response: EncodedResponse, of route: String, since begin: UInt64) {
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        metrics.count(route: route, status: response.status, seconds: seconds)
    }

    private static let pagePath = "/v1/contacts"
    static let avatarRoute = "/v1/contacts/{id}/avatar"

    /// Nil for another path. `target`: path and query.
    private static func contactID(of target: String) -> Contact.ID? {
        let (path, start, end) = (target.utf8.prefix { $0 != 0x3F }, "/v1/contacts/".utf8, "/avatar".utf8)
        guard path.count > start.count + end.count, path.starts(with: start), path.suffix(end.count).elementsEqual(end)
        else { return nil }
        let id = path.dropFirst(start.count).dropLast(end.count)
        guard !id.contains(0x2F), id.count <= longestID else { return nil }
        return PercentEncoding.decodeStrictly(id)
    }
}

extension RequestGuard.Credentials {
    fileprivate init(_ head: HTTPRequestHead, fields: ResponseCache.Fields, from peer: ConnectionPeer) {
        self.init(
            method: head.method.rawValue, target: head.uri, host: fields.host,
            fetchSite: fields.isCrossSite ? "cross-site" : nil,
            authorization: head.headers.first(name: "Authorization"), connection: peer,
            isForwarded: fields.isForwarded)
    }
}
