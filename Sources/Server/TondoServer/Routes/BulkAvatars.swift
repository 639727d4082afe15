internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage
internal import TondoJobs
internal import TondoText

/// The body of `POST /v1/avatars`.
struct BulkAvatarQuery: Decodable {
    private let ids: [String]
    /// The fields of the style, by name, as the parameters of a request for one avatar have them.
    private var fields: [String: String] = [:]

    static let most = 100

    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        ids = try members.decode([String].self, forKey: Member(stringValue: "ids"))
        for field in StyleField.parameters {
            let member = Member(stringValue: field.name)
            fields[field.name] =
                switch field.kind {
                case .number: try members.decodeIfPresent(Int.self, forKey: member).map(String.init)
                case .decimal: try members.decodeIfPresent(Double.self, forKey: member).map { "\($0)" }
                case .choice, .color: try members.decodeIfPresent(String.self, forKey: member)
                }
        }
    }

    /// Throws `bad-parameter`, which names the member.
    func style(quality: Int) throws(ProblemDetails) -> Style {
        try Style(parameters: fields, quality: quality) { .badParameter($0.name, $0.allowed) }
    }

    /// Each once.
    func contacts() throws(ProblemDetails) -> [String] {
        guard ids.count <= Self.most else { throw .badParameter("ids", "at most \(Self.most) ids") }
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

/// One avatar of the response to `POST /v1/avatars`: the length and the bytes of a JSON object, the length and the bytes of
/// the picture. Lengths are 32 bits, big-endian.
struct BulkAvatar: Sendable {
    var id: String
    var status = 200
    /// Why there is no avatar.
    var code: String?
    var key: String?
    var type: String?
    var picture = ByteBuffer()
    /// Counts the memory of the picture until the connection does.
    private var body: OutputBody?

    init(id: String, avatar: Avatar, body: OutputBody) {
        self.id = id
        key = avatar.key.hexadecimal
        picture = body.bytes
        self.body = body
        type = avatar.style.format.mediaType
    }

    init(id: String, problem: ProblemDetails) {
        self.id = id
        status = problem.status
        code = problem.code
    }

    /// The object, and the length of the picture.
    var head: ByteBuffer {
        var object = JSONObject()
        object.add("id", id)
        object.add("status", status)
        object.add("code", code)
        object.add("key", key)
        object.add("type", type)
        let text = object.bytes
        var bytes = ByteBuffer()
        bytes.reserveCapacity(8 + text.count)
        bytes.writeInteger(UInt32(text.count))
        bytes.writeBytes(text)
        bytes.writeInteger(UInt32(picture.readableBytes))
        return bytes
    }
}

extension AvatarService {
    /// `POST /v1/avatars`: many avatars in one response, in the order in which they are ready.
    func addBulkAvatars(to router: Router<ServiceContext>) {
        // A browser has six connections to a host: thirty single requests at 50 ms would take 300 ms.
        router.post("/v1/avatars") { request, _ in
            let query = try await Self.document(
                BulkAvatarQuery.self, of: request, member: "ids", allowed: "an array of ids")
            let (style, ids) = (try query.style(quality: self.options.webPQuality), try query.contacts())
            guard await self.addressBooks.waitUntilServed(isSentOnce: true) else { throw ProblemDetails.loading }
            var headers = HTTPFields()
            headers[.contentType] = "application/octet-stream"
            headers[.cacheControl] = "no-store"
            headers[.xContentTypeOptions] = "nosniff"
            return Response(
                status: .ok, headers: headers,
                body: ResponseBody { writer in
                    try await self.write(ids, in: style, to: &writer)
                    try await writer.finish(nil)
                })
        }
    }

    /// As many avatars are loaded at a time as the queue takes without a limit of time, but no more than a few megabytes, and
    /// the next one when one is written: a slow client costs little memory, and for a client that is gone no more are drawn.
    private func write(_ ids: [String], in style: Style, to writer: inout any ResponseBodyWriter) async throws {
        let most = max(4 * addressBooks.pipeline.options.queue.workers, 8)
        let atOnce = Self.atOnce(style, most: most)
        try await withThrowingTaskGroup(of: BulkAvatar.self) { group in
            var rest = ids.makeIterator()
            for _ in 0..<atOnce {
                guard let id = rest.next() else { break }
                group.addTask { await self.bulkAvatar(of: id, in: style) }
            }
            while let avatar = try await group.next() {
                try await writer.write(avatar.head)
                // Not a copy: equal pictures of several clients are one buffer.
                if avatar.picture.readableBytes > 0 { try await writer.write(avatar.picture) }
                guard let id = rest.next() else { continue }
                group.addTask { await self.bulkAvatar(of: id, in: style) }
            }
        }
    }

    /// Avatars of one response that are in memory at a time. A side of 512 pixels may take a megabyte.
    static func atOnce(_ style: Style, most: Int) -> Int {
        let bytes = style.side * style.side * 4
        return min(max((4 << 20) / bytes, 1), most)
    }

    private func bulkAvatar(of id: String, in style: Style) async -> BulkAvatar {
        guard let contact = addressBooks.directory.contact(id)
        else { return BulkAvatar(id: id, problem: .contactNotFound) }
        if let key = addressBooks.avatarKeys.key(style, of: id), let avatar = await cached(key, in: style, of: contact)
        {
            do throws(ProblemDetails) { return BulkAvatar(id: id, avatar: avatar, body: try body(of: avatar)) } catch {
                return BulkAvatar(id: id, problem: error)
            }
        }
        let served = await avatars(of: contact, style)
        do throws(ProblemDetails) {
            let avatar = try Self.avatar(served.result).0
            guard let body = served.body else { throw .outputFull }
            return BulkAvatar(id: id, avatar: avatar, body: body)
        } catch { return BulkAvatar(id: id, problem: error) }
    }
}
