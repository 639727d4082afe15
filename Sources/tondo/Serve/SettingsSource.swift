import FoundationEssentials
import SystemPackage
import TondoFiles
import TondoSettings

/// The source of the configuration: read at the start and at each reload.
struct SettingsSource: Sendable {
    struct Reading: Sendable {
        var settings: Settings
        var problems: [SettingsProblem]
        /// Variables named `TONDO_...` that are not settings: harmless, but perhaps misspelled.
        var unknown: [String]
        /// The file that was read; nil if there is none.
        var file: String?
    }

    /// From `--config`; nil: the first existing standard file.
    var file: String?
    var flags: [(key: SettingKey, value: String)] = []
    var lists: [(key: SettingKey, values: [String])] = []
    var environment = ProcessInfo.processInfo.environment

    /// A configuration file is about a page of text; a larger file is something else.
    private static let largest = 1 << 20

    func read() -> Reading {
        let known = Set(SettingKey.allCases.map(\.environmentName))
        let ours = environment.filter { $0.key.hasPrefix("TONDO_") }
        let unknown = ours.keys.filter { !known.contains($0) }.sorted()
        let path = file ?? standardFile
        do throws(SettingsProblem) {
            let text = try path.map(Self.text)
            let (settings, problems) = Settings.read(
                file: path.flatMap { path in text.map { (path, $0) } },
                environment: ours.filter { known.contains($0.key) }, flags: flags, lists: lists)
            return Reading(settings: settings, problems: problems, unknown: unknown, file: path)
        } catch {
            let (settings, problems) = Settings.read(flags: flags, lists: lists)
            return Reading(settings: settings, problems: [error] + problems, unknown: unknown, file: path)
        }
    }

    /// The user's file, or else the system's.
    private var standardFile: String? {
        let own = StandardPaths(environment).configuration?.pushing("tondo/tondo.toml")
        return [own, "/etc/tondo/tondo.toml"].compactMap { $0 }.first { FileStatus($0) != nil }?.string
    }

    private static func text(_ path: String) throws(SettingsProblem) -> String {
        let origin = SettingOrigin.file(path, line: nil)
        let bytes: [UInt8]
        do {
            let descriptor = try FileDescriptor.open(FilePath(path), .readOnly)
            bytes = try descriptor.closeAfter {
                try [UInt8](unsafeUninitializedCapacity: largest) { buffer, count in
                    while count < largest {
                        let read = try descriptor.read(
                            into: .init(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]))
                        if read == 0 { break }
                        count += read
                    }
                }
            }
        } catch { throw SettingsProblem(origin: origin, reason: "it cannot be read: \(error)") }
        guard bytes.count < largest else { throw SettingsProblem(origin: origin, reason: "it is too large") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsProblem(origin: origin, reason: "it is not UTF-8 text")
        }
        return text
    }
}
