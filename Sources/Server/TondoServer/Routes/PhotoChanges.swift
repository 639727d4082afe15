internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage
internal import TondoText

/// Photos that clients set and remove: the way of `removeContact`, with another edit of the card.
extension AvatarService {
    /// `PUT` and `DELETE /v1/contacts/{id}/photo`, `POST /v1/photos/preview`.
    func addPhotoChanges(to router: Router<ServiceContext>) {
        router.put("/v1/contacts/{id}/photo") { request, context in try await self.setPhoto(request, context) }
        router.delete("/v1/contacts/{id}/photo") { request, context in
            try await self.changePhoto(of: try await self.unchanged(request, context), to: nil)
        }
        router.post("/v1/photos/preview") { request, _ in try await self.preview(request) }
    }

    private func setPhoto(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let query = try PhotoUploadQuery(Self.query(of: request.head.path ?? ""))
        // Before the body is read: most refusals cost the client no upload.
        let contact = try await unchanged(request, context)
        let body = try await UploadedBody.read(request, budget: uploads.budget)
        let drawn = try await uploads.drawn(body, as: query, in: AvatarQuery.viewerStyle(scale: 1))
        return try await changePhoto(of: contact, to: drawn.fitted)
    }

    /// The contact, if its photo is the one that the client knows.
    private func unchanged(_ request: Request, _ context: ServiceContext) async throws -> Contact {
        let contact = try await contact(context, isSentOnce: true)
        guard options.trash != nil else { throw ProblemDetails.photosReadOnly }
        guard let condition = request.headers[.ifMatch] else { throw ProblemDetails.conditionMissing }
        guard await hasPhoto(contact, matching: try await shown(contact), condition) else {
            throw ProblemDetails.otherPhoto
        }
        return contact
    }

    /// What `GET` shows of the contact: its photo, or what is there instead of one.
    private func shown(_ contact: Contact) async throws -> Avatar {
        let served = await avatars(of: contact, AvatarQuery.viewerStyle(scale: 1))
        return try Self.avatar(served.result).0
    }

    /// `condition`: of `If-Match`: the tags of avatars in any style, or `*`, which asks for any photo (RFC 9110 13.1.1).
    private func hasPhoto(_ contact: Contact, matching avatar: Avatar, _ condition: String) async -> Bool {
        switch EntityTag.Condition(condition) {
        case .any: return contact.photo != nil
        case .tags(let tags):
            return await Blocking.run(on: Blocking.index) { [pipeline = addressBooks.pipeline] in
                tags.contains { tag in CacheKey(tag).map { pipeline.shows($0, samePhotoAs: avatar) } ?? false }
            }
        }
    }

    /// `photo`: nil removes the contact's.
    private func changePhoto(of contact: Contact, to photo: FittedPhoto?) async throws -> Response {
        let change = try await change(contact, refusal: ProblemDetails.photosReadOnly.detail ?? "") {
            $0.setPhoto(photo?.photo, crop: photo?.crop, of: $1, now: WallClock.seconds)
        }
        let entry = change.outcome?.item?.name
        guard change.isPublished, let now = addressBooks.directory.contact(contact.id) else {
            // Another client may have deleted the contact since.
            let event = change.isPublished ? "contactRemoved" : "contactChanged"
            return Self.accepted(contact.id, event: event, after: change.last, entry: entry)
        }
        // The response has the keys of what was drawn. The service may not know them: it forgets what a request found if
        // the loader drew the contact's other avatars meanwhile.
        var keys = AvatarKeys.Keys()
        for scale in 1...2 {
            let style = AvatarQuery.viewerStyle(scale: scale)
            if let key = await avatars(of: now, style).key { keys.set(key, scale: scale) }
        }
        var json = try await document(of: now, avatars: keys == AvatarKeys.Keys() ? nil : keys)
        if let entry {
            json.removeLast()
            json += ",\"entry\":".utf8
            JSONEscapes.append(entry, to: &json)
            json.append(UInt8(ascii: "}"))
        }
        return JSONResponse.ok(json)
    }

    /// Draws the avatar that a contact with this photo would have, or all of the photo.
    private func preview(_ request: Request) async throws -> Response {
        let text = Self.query(of: request.head.path ?? "")
        var query = try PhotoUploadQuery(text)
        let others: Set = ["crop", "format", "v", "wait"]
        var style: Style
        if query.isWhole {
            query.part = nil
            style = try AvatarQuery(photo: text, without: others.union(["style", "state", "shape"])).style
        } else {
            style = try AvatarQuery(text, styles: options.styles, without: others).style
        }
        style.format = .png
        let body = try await UploadedBody.read(request, budget: uploads.budget)
        let avatar = try await uploads.drawn(body, as: query, in: style).avatar
        let shown = try self.body(of: avatar)
        var response = EncodedResponse(
            status: .ok,
            fields: [
                ("Content-Type", style.format.mediaType), ("X-Content-Type-Options", "nosniff"),
                ("Cache-Control", "no-store"),
            ], body: shown.bytes)
        response.held = shown
        return response.response
    }
}

extension ProblemDetails {
    fileprivate static let photosReadOnly = ProblemDetails(
        .forbidden, code: "read-only", detail: "This service does not change photos.")
    fileprivate static let conditionMissing = ProblemDetails(
        .preconditionRequired, code: "if-match-required",
        detail: "If-Match must have the ETag of the contact's avatar, as GET answers it.")
    fileprivate static let otherPhoto = ProblemDetails(
        .preconditionFailed, code: "other-photo",
        detail: "The contact has another photo by now; fetch its avatar again.")
}
