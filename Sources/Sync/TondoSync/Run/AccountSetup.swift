internal import Glibc
internal import SystemPackage
internal import TondoFiles
internal import TondoMirror
internal import TondoText

/// `tondo sync add`: finds the address books of an account, or the people of a directory, keeps the password in a file, and
/// adds the source to the configuration.
struct AccountSetup {
    private let order: SyncOrder

    init(order: SyncOrder) { self.order = order }

    func run() -> Int32 {
        guard var source = order.sources.first, let configuration = order.configuration else {
            return SyncProgram.Status.usage
        }
        let file = SourcesFile.path(beside: configuration)
        do throws(SyncError) {
            let secret = try secret(of: source)
            let found = try find(source, secret: secret)
            try SyncError.converting {
                try add(&source, secret: secret, to: FilePath(file))
            }
            SyncReport.output(found)
            report(source, path: file)
            return SyncProgram.Status.done
        } catch {
            SyncReport.complain("\(source.name): \(error); nothing was added")
            return Interrupt.isRequested ? SyncProgram.Status.interrupted : SyncProgram.Status.failed
        }
    }

    /// Asks the server; returns what it has, for people.
    private func find(_ source: SyncSource, secret: Secret?) throws(SyncError) -> String {
        let run = SourceRun(source: source, in: FilePath(order.folder), options: SourceRun.Options())
        if source.kind == .ldap {
            let count = try LDAPRunner(sourceRun: run).people(secret: secret)
            return "found \(count == 1 ? "1 person" : "\(count) people")\n"
        }
        if source.kind.isDesktop {
            let count = try DesktopRunner(sourceRun: run).people()
            return "found \(count == 1 ? "1 contact" : "\(count) contacts")\n"
        }
        let (url, client) = try CardDAVRunner(sourceRun: run).client(secret: secret)
        let books = try Discovery(client).find(at: url).books
        let head = "found \(books.count) \(books.count == 1 ? "address book" : "address books"):\n"
        return head + books.map { "  \(Self.printable($0.name ?? "unnamed"))  \($0.url)\n" }.joined()
    }

    /// A server's text without what a terminal would obey, or show in another order.
    static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
        return String(String.UnicodeScalarView(scalars))
    }

    /// From the terminal, unless the source names one.
    private func secret(of source: SyncSource) throws(SyncError) -> Secret? {
        guard source.user != nil, source.secret == SyncSource.Secret() else { return nil }
        guard let secret = PasswordPrompt.ask("Password of \(source.user ?? "") at \(source.url): ") else {
            throw Interrupt.isRequested
                ? .cancelled
                : .unsupported("no password: there is no terminal to ask on; use --password-file or --password-command")
        }
        return secret
    }

    /// At the end of the file of sources, whose text stays as it is. Under its lock, since others may add sources now; the
    /// password comes after the check, so that it never replaces that of another source with this name. If it throws, neither the
    /// file nor a password has changed. `limit`: of the wait for the lock.
    func add(
        _ source: inout SyncSource, secret: Secret?, to file: FilePath, within limit: Duration = LockKind.longestWait
    ) throws {
        let locked = try Self.lock(file, within: limit)
        // The lock ends after the last step, not after the last use.
        defer { withExtendedLifetime(locked) {} }
        if SourcesFile.hasSource(source.name, in: String(decoding: locked.bytes, as: UTF8.self)) {
            throw SyncError.unsupported("\(file) has a source of this name by now")
        }
        var password = secret.map { _ in PasswordFile(of: source.name, beside: file) }
        let end = SourcesFile.separator(after: locked.bytes)
        do {
            if let secret { try password?.write(secret) }
            source.secret.file = password?.path.string ?? source.secret.file
            try locked.replace(with: locked.bytes + Array((end + Self.table(of: source)).utf8))
        } catch {
            password?.restore()
            throw error
        }
    }

    private static func lock(_ file: FilePath, within limit: Duration) throws -> LockedFile {
        do { return try LockedFile(file, within: limit) } catch {
            guard error.errno == .timedOut else { throw error }
            throw SyncError.unsupported("another process is writing \(file)")
        }
    }

    /// As TOML.
    static func table(of source: SyncSource) -> String {
        func text(_ value: String) -> String { JSONEscapes.quoted(value, style: .plain) }
        var lines: [String] = []
        if let user = source.user { lines.append("user = \(text(user))") }
        if let file = source.secret.file { lines.append("password-file = \(text(file))") }
        if !source.secret.command.isEmpty {
            lines.append("password-command = [\(source.secret.command.map(text).joined(separator: ", "))]")
        }
        if source.authentication != .auto { lines.append("auth = \(text(source.authentication.rawValue))") }
        if source.options["starttls"] == ["true"] { lines.append("starttls = true") }
        if source.isInsecure { lines.append("insecure = true") }
        if let certificates = source.certificates { lines.append("ca-file = \(text(certificates))") }
        return SourcesFile.table(of: source.name, url: source.url) + lines.map { $0 + "\n" }.joined()
    }

    private func report(_ source: SyncSource, path: String) {
        SyncReport.output("added [sync.\(source.name)] to \(path)\n")
        if let file = source.secret.file { SyncReport.output("the password is in \(file), for this user only\n") }
        SyncReport.output("next: tondo sync \(source.name)\n")
    }
}

/// The password of a source in a file beside the configuration that only this user can read.
private struct PasswordFile {
    let path: FilePath
    private let folder: FilePath
    /// What the file held before; nil: there was none.
    private var former: [UInt8]?
    private var isFolderNew = false
    private var isWritten = false

    init(of source: String, beside configuration: FilePath) {
        folder = configuration.removingLastComponent().appending("secrets")
        path = folder.appending(source)
    }

    mutating func write(_ secret: Secret) throws {
        var isNew = false
        try Folder.make(folder, mode: 0o700) { _ in isNew = true }
        isFolderNew = isNew
        do { former = try path.real.map { try MirrorFile.read($0) } } catch {
            throw FileError(.read, path: path, errno: error as? Errno ?? .ioError)
        }
        try AtomicFile.writeThrough(Array("\(secret.reveal())\n".utf8), to: path, permissions: .ownerReadWrite)
        isWritten = true
    }

    /// Makes everything as it was before.
    func restore() {
        if isWritten, let former {
            try? AtomicFile.writeThrough(former, to: path, permissions: .ownerReadWrite)
        } else if isWritten {
            AtomicFile.remove(path)
        }
        // Only if it is empty.
        if isFolderNew { _ = folder.withPlatformString { rmdir($0) } }
    }
}

/// Asks for a password on the terminal, which shows nothing of it.
enum PasswordPrompt {
    /// Nil without a terminal, or after Ctrl-C.
    static func ask(_ question: String) -> Secret? {
        // A password that is piped in.
        if isatty(STDIN_FILENO) == 0 { return line(from: .standardInput) }
        guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec) else { return nil }
        defer { try? terminal.close() }
        var settings = termios()
        guard tcgetattr(terminal.rawValue, &settings) == 0 else { return nil }
        let shown = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // What was typed before the question is dropped: it is no part of the password.
        tcsetattr(terminal.rawValue, TCSAFLUSH, &settings)
        defer {
            var shown = shown
            tcsetattr(terminal.rawValue, TCSAFLUSH, &shown)
            _ = try? terminal.writeAll("\n".utf8)
        }
        _ = try? terminal.writeAll(question.utf8)
        return line(from: terminal)
    }

    private static func line(from file: FileDescriptor) -> Secret? {
        var (bytes, byte) = ([UInt8](), [UInt8](repeating: 0, count: 1))
        while bytes.count < 65_536, !Interrupt.isRequested {
            // Ctrl-C has to end the reading instead of restarting it.
            guard let count = try? byte.withUnsafeMutableBytes({ try file.read(into: $0, retryOnInterrupt: false) })
            else { return nil }
            if count == 0 || byte[0] == UInt8(ascii: "\n") { break }
            bytes.append(byte[0])
        }
        return Interrupt.isRequested ? nil : Secret(SecretReader.firstLine(bytes[...]))
    }
}
