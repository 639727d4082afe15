import Synchronization
import SystemPackage
import TondoCache
import TondoDigest
import TondoImage
import TondoJobs
import TondoRedis
import TondoTestSupport

@testable import TondoAvatars

/// One of several instances in a test: a cache folder, a shared tier and a pipeline of its own.
final class SharedInstance: Sendable {
    let folder: TemporaryFolder
    let cache: AvatarCache
    let tier: SharedTier
    let pipeline: AvatarPipeline
    let altered = Recorder<String>()
    /// For all requests, since requests share a job only with equal sets of styles.
    let styles: StyleSet

    struct Options: Sendable {
        /// Long, so that a busy machine makes no error; a test of errors takes the usual one.
        var time = Duration.seconds(20)
        var lockTime = Duration.seconds(60)
        var polls = SharedTier.Options().polls
        var size = 16
        var user: String?
        var password: String?
        var database = 0
        var pipeline = AvatarPipeline.Options.patient
    }

    init(_ server: RedisServer, _ change: (inout Options) -> Void = { _ in }) throws {
        var options = Options()
        change(&options)
        folder = try TemporaryFolder()
        cache = try AvatarCache(folder.path.appending("cache"))
        var pool = RedisPool.Options()
        pool.time = options.time
        var shared = SharedTier.Options()
        (shared.lockTime, shared.polls) = (options.lockTime, options.polls)
        shared.onAltered = { [altered] _, reason in altered.add(reason) }
        var address = RedisAddress("unix:\(server.socket)")!
        (address.user, address.password, address.database) = (options.user, options.password, options.database)
        tier = SharedTier(RedisPool(address: address, options: pool), options: shared)
        options.pipeline.shared = tier
        pipeline = AvatarPipeline(cache: cache, options.pipeline)
        styles = pipeline.styles([Style(size: options.size)])
    }

    /// Decodes, successful or not.
    var drawings: Int { pipeline.steps.all[.decode]?.count ?? 0 }

    func request(_ photo: [UInt8], contact: String? = nil) -> AvatarRequest {
        AvatarRequest(.bytes(PhotoFile(copying: photo)), contact: contact, styles: styles)
    }

    func avatar(_ shade: UInt8, contact: String? = nil) async throws -> Avatar {
        try await result(SmallBook.image(shade), contact: contact).get()[0]
    }

    func result(_ photo: [UInt8], contact: String? = nil) async -> Result<[Avatar], AvatarFailure> {
        await withCheckedContinuation { done in
            pipeline.avatars(request(photo, contact: contact)) { done.resume(returning: $0) }
        }
    }

    /// The lock of a photo's avatar.
    func lock(_ photo: [UInt8]) -> String { SharedKey.lock([key(photo)]) }

    /// The key of a photo's avatar.
    func key(_ photo: [UInt8]) -> CacheKey {
        let digest = SHA256Digest(PhotoFile(copying: photo))
        return AvatarRecipe(photo: digest, style: styles.source.styles[0], decodeDenominator: 1).key
    }

    /// The subject of the negative entry of a photo.
    static func subject(_ photo: [UInt8]) -> String {
        let style = Style(size: 1).drawn(hasFaceModel: false)
        return AvatarRecipe.decoding(SHA256Digest(PhotoFile(copying: photo)), styles: [style], decodeDenominator: 1)
    }
}
