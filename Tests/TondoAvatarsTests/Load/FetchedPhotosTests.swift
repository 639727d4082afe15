import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoAvatars

/// Photos of URLs that `tondo sync` fetches, seen by a loader without a network.
@Suite(.timeLimit(.minutes(15))) struct FetchedPhotosTests {
    private let book: SmallBook
    private let url = "https://example.org/ada.png"
    private var root: FilePath { FetchedPhotos.root(in: book.folder.path) }

    init() throws {
        book = try SmallBook()
        try book.write(SmallBook.card("ada", photo: ";VALUE=uri:\(url)"), to: "ada.vcf")
    }

    private func fetch(_ bytes: [UInt8]) throws {
        let place = "_photos/fetched/\(FetchedPhotos.name(of: url))"
        try book.folder.write(bytes, to: "_photos/fetched/.new.tmp")
        _ = rename(book.folder.pathString + "/_photos/fetched/.new.tmp", book.folder.pathString + "/" + place)
    }

    private func loader(isWatching: Bool = true) -> ContactLoader {
        var options = AvatarPipeline.Options()
        options.fetchedPhotos = FetchedPhotos.folder(in: root)
        return ContactLoader(
            book.path, styles: [AvatarStyle(size: 16)], pipeline: AvatarPipeline(cache: book.cache, options),
            isWatching: isWatching)
    }

    private func kinds(_ events: [LoaderEvent]) -> [PreparedAvatar.Kind] { events.compactMap { $0.avatar?.kind } }

    @Test func `A fetched photo is shown`() async throws {
        try fetch(SmallBook.image(1))
        var events: [LoaderEvent] = []
        for try await event in loader(isWatching: false).events() { events.append(event) }
        #expect(kinds(events) == [.photo])
    }

    @Test func `A photo that was not fetched is a failure`() async throws {
        var events: [LoaderEvent] = []
        for try await event in loader(isWatching: false).events() { events.append(event) }
        #expect(events.map(\.text).contains("failed ada remoteNotAllowed"))
        #expect(kinds(events) == [.silhouette])
    }

    @Test func `A contact is drawn again when its photo arrives, and when it changes`() async throws {
        try book.folder.makeFolder("_photos/fetched")
        var found: [PreparedAvatar.Kind] = []
        for try await event in loader().events() {
            if case .finished = event { try fetch(SmallBook.image(1)) }
            guard let kind = event.avatar?.kind else { continue }
            found.append(kind)
            if found == [.silhouette, .photo] { try fetch(SmallBook.image(2)) }
            if found.count == 3 { break }
        }
        #expect(found == [.silhouette, .photo, .photo])
    }

    @Test func `No other file is opened for a URL`() async throws {
        try fetch(SmallBook.image(1))
        let place = book.folder.pathString + "/_photos/fetched/\(FetchedPhotos.name(of: url))"
        try FileManager.default.moveItem(atPath: place, toPath: book.folder.pathString + "/secret.png")
        try FileManager.default.createSymbolicLink(
            atPath: place, withDestinationPath: book.folder.pathString + "/secret.png")
        var events: [LoaderEvent] = []
        for try await event in loader(isWatching: false).events() { events.append(event) }
        #expect(kinds(events) == [.silhouette])
    }
}
