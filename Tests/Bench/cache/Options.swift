import Foundation

/// The command line.
struct Options {
    /// A wrong argument, or the usage that was asked for.
    struct Misuse: Error, CustomStringConvertible {
        var description: String
    }

    static let parts = ["hit", "store", "verify", "index", "memory"]
    static let usage = """
        usage: CacheBench [--quick] [--rounds N] [--entries N] [--files N] [--only PART,PART] [--folder FOLDER]
                          [--keep] [--json FILE]
        parts: \(parts.joined(separator: ", "))
        """

    var isQuick = false
    /// After the warm-up.
    var rounds = 0
    /// Rows of the large index.
    var entries = 0
    /// Entries with files.
    var files = 0
    /// Made by a store round.
    var stores = 0
    var only: Set<String> = []
    /// Where everything is made; nil: beside this program.
    var folder: String?
    /// Leaves what was made.
    var isKeeping = false
    var json: String?
    /// A cache to open and leave alone: what the process of its own does.
    var idle: String?

    init(_ arguments: some Sequence<String>) throws(Misuse) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            if name == "--quick" || name == "--keep" {
                if name == "--quick" { isQuick = true } else { isKeeping = true }
                continue
            }
            guard let value = rest.popFirst() else { throw Misuse(description: Self.usage) }
            switch name {
            case "--rounds": rounds = try Self.number(value)
            case "--entries": entries = try Self.number(value)
            case "--files": files = try Self.number(value)
            case "--only": only = Set(value.split(separator: ",").map(String.init))
            case "--folder": folder = value
            case "--json": json = value
            case "--idle": idle = value
            default: throw Misuse(description: Self.usage)
            }
        }
        guard only.isSubset(of: Self.parts) else { throw Misuse(description: Self.usage) }
        if rounds == 0 { rounds = isQuick ? 5 : 11 }
        if entries == 0 { entries = isQuick ? 100_000 : 1_000_000 }
        if files == 0 { files = isQuick ? 2000 : 10_000 }
        stores = isQuick ? 200 : 400
    }

    func includes(_ part: String) -> Bool { only.isEmpty || only.contains(part) }

    private static func number(_ text: String) throws(Misuse) -> Int {
        guard let number = Int(text), number > 0 else { throw Misuse(description: usage) }
        return number
    }
}

/// A folder for everything the benchmark makes: on the disk that the build is on, since memory is no disk.
struct WorkFolder {
    private let root: URL

    init(_ parent: String?) throws {
        let parent =
            parent.map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        root = parent.appendingPathComponent("cache-bench-\(getpid())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { root.appendingPathComponent(name).path }

    func remove() { try? FileManager.default.removeItem(at: root) }
}
