package import SystemPackage
internal import TondoAvatars
package import TondoRedis

/// Where a worker may take photos from: files inside some folders, temporary blobs, and the jobs themselves.
package struct SharedPhotos {
    private let folders: [BookPhotos]
    private let blobs: PhotoBlobs?

    /// `folders`: jobs name files inside these alone, wherever links lead. `blobs`: nil without an avatar instance.
    package init(folders: [FilePath], blobs: PhotoBlobs?) {
        self.folders = folders.map { BookPhotos(folder: $0) }
        self.blobs = blobs
    }

    /// Throws an `AvatarFailure` if the photo cannot be had. Blocks for blobs.
    func source(of job: DrawJob) throws(AvatarFailure) -> PhotoSource {
        switch job.source {
        case .silhouette: return .silhouette
        case .initials(let bytes):
            guard let photo = PhotoSource.initials(bytes) else { throw .notInitials }
            return photo
        case .file(let path):
            guard let photos = folders.first(where: { $0.location(ofFile: path, namedBy: nil) != nil }) else {
                throw .outside(path)
            }
            return .file(path, crop: job.crop, in: photos)
        case .blob(let key):
            guard let bytes = try blobs?.bytes(key) else { throw .gone }
            return .bytes(bytes, crop: job.crop)
        }
    }
}

/// Photos on their way to workers, in the avatar instance. For one thread at a time; blocks.
package final class PhotoBlobs {
    /// Bytes of one photo; a larger one is drawn by the machine that has it.
    package static let largest = 1 << 20
    /// Seconds until an abandoned one goes.
    private static let life = 86_400

    private let connection: RedisConnection
    private let time: Duration

    package init(connection: RedisConnection, time: Duration = .seconds(1)) {
        self.connection = connection
        self.time = time
    }

    /// Nil: it was evicted, or is larger than any that is stored.
    func bytes(_ key: String) throws(AvatarFailure) -> [UInt8]? {
        // A job may come from another program, and names a key.
        guard key.hasPrefix(FleetNames.blob("")) else { return nil }
        do throws(RedisError) {
            let bytes = try connection.call(RedisCommand("GET", .text(key)), by: .now + time).bytes
            return bytes.flatMap { $0.count <= Self.largest ? $0 : nil }
        } catch { throw .noBlobs(error) }
    }

    /// `name`: of this copy alone. Returns its key.
    package func store(_ photo: [UInt8], name: String) throws(RedisError) -> String {
        let key = FleetNames.blob(name)
        let command = RedisCommand("SET", .text(key), .bytes(photo), "EX", .number(Self.life))
        _ = try connection.call(command, by: .now + time)
        return key
    }

    package func remove(_ key: String) throws(RedisError) {
        _ = try connection.call(RedisCommand("DEL", .text(key)), by: .now + time)
    }
}

extension AvatarFailure {
    fileprivate static let gone = AvatarFailure(
        code: JobResult.photoGone, message: "the photo's temporary copy was evicted")
    fileprivate static let notInitials = AvatarFailure(
        code: JobResult.malformed, message: "the initials of the job are malformed")

    /// Another worker may know the folder.
    fileprivate static func outside(_ path: String) -> AvatarFailure {
        var failure = AvatarFailure(code: outsideCode, message: "\(path) is in no folder of this worker")
        failure.retry = .soon
        return failure
    }

    private static let outsideCode = "photo-outside"

    /// Another machine may have the file.
    var isOfFile: Bool { code == Self.outsideCode || code.hasPrefix("file-") }

    static let noBlobsCode = "no-photo-copies"

    fileprivate static func noBlobs(_ error: RedisError) -> AvatarFailure {
        var failure = AvatarFailure(code: noBlobsCode, message: "the avatar instance: \(error)")
        failure.retry = .soon
        return failure
    }
}
