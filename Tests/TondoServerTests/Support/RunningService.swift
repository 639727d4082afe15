import Foundation
import Logging
import NIOCore
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage
import TondoTestSupport

@testable import TondoServer

/// A service over a small book, for the time of a test.
struct RunningService {
    let service: AvatarService
    let server: RunningServer
    private let folder: TemporaryFolder

    var addressBooks: AddressBookService { service.addressBooks }
    var bookPath: String { folder.pathString + "/book" }

    /// `cards`: by file name. `isLoading`: the book is being loaded, else it waits for `load`.
    static func run(
        _ cards: [String: String] = Card.people, options: AvatarService.Options = .init(),
        pipeline: AvatarPipeline.Options = .patient, styles: [AvatarStyle] = [], isLoading: Bool = true,
        guard requestGuard: RequestGuard = RequestGuard(hosts: HostGuard(), token: nil),
        body: (RunningService) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.pathString + "/book", withIntermediateDirectories: false)
        for (name, card) in cards { try folder.write(card, to: "book/\(name).vcf") }
        let cache = try AvatarCache(FilePath(folder.pathString + "/cache"))
        let addressBooks = AddressBookService(AvatarPipeline(cache: cache, pipeline), broadcaster: EventBroadcaster())
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let service = AvatarService(addressBooks, cache: cache, guard: requestGuard, options: options, logger: logger)
        let fastPath: HTTPServer.FastPath = { service.response($0, from: $1) }
        let directPath: HTTPServer.DirectPath = { service.respond(to: $0, from: $1, done: $2) }
        try await RunningServer.run(
            fastPath: fastPath, directPath: directPath, respond: service.respond(), onShutdown: service.broadcaster.end
        ) { server in
            let running = RunningService(service: service, server: server, folder: folder)
            if isLoading {
                running.load(styles)
                _ = await running.received { $0.contains("event: finished") }
            }
            try await body(running)
        }
        addressBooks.stop()
    }

    func load(_ styles: [AvatarStyle] = []) {
        addressBooks.serve([FilePath(folder.pathString + "/book")], styles: styles)
    }

    /// All events after `last`, once `enough` returns true.
    func received(after last: UInt64 = 0, until enough: (String) -> Bool) async -> String {
        let subscriber = service.broadcaster.subscribe(after: last)
        var text = ""
        while !enough(text), case .events(let bytes) = await subscriber.next() { text += String(buffer: bytes) }
        return text
    }

    /// As writers of vdirs do it. Returns when the service has published an event whose text `enough` accepts.
    func replace(_ name: String, with card: String, until enough: (String) -> Bool) async throws {
        let last = service.broadcaster.last
        try folder.write(card, to: "book/.\(name).tmp")
        _ = rename(folder.pathString + "/book/.\(name).tmp", folder.pathString + "/book/\(name).vcf")
        _ = await received(after: last, until: enough)
    }

    func remove(_ name: String) async throws {
        let last = service.broadcaster.last
        try FileManager.default.removeItem(atPath: folder.pathString + "/book/\(name).vcf")
        _ = await received(after: last) { $0.contains("event: contactRemoved") }
    }

    func get(_ target: String, fields: String = "") async throws -> RawResponse {
        let client = try await server.client()
        let response = try await client.get(target, fields: fields)
        try await client.close()
        return response
    }
}

/// Cards of people.
enum Card {
    static let people = [
        "ada": card("ada", photo: inline(10), mail: "ada@example.org"),
        "bob": card("bob", mail: "bob@example.org"),
        "eve": card("eve", photo: ";ENCODING=b;TYPE=PNG:AAAA", mail: "eve@example.org"),
    ]

    static func card(_ name: String, photo: String? = nil, mail: String? = nil) -> String {
        let lines = [
            "BEGIN:VCARD", "VERSION:3.0", "UID:\(name)", "FN:\(name)", mail.map { "EMAIL:\($0)" },
            photo.map { "PHOTO\($0)" }, "END:VCARD", "",
        ]
        return lines.compactMap { $0 }.joined(separator: "\r\n")
    }

    /// A small picture in one colour.
    static func inline(_ shade: UInt8) -> String {
        let pixel: [UInt8] = [shade, 255 - shade, 77, 255]
        let png = PNGEncoder.encode(pixels: Array((0..<64).map { _ in pixel }.joined()), width: 8, height: 8)
        return ";ENCODING=b;TYPE=PNG:" + Data(png).base64EncodedString()
    }
}

extension RawResponse {
    /// Of the PNG in the body; 0 when it is none.
    var side: Int {
        bytes.count > 24 ? bytes[16..<20].reduce(0) { $0 << 8 | Int($1) } : 0
    }

    /// The upper left pixel: red, green, blue, alpha.
    var corner: [UInt8] {
        bytes.withUnsafeBytes { bytes in
            (try? Canvas(showing: Photo(bytes), longestSide: side)).map { Array($0.bytes.prefix(4)) } ?? []
        }
    }

    /// Everything but the time.
    var timeless: String {
        head.unicodeScalars.split { $0 == "\r" || $0 == "\n" }.map { String($0) }
            .filter { !$0.lowercased().hasPrefix("date:") }.sorted().joined(separator: "\n") + "\n\n" + body
    }
}
