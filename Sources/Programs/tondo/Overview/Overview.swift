import FoundationEssentials
import SystemPackage
import TondoConfiguration
import TondoFiles
import TondoMirror

/// `tondo` without arguments: what is there, and the one command to go on with.
struct Overview {
    let reading: ConfigurationSource.Reading
    let address: ServiceAddress
    let service: ServiceProbe
    /// What other programs have; only without a configuration.
    let found: FoundSources?
    let home: String?
    let now: Date

    /// Reads the configuration, asks the service and, without a configuration, looks for books. Blocks for a second at most.
    static func read() -> Overview {
        let source = ConfigurationSource(file: nil)
        let reading = source.read()
        let address = ServiceAddress(configured: reading.configuration)
        let isConfigured = reading.file != nil || !reading.configuration.servedBooks.isEmpty
        return Overview(
            reading: reading, address: address, service: ServiceProbe(address),
            found: isConfigured ? nil : FoundSources(environment: source.environment),
            home: source.environment["HOME"], now: Date())
    }

    /// `width`: cells of the terminal; nil breaks no lines.
    func text(width: Int?) -> String {
        let end = "\nAll commands: tondo --help\n"
        guard let found else { return configured(width: width) + end }
        return unconfigured(found) + end
    }
}

// MARK: Without a configuration

extension Overview {
    private func unconfigured(_ found: FoundSources) -> String {
        let rows = rows(found)
        guard !rows.isEmpty else {
            return """
                Tondo has no configuration, and found no address book on this machine.

                Go on with a file of contacts, as phones and mail programs export it:
                  tondo serve contacts.vcf

                """
        }
        var table = Table(columns: [.init(title: "Found on this machine"), .init(title: "")])
        for row in rows { table.add([row.name, row.meaning]) }
        return "Tondo has no configuration.\n\n\(table.text(width: nil))\nGo on with:\n  \(command(found))\n"
    }

    private func rows(_ found: FoundSources) -> [(name: String, meaning: String)] {
        let books = found.books.map { book in
            let programs = book.programs.isEmpty ? "" : " of \(book.programs.joined(separator: " and "))"
            return (ShellText.short(book.path, home: home), "a folder of vCards\(programs)")
        }
        let accounts = found.accounts.map { ($0.url, "an account of \($0.program)") }
        return books + accounts + (service.isRunning ? [("\(address)", "a running service of Tondo: \(service)")] : [])
    }

    private func command(_ found: FoundSources) -> String {
        if service.isRunning { return "tondo open" }
        if !found.books.isEmpty {
            return "tondo serve " + found.books.map { ShellText.word($0.path, home: home) }.joined(separator: " ")
        }
        guard let account = found.accounts.first else { return "tondo --help" }
        return "tondo sync add home \(ShellText.word(account.url)) --user USER"
    }
}

// MARK: With a configuration

extension Overview {
    private func configured(width: Int?) -> String {
        var block = KeyValueBlock()
        let problems = reading.problems.count
        let file = reading.file.map { ShellText.short(FilePath($0), home: home) } ?? "in the environment"
        let errors = problems == 0 ? "" : ", \(Quantities.counted(problems, of: "error"))"
        block.add("configuration", value: file + errors)
        block.add("books", values: books.isEmpty ? ["none"] : books)
        block.add("service", value: "\(address): \(service)")
        block.add("go on with", value: next)
        return block.text(width: width)
    }

    /// The configured ones, then the mirrors of the network.
    private var books: [String] {
        let configuration = reading.configuration
        let folders = configuration.books.value.map { path in
            ShellText.short(path, home: home) + (FileStatus(path) == nil ? ", which does not exist" : "")
        }
        let mirrors = configuration.mirrors.map { mirror in
            let age = MirrorStatus.read(mirror)?.lastSuccess.map { Date(timeIntervalSince1970: Double($0)) }
            let text = age.map { "synchronised \(RelativeTime.text($0, now: now))" } ?? "never synchronised"
            return "\(mirror.name), of tondo sync, \(text)"
        }
        return folders + mirrors
    }

    private var next: String {
        if !reading.problems.isEmpty { return "tondo config check" }
        switch service {
        case .ready(_, isDegraded: false): return "tondo open"
        case .ready, .notReady, .unknown, .other: return "tondo status"
        case .absent: break
        }
        let configuration = reading.configuration
        if configuration.servedBooks.isEmpty { return "tondo sync add NAME URL --user USER" }
        let hasBooks = configuration.servedBooks.contains { FileStatus($0) != nil }
        return hasBooks || configuration.mirrors.isEmpty ? "tondo serve" : "tondo sync"
    }
}
