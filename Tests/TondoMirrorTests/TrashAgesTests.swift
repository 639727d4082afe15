import Foundation
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoMirror

/// The trash keeps everything for 30 days that were seen to pass, whatever the clock says.
struct TrashAgesTests {
    private static let day = TrashAges.day
    private static let today = 1_795_700_000
    private static let wrong = [0, 4_070_908_800]

    private let folder: TemporaryFolder
    private var root: FilePath { folder.path.appending("trash") }

    init() throws { folder = try TemporaryFolder() }

    private static func moment(_ wall: Int, boot: String = "", uptime: Int = 0) -> TrashAges.Moment {
        TrashAges.Moment(wall: wall, boot: boot, uptime: uptime)
    }

    private func delete(_ name: String, at moment: TrashAges.Moment) throws {
        var trash = MirrorTrash(root: root, record: folder.path.appending("ages"), now: moment)
        let file = try folder.write([1], to: name)
        #expect(try trash.take(file) != nil)
        trash.prune()
    }

    private func run(at moment: TrashAges.Moment) {
        var trash = MirrorTrash(root: root, record: folder.path.appending("ages"), now: moment)
        trash.prune()
    }

    private func names() throws -> [String] {
        try folder.files(below: "trash").map { String($0.split(separator: "/").last ?? "") }
    }

    @Test
    func `what was deleted leaves after 30 days of runs`() throws {
        try delete("ada.vcf", at: Self.moment(Self.today))
        for day in 1..<30 { run(at: Self.moment(Self.today + day * Self.day)) }
        #expect(try names() == ["ada.vcf"])
        run(at: Self.moment(Self.today + 30 * Self.day))
        #expect(try names().isEmpty)
    }

    @Test
    func `many runs a day count for no more than their time`() throws {
        try delete("ada.vcf", at: Self.moment(Self.today))
        for run in 1...(29 * 24) { self.run(at: Self.moment(Self.today + run * 3_600)) }
        #expect(try names() == ["ada.vcf"])
    }

    @Test(arguments: wrong)
    func `a clock that goes wrong deletes nothing`(wall: Int) throws {
        try delete("ada.vcf", at: Self.moment(Self.today))
        run(at: Self.moment(wall))
        try delete("bob.vcf", at: Self.moment(wall + 100))
        run(at: Self.moment(Self.today + 200))
        #expect(try Set(names()) == ["ada.vcf", "bob.vcf"])
    }

    @Test(arguments: wrong)
    func `what was deleted by a wrong clock stays as long as anything else`(wall: Int) throws {
        try delete("ada.vcf", at: Self.moment(wall))
        for day in 0..<29 { run(at: Self.moment(Self.today + day * Self.day)) }
        #expect(try names() == ["ada.vcf"])
        for day in 29..<32 { run(at: Self.moment(Self.today + day * Self.day)) }
        #expect(try names().isEmpty)
    }

    @Test
    func `a machine without a clock of its own, which starts at 1970 each time, deletes nothing early`() throws {
        try delete("ada.vcf", at: Self.moment(Self.today, boot: "0", uptime: 60))
        for boot in 1...100 {
            run(at: Self.moment(10, boot: "\(boot)", uptime: 10))
            run(at: Self.moment(Self.today + boot * 600, boot: "\(boot)", uptime: 20))
        }
        #expect(try names() == ["ada.vcf"])
    }

    @Test
    func `within one start of the machine its uptime counts, whatever the clock does`() throws {
        try delete("ada.vcf", at: Self.moment(Self.today, boot: "b", uptime: 0))
        for run in 1...100 { self.run(at: Self.moment(Self.wrong[run % 2], boot: "b", uptime: run)) }
        #expect(try names() == ["ada.vcf"])
        run(at: Self.moment(Self.today, boot: "b", uptime: 30 * Self.day))
        #expect(try names().isEmpty)
    }

    @Test
    func `a folder of which nothing is known begins to age now`() throws {
        try folder.write([1], to: "trash/1999-01-01/old.vcf")
        run(at: Self.moment(Self.today))
        #expect(try names() == ["old.vcf"])
        try folder.write(Array("folder 1999-01-01 0\nclock x\n".utf8), to: "ages")
        for day in 0..<30 { run(at: Self.moment(Self.today + day * Self.day)) }
        #expect(try names() == ["old.vcf"])
        run(at: Self.moment(Self.today + 31 * Self.day))
        #expect(try names().isEmpty)
    }

    @Test
    func `the record is read as it was written`() throws {
        var ages = TrashAges()
        ages.pass(to: Self.moment(Self.today, boot: "a-b c", uptime: 5))
        ages.use("2026-11-24")
        ages.pass(to: Self.moment(Self.today + 50, boot: "a-b c", uptime: 55))
        #expect(TrashAges(ages.text) == ages)
        for count in 0..<ages.text.count { #expect(TrashAges(Array(ages.text.prefix(count))).due.isEmpty) }
    }

    @Test
    func `the clocks of this machine are known`() {
        let now = TrashAges.Moment.now
        #expect(now.wall > 0 && now.uptime > 0 && now.boot.count >= 36)
    }
}
