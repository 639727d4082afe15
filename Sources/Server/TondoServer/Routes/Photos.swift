internal import Hummingbird
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage

extension AvatarService {
    /// `GET /v1/contacts/{id}/photo`: all of a contact's photo, of which the avatar shows a part. It is drawn like an avatar: no
    /// client gets the bytes of a photo, nor what else its file has, such as the place where it was taken.
    func addPhotos(to router: Router<ServiceContext>) {
        router.get("/v1/contacts/{id}/photo") { request, context in
            try await self.photo(request, id: context.parameters.get("id") ?? "")
        }
    }

    private func photo(_ request: Request, id: String) async throws(ProblemDetails) -> Response {
        let query = try AvatarQuery(
            photo: Self.query(of: request.head.path ?? ""), acceptsWebP: request.acceptsWebP,
            quality: options.webPQuality)
        let contact = try await contact(id)
        guard contact.photo != nil else { throw .photoNotFound }
        let served = await avatars(of: contact, query.style)
        let (photo, avatars) = try Self.avatar(served.result)
        // Initials are no photo.
        if avatars.problem != nil { throw .photoNotFound }
        guard let body = served.body else { throw .outputFull }
        // Never `public`: a proxy that keeps it would show it to others.
        return AvatarResponse(photo, body: body, policy: .revalidate, isNegotiated: query.isNegotiated)
            .response(to: request, holding: body)
    }
}

extension ProblemDetails {
    /// The contact has no photo, or one that cannot be drawn now.
    fileprivate static let photoNotFound = ProblemDetails(.notFound, code: "photo-not-found")
}
