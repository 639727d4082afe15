import Foundation

@testable import CacheCrasher
@testable import TondoCache

/// What stood in a cache's folder at some moments of a use that really took place.
struct CacheHistory {
    /// Files by their names below the folder.
    typealias Files = [String: Data]

    private(set) var moments: [Files] = []
    let images = (0..<8).map { TestImage($0, bytes: [0, 300, 5000, 9000][$0 % 4]) }
    /// What failures were noted of.
    let subjects = (0..<3).map { "photo=sha256:\($0) renderer=1" }

    init() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for image in images[..<5] { try cache.store(image, contacts: ["ada"]) }
        try note(folder)
        for subject in subjects {
            try cache.note(failureOf: subject, stage: "decode", code: "truncated", reason: "too short")
        }
        cache.flush()
        try note(folder)
        try cache.add(contacts: ["ben"], to: images[0].key)
        try cache.remove(images[1].key)
        try cache.store(images[2], contacts: ["cleo"])
        cache.forgetFailure(of: subjects[0])
        try note(folder)
        cache.flush()
        try cache.store(images[5])
        try note(folder)
        cache.close()
        try note(folder)
        for image in images[6...] { try cache.store(image) }
        _ = try cache.prune(maxSize: 20_000)
        try cache.store(images[3])
        try note(folder)
        _ = try cache.rebuildIndex()
        try cache.add(contacts: ["dan"], to: images[7].key)
        try note(folder)
    }

    private mutating func note(_ folder: TemporaryCache) throws {
        let names = try folder.files()
        moments.append(try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.url($0))) }))
    }

    /// A state that the disk may be in when the power went at one of the moments.
    func afterPowerCut(_ chance: inout Chance) -> Disk {
        let number = chance.number(below: moments.count)
        var disk = Disk(files: [:])
        // Names that were removed before may still be there.
        let names = Set(moments[...number].flatMap(\.keys)).sorted()
        for name in names {
            let versions = moments[...number].compactMap { $0[name] }
            let fate: Fate
            if moments[number][name] == nil {
                let isKept = name.hasPrefix("index.sqlite") || name.hasSuffix(".journal") || chance.once(in: 2)
                fate = isKept ? .absent : .whole
            } else {
                fate = Fate(of: name, &chance)
            }
            disk.put(name, versions, fate, &chance)
        }
        return disk
    }
}

/// What became of one file.
enum Fate: Equatable {
    case whole, absent
    /// As it was at an earlier moment.
    case older
    /// Its name had not changed yet: it is still in `tmp`.
    case unnamed
    /// Bytes that are left.
    case cut(Int)
    /// Blocks of 4096 bytes that are zero, as bits.
    case zeroed(UInt64)

    init(of name: String, _ chance: inout Chance) {
        // These two are fsynced, and so are their names, before anything else is made.
        if name == "VERSION" || name == "CACHEDIR.TAG" {
            self = .whole
            return
        }
        switch chance.number(below: 10) {
        case 0: self = .absent
        case 1: self = .cut(0)
        case 2: self = .cut(chance.number(below: 1 << 20))
        case 3: self = .cut(4096 * chance.number(below: 64))
        case 4: self = .zeroed(UInt64.random(in: .min ... .max, using: &chance))
        case 5: self = .zeroed(1 << UInt64.random(in: 0..<64, using: &chance))
        case 6 where name.hasPrefix("objects/"): self = .unnamed
        case 7 where name.hasPrefix("objects/"): self = .older
        default: self = .whole
        }
    }

    /// What is left of a file.
    func applied(to file: Data) -> Data? {
        switch self {
        case .whole, .older, .unnamed: return file
        case .absent: return nil
        case .cut(let size): return file.prefix(file.isEmpty ? 0 : size % (file.count + 1))
        case .zeroed(let blocks):
            var file = file
            let count = max((file.count + 4095) / 4096, 1)
            for block in 0..<64 where blocks >> block & 1 == 1 {
                let start = block % count * 4096
                let end = min(start + 4096, file.count)
                if start < end { file.replaceSubrange(start..<end, with: Data(count: end - start)) }
            }
            return file
        }
    }
}

/// The files of a cache after a power cut.
struct Disk {
    private(set) var files: CacheHistory.Files
    /// For a message.
    private(set) var fates: [String: Fate] = [:]

    init(files: CacheHistory.Files) { self.files = files }

    /// `versions`: what the file held, the latest last.
    mutating func put(_ name: String, _ versions: [Data], _ fate: Fate, _ chance: inout Chance) {
        fates[name] = fate
        guard let latest = versions.last else { return }
        switch fate {
        case .older: files[name] = versions.randomElement(using: &chance)
        case .unnamed:
            let other = Fate(of: "tmp/", &chance)
            files["tmp/fedcba9876543210-\(files.count)"] = other.applied(to: latest)
        default: files[name] = fate.applied(to: latest)
        }
    }

    /// Entries whose files are as they were stored at some time.
    func wholeKeys(of history: CacheHistory) -> [CacheKey] {
        history.images.map(\.key).filter { key in
            let name = "objects/\(key.hexadecimal.prefix(2))/\(key).png"
            guard let file = files[name] else { return false }
            return history.moments.contains { $0[name] == file }
        }
    }

    func write(to folder: TemporaryCache) throws {
        for (name, data) in files {
            let url = folder.url(name)
            let parent = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try data.write(to: url)
            if name.hasPrefix("objects/") {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            }
        }
    }
}
