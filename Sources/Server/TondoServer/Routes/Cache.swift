internal import Hummingbird
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage
internal import TondoText

extension AvatarService {
    /// `GET /v1/cache`, `/v1/cache/entries/{key}` and `/v1/cache/why/{id}`. They are read-only.
    func addCache(to router: Router<ServiceContext>) {
        router.get("/v1/cache") { _, _ in
            try await self.withCache { CacheReport(try $0.statistics()) }
        }
        router.get("/v1/cache/entries/:key") { _, context in
            guard let key = context.parameters.get("key").flatMap({ CacheKey($0) }) else {
                throw ProblemDetails.badParameter("key", "64 hexadecimal digits")
            }
            return try await self.withCache { cache in
                guard let entry = try cache.entry(key) else {
                    throw ProblemDetails(.notFound, code: "entry-not-found", detail: "The cache has no such entry.")
                }
                return EntryReport(entry, in: nil, damage: try cache.damage(of: key))
            }
        }
        router.get("/v1/cache/why/:id") { request, context in
            let contact = try await self.contact(context)
            let style = try AvatarQuery(
                Self.query(of: request.head.path ?? ""), styles: self.options.styles, quality: self.options.webPQuality
            ).style
            guard self.cache != nil else { throw ProblemDetails.noCache }
            // On the threads that open photos: one whose file server hangs must not hold up short work.
            let result = await withCheckedContinuation { continuation in
                self.addressBooks.explain(contact, styles: self.styleSets.set(style)) {
                    continuation.resume(returning: $0)
                }
            }
            return try JSONResponse.ok(report: Self.reports(result, of: contact.id, in: style))
        }
    }

    /// A contact without a photo and without initials gets the silhouette, which has no entry of its own.
    private static func reports(
        _ result: Result<[CacheExplainer.Explanation], AvatarFailure>, of contact: String, in style: Style
    ) throws(ProblemDetails) -> [ExplanationReport] {
        switch result {
        case .success(let explanations):
            return explanations.map { ExplanationReport(explanation: $0, subject: contact, in: nil) }
        case .failure(.noPhoto): return [ExplanationReport(style, withoutPhoto: contact)]
        case .failure(let failure): throw problem(failure)
        }
    }

    /// Without the names of files.
    private func withCache<Report: Encodable & Sendable>(
        _ query: @escaping @Sendable (AvatarCache) throws -> Report
    ) async throws -> Response {
        guard let cache else { throw ProblemDetails.noCache }
        return JSONResponse.ok(
            try await Blocking.run(on: Blocking.index) {
                do { return try JSONReport.encode(query(cache)) } catch let error as CacheError {
                    // Without the names of files. Another process may keep the index locked.
                    throw ProblemDetails(.serviceUnavailable, code: error.code, retryAfter: 5)
                }
            })
    }
}

extension ProblemDetails {
    fileprivate static let noCache = ProblemDetails(
        .notFound, code: "no-cache", detail: "This service runs without a cache.")
}
