import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoMirror

/// A run that is killed between any two of its steps: the mirror is copied there, and the next run begins with the copy.
struct KilledAtEachStepTests {
    private static func item(_ name: String, _ text: String) -> MirrorItem {
        MirrorTestFolder.item("/\(name)", text, name: name)
    }

    private static let before = [
        item("same", "s 1"), item("changed", "c 1"), item("touched", "t 1"), item("gone", "g 1"), item("lost", "l 1"),
    ]
    private static let after = [
        item("same", "s 1"), item("changed", "c 2"), item("touched", "t 2"), item("lost", "l 1"), item("new", "n 1"),
    ]

    /// With a card that another program changed, one that it removed, and one that it made.
    private static func start() throws -> MirrorTestFolder {
        let mirror = try MirrorTestFolder()
        try mirror.run(before)
        try mirror.overwrite("touched.vcf", "foreign")
        try mirror.folder.remove("work/cards/lost.vcf")
        try mirror.write("own", to: "own.vcf")
        return mirror
    }

    private static let wanted = [
        "same.vcf": "s 1", "changed.vcf": "c 2", "touched.vcf": "t 2", "lost.vcf": "l 1", "new.vcf": "n 1",
        "own.vcf": "own",
    ]

    @Test
    func `the next run converges, doubles nothing and loses nothing`() throws {
        var images: [(step: MirrorFolder.Step, image: MirrorTestFolder)] = []
        let mirror = try Self.start()
        try mirror.run(Self.after, removing: ["/gone"]) { step, _ in
            do { images.append((step, try mirror.copy())) } catch { Issue.record(error) }
        }
        #expect(try mirror.cards() == Self.wanted)
        #expect(try mirror.trash() == ["foreign", "g 1"])
        let steps = Set(images.map(\.step))
        #expect(steps.count == 9, "\(steps)")
        for (step, image) in images {
            let report = try image.run(Self.after, removing: ["/gone"])
            #expect(try image.cards() == Self.wanted, "\(step)")
            #expect(try image.trash() == ["foreign", "g 1"], "\(step)")
            #expect(try image.folder.names(in: "work/tmp").isEmpty, "\(step)")
            #expect(report.names(.new) == ["own.vcf"], "\(step)")
            // What this mirror wrote is never taken for another program's.
            #expect(Set(report.names(.changed)).isSubset(of: ["touched.vcf"]), "\(step)")
        }
    }

    @Test
    func `a state that was committed before is there at each step`() throws {
        let mirror = try Self.start()
        var missing: [MirrorFolder.Step] = []
        try mirror.run(Self.after, removing: ["/gone"]) { step, _ in
            if (try? MirrorFile.state(at: mirror.layout.state)) == nil { missing.append(step) }
        }
        #expect(missing.isEmpty)
    }
}
