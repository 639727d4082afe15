internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// What sources deleted, in a folder for each day (UTC).
struct MirrorTrash {
    /// Days after which a folder is removed.
    static let kept = 30

    private let root: FilePath
    private let today: FilePath

    init(_ root: FilePath, now: Int = time(nil)) {
        self.root = root
        today = root.appending(Self.name(now))
    }

    /// The name of the day's folder: 2026-11-24.
    static func name(_ seconds: Int) -> String {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(digits - text.count, 0)) + text
        }
        return "\(padded(parts.tm_year + 1_900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
    }

    /// Moves a file here, under a name that is free. A file that is gone already is none.
    mutating func take(_ file: FilePath) throws {
        try Folder.make(today, mode: 0o700)
        guard let name = file.lastComponent else { return }
        var attempt = 1
        while true {
            let target = attempt == 1 ? today.appending(name) : today.appending("\(name.string)~\(attempt)")
            do { return try AtomicFile.renameNoReplace(file, to: target) } catch Errno.fileExists {
                attempt += 1
            } catch Errno.noSuchFileOrDirectory { return }
        }
    }

    /// Removes the folders of days that are long past, unless they hold folders.
    func prune(now: Int = time(nil)) {
        let oldest = Self.name(now - Self.kept * 86_400)
        for day in (try? Folder(root).names()) ?? [] where Self.isDay(day.string) && day.string < oldest {
            let folder = root.appending(day)
            for name in (try? Folder(folder).names()) ?? [] { AtomicFile.remove(folder.appending(name)) }
            _ = folder.withPlatformString { rmdir($0) }
        }
    }

    private static func isDay(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count == 10 else { return false }
        return bytes.indices.allSatisfy { [4, 7].contains($0) ? bytes[$0] == 0x2D : 0x30...0x39 ~= bytes[$0] }
    }
}
