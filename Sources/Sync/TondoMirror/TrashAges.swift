internal import Glibc
internal import SystemPackage
internal import TondoText

/// How much time was seen to pass since each folder of the trash was used, whatever the clock says. Pure.
///
/// A clock that is wrong, at the deletion or now, must not delete anything early. So no two times of the clock are compared that
/// lie far apart: what counts is the time between one run and the next.
struct TrashAges: Equatable {
    /// The clocks at one moment.
    struct Moment: Equatable {
        /// Seconds since 1970, by a clock that may be wrong.
        var wall: Int
        /// The kernel's name of the time since the machine started; empty: unknown.
        var boot: String
        /// Seconds since then, in which the machine may have slept.
        var uptime: Int
    }

    static let day = 86_400
    /// Seconds after which a folder is removed.
    static let kept = 30 * day
    /// A clock before 2026 was never set: the program is younger.
    private static let earliest = 1_767_225_600

    /// Seconds that were seen to pass.
    private(set) var seen = 0
    private(set) var last: Moment?
    /// `seen` when the folder was used last.
    private(set) var folders: [String: Int] = [:]

    /// Within one start of the machine, its uptime counts. Over a restart only the clock is left: it counts for a day at most,
    /// and for nothing if it was not set.
    mutating func pass(to now: Moment) {
        defer { last = now }
        guard let last else { return }
        if !now.boot.isEmpty, now.boot == last.boot {
            seen += max(now.uptime - last.uptime, 0)
        } else if last.wall >= Self.earliest, now.wall >= Self.earliest {
            seen += min(max(now.wall - last.wall, 0), Self.day)
        }
    }

    /// Something was moved into the folder.
    mutating func use(_ folder: String) { folders[folder] = seen }

    /// Folders that nothing is known about, such as those of an earlier version, begin to age now; what is gone is forgotten.
    mutating func match(_ present: Set<String>) {
        for folder in present where folders[folder] == nil { folders[folder] = seen }
        folders = folders.filter { present.contains($0.key) }
    }

    /// Whether a clock went on by more than an hour since the other record, or went back, or the machine started again.
    func isFarther(than other: TrashAges) -> Bool {
        guard let last, let before = other.last else { return last != nil }
        return last.boot != before.boot || abs(last.wall - before.wall) >= 3_600
            || last.uptime - before.uptime >= 3_600
    }

    var due: [String] { folders.filter { seen - $0.value >= Self.kept }.keys.sorted() }
}

/// As a file:
///
///     tondo-trash 1
///     clock SEEN WALL UPTIME BOOT
///     folder NAME SEEN
extension TrashAges {
    private static let head = ["tondo-trash", "1"]

    /// A text of any other form says nothing, so that everything begins to age again.
    init(_ text: [UInt8]) {
        var lines = text.split(separator: UInt8(ascii: "\n")).map { MirrorState.words($0) }[...]
        guard lines.popFirst() == Self.head else { return }
        for words in lines {
            switch (words.first, words.count) {
            case ("clock", 5):
                guard let seen = Int(words[1]), let wall = Int(words[2]), let uptime = Int(words[3]), seen >= 0 else {
                    continue
                }
                self.seen = seen
                last = Moment(wall: wall, boot: words[4], uptime: uptime)
            case ("folder", 3): folders[words[1]] = Int(words[2])
            default: continue
            }
        }
        // A damaged line must not make anything old.
        folders = folders.mapValues { min(max($0, 0), seen) }
        if last == nil { folders = [:] }
    }

    var text: [UInt8] {
        var text = MirrorState.line(Self.head)
        if let last { text += MirrorState.line(["clock", "\(seen)", "\(last.wall)", "\(last.uptime)", last.boot]) }
        for (folder, seen) in folders.sorted(by: { $0.key < $1.key }) {
            text += MirrorState.line(["folder", folder, "\(seen)"])
        }
        return text
    }
}

extension TrashAges.Moment {
    /// The kernel's files show what the machine's clocks say; the process may see others.
    static var now: Self {
        func text(_ path: String) -> String {
            let bytes = (try? MirrorFile.readOfKernel(FilePath(path))) ?? []
            return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace || $0 == " " }
        }
        let uptime = text("/proc/uptime").prefix { $0.isNumber }
        let boot = Int(uptime) == nil ? "" : text("/proc/sys/kernel/random/boot_id")
        return Self(wall: time(nil), boot: boot, uptime: Int(uptime) ?? 0)
    }
}
