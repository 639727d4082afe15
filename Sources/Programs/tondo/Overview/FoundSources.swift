import SystemPackage
import TondoFiles

/// Address books that other programs keep on this machine, and their accounts. A few files are read, of 64 kB at most, and a
/// few names of folders; no secret is kept.
struct FoundSources {
    /// A folder of vCards.
    struct Book: Equatable {
        /// Absolute.
        let path: FilePath
        /// The programs that keep it, in the order of the search; empty: it has the usual name.
        var programs: [String]
    }

    /// An account at a CardDAV server, in the configuration of another program.
    struct Account: Equatable {
        /// Without user and password.
        let url: String
        let program: String
    }

    /// None lies in another one.
    private(set) var books: [Book] = []
    private(set) var accounts: [Account] = []

    private let home: FilePath?
    private let paths: StandardPaths

    /// A configuration of these programs is some pages of text.
    private static let largest = 64 << 10

    /// `environment`: names the home folder and the standard folders. Blocks.
    init(environment: [String: String]) {
        home = environment["HOME"].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
        paths = StandardPaths(environment: environment)
        addVdirsyncer(environment["VDIRSYNCER_CONFIG"])
        addKhard()
        // KDE Connect puts the contacts of phones there.
        if let folder = paths.data { add(folder.appending("kpeoplevcard"), of: "KDE Connect") }
        if let home { add(home.appending(".contacts"), of: nil) }
    }

    private mutating func addVdirsyncer(_ named: String?) {
        let places = [
            named.flatMap(expanded), home?.pushing(".vdirsyncer/config"),
            paths.configuration?.pushing("vdirsyncer/config"),
        ]
        guard let text = places.lazy.compactMap({ $0.flatMap(Self.text) }).first else { return }
        for section in text.sections where section.heading.hasPrefix("storage ") {
            switch section.values["type"] {
            case "filesystem" where section.values["fileext"] == ".vcf":
                if let path = section.values["path"].flatMap(expanded) { add(path, of: "vdirsyncer") }
            case "carddav":
                if let url = section.values["url"].flatMap(Self.withoutUser) {
                    accounts.append(Account(url: url, program: "vdirsyncer"))
                }
            default: break
            }
        }
    }

    private mutating func addKhard() {
        guard let file = paths.configuration?.pushing("khard/khard.conf"), let text = Self.text(file) else { return }
        for section in text.sections {
            if let path = section.values["path"].flatMap(expanded) { add(path, of: "khard") }
        }
    }

    /// Adds a folder that has cards. One that lies in another is that one's part.
    private mutating func add(_ folder: FilePath, of program: String?) {
        let path = folder.withoutLinks
        guard Self.hasCards(path) else { return }
        var programs = program.map { [$0] } ?? []
        if let outer = books.firstIndex(where: { path.starts(with: $0.path) }) {
            books[outer].programs += programs.filter { !books[outer].programs.contains($0) }
            return
        }
        let inner = books.filter { $0.path.starts(with: path) }
        books.removeAll { $0.path.starts(with: path) }
        programs = inner.flatMap(\.programs) + programs
        let isFirst = programs.indices.map { !programs[..<$0].contains(programs[$0]) }
        books.append(Book(path: path, programs: zip(programs, isFirst).filter(\.1).map(\.0)))
    }

    /// An absolute path: with `~` and the variable HOME at its start, and without what follows a pattern of the shell.
    private func expanded(_ text: String) -> FilePath? {
        var path = FilePath(text)
        for start in ["~", "$HOME", "${HOME}"] where text == start || text.hasPrefix(start + "/") {
            guard let home else { return nil }
            path = home.pushing(FilePath(String(text.dropFirst(start.count).drop { $0 == "/" })))
        }
        guard path.isAbsolute else { return nil }
        let components = path.components.prefix { !$0.string.contains("*") && !$0.string.contains("?") }
        return FilePath(root: "/", components)
    }

    private static func text(_ file: FilePath) -> SectionedText? {
        guard let bytes = try? file.contents(limit: largest) else { return nil }
        return SectionedText(String(decoding: bytes, as: UTF8.self))
    }

    /// Nil for what is no URL of the web.
    private static func withoutUser(_ url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return host.isEmpty ? nil : scheme + host + rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
    }
}

extension FoundSources {
    /// Names that are looked at in each folder, and folders below the first one.
    private static let most = (names: 256, folders: 16)

    /// Whether there are vCards in the folder, or in one of its sub-folders, where vdirsyncer and KDE Connect have them.
    private static func hasCards(_ folder: FilePath) -> Bool {
        let names = FolderNames.first(in: folder, most: most.names)
        if names.contains(where: { isCard($0.name) }) { return true }
        return names.filter(\.isFolder).prefix(most.folders).contains { entry in
            FolderNames.first(in: folder.appending(entry.name), most: most.names).contains { isCard($0.name) }
        }
    }

    private static func isCard(_ name: FilePath.Component) -> Bool {
        !name.string.hasPrefix(".") && name.extension?.lowercased() == "vcf"
    }
}
