internal import Glibc
internal import SystemPackage
internal import TondoFiles
package import TondoMirror

/// Fetches the secret of a source, each time it is needed: a secret that changes needs no restart.
package struct SecretReader {
    private let environment: (String) -> String?
    /// Gets each secret that was read.
    var observe: (Secret) -> Void = { _ in }

    /// `environment`: the value of a variable; nil: it is not set.
    package init(environment: @escaping (String) -> String?) { self.environment = environment }

    /// The one of this process's environment, which only names the folder of systemd's credentials.
    package static var process: SecretReader { SecretReader { getenv($0).map { String(cString: $0) } } }

    /// The longest secret with a line end of two bytes. A line that is longer reaches `Secret` with at least one byte too
    /// many, and is refused instead of cut.
    static let largest = 65_536 + 2

    /// Blocks while a command runs, which has 60 s to print the secret and to end.
    package func read(_ source: SyncSource) throws(SecretError) -> Secret {
        let secret = try find(source)
        observe(secret)
        return secret
    }

    private func find(_ source: SyncSource) throws(SecretError) -> Secret {
        let secret = source.secret
        if let file = secret.file { return try Self.file(FilePath(file), isPrivate: true) }
        if !secret.command.isEmpty { return try SecretCommand.run(secret.command) }
        guard let file = credential(secret.credential ?? source.name) else { throw .none(source: source.name) }
        return try Self.file(file, isPrivate: false)
    }

    /// systemd.exec(5), LoadCredential=: `NAME`, or `FOLDER_NAME` for the files of a folder.
    private func credential(_ name: String) -> FilePath? {
        guard let folder = environment("CREDENTIALS_DIRECTORY"), !name.contains("/") else { return nil }
        return [name, "secrets_\(name)"].map { FilePath(folder).appending($0) }.first { FileStatus($0) != nil }
    }

    private static func file(_ path: FilePath, isPrivate: Bool) throws(SecretError) -> Secret {
        let text: String
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            text = try file.closeAfter { try contents(of: file, path: path, isPrivate: isPrivate) }
        } catch let error as SecretError { throw error } catch {
            throw .unreadable(file: path.string, reason: (error as? Errno)?.reason ?? "\(error)")
        }
        guard let secret = Secret(text) else { throw .malformed(origin: path.string) }
        return secret
    }

    /// The first line.
    private static func contents(of file: FileDescriptor, path: FilePath, isPrivate: Bool) throws -> String {
        // The open file is examined, and not its path, which may lead to another one by now.
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Errno.invalidArgument
        }
        // Another owner could read the file and change it, whatever its mode is.
        let isOwn = status.st_uid == geteuid() || status.st_uid == 0
        let isExposed = status.st_mode & 0o077 != 0 || !isOwn
        if isPrivate, isExposed { throw SecretError.exposed(file: path.string) }
        return firstLine(try file.readPrefix(largest)[...])
    }

    static func firstLine(_ bytes: ArraySlice<UInt8>) -> String {
        // Editors of Windows begin files with a mark that no user sees.
        var line = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(validating: line, as: UTF8.self) ?? ""
    }
}
