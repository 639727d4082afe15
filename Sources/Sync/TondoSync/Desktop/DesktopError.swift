package import SystemPackage

/// Why the book of another program on this machine could not be read.
package enum DesktopError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no session bus, as for the service of a machine.
    case noBus(String)
    /// The bus knows no Evolution Data Server.
    case noServer
    /// No reply in time.
    case timeout(seconds: Int)
    /// Evolution Data Server or the bus refused a call, such as for a book that is not there.
    case refused(String)
    /// Contacts came or went while they were read.
    case changing
    /// The database cannot be opened or copied.
    case file(FilePath, Errno)
    /// Another process kept writing the database.
    case busy(FilePath)
    /// The file is no database, or a damaged one.
    case damaged(FilePath, String)
    /// A table or column is missing.
    case schema(FilePath, String)

    /// The word of `status.json` and `--json`.
    package var code: String {
        switch self {
        case .noBus: "evolution-no-bus"
        case .noServer: "evolution-not-installed"
        case .timeout: "evolution-timeout"
        case .refused: "evolution-refused"
        case .changing: "evolution-changing"
        case .file: "thunderbird-unreadable"
        case .busy: "thunderbird-busy"
        case .damaged: "thunderbird-damaged"
        case .schema: "thunderbird-schema"
        }
    }

    /// One line in English.
    package var description: String {
        switch self {
        case .noBus(let reason): "there is no session bus, on which Evolution keeps its books: \(reason)"
        case .noServer: "Evolution Data Server is not installed; the Debian package is evolution-data-server"
        case .timeout(let seconds): "Evolution Data Server did not reply within \(seconds) s"
        case .refused(let reason): "Evolution Data Server: \(reason)"
        case .changing: "Evolution Data Server changed the book while it was read"
        case .file(let path, let reason): "\(path): \(reason)"
        case .busy(let path): "\(path): another process keeps writing it"
        case .damaged(let path, let reason): "\(path): \(reason)"
        case .schema(let path, let part):
            "\(path): no address book of a known version of Thunderbird: \(part) is missing"
        }
    }
}
