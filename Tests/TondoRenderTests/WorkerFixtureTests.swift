import Foundation
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// Every file of `Tests/Fixtures` that photos are tested with.
@Suite struct WorkerFixtureTests {
    private static let folders = [
        "broken", "colour", "decodes-like-reference", "orientation", "refused", "unsupported",
    ]

    @Test(arguments: folders)
    func `A worker gives what drawing in this process gives`(_ folder: String) throws {
        let root = Repository.path("Tests/Fixtures/" + folder)
        let workers = try Workers("tondo-render", styles: [Style(size: 16), Style(size: 20, scale: 2)])
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: root).sorted() {
            guard let data = FileManager.default.contents(atPath: root + "/" + name) else { continue }
            let photo = [UInt8](data)
            let (drawn, expected) = (workers.draw(photo), workers.expected(photo))
            #expect(drawn.pngs == expected.pngs && drawn.warnings == expected.warnings, "\(name)")
            #expect(drawn.error == expected.error, "\(name)")
            count += 1
        }
        #expect(count > 10)
        #expect(workers.counts == .init(started: 1, running: 1))
    }
}
