import Foundation
import Logging
import NIOCore
import SystemPackage
import TondoAvatars
import TondoCache
import TondoTestSupport

@testable import TondoServer

/// A small address book without photos, and a service that serves it.
struct ServedContacts {
    let folder: TemporaryFolder
    let addressBooks: AddressBookService
    let service: AvatarService

    static let cards = [
        "ada": "FN:Ada Lovelace\nN:Lovelace;Ada;;;\nEMAIL:ada@example.org\nX-TELEGRAM:ada\nCATEGORIES:Family",
        "bo": "FN:Bo Berg\nN:Berg;Bo;;;\nTEL:+46 1\nCATEGORIES:Work",
        "cy": "FN:Cy Adams\nN:Adams;Cy;;;\nEMAIL:cy@example.org\nCATEGORIES:Work",
    ]

    /// `longestPublication`: longer than any test.
    init(hasTrash: Bool = true, longestPublication: Duration = .seconds(600)) async throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.pathString + "/book", withIntermediateDirectories: true)
        for (id, lines) in Self.cards {
            try folder.write("BEGIN:VCARD\nVERSION:3.0\nUID:\(id)\n\(lines)\nEND:VCARD\n", to: "book/\(id).vcf")
        }
        let cache = try AvatarCache(FilePath(folder.pathString + "/cache"))
        var options = AvatarService.Options()
        if hasTrash { options.trash = Trash(FilePath(folder.pathString + "/trash")) }
        addressBooks = AddressBookService(
            AvatarPipeline(cache: cache, .patient), broadcaster: EventBroadcaster(capacity: 1000), trash: options.trash,
            longestPublication: longestPublication)
        let token = try AccessToken(file: folder.write(Self.token, to: "token"))
        service = AvatarService(
            addressBooks, cache: cache, guard: RequestGuard(hosts: HostGuard(), token: token), options: options,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let received = addressBooks.broadcaster.subscribe(after: 0)
        addressBooks.serve([FilePath(folder.pathString + "/book")], styles: [AvatarStyle(size: 16)])
        await Self.wait(received, for: "finished")
    }

    static let token = String(repeating: "t", count: 40)
    static let authorization = "Authorization: Bearer \(token)\r\n"

    /// Until an event with this name was published.
    static func wait(_ subscriber: EventSubscriber, for name: String) async {
        while let batch = await subscriber.next() {
            if case .events(let bytes) = batch, String(buffer: bytes).contains("event: \(name)\n") { return }
        }
    }

    /// Asks over a connection of its own.
    func withClient(_ requests: (RawClient) async throws -> Void) async throws {
        try await RunningServer.run(
            fastPath: service.response, directPath: service.respond(to:from:done:), respond: service.respond()
        ) { server in
            try await requests(try await server.client())
        }
        addressBooks.stop()
    }
}

extension RawResponse {
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
    }

    /// Of a page of contacts.
    var ids: [String] { (json["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String } }
}

extension AvatarPipeline.Options {
    /// For tests whose photos are drawn on a busy machine, in whatever time it takes.
    static var patient: Self {
        var options = Self()
        options.timeout = .seconds(600)
        return options
    }
}
