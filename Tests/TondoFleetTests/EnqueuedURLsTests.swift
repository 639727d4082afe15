import Foundation
import SystemPackage
import Testing
import TondoAvatars
import TondoMirror
import TondoTestSupport

@testable import TondoFleet

/// Photos of URLs that `tondo sync` fetched go through the queue like other photos.
@Suite(.blocking) struct EnqueuedURLsTests {
    private let fleet: TestFleet
    private static let url = "https://photos.example.org/ada.png"

    init() throws { fleet = try TestFleet() }

    private func load(fetched: FilePath?) throws -> [LoaderEvent] {
        let events = Recorder<LoaderEvent>()
        var options = EnqueueRun.Options()
        options.styles = [TestFleet.style]
        let run = EnqueueRun(try fleet.pipeline(fetched: fetched), options, report: { events.add($0) })
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:ada\r\nFN:Ada\r\nPHOTO;VALUE=uri:\(Self.url)\r\nEND:VCARD\r\n"
        try fleet.folder.write(card, to: "book/ada.vcf")
        _ = try run.load(
            fleet.folder.path.appending("book"), run: "r1", to: fleet.stream(),
            blobs: TestFleet.blobs(fleet.server.socket))
        #expect(worker.stop())
        return events.all
    }

    @Test func `A fetched photo is drawn by a worker`() throws {
        let photo = try Data(contentsOf: Fixture.root.appendingPathComponent("golden/rgb.png"))
        let folder = fleet.folder.path.appending("fetched")
        try fleet.folder.write([UInt8](photo), to: "fetched/\(FetchedPhotos.name(of: Self.url))")
        let kinds = try load(fetched: folder).compactMap { event -> PreparedAvatar.Kind? in
            if case .avatar(let avatar) = event { avatar.kind } else { nil }
        }
        #expect(kinds == [.photo])
    }

    @Test func `One that was not fetched is a failure, and the silhouette follows`() throws {
        let names = try load(fetched: nil).map(\.name)
        #expect(names.contains("avatarFailed") && names.contains("avatar"))
    }
}
