import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoFiles
import TondoImage

/// `tondo cache show`
struct CacheShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows all details of one entry.",
        discussion: """
            Name the entry by its key, by at least four leading digits of the key, by its file in the cache, or by an \
            avatar file that 'tondo convert' wrote. Showing an entry does not count as a use.

            EXAMPLES
              tondo cache show 3bd9fa5a
              tondo cache show avatars/ada.png --preview

            \(ExitStatusText.text([0: "done", 1: "no such entry, an ambiguous prefix, or a damaged entry"]))
            """)

    @Argument(
        help: ArgumentHelp("A key, its leading digits, or a file.", valueName: "key|prefix|file"), completion: .file())
    var entry: String

    @OptionGroup var location: CacheLocation

    @Flag(help: "Draw the avatar in a terminal that supports it (kitty, iTerm2).")
    var preview = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if json && preview { throw ValidationError("--preview and --json cannot be combined.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(entry)
        let cache = try location.open(&arguments)
        try CacheFailure.reporting {
            let key = try key(path, in: cache)
            let damage = try cache.damage(of: key)
            guard let found = try cache.entry(key) else {
                throw Self.refusal(
                    "\(entry): \(Self.absence(damage: damage, removalRecord: try cache.removalRecord(of: key)))")
            }
            let crop = damage == nil ? CropRecord(ofFile: cache.file(of: key)) : nil
            if json {
                let report = EntryReport(found, in: cache, damage: damage)
                try StandardOutput.write(report: ShownEntryReport(report, crop: crop))
            } else {
                let text = EntryText(
                    entry: found, crop: crop.map { CropReport($0) }, damage: damage, file: cache.file(of: key),
                    now: Date())
                try StandardOutput.write(text.text(width: StandardStreams.outputColumns))
            }
            if damage != nil { throw ExitCode(1) }
            if preview { try show(cache.file(of: key)) }
        }
    }

    /// A prefix of several keys is an error that lists all of them.
    private func key(_ path: FilePath, in cache: AvatarCache) throws -> CacheKey {
        // The file may be gone; then the report states when it was removed.
        if path.components.count > 1, let key = AvatarCache.key(ofFile: path) { return key }
        switch FileStatus(path)?.kind {
        case .regular?:
            if let key = AvatarCache.key(ofFile: path) ?? AvatarRecipe(ofFile: path)?.key { return key }
            if isPrefix { return try key(beginning: entry.lowercased(), in: cache) }
            throw Self.refusal("\(entry): neither an entry nor an avatar that tondo drew")
        case .folder? where !isPrefix: throw Self.refusal("\(entry): a folder, not an entry")
        case nil where !isPrefix:
            throw Self.refusal("\(entry): neither a file nor a key (64 hexadecimal digits, or the first four)")
        default: return try key(beginning: entry.lowercased(), in: cache)
        }
    }

    private func key(beginning prefix: String, in cache: AvatarCache) throws -> CacheKey {
        // One more than are listed: it shows that there are others.
        let keys = try cache.keys(prefix: prefix, limit: 11)
        if keys.count > 1 {
            let more = keys.count > 10 ? "\n  ..." : ""
            let list = keys.prefix(10).map { "\n  \($0)" }.joined()
            Terminal.write("tondo: \(entry): several entries have this prefix:\(list)\(more)\n")
            throw ExitCode(1)
        }
        guard let key = keys.first ?? CacheKey(prefix) else { throw Self.refusal("\(entry): no such entry") }
        return key
    }

    private var isPrefix: Bool {
        (4...64).contains(entry.utf8.count) && entry.lowercased().utf8.allSatisfy { isHexadecimalDigit($0) }
    }

    private func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func refusal(_ message: String) -> ExitCode {
        Terminal.reportError(message)
        return ExitCode(1)
    }

    /// Why the index has no such entry. `damage`: of its file.
    private static func absence(damage: String?, removalRecord: RemovalRecord?) -> String {
        switch damage {
        case AvatarCache.missing?:
            "no such entry" + (removalRecord.map { "; it \(RemovalRecordText.text(of: $0))" } ?? "")
        case let reason?: "its file is damaged (\(reason)); 'tondo cache verify --repair' removes it"
        case nil: "its file exists, but is not in the index; 'tondo cache verify --repair' adds it"
        }
    }

    /// Read as a file, since a lookup would count as a use of the entry.
    private func show(_ file: FilePath) throws {
        guard let preview = PreviewProtocol.ofTerminalOrReported() else { return }
        do {
            let image = try PhotoFile.open(file, limit: Limits().maxMemory)
            try StandardOutput.write(preview.encode(Array(image.bytes)) + Array("\n".utf8))
        } catch let error as FileError {
            Terminal.reportError("no preview: \(error)")
        } catch let error as RenderError { Terminal.reportError("no preview: \(error)") }
    }
}
