import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoCache
import TondoContacts
import TondoImage
import TondoJobs

/// `tondo avatar`: a contact in, the path of its avatar out.
struct AvatarPath: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "avatar", abstract: "Prints the path of a contact's avatar, which is drawn if need be.",
        discussion: """
            Name the contact by a mail address, a phone number, its whole name or its id. The avatar is a file in the cache, for programs that \
            show an image at once, as in notify-send -i "$(tondo avatar ada@example.org)" Ada Hello; a later run of any \
            command may evict it. A contact without a usable photo gets its initials. The books are those of the \
            configuration; the first one that has the contact decides, and of several contacts with one address the first \
            with a photo.

            EXAMPLES
              tondo avatar ada@example.org
              tondo avatar 'Ada Lovelace' --size 128 --scale 2

            \(BookArgument.statuses([
                0: "done", 1: "no such contact, an ambiguous name, or the avatar cannot be drawn",
                69: "no confined process for decoding could be started",
                78: "the configuration is invalid, or names no book",
            ]))
            """)

    @Argument(help: ArgumentHelp("A mail address, a phone number, a whole name or an id.", valueName: "contact"))
    var contact: String

    @OptionGroup(title: "Style") var style: StyleOptions

    @Option(
        help: ArgumentHelp(
            "The rule for the initials of contacts without a photo; off: a silhouette.", valueName: "rule"))
    var initials = InitialsRule.tondo

    @OptionGroup var books: BooksOption

    @OptionGroup var location: CacheLocation

    @OptionGroup var sandbox: SandboxOption

    @OptionGroup var sync: SyncFolderOption

    @Flag(help: "Print one JSON object per avatar.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let paths = try books.paths(&arguments)
        let cachePath = try location.requiredPath(&arguments)
        let read = try ReadBooks(paths, fetched: sync.fetchedPhotos(&arguments))
        let (found, book) = try read.find(contact, prefersPhoto: true)
        guard let cache = try CacheLocation.openForDrawing(cachePath, maxSize: books.file.cacheSize) else {
            Terminal.reportError("\(cachePath): the avatar's file would be in the cache, which cannot be used")
            throw ExitCode.inputOutput
        }
        defer { cache.close() }
        let pipeline = try sandbox.pipeline(cache, initials: initials)
        let made: ContactAvatars
        do throws(AvatarFailure) {
            made = try pipeline.avatars(of: found, in: book.photos, styles: pipeline.styles(style.styles))
        } catch {
            Terminal.reportError("\(found.displayName): \(error)")
            throw ExitCode(1)
        }
        if let problem = made.problem, problem != .noPhoto { Terminal.reportError("\(found.displayName): \(problem)") }
        try print(made, of: found, in: cache)
    }

    private func print(_ made: ContactAvatars, of contact: Contact, in cache: AvatarCache) throws {
        for avatar in made.avatars {
            guard avatar.isStored else {
                Terminal.reportError("\(contact.displayName): the avatar is drawn, but the cache cannot store it")
                throw ExitCode.inputOutput
            }
            let path = cache.file(of: avatar.key)
            if json {
                try StandardOutput.write(report: Line(avatar, kind: made.kind, of: contact, path: path))
            } else {
                try StandardOutput.write(path.string + "\n")
            }
        }
    }

    private struct Line: Encodable {
        let path: String
        let id: String
        let name: String
        /// `photo`, `initials` or `silhouette`.
        let kind: String
        /// `cache` or `rendered`.
        let source: String
        let key: String
        let size: Int
        let scale: Int
        let state: String

        init(_ avatar: Avatar, kind: PreparedAvatar.Kind, of contact: Contact, path: FilePath) {
            self.path = path.string
            id = contact.id
            name = contact.displayName
            self.kind = kind.rawValue
            source = avatar.source.rawValue
            key = "\(avatar.key)"
            (size, scale, state) = (avatar.style.size, avatar.style.scale, avatar.style.state.rawValue)
        }
    }
}
