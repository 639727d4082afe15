import Foundation
import SystemPackage
import TondoContacts
import TondoTestSupport

@testable import TondoMirror
@testable import TondoSync

/// A mirror whose changes go to a server in this process.
final class WriteTrial {
    let server: WritableBook
    let folder: TemporaryFolder
    var isWritable = true
    var user = ""
    /// Of the source.
    var url = "http://127.0.0.1" + FakeAddressBook.path
    /// See `OutgoingChanges`.
    var shrink: (([UInt8], Int) -> [UInt8]?)?
    private var now = 1_795_572_000
    private(set) var outgoing = OutgoingChanges()

    /// The cards of Ada and Bob, which the mirror has.
    init(_ server: WritableBook = WritableBook(["ada.vcf": card("Ada"), "bob.vcf": card("Bob")])) throws {
        self.server = server
        folder = try TemporaryFolder()
        try run()
    }

    private init(_ server: WritableBook, _ folder: TemporaryFolder, now: Int) {
        self.server = server
        self.folder = folder
        self.now = now
    }

    /// What a kill at this moment leaves.
    func image() throws -> WriteTrial {
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder.pathString + "/work", toPath: copy.pathString + "/work")
        return WriteTrial(server.copy(), copy, now: now)
    }

    var layout: MirrorLayout { MirrorLayout(name: "work", in: folder.path) }

    /// `onStep`: see `MirrorFolder`.
    @discardableResult
    func run(after seconds: Int = 900, onStep: @escaping () -> Void = {}) throws -> CardDAVSource.Report {
        now += seconds
        outgoing = OutgoingChanges(isWritable: isWritable, shrink: shrink)
        var options = HTTPClient.Options()
        options.server = { [server] in try server.answer($0) }
        let client = DAVClient(client: HTTPClient(options: options)) { _ in true }
        let mirror = try MirrorFolder(layout: layout)
        mirror.onStep = { _, _ in onStep() }
        let source = CardDAVSource(
            url: WebURL(url)!, user: user, client: client,
            discovery: Discovery(client), mirror: mirror, allowsDeletion: false, outgoing: outgoing,
            now: now)
        return try source.run()
    }

    var pending: [PendingChange] {
        PendingChanges(layout).notes().compactMap { PendingChanges(layout).change(of: $0.id) }
    }
    var reasons: [String] { outgoing.refused.map(\.code) }
    var waiting: [SendResult.Reason] { Array(outgoing.waiting.values) }

    /// The files of the mirror.
    func cards() throws -> [String: String] {
        try folder.files(below: "work/cards").reduce(into: [:]) { cards, name in
            cards[name] = String(decoding: try folder.bytes("work/cards/\(name)"), as: UTF8.self)
        }
    }

    func trash() throws -> [String] {
        guard folder.exists("work/trash") else { return [] }
        return try folder.files(below: "work/trash").map {
            String(decoding: try folder.bytes("work/trash/\($0)"), as: UTF8.self)
        }
    }

    // MARK: Changes, as programs make them

    static let ada = "Ada.vcf"

    func change(_ file: String = ada, item: String? = nil, to after: ([UInt8]?) throws -> [UInt8]?) throws {
        let path = layout.cards.appending(file)
        let before = folder.exists("work/cards/\(file)") ? try folder.bytes("work/cards/\(file)") : nil
        let after = try after(before)
        guard let edit = MirrorEdit(layout, of: path, item: item) else { throw ChangeIsRefused() }
        try edit.change(from: before, to: after, name: String(file.dropLast(4))) {
            if let after {
                try folder.write(after, to: "work/cards/\(file)")
            } else {
                try folder.remove("work/cards/\(file)")
            }
        }
    }

    struct ChangeIsRefused: Error {}

    /// `photo`: nil removes it.
    func setPhoto(_ photo: [UInt8]?, of file: String = ada) throws {
        try change(file) { try Self.withPhoto(photo, in: $0 ?? []) }
    }

    func removeCard(_ file: String = ada) throws { try change(file) { _ in nil } }

    static func withPhoto(_ photo: [UInt8]?, in card: [UInt8]) throws -> [UInt8] {
        try CardPhoto.replaced(
            in: card, by: photo.map { CardPhoto.Replacement(bytes: $0) }, now: 1_795_572_000)
    }

    static func withPhoto(_ photo: [UInt8]?, in card: String) throws -> String {
        String(decoding: try withPhoto(photo, in: Array(card.utf8)), as: UTF8.self)
    }

    static func card(_ name: String, note: String = "") -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(name)\r\nFN:\(name)\r\nNOTE:\(note)\r\nEND:VCARD\r\n"
    }

    /// A picture by its first bytes; nothing is decoded here.
    static func photo(_ number: UInt8, bytes: Int = 304) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: number, count: bytes - 4)
    }

    /// The photo of a card; nil: it has none.
    static func photo(in card: String?) -> [UInt8]? { card.flatMap { SentCard(Array($0.utf8)) }?.picture?.bytes }
}

private func card(_ name: String) -> String { WriteTrial.card(name) }
