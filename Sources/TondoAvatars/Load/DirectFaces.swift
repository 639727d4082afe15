internal import TondoContacts
internal import TondoImage
internal import TondoJobs

/// Avatars for direct requests: at once, in any styles, before all others. Usable from any thread.
struct DirectFaces: Sendable {
    let pipeline: AvatarPipeline

    /// `photos`: nil before the book is counted. `asker.patience` is called if the photo's avatars are not in the
    /// cache, while they are drawn.
    func make(_ contact: Contact, _ styles: StyleSet, _ photos: BookPhotos?, _ asker: AvatarPipeline.Asks.Asker) {
        guard let photo = contact.photo, let photos else {
            return end(.failure(FaceFailure(code: "no-photo", message: "the contact has no photo")), styles, asker)
        }
        let limit = pipeline.options.limits.maxMemory
        do {
            try pipeline.options.system.opening()
            let opened = try photos.open(photo, of: contact, limit: limit)
            var request = AvatarRequest(opened.file, crop: opened.crop, contact: contact.id, styles: styles)
            request.priority = .visible
            request.reopen = { [system = pipeline.options.system] in
                try system.opening()
                return try photos.open(photo, of: contact, limit: limit).file
            }
            let task = pipeline.faces(request) { end($0, styles, asker) }
            if task.subscription != nil { asker.patience?() }
        } catch { end(.failure(FaceFailure(error)), styles, asker) }
    }

    /// A contact without a usable photo gets the placeholder.
    private func end(
        _ result: Result<[Face], FaceFailure>, _ styles: StyleSet, _ asker: AvatarPipeline.Asks.Asker
    ) {
        switch result {
        case .success(let faces): asker.answer(.success(ContactFaces(faces: faces, problem: nil)))
        case .failure(let failure) where failure.isPassing: asker.answer(.failure(failure))
        case .failure(let failure):
            pipeline.placeholder(styles) { result in
                asker.answer(result.map { ContactFaces(faces: $0, problem: failure) })
            }
        }
    }
}
