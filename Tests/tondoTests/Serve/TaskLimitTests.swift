import Foundation
import SystemPackage
import Testing
import TondoJobs
import TondoTestSupport

@testable import tondo

@Suite struct TaskLimitTests {
    private static let units = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "systemd")

    private func tasks(_ processors: Int, books: Int = 4) -> ServiceTasks {
        ServiceTasks(processors: processors, workers: Processors.ofService(processors), books: books)
    }

    @Test(arguments: ["tondo.service", "tondo-worker@.service", "user/tondo.service"], [1, 2, 16, 32, 64, 256])
    func `The limit of a unit is enough for every thread and process`(unit: String, processors: Int) throws {
        let text = try String(contentsOf: Self.units.appending(path: unit), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("TasksMax=") })
        #expect(try #require(Int(line.dropFirst(9))) >= tasks(processors, books: 16).most)
    }

    @Test func `Processors beyond sixteen add no thread but those of the runtime`() {
        #expect(tasks(64).most - tasks(16).most == 2 * 48)
        #expect(ServiceTasks.loops(64) == 8 && ServiceTasks.loops(1) == 1)
        #expect(tasks(1).most < 128)
    }

    @Test func `Fewer photos are drawn at once where that makes the tasks fit, but one always is`() {
        var tasks = tasks(16)
        let most = tasks.most
        #expect(TaskLimit.workers(&tasks, within: most) == 16)
        let fewer = TaskLimit.workers(&tasks, within: most - 20)
        #expect((2..<16).contains(fewer) && tasks.most <= most - 20)
        #expect(TaskLimit.workers(&tasks, within: 1) == 1)
    }

    @Test(arguments: [
        ("0::/a/b\n", "", 28), ("3:cpu:/x\n7:pids:/a/b\n0::/\n", "pids/", 28), ("0::/\n", "", 91),
    ])
    func `The limit is that of the control group, or of one above it`(text: String, place: String, rest: Int) throws {
        let folder = try TemporaryFolder()
        let root = folder.pathString
        for path in ["proc/self", "groups/\(place)a/b"] {
            try FileManager.default.createDirectory(atPath: root + "/" + path, withIntermediateDirectories: true)
        }
        try folder.write(text, to: "proc/self/cgroup")
        for (group, most, current) in [("", "100\n", "10\n"), ("a/", "30\n", "3\n"), ("a/b/", "max\n", "2\n")] {
            try folder.write(most, to: "groups/\(place)\(group)pids.max")
            try folder.write(current, to: "groups/\(place)\(group)pids.current")
        }
        let available = TaskLimit.available(processes: FilePath(root + "/proc"), groups: FilePath(root + "/groups"))
        #expect(available.map { min($0, 91) } == rest)
    }

    @Test func `Without control groups there is no limit but the user's`() throws {
        let folder = FilePath(try TemporaryFolder().pathString)
        let available = TaskLimit.available(processes: folder, groups: folder)
        #expect(geteuid() == 0 ? available == nil : true)
    }
}
