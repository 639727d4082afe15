package import SystemPackage
package import TondoContacts
package import TondoFiles
internal import TondoImage

/// One photo to convert: its source and the file names of its avatars.
package struct ConversionInput: Equatable, Sendable {
    /// The source of the bytes.
    package enum Source: Equatable, Sendable {
        case file(FilePath)
        case standardInput
        case contact(ContactPhotoSource)
        /// A name whose initials are drawn.
        case initials(String)
    }

    package var source: Source
    /// Folders below the output folder, followed by the name without its extension. Without control characters.
    package var stem: FilePath
    /// Found in a folder, not named by the user: a file that is not a photo is ignored.
    package var isFound = false
    /// False: it gives no avatar, as its first bytes show, such as those of a video next to a photo of the same name, or
    /// a link that leads to no file.
    package var canDraw = true

    /// The owner of the avatars in the cache: a contact's id, or for a file, its name without folders and extension.
    /// Nil for standard input and names, and for contacts without a photo.
    package var contact: String? {
        switch source {
        case .file(let path): path.withoutExtension.lastComponent?.string
        case .contact(let person): person.contact.photo == nil ? nil : person.contact.id
        case .standardInput, .initials: nil
        }
    }

    /// What its avatars show; nil: no letter of the name can be drawn.
    func shown(_ initials: InitialsPhotos) -> ShownPhoto? {
        switch source {
        case .file(let path): ShownPhoto(photo: .file(path), owner: contact)
        case .standardInput: ShownPhoto(photo: .standardInput, owner: nil)
        case .contact(let person): person.shown(initials)
        case .initials(let name): ShownPhoto(name: name, drawnBy: initials)
        }
    }

    /// Files that the avatars must not replace.
    var sources: [FilePath] {
        switch source {
        case .file(let path): [path]
        case .contact(let person): person.sources
        case .standardInput, .initials: []
        }
    }

    /// The name in messages.
    package var name: String {
        switch source {
        case .file(let path): path.string
        case .standardInput: "standard input"
        case .contact(let person): person.name
        case .initials(let name): name
        }
    }
}

extension ConversionInput {
    /// The initials of a name. Nil if no rule could give a letter of it.
    package init?(initialsOf name: String) {
        guard let stem = ContactFileNames.safe(name) else { return nil }
        self.init(source: .initials(name), stem: FilePath(stem))
    }

    /// Whether this is another kind of file in a folder of photos: neither its bytes nor its name indicate a photo.
    func isStray(_ error: any Error) -> Bool {
        guard isFound, case .file(let path) = source, let error = error as? RenderError else { return false }
        let isPhotoName = Self.isPhotoName(path)
        return switch error.error {
        case .notAnImage, .empty: !isPhotoName
        default: false
        }
    }

    /// Whether the extension is one of image files.
    package static func isPhotoName(_ path: FilePath) -> Bool {
        photoExtensions.contains(path.extension?.lowercased() ?? "")
    }

    private static let photoExtensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff", "jxl",
        "jp2", "ico", "svg", "psd",
    ]
}

/// Expands the arguments of the command line to photos. Blocks while it reads address books.
package struct ConversionInputs {
    package private(set) var inputs: [ConversionInput] = []
    package private(set) var failures: [FileError] = []
    /// Sub-folders that were not entered without `recursive`.
    package private(set) var unentered = 0
    /// Unreadable books and contacts, with paths like the user's paths of the books.
    package private(set) var unread: [ContactFailure] = []
    /// Contacts without a photo, which get initials or the silhouette.
    package private(set) var photoless = 0
    /// Groups in the books, which are no contacts and get no avatar: `book.vcf:12: Friends`.
    package private(set) var groups: [String] = []
    /// The books, with the positions at which their contacts are inserted.
    private var books: [(index: Int, read: ReadBook)] = []
    private struct Place: Hashable {
        let file: FileIdentity?
        let stem: FilePath
    }
    /// Indices of the photos in `inputs`. Books are there, too, without a stem.
    private var places: [Place: Int] = [:]
    /// See `AvatarPipeline.Options`.
    private let fetched: FilePath?

    /// `arguments`: files, folders, or "-". `output`, `cache`: folders that are not searched, and that must not be
    /// arguments. `names`: further inputs, whose initials are drawn.
    package init(
        _ arguments: [FilePath], names: [String] = [], recursive: Bool, output: FilePath?, cache: FilePath? = nil,
        fetched: FilePath? = nil
    ) throws(ConversionPlan.Problem) {
        self.fetched = fetched
        let (output, cache) = (output.flatMap { FileIdentity($0) }, cache.flatMap { FileIdentity($0) })
        let excluded = Set([output, cache].compactMap(\.self))
        for path in arguments {
            if path == "-" {
                inputs.append(ConversionInput(source: .standardInput, stem: "stdin"))
            } else if let status = FileStatus(path), status.kind == .folder {
                if status.identity == output { throw .outputIsInput(path) }
                if status.identity == cache { throw .cacheIsInput(path) }
                add(folder: path, recursive: recursive, excluded: excluded)
            } else if AddressBook.isBook(file: path) {
                add(book: path)
            } else {
                let name = path.lastComponent.map { FilePath(root: nil, components: $0) } ?? path
                add(photo: path, named: name)
            }
        }
        inputs += names.compactMap { ConversionInput(initialsOf: $0) }
        checkDuplicateNames()
        separateNames()
        addContacts()
    }

    private mutating func add(folder: FilePath, recursive: Bool, excluded: Set<FileIdentity>) {
        let listing = FolderListing(folder, recursive: recursive, excluding: excluded)
        failures += listing.failures
        unentered += listing.unentered
        let items = (try? VDir(folder))?.items ?? []
        if !items.isEmpty { add(book: folder) }
        let cards = Set(items)
        for file in listing.files where !cards.contains(file) {
            add(photo: folder.pushing(file), named: file, isFound: true)
        }
        // They fail like unreadable photos; links without a photo's name are locks and other marks of programs.
        for link in listing.brokenLinks where ConversionInput.isPhotoName(link) {
            add(photo: folder.pushing(link), named: link, isFound: true, canDraw: false)
        }
    }

    /// `name`: where the avatar is below the output. A photo that is named twice, or together with its folder, is one photo.
    private mutating func add(photo path: FilePath, named name: FilePath, isFound: Bool = false, canDraw: Bool = true) {
        let place = Place(file: FileIdentity(path), stem: name.withoutExtension.withoutControls)
        if place.file != nil {
            if let index = places[place] {
                inputs[index].isFound = inputs[index].isFound && isFound
                return
            }
            places[place] = inputs.count
        }
        inputs.append(ConversionInput(source: .file(path), stem: place.stem, isFound: isFound, canDraw: canDraw))
    }

    private mutating func add(book path: FilePath) {
        if let file = FileIdentity(path), places.updateValue(0, forKey: Place(file: file, stem: "")) != nil { return }
        do throws(ContactsError) {
            let read = try ReadBook(path, fetched: fetched)
            unread += read.failures
            groups += read.groupCards.map { ContactPhotoSource($0, of: read).name }
            books.append((inputs.count, read))
        } catch { unread.append(ContactFailure(file: path, line: nil, error: error)) }
    }

    /// Last, since the names of photos take precedence over the names of contacts.
    private mutating func addContacts() {
        var names = ContactFileNames(taken: inputs.lazy.filter(\.canDraw).map(\.stem.string))
        let avatars = books.map { book in
            book.read.contents.contacts.map { contact in
                ConversionInput(
                    source: .contact(ContactPhotoSource(contact, of: book.read)), stem: names.name(for: contact))
            }
        }
        for (book, avatars) in zip(books, avatars).reversed() {
            inputs.insert(contentsOf: avatars, at: book.index)
            photoless += book.read.contents.contacts.count { $0.photo == nil }
        }
    }

    /// Photos are often next to videos and notes with the same name: only two drawable files conflict.
    private mutating func checkDuplicateNames() {
        let counts = Dictionary(inputs.map { ($0.stem.string.lowercased(), 1) }, uniquingKeysWith: +)
        for index in inputs.indices where counts[inputs[index].stem.string.lowercased(), default: 0] > 1 {
            guard inputs[index].canDraw, case .file(let path) = inputs[index].source else { continue }
            inputs[index].canDraw = PhotoFile.maybePhoto(path)
        }
    }

    /// Names of photos differ by more than case, as those of contacts do. Equal ones stay equal: they are refused.
    private mutating func separateNames() {
        var names = ContactFileNames(taken: Set(inputs.lazy.filter(\.canDraw).map { $0.stem.string.lowercased() }))
        var owners: [String: FilePath] = [:]
        var separate: [FilePath: FilePath] = [:]
        for index in inputs.indices where inputs[index].canDraw {
            let stem = inputs[index].stem
            // Bytes that are no text have no case.
            guard let name = String(validating: stem) else { continue }
            if owners[name.lowercased(), default: stem] == stem {
                owners[name.lowercased()] = stem
            } else {
                separate[stem] = separate[stem] ?? names.name(for: name)
                inputs[index].stem = separate[stem] ?? stem
            }
        }
    }
}

/// A contact of a book, with the means to open its photo.
package struct ContactPhotoSource: Sendable {
    package let contact: Contact
    /// The folder of its book, as the user named it.
    private let folder: FilePath
    private let photos: BookPhotos

    init(_ contact: Contact, of read: ReadBook) {
        self.contact = contact
        folder = read.book.folder
        photos = read.photos
    }

    func shown(_ initials: InitialsPhotos) -> ShownPhoto { ShownPhoto(of: contact, in: photos, else: initials) }

    /// Files that avatars must not replace: the contact's file, and its photo's.
    var sources: [FilePath] {
        [contact.place.map { folder.pushing($0.file) }, photos.file(of: contact)].compactMap(\.self)
    }

    /// `book.vcf:12: Ada Lovelace`.
    var name: String {
        let name = contact.displayName.isEmpty ? contact.id : contact.displayName
        guard let place = contact.place else { return name }
        return "\(folder.pushing(place.file)):\(place.line): \(name)"
    }
}

extension ContactPhotoSource: Equatable {
    package static func == (one: ContactPhotoSource, other: ContactPhotoSource) -> Bool {
        one.contact == other.contact && one.folder == other.folder
    }
}
