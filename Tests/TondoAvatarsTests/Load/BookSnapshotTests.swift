import SystemPackage
import Testing
import TondoFiles

@testable import TondoAvatars
@testable import TondoContacts

@Suite struct BookSnapshotTests {
    private func part(_ people: Contact...) -> BookSnapshot.Part {
        BookSnapshot.Part(people: people.map { PackedContact($0) })
    }

    private func person(_ id: String, _ name: String = "") -> Contact {
        var contact = Contact(id: id)
        contact.name.formatted = name
        return contact
    }

    private func loaded() -> BookSnapshot {
        var snapshot = BookSnapshot()
        _ = snapshot.update(
            ["a.vcf": part(person("a")), "b.vcf": part(person("b"))], order: ["a.vcf", "b.vcf"], listing: [])
        return snapshot
    }

    @Test func `Equal contents are no difference`() {
        var snapshot = loaded()
        let difference = snapshot.update(["a.vcf": part(person("a"))], order: ["a.vcf", "b.vcf"], listing: [])
        #expect(difference.changed.isEmpty && difference.removed.isEmpty)
    }

    @Test func `A file that is gone takes its people along`() {
        var snapshot = loaded()
        #expect(snapshot.update([:], order: ["b.vcf"], listing: []).removed == ["a"])
        #expect(snapshot.ids == ["b"])
    }

    @Test func `A person who moves to another file is the same`() {
        var snapshot = loaded()
        let difference = snapshot.update(["z.vcf": part(person("a"))], order: ["b.vcf", "z.vcf"], listing: [])
        #expect(difference.removed.isEmpty)
        #expect(difference.changed.map { [$0.contact.id, "\($0.index)"] } == [["b", "0"]])
        #expect(difference.changed.allSatisfy { !$0.hasNewPhoto })
        #expect(snapshot.ids == ["b", "a"])
    }

    @Test func `Only another photo is a new photo`() {
        var snapshot = loaded()
        var changed = person("b", "B")
        #expect(
            snapshot.update(["b.vcf": part(changed)], order: ["a.vcf", "b.vcf"], listing: []).changed.map(\.hasNewPhoto)
                == [false])
        changed.photo = .remote(url: "https://example.org")
        #expect(
            snapshot.update(["b.vcf": part(changed)], order: ["a.vcf", "b.vcf"], listing: []).changed.map(\.hasNewPhoto)
                == [true])
    }

    @Test func `A photo that lies elsewhere is no change, but moved`() {
        func card(at line: Int, _ photo: ContactPhoto?) -> Contact {
            var contact = person("b")
            contact.photo = photo
            contact.place = ContactLocation(file: "b.vcf", line: line, bytes: line..<line + 9)
            return contact
        }
        for (photo, moved) in [(ContactPhoto.file(path: "p.png", crop: nil), []), (Self.text, ["b"]), (nil, [])] {
            var snapshot = loaded()
            _ = snapshot.update(["b.vcf": part(card(at: 1, photo))], order: ["a.vcf", "b.vcf"], listing: [])
            let difference = snapshot.update(
                ["b.vcf": part(card(at: 5, photo))], order: ["a.vcf", "b.vcf"], listing: [])
            #expect(difference.changed.isEmpty && difference.moved.map(\.id) == moved)
        }
    }

    private static let text = "/9j/".utf8.withContiguousStorageIfAvailable { text in
        ContactPhoto.inline(
            .encoded(EncodedPhoto(0..<4, of: UnsafeRawBufferPointer(text), encoding: .base64)), crop: nil)
    }

    private let both: [FilePath] = ["a.vcf", "b.vcf"]

    /// Ada and Bob with one id, in a file each.
    private func duplicates() -> BookSnapshot {
        BookSnapshot(
            ["a.vcf": part(person("x", "Ada")), "b.vcf": part(person("x", "Bob"))], order: both, listing: [])
    }

    @Test func `When one of several with one id goes, the other keeps its id, and so does the one that comes back`() {
        var snapshot = duplicates()
        let ids = snapshot.ids
        #expect(ids[0] == "x" && ids[1].hasPrefix("x-"))
        let difference = snapshot.update([:], order: ["b.vcf"], listing: [])
        #expect(difference.removed == ["x"] && difference.changed.isEmpty && snapshot.ids == [ids[1]])
        let back = snapshot.update(["a.vcf": part(person("x", "Ada"))], order: both, listing: [])
        #expect(back.changed.map(\.contact.id) == ["x"] && back.removed.isEmpty && snapshot.ids == ids)
        let other = snapshot.update([:], order: ["a.vcf"], listing: [])
        #expect(other.removed == [ids[1]] && other.changed.isEmpty && snapshot.ids == ["x"])
    }

    @Test func `A contact keeps its id when another one with it appears before`() {
        var snapshot = BookSnapshot(["b.vcf": part(person("x", "Bob"))], order: ["b.vcf"], listing: [])
        let difference = snapshot.update(["a.vcf": part(person("x", "Ada"))], order: both, listing: [])
        #expect(difference.removed.isEmpty && difference.changed.map(\.contact.name.formatted) == ["Ada"])
        #expect(snapshot.ids[1] == "x" && snapshot.ids[0].hasPrefix("x-"))
    }

    @Test func `Ids are the same after a new load that knows whose they are`() {
        var snapshot = duplicates()
        _ = snapshot.update([:], order: ["b.vcf"], listing: [])
        let loaded = BookSnapshot(
            ["b.vcf": part(person("x", "Bob"))], order: ["b.vcf"], listing: [], owners: snapshot.owners)
        #expect(loaded.ids == snapshot.ids)
    }

    @Test func `A change shares the bytes of the contact in the snapshot, also under another id and in a group`() {
        func addresses(_ contacts: [PackedContact]) -> [UnsafeRawPointer?] {
            contacts.map { $0.bytes.withUnsafeBytes(\.baseAddress) }
        }
        var club = person("club", "Club")
        club.kind = .group
        club.members = ["b"]
        var changed = part(person("b", "B"), person("b", "Other"))
        changed.groups = [club]
        var snapshot = loaded()
        let all = snapshot.update(["b.vcf": changed], order: both, listing: []).changed.map(\.contact)
        #expect(all.map(\.id) == Array(snapshot.ids.dropFirst()))
        #expect(all.allSatisfy { $0.contact.groups == [ContactGroup("Club")] })
        #expect(addresses(all) == addresses(snapshot.parts["b.vcf"]?.people ?? []))
        let few = snapshot.update(few: ["a.vcf": .read(part(person("a", "A")))]).changed.map(\.contact)
        #expect(few.count == 1 && addresses(few) == addresses(snapshot.parts["a.vcf"]?.people ?? []))
    }

    @Test func `A failure is reported once`() {
        var snapshot = loaded()
        let failure = ContactFailure(file: "c.vcf", line: 1, error: .nothingInside)
        let parts: [FilePath: BookSnapshot.Part] = ["c.vcf": .init(failures: [failure])]
        let order: [FilePath] = ["a.vcf", "b.vcf", "c.vcf"]
        #expect(snapshot.update(parts, order: order, listing: []).failures == [failure])
        #expect(snapshot.update(parts, order: order, listing: []).failures.isEmpty)
    }

    /// Comparing each failure with each would take hours here.
    @Test func `Very many broken cards cost no more than their number at a change`() {
        var snapshot = loaded()
        let failures = (1...300_000).map { ContactFailure(file: "c.vcf", line: $0, error: .malformed("no END:VCARD")) }
        let order: [FilePath] = ["a.vcf", "b.vcf", "c.vcf"]
        #expect(snapshot.update(["c.vcf": .init(failures: failures)], order: order, listing: []).failures == failures)
        #expect(snapshot.update(["a.vcf": part(person("a"))], order: order, listing: []).failures.isEmpty)
    }
}
