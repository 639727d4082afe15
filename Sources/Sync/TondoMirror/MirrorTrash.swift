internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// What sources deleted and what other programs wrote into a mirror, in a folder for each day (UTC).
struct MirrorTrash {
    private let root: FilePath
    private let record: FilePath
    private let day: String
    private let moment: TrashAges.Moment
    private var ages: TrashAges?

    /// `record`: the file of its `TrashAges`.
    init(root: FilePath, record: FilePath, now: TrashAges.Moment = .now) {
        self.root = root
        self.record = record
        moment = now
        day = Self.name(now.wall)
    }

    /// The name of the day's folder: 2026-11-24.
    static func name(_ seconds: Int) -> String {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32, digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(digits - text.count, 0)) + text
        }
        return
            "\(padded(parts.tm_year + 1_900, digits: 4))-\(padded(parts.tm_mon + 1, digits: 2))-\(padded(parts.tm_mday, digits: 2))"
    }

    /// Moves a file here, under a name that is free. Returns its place below the mirror's folder; nil: it is gone already.
    mutating func take(_ file: FilePath, as name: String? = nil) throws -> String? {
        guard let name = name ?? file.lastComponent?.string else { return nil }
        try open()
        let today = root.appending(day)
        var attempt = 1
        while true {
            // A card may be deleted twice on one day, and both files are kept.
            let free = attempt == 1 ? name : "\(name)~\(attempt)"
            do {
                try AtomicFile.renameNoReplace(file, to: today.appending(free))
                return "\(root.lastComponent?.string ?? "")/\(day)/\(free)"
            } catch Errno.fileExists {
                attempt += 1
            } catch Errno.noSuchFileOrDirectory { return nil }
        }
    }

    /// The day's folder is young from now on; that is on record before anything is in it, whenever the process is killed.
    private mutating func open() throws {
        try Folder.make(root.appending(day), mode: 0o700)
        if ages != nil { return }
        var ages = read()
        ages.use(day)
        write(ages)
        self.ages = ages
    }

    /// Removes the folders that were seen to lie here for long enough, unless they hold folders.
    mutating func prune() {
        let present = Set((try? Folder(root).names())?.map(\.string).filter(Self.isDay) ?? [])
        if present.isEmpty { return }
        let before = stored
        var ages = ages ?? read()
        ages.match(present)
        for day in ages.due {
            let folder = root.appending(day)
            for name in (try? Folder(folder).names()) ?? [] { AtomicFile.remove(folder.appending(name)) }
            _ = folder.withPlatformString { rmdir($0) }
        }
        // Time that is not on record yet is counted by a later run.
        if ages.folders != before.folders || ages.isFarther(than: before) { write(ages) }
    }

    private var stored: TrashAges { TrashAges((try? MirrorFile.read(record)) ?? []) }

    private func read() -> TrashAges {
        var ages = stored
        ages.pass(to: moment)
        return ages
    }

    /// If it fails, everything is kept for longer.
    private func write(_ ages: TrashAges) { try? AtomicFile.write(ages.text, to: record) }

    private static func isDay(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count == 10 else { return false }
        return bytes.indices.allSatisfy { [4, 7].contains($0) ? bytes[$0] == 0x2D : 0x30...0x39 ~= bytes[$0] }
    }
}
