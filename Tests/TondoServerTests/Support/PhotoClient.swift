import Foundation
import NIOCore
import Testing
import TondoAvatars
import TondoImage
import TondoTestSupport

@testable import TondoServer

/// Requests with photos, as a client sends them over one connection.
struct PhotoClient {
    let client: RawClient

    /// The tag of a contact's avatar.
    func tag(_ id: String, _ query: String = "") async throws -> String {
        try #require(try await client.get("/v1/contacts/\(id)/avatar\(query)").field("etag"))
    }

    /// `tag`: nil: the one of now.
    func set(
        _ photo: [UInt8], of id: String, _ query: String = "", tag: String? = nil, fields: String = ""
    ) async throws -> RawResponse {
        let tag = if let tag { tag } else { try await self.tag(id) }
        let all = "\(ServedContacts.authorization)If-Match: \(tag)\r\n\(fields)"
        return try await send(photo, "PUT /v1/contacts/\(id)/photo\(query)", fields: all)
    }

    func remove(_ id: String) async throws -> RawResponse {
        let fields = "\(ServedContacts.authorization)If-Match: \(try await tag(id))\r\n"
        return try await client.get("/v1/contacts/\(id)/photo", method: "DELETE", fields: fields)
    }

    /// Undoes a change, or brings a removed contact back.
    func restore(_ id: String, entry: String? = nil) async throws -> RawResponse {
        let query = entry.map { "?entry=\($0)" } ?? ""
        return try await client.get(
            "/v1/contacts/\(id)/restore\(query)", method: "POST",
            fields: ServedContacts.authorization + "Content-Length: 0\r\n")
    }

    func preview(
        _ photo: [UInt8], _ query: String = "", fields: String = ServedContacts.authorization
    ) async throws -> RawResponse {
        try await send(photo, "POST /v1/photos/preview\(query)", fields: fields)
    }

    /// A body with its length.
    func send(_ body: [UInt8], _ request: String, fields: String) async throws -> RawResponse {
        let head = "\(request) HTTP/1.1\r\nHost: localhost\r\n\(fields)"
        try await write("\(head)Content-Length: \(body.count)\r\n\r\n", body)
        return try await client.response()
    }

    /// A body in chunks of this size, without a length.
    func sendInChunks(_ body: [UInt8], of size: Int, _ request: String, fields: String) async throws -> RawResponse {
        try await write("\(request) HTTP/1.1\r\nHost: localhost\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n", [])
        for start in stride(from: 0, to: body.count, by: size) {
            let part = body[start..<min(start + size, body.count)]
            try await write(String(part.count, radix: 16) + "\r\n", Array(part) + Array("\r\n".utf8))
        }
        try await write("0\r\n\r\n", [])
        return try await client.response()
    }

    func write(_ text: String, _ bytes: [UInt8]) async throws {
        var buffer = ByteBuffer(string: text)
        buffer.writeBytes(bytes)
        try await client.channel.writeAndFlush(buffer)
    }
}

extension ServedContacts {
    /// The bytes of a contact's file.
    func card(_ id: String) throws -> [UInt8] { try folder.bytes("book/\(id).vcf") }

    /// The photo in a contact's file, which must be one that programs show without turning it, in sRGB, and nothing else.
    func photo(_ id: String) throws -> StorablePhoto {
        let text = String(decoding: try card(id), as: UTF8.self)
            .replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\n ", with: "")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("PHOTO") })
        let value = try #require(line.split(separator: ":", maxSplits: 1).last)
        let photo = [UInt8](try #require(Data(base64Encoded: String(value))))
        let stored = try photo.withUnsafeBytes {
            try StorablePhoto(plain: $0, within: StorablePhoto.Bounds(maxSide: 8_192, maxBytes: 32 << 20))
        }
        #expect(stored.removed == 0)
        return stored
    }

    var trashed: Int { service.options.trash?.contents().items.count ?? 0 }

    func withPhotoClient(_ requests: (PhotoClient) async throws -> Void) async throws {
        try await withClient { try await requests(PhotoClient(client: $0)) }
    }
}

extension RawResponse {
    /// Of a problem.
    var code: String? { json["code"] as? String }
    /// What the trash has of a change.
    var entry: String? { json["entry"] as? String }
}
