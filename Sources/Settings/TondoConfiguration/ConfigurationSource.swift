internal import FoundationEssentials
internal import SystemPackage
internal import TondoAvatars
internal import TondoFiles
internal import TondoMirror

/// The source of the configuration: read at the start and at each reload. Later sources override earlier ones: the
/// defaults, the file, the environment, the flags.
package struct ConfigurationSource: Sendable {
    /// The result of one reading. A problem does not end it: every valid value is applied, so that all problems are
    /// found at once.
    package struct Reading: Sendable {
        /// The defaults, overridden by every valid value.
        package let configuration: ServiceConfiguration
        /// All of them, in the order of the file, then those without a line. Invalid values are not applied.
        package var problems: [SettingsProblem]
        /// Former settings in the file.
        package let obsolete: [SettingsProblem]
        /// Variables named `TONDO_...` that are not settings: harmless, but perhaps misspelled.
        package let unknown: [String]
        /// The file that was read; nil if there is none.
        package fileprivate(set) var file: String?
    }

    /// From `--config`; nil: the first existing standard file.
    private let file: String?
    private let flags: [SettingFlag]
    /// The variables of the process; replaced in tests. They also name the home and the standard folders.
    package let environment: [String: String]

    /// A configuration file is about a page of text; a larger file is something else.
    private static let largest = 1 << 20

    /// `file`: from `--config`; nil: the first standard file. `flags`: override the file and the environment.
    package init(
        file: String?, flags: [SettingFlag] = [], environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.file = file
        self.flags = flags
        self.environment = environment
    }

    /// Reads the files again with each call, and blocks meanwhile. An unreadable file is a problem; then variables do
    /// not apply, either.
    package func read() -> Reading {
        guard let path = file ?? standardFile else { return read(nil, variables: environment) }
        var reading: Reading
        do throws(SettingsProblem) { reading = read(try whole(path), variables: environment) } catch {
            // The variables were meant to override the file.
            reading = read(nil, variables: [:])
            reading.problems.insert(error, at: 0)
        }
        reading.file = path
        return reading
    }

    /// The file and its sources. Either may be missing, but not both.
    private func whole(_ path: String) throws(SettingsProblem) -> ConfigurationFile {
        let (home, added) = (environment["HOME"], SourcesFile.path(beside: path))
        let hasSources = FileStatus(FilePath(added)) != nil
        // `tondo sync add` may have written sources for a user without a main file.
        let isMissing = hasSources && FileStatus(FilePath(path)) == nil
        var file = ConfigurationFile(name: path, text: isMissing ? "" : try Self.text(path), home: home)
        if hasSources {
            file.add(
                sourcesOf: ConfigurationFile(
                    name: added, text: try Self.text(added), home: home, scope: .sources(main: path)))
        }
        return file
    }

    /// `variables`: the environment, as far as it may set anything.
    func read(_ file: ConfigurationFile?, variables: [String: String]) -> Reading {
        var entries = file?.entries ?? SettingEntries()
        let settings = ServiceConfiguration.declarations.sorted { $0.environmentName < $1.environmentName }
        for setting in settings {
            guard let text = variables[setting.environmentName] else { continue }
            entries.set(
                setting, from: .environment(setting.environmentName), to: try SettingValue(text, as: setting.kind))
        }
        // Last: each value replaces that of the file and the environment.
        for (setting, words) in flags {
            entries.set(setting, from: .flag(setting.flagName), to: try SettingValue(words, as: setting.kind))
        }
        var configuration = ServiceConfiguration()
        configuration.styles = file?.styles ?? [:]
        configuration.sync = file?.sources ?? [:]
        configuration.environment = environment
        let problems = entries.problems + configuration.take(entries, home: environment["HOME"])
        let known = Set(settings.map(\.environmentName) + Sandbox.variables + SyncSettings.variables)
        return Reading(
            configuration: configuration,
            problems: problems.sorted { Self.origin(of: $0) < Self.origin(of: $1) },
            obsolete: file?.obsolete ?? [],
            unknown: environment.keys.filter { $0.hasPrefix("TONDO_") && !known.contains($0) }.sorted())
    }

    /// The user's file, or else the system's. One that has sources alone counts.
    private var standardFile: String? {
        let own = StandardPaths(environment: environment).configuration?.pushing("tondo/tondo.toml")
        return [own, "/etc/tondo/tondo.toml"].compactMap { $0?.string }.first { path in
            [path, SourcesFile.path(beside: path)].contains { FileStatus(FilePath($0)) != nil }
        }
    }

    private static func origin(of problem: SettingsProblem) -> (String, Int) {
        // Behind every file: problems without a line come last.
        guard case .file(let name, let line?) = problem.origin else { return ("\u{10FFFF}", .max) }
        return (name, line)
    }

    private static func text(_ path: String) throws(SettingsProblem) -> String {
        func problem(_ reason: String) -> SettingsProblem { .init(origin: .file(path, line: nil), reason: reason) }
        let bytes: [UInt8]
        do {
            // Also a pipe, such as the shell's `<(...)`.
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
            bytes = try file.closeAfter { try file.readAll(limit: largest) }
        } catch Errno.fileTooLarge { throw problem("it is too large") } catch {
            throw problem("it cannot be read: \(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("it is not UTF-8 text") }
        return text
    }
}
