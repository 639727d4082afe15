import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing
import TondoAvatars
import TondoCache
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoServer

/// What goes wrong when photos are sent, by public reports about other services.
@Suite(.timeLimit(.minutes(15))) struct PhotoUploadTests {
    private let people: ServedContacts
    private let photo: [UInt8]

    init() async throws {
        people = try await ServedContacts()
        photo = try Self.fixture("decodes-like-reference/size-41x41-444.jpg")
    }

    private static func fixture(_ name: String) throws -> [UInt8] {
        [UInt8](try Repository.data("Tests/Fixtures/\(name)"))
    }

    /// The photo of this fixture in a book, after it was sent.
    private func stored(_ name: String, fields: String = "") async throws -> StorablePhoto {
        var stored: StorablePhoto?
        try await people.withPhotoClient { client async throws in
            let response = try await client.set(try Self.fixture(name), of: "bo", fields: fields)
            #expect(response.status == 200, "\(response.body)")
            stored = try people.photo("bo")
        }
        return try #require(stored)
    }

    /// Sends it, to be stored and as a preview.
    private func refused(_ body: [UInt8]) async throws -> [RawResponse] {
        var responses: [RawResponse] = []
        try await people.withPhotoClient { client async throws in
            let before = try people.card("bo")
            responses = [try await client.set(body, of: "bo"), try await client.preview(body)]
            #expect(try people.card("bo") == before && people.trashed == 0)
        }
        return responses
    }

    // zulip/zulip#11215, mastodon/mastodon#9204: 500.
    @Test(arguments: ["png-30000x30000-1-bit.png", "png-20000x20000-adam7-16-bit.png", "jpeg-65500x65500.jpg"])
    func `A small file with huge dimensions is too large`(_ name: String) async throws {
        for response in try await refused(try Self.fixture("refused/\(name)")) {
            #expect(response.status == 413 && response.code == "photo-too-large", "\(response.body)")
        }
    }

    // element-hq/element-web#4955, signalapp/Signal-Android#8588: turned, or upside down.
    @Test(arguments: 2...8) func `A turned photo is stored upright`(_ orientation: Int) async throws {
        let name = "orientation/jpeg-be-\(orientation).jpg"
        let original = try Self.fixture(name).withUnsafeBytes { try PhotoGeometry(probing: $0) }
        let photo = try await stored(name)
        #expect(photo.geometry.orientation == .up)
        #expect(photo.geometry.orientedSize == original.orientedSize)
    }

    // element-hq/element-web#4955: the place where it was taken is published.
    @Test func `Metadata is not stored`() async throws {
        let original = try Self.fixture("orientation/jpeg-be-1.jpg")
        let photo = try await stored("orientation/jpeg-be-1.jpg")
        #expect(photo.bytes.count < original.count)
        #expect(photo.bytes.firstRange(of: Array("Exif".utf8)) == nil)
    }

    // openfoodfacts/openfoodfacts-server#1663, nopSolutions/nopCommerce#5231: negative colours.
    @Test(arguments: ["cmyk-adobe-inverted.jpg", "cmyk-not-adobe.jpg"])
    func `A CMYK photo is stored in sRGB`(_ name: String) async throws {
        let photo = try await stored("decodes-like-reference/\(name)")
        #expect(photo.geometry.format == .jpeg)
    }

    // raucao/sharesome#77, nextcloud-libraries/nextcloud-upload#995: refused for its type.
    @Test(arguments: [
        "image/jpeg", "image/heic", "application/octet-stream", "application/x-www-form-urlencoded", "; charset=binary",
        "text/html", "application/json",
    ])
    func `The type of the request means nothing`(_ type: String) async throws {
        let photo = try await stored("decodes-like-reference/png-rgb-8.png", fields: "Content-Type: \(type)\r\n")
        #expect(photo.geometry.format == .png)
    }

    // onyx-dot-app/onyx#14685: a page that is served as an avatar.
    @Test(arguments: ["svg.svg", "web-page-called-jpg.jpg", "bmp-called-jpg.jpg", "pdf.pdf", "text.txt", "zeros.bin"])
    func `Another file is refused, whatever it is called`(_ name: String) async throws {
        for response in try await refused(try Self.fixture("unsupported/\(name)")) {
            #expect(response.status == 415 && response.code == "photo-format", "\(response.body)")
        }
    }

    @Test func `A form with a photo in it is no photo`() async throws {
        let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\n"
        for response in try await refused(Array(head.utf8) + photo + Array("\r\n--x--\r\n".utf8)) {
            #expect(response.status == 415 && response.code == "photo-format")
        }
    }

    // mozilla/fxa-content-server#5638, pixelandtonic/craftnet#16: refused, or 500.
    @Test func `Of an animated GIF the first picture is stored`() async throws {
        let start = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        let control: [UInt8] = [0x21, 0xF9, 4, 4, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
        let (red, blue): ([UInt8], [UInt8]) = ([2, 2, 0x44, 1, 0], [2, 2, 0x4C, 1, 0])
        try await people.withPhotoClient { client async throws in
            #expect(try await client.set(start + control + red + control + blue + [0x3B], of: "bo").status == 200)
            let shown = try await client.client.get("/v1/contacts/bo/photo?size=1&format=png")
            #expect(shown.corner.count == 4 && shown.corner[0] > 200 && shown.corner[2] < 60)
        }
    }

    @Test func `An animated WebP is stored as a picture`() async throws {
        let photo = try await stored("decodes-like-reference/webp-animated.webp")
        #expect(photo.geometry.orientedSize.width == 51)
    }

    @Test(arguments: [
        "jpeg-portrait-cut-at-30.jpg", "png-cut-in-ihdr.png", "jpeg-huffman-cut.jpg", "gif-no-image.gif",
    ])
    func `A damaged photo does not replace one that can be shown`(_ name: String) async throws {
        for response in try await refused(try Self.fixture("broken/\(name)")) {
            #expect(response.status == 422 && response.code == "photo-unreadable", "\(response.body)")
        }
    }

    @Test func `An empty body is refused`() async throws {
        for response in try await refused([]) { #expect(response.status == 400 && response.code == "empty-body") }
    }

    @Test func `A body in chunks needs no length, and an empty one is refused`() async throws {
        try await people.withPhotoClient { client async throws in
            let fields = "\(ServedContacts.authorization)If-Match: \(try await client.tag("bo"))\r\n"
            let request = "PUT /v1/contacts/bo/photo"
            let empty = try await client.sendInChunks([], of: 1, request, fields: fields)
            #expect(empty.status == 400 && empty.code == "empty-body")
            // Some forty chunks: each is a write of its own, for which a busy machine may take a while.
            let response = try await client.sendInChunks(photo, of: photo.count / 40 + 1, request, fields: fields)
            #expect(response.status == 200)
            #expect(try people.photo("bo").bytes == photo)
        }
    }

    @Test(arguments: [true, false])
    func `An interrupted upload changes nothing, with or without a length`(_ hasLength: Bool) async throws {
        let before = try people.card("bo")
        try await people.withPhotoClient { client async throws in
            let fields = "\(ServedContacts.authorization)If-Match: \(try await client.tag("bo"))\r\n"
            let head = "PUT /v1/contacts/bo/photo HTTP/1.1\r\nHost: localhost\r\n\(fields)"
            let size = String(photo.count, radix: 16)
            let framing =
                hasLength
                ? "Content-Length: \(photo.count + 1)\r\n\r\n" : "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n"
            // The photo is whole, and the body is not.
            try await client.write(head + framing, photo)
            try await client.client.close()
        }
        // The server has ended, and with it all of its requests.
        #expect(try people.card("bo") == before && people.trashed == 0)
    }

    @Test func `A refusal comes before the photo of a client that waits`() async throws {
        try await people.withPhotoClient { client async throws in
            let fields = "\(ServedContacts.authorization)Content-Length: 1000000\r\nExpect: 100-continue\r\n"
            try await client.write("PUT /v1/contacts/bo/photo HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n", [])
            let text = try await client.client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 428 ") && !text.contains(" 100 "))
        }
    }

    @Test func `A photo of more than 20 MiB is refused by its length`() async throws {
        try await people.withPhotoClient { client async throws in
            let head = "PUT /v1/contacts/bo/photo HTTP/1.1\r\nHost: localhost\r\n\(ServedContacts.authorization)"
            try await client.write("\(head)Content-Length: \((20 << 20) + 1)\r\n\r\n", [])
            let text = try await client.client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 413 ") && text.contains("body-too-large"))
        }
    }
}

/// The limits of bodies that are photos.
@Suite struct UploadedBodyTests {
    private static func request(_ bytes: Int) -> Request {
        let head = HTTPRequest(method: .put, scheme: "http", authority: "localhost", path: "/v1/contacts/bo/photo")
        return Request(head: head, body: RequestBody(buffer: ByteBuffer(repeating: 1, count: bytes)))
    }

    @Test func `A body is refused while it is read, once it is too long`() async throws {
        let budget = UploadBudget(limit: 100)
        #expect(try await UploadedBody.read(Self.request(10), budget: budget, limit: 10).file.bytes.count == 10)
        let problem = await #expect(throws: ProblemDetails.self) {
            try await UploadedBody.read(Self.request(11), budget: budget, limit: 10)
        }
        #expect(problem?.code == "body-too-large")
    }

    @Test func `All bodies together have a limit, and one that is done counts no more`() async throws {
        let budget = UploadBudget(limit: 10)
        var first: UploadedBody? = try await UploadedBody.read(Self.request(6), budget: budget)
        let problem = await #expect(throws: ProblemDetails.self) {
            try await UploadedBody.read(Self.request(6), budget: budget)
        }
        #expect(problem?.code == "uploads-full" && problem?.status == 503 && first != nil)
        first = nil
        #expect(try await UploadedBody.read(Self.request(10), budget: budget).file.bytes.count == 10)
    }

    @Test(arguments: [
        ("PUT /v1/contacts/bo/photo", 200), ("PUT /v1/contacts/bo/photo?crop=face", 200),
        ("POST /v1/photos/preview", 200), ("POST /v1/contacts/bo/photo", 413), ("PUT /v1/contacts/bo/favourite", 413),
        ("POST /v1/avatars", 413),
    ])
    func `Only photos may be longer than other bodies`(_ request: String, _ status: Int) async throws {
        var limits = ConnectionLimits.patient
        limits.bodyBytes = 10
        limits.photoBytes = 20
        try await RunningServer.run(limits: limits) { server in
            let client = PhotoClient(client: try await server.client())
            let body = [UInt8](repeating: 65, count: 20)
            #expect(try await client.send(body, request, fields: "").status == status)
        }
    }

    @Test func `A photo in chunks is refused while it is read`() async throws {
        var limits = ConnectionLimits.patient
        limits.photoBytes = 20
        try await RunningServer.run(limits: limits) { server in
            let client = PhotoClient(client: try await server.client())
            let body = [UInt8](repeating: 65, count: 21)
            let response = try await client.sendInChunks(body, of: 7, "POST /v1/photos/preview", fields: "")
            #expect(response.status == 413 && response.code == "body-too-large")
        }
    }

    @Test func `The time for a body is the one of the request`() {
        var times = ConnectionTimes(limits: ConnectionLimits(), now: .uptimeNanoseconds(0))
        times.headEnded(.uptimeNanoseconds(0), body: ConnectionLimits().photo)
        #expect(times.deadline == .uptimeNanoseconds(0) + .seconds(120))
    }
}

/// `POST /v1/photos/preview`.
@Suite(.timeLimit(.minutes(15))) struct PhotoPreviewTests {
    private let people: ServedContacts
    private let photo: [UInt8]

    init() async throws {
        people = try await ServedContacts()
        photo = [UInt8](try Repository.data(Repository.sample))
    }

    @Test func `A preview is the avatar that the contact has with the photo, and nothing is stored`() async throws {
        try await people.withPhotoClient { client async throws in
            let style = "size=64&scale=2&state=selected"
            let preview = try await client.preview(photo, "?crop=10,20,100,100&max-side=200&\(style)")
            #expect(preview.status == 200 && preview.field("content-type") == "image/png" && preview.side == 128)
            #expect(preview.field("cache-control") == "no-store")
            let key = try #require(preview.bytes.withUnsafeBytes { AvatarRecipe(readingFrom: $0) }).key
            #expect(people.service.cache?.lookup(key) == nil && people.trashed == 0)
            #expect(try await client.set(photo, of: "bo", "?crop=10,20,100,100&max-side=200").status == 200)
            let avatar = try await client.client.get(
                "/v1/contacts/bo/avatar?\(style)", fields: "Accept: image/png\r\n")
            #expect(avatar.bytes == preview.bytes)
        }
    }

    // Browsers that read no HEIC show the photo by it, to choose a part of it.
    @Test func `A preview of the whole photo is that of the contact with it`() async throws {
        try await people.withPhotoClient { client async throws in
            let preview = try await client.preview(photo, "?whole=1&size=64&scale=2")
            let cropped = try await client.preview(
                photo, "?whole=1&size=64&scale=2&crop=10,20,100,100&style=none&state=selected")
            #expect(cropped.bytes == preview.bytes)
            #expect(preview.status == 200 && preview.field("content-type") == "image/png" && preview.side == 128)
            #expect(people.trashed == 0)
            #expect(try await client.set(photo, of: "bo").status == 200)
            let whole = try await client.client.get(
                "/v1/contacts/bo/photo?size=64&scale=2", fields: "\(ServedContacts.authorization)Accept: image/png\r\n")
            #expect(whole.bytes == preview.bytes)
        }
    }

    @Test func `Behind photos that take long each client has an answer`() async throws {
        var options = PhotoUploads.standard
        (options.workers, options.longestWait) = (1, .milliseconds(1))
        let uploads = PhotoUploads(people.addressBooks.pipeline, options: options)
        let query = try PhotoUploadQuery("")
        let codes = await withTaskGroup(of: String.self) { [photo] group in
            for _ in 0..<8 {
                group.addTask {
                    do throws(ProblemDetails) {
                        _ = try await uploads.drawn(
                            UploadedBody(photo, budget: uploads.budget), as: query, in: Style(size: 48))
                        return "drawn"
                    } catch { return error.code }
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        // Each is drawn by a process, which takes longer than the others wait.
        #expect(
            codes.keys.allSatisfy { ["drawn", "queue-full"].contains($0) } && codes["queue-full"] ?? 0 > 0, "\(codes)")
    }

    @Test func `An upload waits for seconds behind one that takes long, and there are two at a time`() {
        #expect(PhotoUploads(people.addressBooks.pipeline).longestWait == .seconds(5))
        #expect(PhotoUploads.standard.workers >= 2)
    }

    @Test(arguments: ["crop=top", "size=0", "max-side=x", "style=none", "crop=9000,0,10,10", "whole=2"])
    func `Another query is refused`(_ query: String) async throws {
        try await people.withPhotoClient { client async throws in
            let response = try await client.preview(photo, "?\(query)")
            #expect(response.status == 400 && response.code == "bad-parameter")
        }
    }

    @Test func `A preview is a PNG, whatever is asked for`() async throws {
        try await people.withPhotoClient { client async throws in
            let fields = ServedContacts.authorization + "Accept: image/webp\r\n"
            let response = try await client.preview(photo, "?format=webp&wait=0", fields: fields)
            #expect(response.status == 200 && response.field("content-type") == "image/png" && response.side == 96)
        }
    }
}
