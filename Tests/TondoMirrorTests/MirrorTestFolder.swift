import Foundation
import SystemPackage
import TondoTestSupport

@testable import TondoMirror

/// A mirror in a temporary folder, and runs of a source that is a list of cards.
struct MirrorTestFolder {
    let folder: TemporaryFolder
    var layout: MirrorLayout { MirrorLayout(name: "work", in: folder.path) }

    init() throws { folder = try TemporaryFolder() }

    /// The mirror as a kill at this moment would leave it.
    func copy() throws -> MirrorTestFolder {
        let copy = try MirrorTestFolder()
        try FileManager.default.copyItem(
            atPath: folder.pathString + "/work", toPath: copy.folder.pathString + "/work")
        return copy
    }

    static func item(_ id: String, _ text: String = "BEGIN:VCARD", name: String? = nil) -> MirrorItem {
        MirrorItem(id: id, version: "1", name: name, bytes: Array(text.utf8))
    }

    /// What a run reports.
    struct Report {
        let changes: [MirrorChange]
        let outcome: MirrorOutcome
        let foreign: ForeignFiles
        let recovery: MirrorFolder.Recovery?

        func names(_ change: ForeignFiles.Change) -> [String] {
            foreign.files.filter { $0.change == change }.map(\.file).sorted()
        }
    }

    /// `onStep`: see `MirrorFolder`.
    @discardableResult
    func run(
        _ items: [MirrorItem], removing gone: Set<String> = [],
        onStep: @escaping (MirrorFolder.Step, FilePath) -> Void = { _, _ in }
    ) throws -> Report {
        let mirror = try MirrorFolder(layout: layout)
        mirror.onStep = onStep
        let changes = try mirror.put(items)
        let outcome = try mirror.finish(removing: gone, attributes: ["token": "1"], allowsDeletion: true)
        return Report(changes: changes, outcome: outcome, foreign: mirror.foreign, recovery: mirror.recovery)
    }

    func cards() throws -> [String: String] {
        try folder.files(below: "work/cards").reduce(into: [:]) { cards, name in
            cards[name] = String(decoding: try folder.bytes("work/cards/\(name)"), as: UTF8.self)
        }
    }

    /// The texts of all files in the trash.
    func trash() throws -> [String] {
        guard folder.exists("work/trash") else { return [] }
        return try folder.files(below: "work/trash").map {
            String(decoding: try folder.bytes("work/trash/\($0)"), as: UTF8.self)
        }.sorted()
    }

    func write(_ text: String, to card: String) throws { try folder.write(Array(text.utf8), to: "work/cards/\(card)") }

    func overwrite(_ card: String, _ text: String) throws { try folder.overwrite("work/cards/\(card)", text) }
}
