internal import Dispatch
internal import Synchronization
package import TondoContacts
internal import TondoJobs

extension AvatarPipeline {
    /// The avatars of one contact in some styles: of its photo, else its initials, else the silhouette. Blocks until they are
    /// drawn. Throws a failure that may be gone in a moment, and one of the silhouette.
    package func avatars(
        of contact: Contact, in photos: BookPhotos?, styles: StyleSet
    ) throws(AvatarFailure) -> ContactAvatars {
        let initials = options.initials
        var photo = ShownPhoto(of: contact, in: photos, else: initials)
        var problem = photo.kind == .photo ? nil : AvatarFailure.noPhoto
        while true {
            switch waitingForAvatars(AvatarRequest(photo, styles: styles)) {
            case .success(let avatars):
                return ContactAvatars(avatars: avatars, kind: photo.kind, problem: problem)
            case .failure(let failure):
                if failure.isTransient { throw failure }
                if photo.kind == .initials { initials.note(failure) }
                guard let next = photo.next(initials) else { throw failure }
                photo = next
                problem = problem ?? failure
            }
        }
    }

    /// Explains the avatars of one contact as `avatars` would find them now: of its photo, else of its initials. Blocks until
    /// the photo is opened; nothing is drawn. Throws `noPhoto` for a contact that gets the silhouette.
    package func explanations(
        of contact: Contact, in photos: BookPhotos?, styles: StyleSet
    ) throws(AvatarFailure) -> [CacheExplainer.Explanation] {
        let photo = ShownPhoto(of: contact, in: photos, else: options.initials)
        if photo.kind == .silhouette { throw .noPhoto }
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<[CacheExplainer.Explanation], AvatarFailure>?>(nil)
        explain(AvatarRequest(photo, styles: styles)) { ended in
            result.withLock { $0 = ended }
            done.signal()
        }
        done.wait()
        // Set before the signal.
        return try (result.withLock { $0 } ?? .failure(.noPhoto)).get()
    }

    private func waitingForAvatars(_ request: AvatarRequest) -> Result<[Avatar], AvatarFailure> {
        var request = request
        request.priority = .visible
        request.omitsBytes = true
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<[Avatar], AvatarFailure>?>(nil)
        avatars(request, .wait) { ended in
            result.withLock { $0 = ended }
            done.signal()
        }
        done.wait()
        // Set before the signal.
        return result.withLock { $0 } ?? .failure(.noPhoto)
    }
}
