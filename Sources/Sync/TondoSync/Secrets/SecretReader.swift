internal import CLinux
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
    package init(_ environment: @escaping (String) -> String?) { self.environment = environment }

    /// The one of this process's environment, which only names the folder of systemd's credentials.
    package static var process: SecretReader { SecretReader { getenv($0).map { String(cString: $0) } } }

    private static let largest = 65_536

    /// Blocks while a command runs, which has 60 s to print the secret.
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
        var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(validating: line, as: UTF8.self) ?? ""
    }
}

/// A program that prints a secret, such as `pass show dav`. Its error output goes to the terminal or the log.
enum SecretCommand {
    private static let milliseconds = 60_000
    private static let largest = 65_536

    static func run(_ words: [String]) throws(SecretError) -> Secret {
        let name = words[0]
        var (output, process) = (Int32(-1), pid_t())
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let error = clinux_spawn_command(copies + [nil], &output, &process)
        if error != 0 { throw .command(name, reason: "cannot be started: \(Errno(rawValue: error).reason)") }
        defer { close(output) }
        guard let bytes = read(output) else {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            throw .command(name, reason: "did not print a password within \(milliseconds / 1_000) s")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if status != 0 { throw .command(name, reason: "failed") }
        guard let secret = Secret(SecretReader.firstLine(bytes[...])) else {
            throw .malformed(origin: "the output of '\(name)'")
        }
        return secret
    }

    /// Nil after the time or too many bytes.
    private static func read(_ output: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while bytes.count <= largest {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let rest = (end - .now) / .milliseconds(1)
            if rest <= 0 { return nil }
            _ = poll(&waiting, 1, Int32(rest.rounded(.up)))
            let count = Glibc.read(output, &piece, piece.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += piece[..<count] }
            if count < 0, errno != EAGAIN, errno != EINTR { return nil }
        }
        return nil
    }
}
