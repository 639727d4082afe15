internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage

extension AvatarService {
    /// `GET /v1/contacts/{id}/avatar`: the avatar of a contact.
    func addAvatars(to router: Router<ServiceContext>) {
        router.get("/v1/contacts/{id}/avatar") { request, context in
            try await self.avatar(request, id: context.parameters.get("id") ?? "")
        }
    }

    private func avatar(_ request: Request, id: String) async throws(ProblemDetails) -> Response {
        // Before the contact is read: a response that a change overtakes must not be kept.
        let revision = responseCache.revision
        let target = request.head.path ?? ""
        let query = try AvatarQuery(
            Self.query(of: target), styles: options.styles, acceptsWebP: request.acceptsWebP,
            quality: options.webPQuality)
        let contact = try await contact(id)
        if let key = query.key.flatMap({ CacheKey($0) }), let avatar = await cached(key, in: query.style, of: contact) {
            let response = AvatarResponse(
                avatar, body: try body(of: avatar), policy: .forEver, isNegotiated: query.isNegotiated)
            responseCache.store(response, to: request.responseTarget, of: .contact(contact.id), since: revision)
            return response.response(to: request)
        }
        switch await avatars(of: contact, query.style, waits: query.waits) {
        case .drawing(let former): return try placeholder(query, former: former)
        case .loaded(let served):
            return try answer(served, for: query, of: contact, as: request.responseTarget, since: revision)
                .response(to: request, holding: served.body)
        }
    }

    /// The response with the only avatar, kept in memory as `target`, see `ResponseCache.store`.
    func answer(
        _ served: LoadedAvatar, for query: AvatarQuery, of contact: Contact, as target: String, since revision: Int
    ) throws(ProblemDetails) -> AvatarResponse {
        let (avatar, avatars) = try Self.avatar(served.result)
        guard let body = served.body else { throw .outputFull }
        let policy = CachePolicy(requested: query.key, key: avatar.key.hexadecimal)
        let response = AvatarResponse(avatar, body: body, policy: policy, isNegotiated: query.isNegotiated)
        // A photo that fails now may work later without an event, so other failures are not kept.
        if avatars.isAsAsked {
            responseCache.store(
                response, to: target, of: .contact(contact.id), since: revision,
                // Initials that cannot be drawn now may be drawn later, without an event.
                for: avatars.isLasting ? nil : options.fallbackLifetime)
        }
        return response
    }

    /// The avatar with a key that is known before.
    func cached(_ key: CacheKey, in style: Style, of contact: Contact) async -> Avatar? {
        let hasOwn = contact.photo != nil || addressBooks.pipeline.options.initials.photo(of: contact) != nil
        guard hasOwn, let own = addressBooks.ownIDOfOneOnly(contact.id) else { return nil }
        return await Blocking.run(on: Blocking.keys) { [pipeline = addressBooks.pipeline] in
            pipeline.cached(key, style, of: own)
        }
    }

    /// What a request for an avatar gets.
    enum RequestedAvatar: Sendable {
        case loaded(LoadedAvatar)
        /// The request does not wait, and the avatar is drawn; meanwhile it may show the one of an earlier version.
        case drawing(former: Avatar?)
    }

    /// The avatars of a request that waits.
    func avatars(of contact: Contact, _ style: Style) async -> LoadedAvatar {
        await withCheckedContinuation { continuation in
            addressBooks.avatars(of: contact, styles: styleSets.set(style)) { [output = options.output] result in
                continuation.resume(returning: LoadedAvatar(result, output: output))
            }
        }
    }

    private func avatars(of contact: Contact, _ style: Style, waits: Bool) async -> RequestedAvatar {
        await withCheckedContinuation { continuation in
            let oneShot = OneShot<RequestedAvatar>(continuation: continuation)
            let drawing: AvatarPipeline.Drawing = { oneShot.fulfill(.drawing(former: $0)) }
            addressBooks.avatars(of: contact, styles: styleSets.set(style), drawing: waits ? nil : drawing) {
                [output = options.output] result in
                oneShot.fulfill(.loaded(LoadedAvatar(result, output: output)))
            }
        }
    }

    /// The only avatar, and what it shows.
    static func avatar(_ result: ServedAvatars) throws(ProblemDetails) -> (Avatar, ContactAvatars) {
        switch result {
        case .success(let avatars):
            guard let avatar = avatars.avatars.first else { throw .contactNotFound }
            return (avatar, avatars)
        case .failure(let failure): throw problem(failure)
        }
    }

    /// The response to a request that got neither an avatar nor the placeholder.
    static func problem(_ failure: AvatarFailure) -> ProblemDetails {
        failure == .gone ? .contactNotFound : ProblemDetails(.serviceUnavailable, code: failure.code, retryAfter: 1)
    }

    /// `former`: what the contact had before an update; without it, the silhouette.
    private func placeholder(_ query: AvatarQuery, former: Avatar?) throws(ProblemDetails) -> Response {
        let shown: GeneratedAvatars.Output
        if let former {
            shown = GeneratedAvatars.Output(former, body: try body(of: former))
        } else {
            shown = generatedAvatars.placeholder(atOnce: query.style)
        }
        // The avatar follows soon, so nothing may keep what is shown before it.
        var fields = [
            ("Content-Type", shown.type), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
        ]
        if query.isNegotiated { fields.append(("Vary", "Accept")) }
        var response = EncodedResponse(status: .accepted, fields: fields, body: shown.bytes)
        response.held = shown.body
        return response.response
    }

    /// The query of a target, percent-encoded.
    static func query(of target: String) -> String {
        target.utf8.firstIndex(of: 0x3F).map { String(target[target.utf8.index(after: $0)...]) } ?? ""
    }
}

extension Request {
    /// Whether the client lists WebP among what it accepts.
    var acceptsWebP: Bool { headers[values: .accept].contains { FormatPreference.acceptsWebP($0) } }

    /// The name of the response in `ResponseCache`.
    var responseTarget: String { ResponseCache.name(head.path ?? "", acceptsWebP: acceptsWebP) }
}

/// The avatars of a request, and the memory for a response with the first of them.
struct LoadedAvatar: Sendable {
    let result: ServedAvatars
    /// Nil if there is no avatar, or no memory for it.
    let body: OutputBody?

    /// To be called where the avatars come: from here on they count, until the response is made.
    init(_ result: ServedAvatars, output: OutputBudget) {
        self.result = result
        guard case .success(let avatars) = result, let avatar = avatars.avatars.first else {
            body = nil
            return
        }
        body = output.body(avatar.bytes, named: avatar.key.hexadecimal)
    }

    /// The key of the avatar; nil if that only stands for a photo that cannot be shown.
    var key: CacheKey? {
        guard case .success(let avatars) = result, avatars.isAsAsked else { return nil }
        return avatars.avatars.first?.key
    }
}

extension ContactAvatars {
    /// The contact's photo, or what it has without one; not what stands for a photo that cannot be shown.
    fileprivate var isAsAsked: Bool { problem == nil || problem?.code == "no-photo" }
}

extension AvatarService {
    func body(of avatar: Avatar) throws(ProblemDetails) -> OutputBody {
        guard let body = options.output.body(avatar.bytes, named: avatar.key.hexadecimal) else { throw .outputFull }
        return body
    }
}

extension AvatarResponse {
    init(_ avatar: Avatar, body: OutputBody, policy: CachePolicy, isNegotiated: Bool) {
        self.init(
            bytes: body.bytes, type: avatar.style.format.mediaType, key: avatar.key.hexadecimal,
            policy: policy, isNegotiated: isNegotiated)
    }

    func response(to request: Request, holding body: OutputBody? = nil) -> Response {
        var response = response(ifNoneMatch: request.headers[.ifNoneMatch])
        response.held = body
        return response.response
    }
}

extension ProblemDetails {
    static let contactNotFound = ProblemDetails(.notFound, code: "contact-not-found")
    /// The books are still being read.
    static let loading = ProblemDetails(.serviceUnavailable, code: "loading", retryAfter: 1)
    static let queueFull = ProblemDetails(.serviceUnavailable, code: "queue-full", retryAfter: 1)
}
