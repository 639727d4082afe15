internal import TondoContacts
internal import TondoImage
internal import TondoJobs

/// Avatars for direct requests: at once, in any styles, before all others. Usable from any thread.
struct AvatarLoader: Sendable {
    let pipeline: AvatarPipeline

    /// `photos`: nil before the book is counted. `waiter.timeout` is called if the photo's avatars are not in the
    /// cache, while they are drawn.
    func make(
        _ contact: Contact, _ styles: StyleSet, _ photos: BookPhotos?, _ waiter: AvatarPipeline.AvatarOpenQueue.Waiter
    ) {
        guard let photo = contact.photo, let photos else {
            return end(.failure(AvatarFailure(code: "no-photo", message: "the contact has no photo")), styles, waiter)
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
            let task = pipeline.avatars(request) { end($0, styles, waiter) }
            if task.subscription != nil { waiter.onSlow?() }
        } catch { end(.failure(AvatarFailure(error)), styles, waiter) }
    }

    /// A contact without a usable photo gets the placeholder.
    private func end(
        _ result: Result<[Avatar], AvatarFailure>, _ styles: StyleSet, _ waiter: AvatarPipeline.AvatarOpenQueue.Waiter
    ) {
        switch result {
        case .success(let avatars): waiter.complete(.success(ContactAvatars(avatars: avatars, problem: nil)))
        case .failure(let failure) where failure.isTransient: waiter.complete(.failure(failure))
        case .failure(let failure):
            pipeline.placeholder(styles) { result in
                waiter.complete(result.map { ContactAvatars(avatars: $0, problem: failure) })
            }
        }
    }
}
