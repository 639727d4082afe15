import ArgumentParser
import SystemPackage
import TondoConfiguration
import TondoFiles
import TondoMirror

/// `tondo sync discover`
struct SyncDiscover: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "Lists the address books of other programs on this machine, and adds them.",
        discussion: """
            EXAMPLES
              tondo sync discover             what is there; asks before it adds
              tondo sync discover --dry-run   the same, and changes nothing
              tondo sync discover --yes       adds the books without asking

            Books are folders of vCards: those of vdirsyncer, khard and KDE Connect, and ~/.contacts. They are named in \
            'books' of the configuration, which has to be a new file, or one without that setting: what a user wrote is \
            not changed. Books of Thunderbird and Evolution become sources in the file of sources, which 'tondo sync' \
            mirrors; addresses that Thunderbird collected are only listed. Accounts are not added, since they need a \
            password: 'tondo sync add' asks for it.

            \(ExitStatusText.lines([
                (0, "listed, and added if that was wanted"),
                (1, "not confirmed, or the configuration names other books"), (64, "wrong usage"),
                (ExitCode.inputOutput.rawValue, "the configuration cannot be written"),
                (ExitCode.misconfigured.rawValue, "errors in the configuration"),
                (ExitCode.readerGone.rawValue, ExitStatusText.readerGone),
            ]))
            """)

    @Flag(help: "Change nothing.")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "Add the books without asking.")
    var yes = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var file: SettingsFileOption

    @OptionGroup var color: ColorOption

    func validate() throws {
        if dryRun, yes { throw ValidationError("--dry-run and --yes exclude each other.") }
    }

    func run() throws {
        StandardStreams.prepare()
        let source = ConfigurationSource(file: isNew ? "/dev/null" : file.config)
        let reading = source.read()
        SettingsReview(reading: reading).reportProblems()
        if !reading.problems.isEmpty { throw ExitCode.misconfigured }
        let report = Report(source.environment, reading, target: try target(reading, source.environment))
        if json {
            try StandardOutput.write(json: report)
        } else {
            try StandardOutput.write(report.table, color.paint)
        }
        let books = report.books.filter { !$0.configured }.map(\.path)
        let sources = report.databases.filter { $0.source != nil }
        if books.isEmpty && sources.isEmpty || dryRun || json && !yes { return }
        guard try isWanted(books.count + sources.count, report.configuration) else { return }
        do {
            if !sources.isEmpty { try add(sources, to: SourcesFile.path(beside: report.configuration)) }
            if !books.isEmpty { try add(books, to: report.configuration) }
        } catch let error as FileError {
            Terminal.reportError("\(error); nothing was added to it")
            throw ExitCode.inputOutput
        }
    }

    /// A file that is to be created.
    private var isNew: Bool {
        file.config.map { path in
            [path, SourcesFile.path(beside: path)].allSatisfy { FileStatus(FilePath($0)) == nil }
        } ?? false
    }

    /// The file that was read, else the user's.
    private func target(_ reading: ConfigurationSource.Reading, _ environment: [String: String]) throws -> String {
        if let file = file.config ?? reading.file { return file }
        guard let folder = StandardPaths(environment: environment).configuration else {
            Terminal.reportError("no configuration file: use --config, or set the variable HOME")
            throw ExitCode.misconfigured
        }
        return folder.pushing("tondo/tondo.toml").string
    }

    private func isWanted(_ count: Int, _ configuration: String) throws -> Bool {
        if yes { return true }
        let count = Quantities.counted(count, of: "book")
        guard StandardStreams.inputIsTerminal, Terminal.isInteractive else {
            Terminal.write("nothing was changed: --yes adds \(count) to \(Terminal.printable(configuration))\n")
            return false
        }
        if !Terminal.confirms("Add \(count) to \(configuration)?") { throw ExitCode(1) }
        return true
    }

    private func add(_ books: [String], to path: String) throws {
        let locked = try LockedFile(FilePath(path))
        defer { withExtendedLifetime(locked) {} }
        // Bytes that are no text would be lost.
        let former = String(validating: locked.bytes, as: UTF8.self)
        guard let text = former.flatMap({ BooksLine.adding(books, to: $0) }) else {
            Terminal.reportError("\(path) has 'books' already, or is no TOML; add there: \(BooksLine.text(books))")
            throw ExitCode(1)
        }
        try locked.replace(with: Array(text.utf8))
        reportAdded(books.count, to: path, next: "tondo serve")
    }

    /// At the end of the file of sources, whose text stays as it is.
    private func add(_ databases: [Report.Database], to path: String) throws {
        let locked = try LockedFile(FilePath(path))
        defer { withExtendedLifetime(locked) {} }
        var bytes = locked.bytes
        for database in databases {
            guard let name = database.source, let url = database.url else { continue }
            if SourcesFile.hasSource(name, in: String(decoding: bytes, as: UTF8.self)) { continue }
            bytes += Array((SourcesFile.separator(after: bytes) + SourcesFile.table(of: name, url: url)).utf8)
        }
        try locked.replace(with: bytes)
        reportAdded(databases.count, to: path, next: "tondo sync")
    }

    private func reportAdded(_ count: Int, to path: String, next: String) {
        if json { return }
        let count = Quantities.counted(count, of: "book")
        Terminal.write("added \(count) to \(Terminal.printable(path)); go on with: \(next)\n")
    }
}

extension SyncDiscover {
    /// What is on this machine.
    struct Report: Encodable {
        struct Book: Encodable {
            let path: String
            let programs: [String]
            /// The configuration has it, or a folder around it.
            let configured: Bool
        }

        struct Account: Encodable {
            let url: String
            let program: String
            /// Some source has this URL.
            let configured: Bool
        }

        struct Database: Encodable {
            let path: String
            let program: String
            /// Absent: there is no source for it.
            let url: String?
            /// Some source has this URL.
            let configured: Bool
            /// The name of the source that would be added; absent: none would.
            let source: String?

            fileprivate var state: String {
                if url == nil { return "not read: export it there" }
                return configured ? "configured" : source == nil ? "needs 'tondo sync add'" : "new"
            }
        }

        let configuration: String
        let books: [Book]
        let accounts: [Account]
        let databases: [Database]

        init(_ environment: [String: String], _ reading: ConfigurationSource.Reading, target: String) {
            let found = FoundSources(environment: environment)
            let served = reading.configuration.servedBooks.map(\.withoutLinks)
            let urls = Set(reading.configuration.syncSources.map(\.url))
            configuration = target
            // The configuration is UTF-8.
            books = found.books.filter { FilePath($0.path.string) == $0.path }.map { book in
                let isServed = served.contains { book.path.starts(with: $0) }
                return Book(path: book.path.string, programs: book.programs, configured: isServed)
            }
            accounts = found.accounts.map {
                Account(url: $0.url, program: $0.program, configured: urls.contains($0.url))
            }
            let home = environment["HOME"].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
            var names = Set(reading.configuration.syncSources.map(\.name))
            databases = (home.map(FoundSources.databases) ?? []).map { database in
                let isKnown = database.url.map(urls.contains) ?? false
                // Addresses of strangers, to which a user answered once, are no contacts unless the user says so.
                let isCollected = database.path.stem?.hasPrefix("history") == true
                let isNew = database.url != nil && !isKnown && !isCollected
                let name = isNew ? Self.name(database.program.lowercased(), among: &names) : nil
                return Database(
                    path: database.path.string, program: database.program, url: database.url, configured: isKnown,
                    source: name)
            }
        }

        /// `thunderbird`, `thunderbird-2`...
        private static func name(_ base: String, among names: inout Set<String>) -> String {
            var (name, number) = (base, 1)
            while !names.insert(name).inserted {
                number += 1
                name = "\(base)-\(number)"
            }
            return name
        }

        var table: Table {
            var table = Table(columns: [
                .init(title: "FOUND", isFlexible: true), .init(title: "PROGRAM"), .init(title: "STATE"),
            ])
            for book in books {
                table.add([book.path, book.programs.joined(separator: ", "), book.configured ? "configured" : "new"])
            }
            for account in accounts {
                let state = account.configured ? "configured" : "needs 'tondo sync add'"
                table.add([account.url, account.program, state])
            }
            for database in databases { table.add([database.path, database.program, database.state]) }
            return table
        }
    }
}
