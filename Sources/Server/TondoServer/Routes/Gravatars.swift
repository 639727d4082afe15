internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage

extension AvatarService {
    /// `GET /avatar/HASH`: an avatar by the hash of a mail address, compatible with Gravatar and Libravatar.
    func addGravatars(to router: Router<ServiceContext>) {
        router.get("/avatar/{hash}") { request, context in
            try await self.gravatar(request, component: context.parameters.get("hash") ?? "")
        }
        router.on("/avatar/{hash}", method: .options) { _, _ in Self.permission }
    }

    private func gravatar(_ request: Request, component: String) async throws(ProblemDetails) -> Response {
        let revision = responseCache.revision
        let target = request.head.path ?? ""
        let gravatar = GravatarRequest(
            component: component, query: Self.query(of: target), allowedHosts: options.fallbackHosts,
            isRound: options.isRound, acceptsWebP: request.acceptsWebP)
        guard let gravatar else { throw .avatarNotFound }
        let avatar: GeneratedAvatars.Output
        var lifetime: Duration?
        if let photo = try await photo(for: gravatar) {
            avatar = photo.output
            // The preferred photo may become usable without an event.
            if photo.isSubstitute { lifetime = options.fallbackLifetime }
        } else {
            switch gravatar.fallback {
            case .notFound: return missing
            case .redirect(let address): return Self.redirect(to: address)
            case .generated(let kind): avatar = try await generated(kind, for: gravatar)
            case .initials:
                let drawn = try await initials(gravatar)
                avatar = if let drawn { drawn } else { try await generated(.person, for: gravatar) }
            }
            // A photo may become usable without an event; then the fallback must expire. Responses for unknown addresses
            // expire as soon, so that clients cannot distinguish the two.
            lifetime = options.fallbackLifetime
        }
        let response = AvatarResponse(
            bytes: avatar.bytes, type: avatar.type, key: avatar.key, policy: .seconds(options.maxAge),
            isNegotiated: gravatar.format.isNegotiated, isPublic: true)
        responseCache.store(response, to: request.responseTarget, of: .addresses, since: revision, for: lifetime)
        return response.response(to: request, holding: avatar.body)
    }

    private func generated(
        _ kind: DefaultImage.Kind, for gravatar: GravatarRequest
    ) async throws(ProblemDetails) -> GeneratedAvatars.Output {
        let hash = kind.effective(gravatar.hash)
        return try await generatedAvatars.avatar(
            .generated(kind, hash, side: gravatar.size, isCircle: gravatar.isCircle))
    }

    /// The letters that the client names: those of a contact would show that its address is known. Nil if it names none,
    /// or they cannot be drawn.
    private func initials(_ gravatar: GravatarRequest) async throws(ProblemDetails) -> GeneratedAvatars.Output? {
        let (photos, identity) = (addressBooks.pipeline.options.initials, gravatar.hash.hexadecimal)
        let photo =
            gravatar.initials.flatMap { photos.photo(letters: $0, identity: identity) }
            ?? gravatar.name.flatMap { photos.photo(named: $0, identity: identity) }
        guard let photo else { return nil }
        return try await generatedAvatars.initials(photo, side: gravatar.size, isCircle: gravatar.isCircle) {
            photos.note($0)
        }
    }

    /// A photo of a contact with the address, and whether one of an earlier contact, which failed, would be preferred.
    private struct FoundPhoto {
        let output: GeneratedAvatars.Output
        let isSubstitute: Bool
    }

    /// How many contacts with one address a request tries whose photos turn out to be broken. The next request tries others.
    private static let mostTries = 4

    /// Nil if the fallback is due. An unknown address, a contact without a photo and one with an unusable photo are
    /// indistinguishable, also by the response time: none of them opens a file.
    private func photo(for gravatar: GravatarRequest) async throws(ProblemDetails) -> FoundPhoto? {
        if gravatar.forcesFallback { return nil }
        guard await addressBooks.waitUntilServed() else { throw .loading }
        for _ in 0..<Self.mostTries {
            let found = addressBooks.directory.find(gravatar.hash)
            if let failed = found.failed { tryAgain(failed) }
            guard let id = found.owner, let contact = addressBooks.directory.contact(id) else { return nil }
            if let output = try await photo(of: contact, gravatar) {
                return FoundPhoto(output: output, isSubstitute: found.failed != nil)
            }
        }
        return nil
    }

    /// Nil if the photo is unusable, which is known from now on.
    private func photo(
        of contact: Contact, _ gravatar: GravatarRequest
    ) async throws(ProblemDetails) -> GeneratedAvatars.Output? {
        var style = Style.avatar(pixels: gravatar.size, shape: gravatar.isCircle ? .circle : .square)
        style.crop = gravatar.crop
        if gravatar.format.isWebP { style.format = .webp(quality: options.webPQuality) }
        let served = await avatars(of: contact, style)
        switch served.result {
        case .success(let avatars):
            guard avatars.problem == nil, let avatar = avatars.avatars.first else { return nil }
            guard let body = served.body else { throw .outputFull }
            return GeneratedAvatars.Output(avatar, body: body)
        case .failure(let failure):
            if failure.isTransient { _ = try Self.avatar(served.result) }
            return nil
        }
    }

    /// Retries the photo now and then, without a request that waits for it.
    private func tryAgain(_ id: String) {
        guard addressBooks.unusablePhotos.mayRetry(id, every: options.fallbackLifetime),
            let contact = addressBooks.directory.contact(id)
        else { return }
        // Only whether the photo can be drawn is of interest.
        let style = Style.avatar(pixels: 1, shape: .square)
        addressBooks.avatars(of: contact, styles: styleSets.set(style)) { _ in }
    }

    /// The answer to a browser that asks before a page's request with fields of its own (WHATWG Fetch 4.8).
    private static var permission: Response {
        var headers = HTTPFields()
        for (name, value) in [
            ("Access-Control-Allow-Methods", "GET, HEAD"), ("Access-Control-Allow-Headers", "*"),
            ("Access-Control-Max-Age", "86400"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        // For clients that are no browsers: what a request of this method asks for (RFC 9110 9.3.7).
        headers[.allow] = "GET, HEAD, OPTIONS"
        return Response(status: .noContent, headers: headers)
    }

    /// It lives as long as the picture that other clients get instead: without a time of its own, caches would choose one.
    private var missing: Response {
        var response = ProblemDetails.avatarNotFound.response
        response.headers[.cacheControl] = CachePolicy.seconds(options.maxAge).value
        return response
    }

    private static func redirect(to address: String) -> Response {
        var headers = HTTPFields()
        // The contact may get a photo at any time, which a stored redirect would hide.
        headers[.location] = address
        headers[.cacheControl] = "no-cache"
        headers[.xContentTypeOptions] = "nosniff"
        return Response(status: .found, headers: headers)
    }
}

extension ProblemDetails {
    static let avatarNotFound = ProblemDetails(.notFound, code: "avatar-not-found")
}
