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
        let revision = memory.revision
        let target = request.head.path ?? ""
        let query = try AvatarQuery(Self.query(of: target), styles: options.styles)
        let contact = try await contact(id)
        if let face = await kept(query, of: contact) {
            let picture = PictureAnswer(
                png: ByteBuffer(bytes: face.png), key: face.key.hexadecimal, policy: .forEver)
            memory.remember(picture, to: target, of: .contact(contact.id), since: revision)
            return picture.response(to: request)
        }
        guard let result = await faces(of: contact, query.style, waits: query.waits) else {
            return placeholder(query.style)
        }
        let (face, problem) = try Self.face(result)
        let key = face.key.hexadecimal
        let picture = PictureAnswer(
            png: ByteBuffer(bytes: face.png), key: key, policy: CachePolicy(asked: query.key, key: key))
        // A photo that fails now may work later without an event, so other failures are not kept.
        if problem == nil || problem?.code == "no-photo" {
            memory.remember(picture, to: target, of: .contact(contact.id), since: revision)
        }
        return picture.response(to: request)
    }

    /// The avatar with the key in the URL.
    private func kept(_ query: AvatarQuery, of contact: Contact) async -> Face? {
        guard let key = query.key.flatMap({ CacheKey($0) }), contact.photo != nil,
            let own = library.ownIDOfOneOnly(contact.id)
        else { return nil }
        return await Blocking.run { [pipeline = library.pipeline] in pipeline.kept(key, query.style, of: own) }
    }

    /// Nil if the request does not wait and the avatar must be drawn, which continues.
    func faces(of contact: Contact, _ style: Style, waits: Bool = true) async -> ServedFaces? {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer<ServedFaces?>(continuation)
            let drawing: @Sendable () -> Void = { answer.give(nil) }
            library.faces(of: contact, styles: shelf.set(style), drawing: waits ? nil : drawing) { [library] result in
                library.note(result, of: contact.id)
                answer.give(result)
            }
        }
    }

    /// The only avatar, and the failure if it is the placeholder.
    static func face(_ result: ServedFaces) throws(ProblemDetails) -> (Face, FaceFailure?) {
        switch result {
        case .success(let faces):
            guard let face = faces.faces.first else { throw .contactNotFound }
            return (face, faces.problem)
        case .failure(.gone): throw .contactNotFound
        case .failure(let failure):
            throw ProblemDetails(.serviceUnavailable, code: failure.code, retryAfter: 1)
        }
    }

    private func placeholder(_ style: Style) -> Response {
        let picture = easel.placeholder(atOnce: style)
        var headers = HTTPFields()
        headers[.contentType] = "image/png"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.cacheControl] = "no-store"
        return Response(status: .accepted, headers: headers, body: .init(byteBuffer: picture.png))
    }

    /// The query of a target, percent-encoded.
    static func query(of target: String) -> String {
        target.utf8.firstIndex(of: 0x3F).map { String(target[target.utf8.index(after: $0)...]) } ?? ""
    }
}

extension PictureAnswer {
    func response(to request: Request) -> Response {
        answer(ifNoneMatch: request.headers[.ifNoneMatch]).response
    }
}

extension ProblemDetails {
    static let contactNotFound = ProblemDetails(.notFound, code: "contact-not-found")
    /// The books are still being read.
    static let loading = ProblemDetails(.serviceUnavailable, code: "loading", retryAfter: 1)
    static let queueFull = ProblemDetails(.serviceUnavailable, code: "queue-full", retryAfter: 1)
}
