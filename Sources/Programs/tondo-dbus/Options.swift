internal import SystemPackage

/// The end of the program, with a status of sysexits(3).
struct Ending: Error {
    let status: Int32
    let text: String

    /// A wrong argument (EX_USAGE).
    static func usage(_ text: String) -> Ending { Ending(status: 64, text: text) }
    /// The bus or the processes that draw cannot be had (EX_UNAVAILABLE).
    static func unavailable(_ text: String) -> Ending { Ending(status: 69, text: text) }
    /// The configuration is invalid (EX_CONFIG).
    static func misconfigured(_ text: String) -> Ending { Ending(status: 78, text: text) }
}

/// A line for people, or for the journal.
func report(_ text: String) { _ = try? FileDescriptor.standardError.writeAll("tondo-dbus: \(text)\n".utf8) }

/// The words behind the name of the program.
struct Options {
    /// The configuration file; nil: the standard one.
    private(set) var config: String?
    /// Seconds without a call after which the service ends; 0: never.
    private(set) var idle: Int64 = 300
    /// `tondo accounts-icon` started this program: users get pictures, and nothing is served.
    private(set) var isForIcons = false
    private(set) var contact: String?
    /// Points of the pictures.
    private(set) var size = 256
    private(set) var isConfirmed = false
    /// Empty: all that have logged in.
    private(set) var users: [String] = []

    private static let help = """
        usage: tondo-dbus [--config FILE] [--idle SECONDS]

        Answers programs of the desktop over D-Bus: org.tondo.Avatars1 on the session bus, from the books and the cache of
        tondo's configuration. The bus starts it when it is needed. See tondo-dbus(1).

          --config FILE    the configuration (default: ~/.config/tondo/tondo.toml, else /etc/tondo/tondo.toml)
          --idle SECONDS   end after so long without a call; 0: never (default: 300)

        """

    init(_ arguments: some Sequence<String>) throws(Ending) {
        var words = arguments.makeIterator()
        while let word = words.next() {
            switch word {
            case "--help", "-h":
                _ = try? FileDescriptor.standardOutput.writeAll(Self.help.utf8)
                throw Ending(status: 0, text: "")
            case "--config":
                guard let file = words.next(), !file.isEmpty else { throw .usage("--config needs a file") }
                config = file
            case "--idle":
                guard let seconds = words.next().flatMap({ Int64($0) }), 0...1_000_000 ~= seconds else {
                    throw .usage("--idle needs a number of seconds")
                }
                idle = seconds
            case "--icons": isForIcons = true
            case "--contact": contact = words.next()
            case "--size": size = words.next().flatMap { Int($0) } ?? 0
            case "--yes": isConfirmed = true
            case "--":
                while let user = words.next() { users.append(user) }
            default: throw .usage("unknown argument '\(word)'; see tondo-dbus --help")
            }
        }
    }
}
