internal import Hummingbird
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoContacts
internal import TondoImage

extension AvatarService {
    /// `GET /v1/contacts/{id}/crop`: which part of a contact's photo its avatar shows, and why. Draws the avatar if the cache
    /// does not have it, since its file says what was found.
    func addCrops(to router: Router<ServiceContext>) {
        router.get("/v1/contacts/{id}/crop") { request, context in
            let query = try AvatarQuery(
                Self.query(of: request.head.path ?? ""), styles: self.options.styles, quality: self.options.webPQuality)
            let contact = try await self.contact(context)
            return try JSONResponse.ok(report: await self.crop(of: contact, in: query.style))
        }
    }

    private func crop(of contact: Contact, in style: Style) async throws(ProblemDetails) -> CropReport {
        guard contact.photo != nil else { throw .photoNotShown }
        // It waits, so that there is always a result.
        let served = await avatars(of: contact, style)
        let (avatar, avatars) = try Self.avatar(served.result)
        guard avatars.kind == .photo else { throw .photoNotShown }
        guard let crop = CropReport(of: avatar) else { throw .cropUnknown }
        return crop
    }
}

extension ProblemDetails {
    /// For a contact that is shown by initials or the silhouette.
    fileprivate static let photoNotShown = ProblemDetails(
        .notFound, code: "no-photo", detail: "The avatar of this contact shows no photo.")
    /// For an avatar from before, while its book cannot be read.
    fileprivate static let cropUnknown = ProblemDetails(
        .serviceUnavailable, code: "crop-unknown", detail: "The photo of this contact cannot be read now.",
        retryAfter: 5)
}
