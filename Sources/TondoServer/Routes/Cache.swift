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
            try await self.askCache { CacheDocument.bytes(try $0.statistics()) }
        }
        router.get("/v1/cache/entries/:key") { _, context in
            guard let key = context.parameters.get("key").flatMap({ CacheKey($0) }) else {
                throw ProblemDetails.badParameter("key", "64 hexadecimal digits")
            }
            return try await self.askCache { cache in
                guard let entry = try cache.entry(key) else {
                    throw ProblemDetails(.notFound, code: "entry-not-found", detail: "The cache has no such entry.")
                }
                return CacheDocument.bytes(entry, damage: try cache.damage(of: key))
            }
        }
        router.get("/v1/cache/why/:id") { request, context in
            let contact = try await self.contact(context)
            let style = try AvatarQuery(Self.query(of: request.head.path ?? ""), styles: self.options.styles).style
            if contact.photo == nil { return JSONAnswer.ok(CacheDocument.noPhoto) }
            guard let own = self.library.place(of: contact.id)?.id else { throw ProblemDetails.noCache }
            return try await self.askCache { cache in
                let answers = try CacheInquiry(cache, styles: [style]).ask(contact: own)
                return JSONAnswer.array(answers.map(CacheDocument.bytes))
            }
        }
    }

    private func askCache(_ question: @escaping @Sendable (AvatarCache) throws -> [UInt8]) async throws -> Response {
        guard let cache else { throw ProblemDetails.noCache }
        return JSONAnswer.ok(try await Blocking.run { try question(cache) })
    }
}

extension ProblemDetails {
    fileprivate static let noCache = ProblemDetails(
        .notFound, code: "no-cache", detail: "This service runs without a cache.")
}
