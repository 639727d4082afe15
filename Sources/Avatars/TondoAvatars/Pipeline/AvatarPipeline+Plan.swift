internal import SystemPackage
internal import TondoContacts
internal import TondoDigest
package import TondoImage

/// For photos that are drawn on other machines.
extension AvatarPipeline {
    /// What a request needs.
    package enum Plan: Sendable {
        /// All avatars are in the cache.
        case stored([Avatar])
        case missing(PlannedPhoto)
    }

    /// A photo that was opened, and whose avatars are not all in the cache.
    package struct PlannedPhoto: Sendable {
        fileprivate let job: AvatarJob
        /// 64 digits.
        package var digest: String { job.digest.hexadecimal }
        package var crop: CropRectangle? { job.crop }

        /// The photo's bytes. Throws an `AvatarFailure` if they are others by now. Blocks.
        package func bytes(limit: Int) throws -> [UInt8] { try job.photoBytes(limit: limit) }
    }

    /// Opens the photo, and looks the avatars up, on this thread. Blocks. A photo that is known not to be drawable fails.
    package func plan(_ request: AvatarRequest) throws(AvatarFailure) -> Plan {
        do {
            let limit = options.limits.maxMemory
            // The photo's bytes are read once, also if they are to be sent.
            let job = try AvatarJob(request, cache: cache, limit: limit, keeping: KeptPhotos(limit: limit))
            if let avatars = try job.stored() { return .stored(avatars) }
            if let failure = job.negativeEntry { throw NegativeEntryError(failure: failure) }
            return .missing(PlannedPhoto(job: job))
        } catch { throw AvatarFailure(error) }
    }
}

extension PhotoSource {
    /// A file inside the folder of `photos`, named by an absolute path or by one relative to the folder.
    package static func file(_ path: String, crop: CropRectangle?, in photos: BookPhotos) -> PhotoSource {
        .contact(BookPhoto(photos: photos, photo: .file(path: path, crop: crop.map(PhotoCrop.init)), file: nil))
    }

    /// Bytes with a crop.
    package static func bytes(_ bytes: [UInt8], crop: CropRectangle?) -> PhotoSource {
        let photo = ContactPhoto.inline(.bytes(bytes), crop: crop.map(PhotoCrop.init))
        return .contact(BookPhoto(photos: BookPhotos(folder: "/"), photo: photo, file: nil))
    }

    /// The initials of a drawing's bytes; nil if they are none.
    package static func initials(_ bytes: [UInt8]) -> PhotoSource? {
        bytes.withUnsafeBytes { InitialsDrawing(parsing: $0) }.map { .initials($0) }
    }
}

extension PhotoCrop {
    fileprivate init(_ crop: CropRectangle) { self.init(x: crop.x, y: crop.y, width: crop.width, height: crop.height) }
}

extension PreparedAvatar {
    /// One that another machine stored: it has no URL here.
    package init(
        contact: String, _ style: AvatarStyle, key: String, kind: Kind, isDrawn: Bool, milliseconds: Double
    ) {
        self.contact = contact
        self.style = style.name
        self.key = key
        self.kind = kind
        state = style.style.state == .selected ? .selected : .normal
        scale = style.style.scale
        source = isDrawn ? .rendered : .cache
        self.milliseconds = milliseconds
        url = nil
    }
}

extension FailedAvatar {
    package init(_ contact: String, code: String, message: String) {
        self.contact = contact
        self.code = code
        self.message = message
    }
}
