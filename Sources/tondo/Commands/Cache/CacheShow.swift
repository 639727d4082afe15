import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache

/// `tondo cache show`
struct CacheShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Tells everything about one entry.",
        discussion: """
            The entry is named by its key, by the first digits of it (four at least), by its file in the cache, or by a \
            picture that 'tondo convert' wrote.
            """)

    @Argument(
        help: ArgumentHelp("A key, its first digits, or a file.", valueName: "key|prefix|file"), completion: .file())
    var entry: String

    @OptionGroup var location: CacheLocation

    @Flag(help: "Show the picture itself, in a terminal that can (kitty, iTerm2, sixel).")
    var preview = false

    @Flag(help: "One JSON object.")
    var json = false

    func validate() throws {
        if json && preview { throw ValidationError("--preview shows a picture to people, --json is for scripts.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(entry)
        let cache = try location.open(&arguments)
        try CacheFailure.telling {
            let key = try key(path, in: cache)
            let damage = try cache.damage(of: key)
            guard let found = try cache.entry(key) else {
                Terminal.complain("\(entry): no such entry\(Self.whyGone(try cache.departure(of: key)))")
                throw ExitCode(1)
            }
            if json {
                try StandardOutput.write(json: ShownEntry(found, damage: damage, in: cache))
            } else {
                try StandardOutput.write(Self.text(found, damage: damage, in: cache))
            }
            if preview { try show(key, in: cache) }
        }
    }

    /// A prefix of several keys is answered with all of them.
    private func key(_ path: FilePath, in cache: AvatarCache) throws -> CacheKey {
        if FileStatus(path)?.kind == .regular {
            if let key = AvatarCache.key(ofFile: path) ?? Recipe(ofPicture: path)?.key { return key }
            Terminal.complain("\(entry): neither an entry nor a picture that tondo made")
            throw ExitCode(1)
        }
        let prefix = entry.lowercased()
        let isPrefix = (4...64).contains(prefix.utf8.count) && prefix.utf8.allSatisfy { isHexadecimalDigit($0) }
        guard isPrefix else {
            Terminal.complain("\(entry): no such file, and no key: keys have 64 hexadecimal digits, four are enough")
            throw ExitCode(1)
        }
        let keys = try cache.keys(prefix: prefix, limit: 11)
        if keys.count > 1 {
            let more = keys.count > 10 ? "\n  ..." : ""
            let list = keys.prefix(10).map { "\n  \($0)" }.joined()
            Terminal.write("tondo: \(entry): several entries begin so:\(list)\(more)\n")
            throw ExitCode(1)
        }
        guard let key = keys.first ?? CacheKey(prefix) else {
            Terminal.complain("\(entry): no such entry")
            throw ExitCode(1)
        }
        return key
    }

    private func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func whyGone(_ departure: Departure?) -> String {
        departure.map { "; it \(DepartureText.text($0))" } ?? ""
    }

    private static func text(_ entry: Entry, damage: String?, in cache: AvatarCache) -> String {
        let now = Date()
        var block = KeyValueBlock()
        block.add("Key", entry.key.hexadecimal)
        block.add("File", cache.file(of: entry.key).string)
        block.add("Photo", entry.recipe.photo)
        block.add("Contacts", entry.contacts.isEmpty ? "none" : entry.contacts.joined(separator: ", "))
        block.add("Pixels", "\(entry.recipe.side) x \(entry.recipe.side)")
        block.add("Style", StyleText.text(entry.recipe.style))
        block.add("Recipe", entry.recipe.text)
        block.add("Bytes", "\(Quantities.count(entry.size)) (\(Quantities.bytes(entry.size)))")
        block.add("Checksum", damage.map { "does not hold: \($0)" } ?? "holds")
        block.add("Cost", Quantities.milliseconds(entry.cost))
        for (name, date) in [("Created", entry.created), ("Last used", entry.used)] {
            block.add(name, "\(WallClock.local.text(date)) (\(RelativeTime.text(date, now: now)))")
        }
        return block.text
    }

    private func show(_ key: CacheKey, in cache: AvatarCache) throws {
        guard let preview = PreviewProtocol.ofTerminal else {
            return Terminal.complain("no preview: this terminal does not say that it shows pictures")
        }
        guard let hit = cache.lookup(key), let picture = try cache.read(hit) else { return }
        try StandardOutput.write(preview.encode(picture.png) + Array("\n".utf8))
    }
}

/// When and why an entry went, for people.
enum DepartureText {
    static func text(_ departure: Departure) -> String {
        let date = WallClock.local.text(departure.date)
        return switch departure.reason {
        case .size: "was evicted on \(date): least recently used when the cache was over its size limit"
        case .age: "was evicted on \(date): not used for longer than the age limit"
        case .damaged: "was removed on \(date): its bytes were not what had been stored"
        case .removed: "was removed on \(date), as asked for"
        }
    }
}

private struct ShownEntry: Encodable {
    var entry: EntryDocument
    var isWhole: Bool
    var damage: String?

    init(_ entry: Entry, damage: String?, in cache: AvatarCache) {
        self.entry = EntryDocument(entry, in: cache)
        (isWhole, self.damage) = (damage == nil, damage)
    }
}
