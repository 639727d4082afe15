internal import Hummingbird
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage

extension AvatarService {
    /// `GET /v1/cache`, `/v1/cache/entries/{key}` and `/v1/cache/why/{id}`. They are read-only.
    func addCache(to router: Router<ServiceContext>) {
        router.get("/v1/cache") { _, _ in
            try await self.withCache { CacheDocument.bytes(try $0.statistics()) }
        }
        router.get("/v1/cache/entries/:key") { _, context in
            guard let key = context.parameters.get("key").flatMap({ CacheKey($0) }) else {
                throw ProblemDetails.badParameter("key", "64 hexadecimal digits")
            }
            return try await self.withCache { cache in
                guard let entry = try cache.entry(key) else {
                    throw ProblemDetails(.notFound, code: "entry-not-found", detail: "The cache has no such entry.")
                }
                return CacheDocument.bytes(entry, damage: try cache.damage(of: key))
            }
        }
        router.get("/v1/cache/why/:id") { request, context in
            let contact = try await self.contact(context)
            let style = try AvatarQuery(Self.query(of: request.head.path ?? ""), styles: self.options.styles).style
            if contact.photo == nil { return JSONResponse.ok(CacheDocument.noPhoto) }
            guard let own = self.addressBooks.place(of: contact.id)?.id else { throw ProblemDetails.noCache }
            return try await self.withCache { cache in
                let explanations = try CacheExplainer(cache, styles: [style]).explain(contact: own)
                return JSONResponse.array(explanations.map(CacheDocument.bytes))
            }
        }
    }

    private func withCache(_ query: @escaping @Sendable (AvatarCache) throws -> [UInt8]) async throws -> Response {
        guard let cache else { throw ProblemDetails.noCache }
        return JSONResponse.ok(try await Blocking.run { try query(cache) })
    }
}

extension ProblemDetails {
    fileprivate static let noCache = ProblemDetails(
        .notFound, code: "no-cache", detail: "This service runs without a cache.")
}
