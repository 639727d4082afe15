import SystemPackage
import TondoCache
import TondoContacts
import TondoDigest
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

/// An address book that changes, as a folder or one file, and what each contact's last avatar has to be. Used on one
/// thread.
struct ChaosBook {
    enum TestPhoto: Equatable {
        case none
        case inline(UInt8)
        case file(UInt8)
        case cut(UInt8)
        case remote
    }

    static let style = Style(size: 16)

    private static let single = "all.vcf"

    let isSingle: Bool
    private(set) var people: [(id: String, image: TestPhoto, note: Int)] = []
    private var last = 0
    let folder: SmallBook

    init(_ folder: SmallBook, _ random: inout SplitMix64) throws {
        self.folder = folder
        isSingle = Bool.random(using: &random)
        for _ in 0..<Int.random(in: 1...6, using: &random) { add(&random) }
        for person in people { try write(person) }
        if isSingle { try writeAll() }
    }

    var path: FilePath { isSingle ? folder.path.appending(Self.single) : folder.path }

    /// Ids in the book's order: that of the cards in a file, or of the files' names.
    var order: [String] {
        let ids = people.map(\.id)
        return isSingle ? ids : ids.sorted { "\($0).vcf".utf8.lexicographicallyPrecedes("\($1).vcf".utf8) }
    }

    /// The last key of each contact.
    func keys(_ keys: ChaosKeys) -> [String: String] {
        Dictionary(uniqueKeysWithValues: people.map { ($0.id, keys.key(of: $0.image)) })
    }

    /// Changes something and gives the files that did.
    mutating func change(_ random: inout SplitMix64) throws -> Set<String> {
        let index = people.isEmpty ? nil : people.indices.randomElement(using: &random)
        var touched: Set<String> = []
        switch (Int.random(in: 0..<6, using: &random), index) {
        case (0, let index?):
            let id = people.remove(at: index).id
            if !isSingle { try folder.remove(id + ".vcf") }
            touched.insert(id + ".vcf")
        case (1, let index?), (2, let index?):
            people[index].note += 1
            touched = try write(people[index])
        case (3, let index?), (4, let index?):
            people[index].image = Self.image(&random)
            touched = try write(people[index])
        default:
            add(&random)
            touched = try people.first.map { try write($0) } ?? []
        }
        guard isSingle else { return touched }
        try writeAll()
        return touched.filter { $0.hasSuffix(".png") }.union([Self.single])
    }

    /// At the front, so that in one file all others move.
    private mutating func add(_ random: inout SplitMix64) {
        last += 1
        people.insert((id: "p\(last)", image: Self.image(&random), note: 0), at: 0)
    }

    private static func image(_ random: inout SplitMix64) -> TestPhoto {
        let shade = UInt8.random(in: 0..<40, using: &random)
        return [.none, .inline(shade), .inline(shade), .file(shade), .cut(shade), .remote].randomElement(using: &random)
            ?? .none
    }

    @discardableResult
    private func write(_ person: (id: String, image: TestPhoto, note: Int)) throws -> Set<String> {
        var files: Set<String> = []
        if case .file(let shade) = person.image {
            files.insert(person.id + ".png")
            try folder.replace(SmallBook.image(shade), in: person.id + ".png")
        }
        if isSingle { return files }
        try folder.replace(card(person), in: person.id + ".vcf")
        return files.union([person.id + ".vcf"])
    }

    private func writeAll() throws { try folder.replace(people.map { card($0) }.joined(), in: Self.single) }

    private func card(_ person: (id: String, image: TestPhoto, note: Int)) -> String {
        let photo: String? =
            switch person.image {
            case .none: nil
            case .inline(let shade): SmallBook.inline(shade)
            case .file: ";VALUE=uri:\(person.id).png"
            case .cut(let shade): SmallBook.inline(jpeg: ChaosKeys.cut(shade))
            case .remote: ";VALUE=uri:https://example.org/\(person.id).jpg"
            }
        return SmallBook.card(person.id, photo: photo, note: person.note == 0 ? nil : "\(person.note)")
    }
}

/// The keys that avatars must have.
struct ChaosKeys: Sendable {
    private let shades: [String]
    private let placeholder: String

    init() throws {
        let source = CachingRenderer(styles: [ChaosBook.style], limits: Limits())
        func key(_ bytes: [UInt8]) throws -> String {
            let file = PhotoFile(copying: bytes)
            let geometry = try PhotoGeometry(probing: file.bytes)
            let subject = CachingRenderer.Subject(digest: SHA256Digest(file), geometry: geometry)
            return source.recipes(for: subject)[0].key.hexadecimal
        }
        placeholder = try key(Silhouette.photo)
        shades = try (0..<40).map { try key(SmallBook.image($0)) }
    }

    func key(of image: ChaosBook.TestPhoto) -> String {
        switch image {
        case .inline(let shade), .file(let shade): shades[Int(shade)]
        case .none, .cut, .remote: placeholder
        }
    }

    /// A photo that ends behind its header.
    static func cut(_ shade: UInt8) -> [UInt8] {
        Array(CutPhoto.bytes.prefix(2) + [0xFF, 0xFE, 0, 3, shade] + CutPhoto.bytes.dropFirst(2))
    }
}
