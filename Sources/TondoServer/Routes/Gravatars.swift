internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoImage

extension AvatarService {
    /// `GET /avatar/HASH`: an avatar by the hash of a mail address, compatible with Gravatar and Libravatar.
    func addGravatars(to router: Router<ServiceContext>) {
        router.get("/avatar/{hash}") { request, context in
            try await self.gravatar(request, component: context.parameters.get("hash") ?? "")
        }
    }

    private func gravatar(_ request: Request, component: String) async throws(ProblemDetails) -> Response {
        let revision = memory.revision
        let target = request.head.path ?? ""
        let wish = GravatarRequest(
            component: component, query: Self.query(of: target), allowedHosts: options.fallbackHosts,
            isRound: options.isRound)
        guard let wish else { throw .avatarNotFound }
        let picture: Easel.Picture
        var lifetime: Duration?
        if let photo = try await photo(wish) {
            picture = photo
        } else {
            switch wish.fallback {
            case .notFound: throw .avatarNotFound
            case .redirect(let address): return Self.redirect(to: address)
            case .generated(let kind):
                // A photo may become usable without an event; then the fallback must expire. Responses for unknown
                // addresses expire as soon, so that clients cannot distinguish the two.
                lifetime = options.fallbackLifetime
                let hash = kind.effective(wish.hash)
                picture = try await easel.picture(
                    .generated(kind, hash, side: wish.size, isCircle: wish.isCircle))
            }
        }
        let answer = PictureAnswer(png: picture.png, key: picture.key, policy: .seconds(options.maxAge))
        memory.remember(answer, to: target, of: .addresses, since: revision, for: lifetime)
        return answer.response(to: request)
    }

    /// Nil if the fallback is due. An unknown address, a contact without a photo and one with an unusable photo are
    /// indistinguishable, also by the response time: none of them opens a file.
    private func photo(_ wish: GravatarRequest) async throws(ProblemDetails) -> Easel.Picture? {
        if wish.forcesFallback { return nil }
        guard await library.waitUntilRead() else { throw .loading }
        guard let id = library.directory.id(of: wish.hash) else { return nil }
        if library.unusablePhotos.contains(id) {
            tryAgain(id)
            return nil
        }
        guard let contact = library.directory.contact(id) else { return nil }
        let style = Style.face(pixels: wish.size, shape: wish.isCircle ? .circle : .square)
        guard let result = await faces(of: contact, style) else { return nil }
        switch result {
        case .success(let faces):
            guard faces.problem == nil, let face = faces.faces.first else { return nil }
            return Easel.Picture(png: ByteBuffer(bytes: face.png), key: face.key.hexadecimal)
        case .failure(let failure):
            if failure.isPassing { _ = try Self.face(result) }
            return nil
        }
    }

    /// Retries the photo now and then, without a request that waits for it.
    private func tryAgain(_ id: String) {
        guard library.unusablePhotos.takesTurn(id, every: options.fallbackLifetime),
            let contact = library.directory.contact(id)
        else { return }
        library.faces(of: contact, styles: shelf.set(.face(pixels: 1, shape: .square))) { [library] result in
            library.note(result, of: id)
        }
    }

    private static func redirect(to address: String) -> Response {
        var headers = HTTPFields()
        headers[.location] = address
        headers[.cacheControl] = "no-cache"
        headers[.xContentTypeOptions] = "nosniff"
        return Response(status: .found, headers: headers)
    }
}

extension ProblemDetails {
    static let avatarNotFound = ProblemDetails(.notFound, code: "avatar-not-found")
}
