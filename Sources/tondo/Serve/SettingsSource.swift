import FoundationEssentials
import SystemPackage
import TondoSettings

/// Where the service's settings are read from: once at the start, and whenever it is told to reload.
struct SettingsSource: Sendable {
    struct Reading: Sendable {
        var settings: Settings
        var problems: [SettingsProblem]
        /// Variables called `TONDO_...` that are no settings: of no harm, but perhaps misspelled.
        var unknown: [String]
        /// The file that was read; nil when there is none.
        var file: String?
    }

    /// As `--config` names it; nil: the first of the usual places where a file is.
    var file: String?
    var flags: [(key: SettingKey, value: String)] = []
    var lists: [(key: SettingKey, values: [String])] = []
    var environment = ProcessInfo.processInfo.environment

    /// A file of settings is a page of text; what is larger is something else.
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

    /// One's own file, or else the system's.
    private var standardFile: String? {
        let home = environment["HOME"].map { $0 + "/.config" }
        let own = [environment["XDG_CONFIG_HOME"], home].compactMap { $0 }.first { $0.hasPrefix("/") }
        let places = (own.map { [$0 + "/tondo/tondo.toml"] } ?? []) + ["/etc/tondo/tondo.toml"]
        return places.first { (try? Stat(FilePath($0))) != nil }
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
            throw SettingsProblem(origin: origin, reason: "it is no UTF-8 text")
        }
        return text
    }
}
