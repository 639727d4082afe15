internal import TondoImage
internal import TondoJobs

extension AvatarPipeline {
    /// What opening a photo gives.
    enum OpenResult: Sendable {
        /// All avatars were in the cache.
        case stored([Avatar])
        /// `former`: see `AvatarRequest.findsFormer`.
        case missing(AvatarJob, former: Avatar?)
        case explained([CacheExplainer.Explanation])
    }

    /// The key that coalesces requests: the same contact's photo in one set of styles.
    struct OpenKey: Hashable, Sendable {
        let photo: PhotoSource
        let contact: String?
        let styles: ObjectIdentifier
        let omitsBytes: Bool
        let output: ObjectIdentifier?
        let isExplained: Bool
        let findsFormer: Bool
    }

    /// `finish`: what is done with the opened photo.
    func open(
        _ request: AvatarRequest, isExplained: Bool = false,
        finish: @escaping @Sendable (AvatarJob) throws -> OpenResult = { job in
            try job.stored().map { .stored($0) }
                ?? .missing(job, former: job.request.findsFormer ? job.former : nil)
        }
    ) -> JobQueue<OpenKey, OpenResult>.Request {
        let key = OpenKey(
            photo: request.photo, contact: request.contact, styles: ObjectIdentifier(request.styles),
            omitsBytes: request.omitsBytes, output: request.output.map { ObjectIdentifier($0) },
            isExplained: isExplained, findsFormer: request.findsFormer)
        let (options, cache, keptPhotos, openingPhotos) = (options, cache, keptPhotos, openingPhotos)
        var open = JobQueue<OpenKey, OpenResult>.Request(key: key) { context in
            try context.check()
            func open() throws -> OpenResult {
                if request.photo.folder != nil { try options.system.opening() }
                let limit = options.limits.maxMemory
                let job: AvatarJob
                do { job = try AvatarJob(request, cache: cache, limit: limit, keeping: keptPhotos) } catch {
                    if let avatars = request.lastAvatars?() { return .stored(avatars) }
                    throw error
                }
                return try finish(job)
            }
            func work() throws -> OpenResult {
                try request.output?.perform(isRepeatable: true, open) ?? open()
            }
            guard let folder = request.photo.folder else { return try work() }
            return try openingPhotos.perform(in: folder, now: options.queue.now(), work)
        }
        open.priority = request.priority
        open.limit = options.timeout
        return open
    }
}
