import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoMirror
import TondoTestSupport

@testable import TondoAvatars

/// Contacts of a mirror of `tondo sync`, which only its next run may change.
@Suite struct MirrorChangeTests {
    private let people: VCardFolder
    private static let cards = "mirrors/office/cards"

    init() throws {
        people = try VCardFolder()
        try people.folder.write(VCardFolder.card("ada"), to: "\(Self.cards)/ada.vcf")
    }

    /// `tondo sync` has the folder from now on.
    private func becomeMirror() throws {
        for name in ["lock", "state"] { try people.folder.write(Data(), to: "mirrors/office/\(name)") }
    }

    private var file: FilePath { people.folder.path.pushing(FilePath("\(Self.cards)/ada.vcf")) }

    private func remove(isTrial: Bool = false) throws -> ChangeProblem? {
        let read = try people.read(Self.cards)
        return BookChange(read.book, read.contents, trash: people.trash).remove(
            read.contents.contacts, now: 5, isTrial: isTrial
        ).first?.problem
    }

    @Test(arguments: [true, false]) func `A contact stays, and the reason names the mirror`(isTrial: Bool) throws {
        try becomeMirror()
        #expect(try remove(isTrial: isTrial) == .mirror(file, name: "office"))
        #expect(try people.folder.bytes("\(Self.cards)/ada.vcf") == VCardFolder.card("ada"))
        #expect(people.removed.isEmpty)
    }

    @Test func `What was removed before the folder became a mirror stays in the trash`() throws {
        #expect(try remove() == nil)
        try becomeMirror()
        #expect(throws: ChangeProblem.mirror(file, name: "office")) { try people.restore("ada") }
        #expect(try people.folder.names(in: Self.cards).isEmpty)
        #expect(people.removed == ["ada"])
    }

    @Test func `A folder of cards beside other files is no mirror`() throws {
        try people.folder.write(Data(), to: "mirrors/office/lock")
        #expect(try remove() == nil)
    }

    /// The folder of a mirror whose changes are sent.
    private func becomeWritable() throws {
        try people.folder.remove("\(Self.cards)/ada.vcf")
        let mirror = try MirrorFolder(layout: layout)
        try mirror.put([.init(id: "/book/ada.vcf", version: "1", name: "ada", bytes: VCardFolder.card("ada"))])
        _ = try mirror.finish(attributes: ["\(MirrorState.writable)/book/": MirrorState.yes])
    }

    private var layout: MirrorLayout { MirrorLayout(name: "office", in: people.folder.path.appending("mirrors")) }
    private var pending: [PendingChange] {
        PendingChanges(layout).notes().compactMap { PendingChanges(layout).change(of: $0.id) }
    }

    @Test func `A removal from a mirror that is written to waits for its server`() throws {
        try becomeWritable()
        #expect(try remove() == nil)
        let change = try #require(pending.first)
        #expect(change.id == "/book/ada.vcf" && change.etag == "1" && change.name == "Somebody called ada")
        #expect(change.before == VCardFolder.card("ada") && change.after == nil)
        #expect(try people.folder.names(in: Self.cards).isEmpty)
    }

    @Test func `What is restored there has its name at the server, also once the removal is sent`() throws {
        try becomeWritable()
        #expect(try remove() == nil)
        do {
            let mirror = try MirrorFolder(layout: layout)
            try mirror.end(try #require(pending.first), with: nil, isKept: false)
            try mirror.commit()
        }
        #expect(pending.isEmpty)
        #expect(try people.restore("ada") == .restored)
        let change = try #require(pending.first)
        #expect(change.id == "/book/ada.vcf" && change.before == nil && change.after == VCardFolder.card("ada"))
    }

    @Test func `A trial leaves no change for the server`() throws {
        try becomeWritable()
        #expect(try remove(isTrial: true) == nil)
        #expect(pending.isEmpty)
    }
}
