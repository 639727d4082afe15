import Foundation
import Glibc
import TondoCache

/// Memory of a process that has an idle cache open, after it was asked for its state and its entries.
struct MemoryBench {
    private let large: LargeIndex
    private let empty: String

    init(_ large: LargeIndex, _ folder: WorkFolder) {
        self.large = large
        empty = folder.path("empty")
    }

    func run() throws -> Section {
        var section = Section("memory that an open, idle cache adds to a process", unit: "MB")
        for (name, path) in [("no entries", empty), ("\(large.entries) entries", large.path)] {
            let figures = try (0..<5).map { _ in try IdleCache.measure(path) }
            section.rows.append(
                Section.Row(name: name, wall: Series(values: figures.map(\.all)), cpu: Series(values: [])))
            section.rows.append(
                Section.Row(
                    name: "\(name), without code", wall: Series(values: figures.map(\.own)), cpu: Series(values: [])))
        }
        let all = section["\(large.entries) entries"]?.wall.median ?? .nan
        section.targets = [.init(what: "memory of an idle cache", figure: all, target: 10, unit: "MB")]
        return section
    }
}

/// The process that is looked at.
enum IdleCache {
    /// Megabytes: resident, and of these what belongs to no file.
    struct Memory: Codable {
        var all: Double
        var own: Double
    }

    static func measure(_ path: String) throws -> Memory {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--idle", path]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Memory.self, from: data)
    }

    /// In the process of its own: prints what it grew by.
    static func report(_ path: String) throws {
        // What every process that says something as JSON has.
        _ = try JSONEncoder().encode(try memory())
        let before = try memory()
        let cache = try AvatarCache.unlimited(path)
        _ = try cache.statistics()
        for order in EntryQuery.Order.allCases {
            var query = EntryQuery()
            (query.order, query.limit) = (order, 50)
            _ = try cache.entries(query)
        }
        let after = try memory()
        let grown = Memory(all: after.all - before.all, own: after.own - before.own)
        FileHandle.standardOutput.write(try JSONEncoder().encode(grown))
        withExtendedLifetime(cache) {}
    }

    private static func memory() throws -> Memory {
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        func megabytes(_ name: String) -> Double {
            let line = lines.first { $0.hasPrefix(name + ":") }
            return Double(line?.split(separator: " ").dropLast().last ?? "") ?? 0
        }
        return Memory(all: megabytes("VmRSS") / 1024, own: megabytes("RssAnon") / 1024)
    }
}
