import SystemPackage
import Testing
import TondoContacts
import TondoFiles

@testable import TondoAvatars

/// A change of a few files against the same change of the whole book.
@Suite struct BookSnapshotFewTests {
    /// The same choices in every run (a linear congruential generator).
    private struct Choices {
        var state: UInt64

        mutating func callAsFunction(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
    }

    private static let files = (0..<9).map { FilePath("\($0).vcf") } + ["sub/a.vcf", "sub-b.vcf"]

    private func part(of file: FilePath, _ choice: inout Choices) -> BookSnapshot.Part {
        var part = BookSnapshot.Part()
        for row in 0..<choice(4) {
            // Few ids, so that several cards often claim one, and cards often move.
            var contact = Contact(id: "\(choice(14))")
            contact.name.formatted = "name \(choice(3))"
            if choice(4) == 0 { contact.photo = .file(path: "\(choice(3)).png", crop: nil) }
            contact.place = ContactLocation(file: "x.vcf", line: row + 1, bytes: row..<row + 9)
            part.people.append(PackedContact(contact))
        }
        if choice(12) == 0 {
            var group = Contact(id: "group")
            (group.kind, group.name.formatted, group.members) = (.group, "Club", ["\(choice(14))"])
            part.groups.append(group)
        }
        if choice(9) == 0 {
            part.failures.append(ContactFailure(file: file, line: choice(9), error: .nothingInside))
        }
        return part
    }

    /// A client that applies the events, see `LoaderEvent.contactChanged`.
    private func apply(_ difference: BookSnapshot.Difference, to ids: inout [String]) {
        ids.removeAll(where: difference.removed.contains)
        for (contact, _, index) in difference.changed {
            ids.removeAll { $0 == contact.id }
            ids.insert(contact.id, at: min(index, ids.count))
        }
    }

    @Test(arguments: 1...12)
    func `Changes of a few files lead to the state of a whole reading, and so do their events`(seed: Int) {
        var choice = Choices(state: UInt64(seed))
        var few = BookSnapshot([:], order: [], listing: [], folders: ["", "sub"])
        var (whole, listed, known) = (few, Set<FilePath>(), [String]())
        for step in 0..<120 {
            var changes: [FilePath: BookSnapshot.FileChange] = [:]
            var read: [FilePath: BookSnapshot.Part] = [:]
            for _ in 0...choice(3) {
                let file = Self.files[choice(Self.files.count)]
                if choice(4) == 0 {
                    changes[file] = .gone
                    read[file] = nil
                    listed.remove(file)
                } else {
                    let part = part(of: file, &choice)
                    changes[file] = .read(part)
                    read[file] = part
                    listed.insert(file)
                }
            }
            let order = listed.map { ($0.bytes, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
            let difference = few.update(few: changes)
            let expected = whole.update(read, order: order, listing: [], folders: ["", "sub"])
            apply(difference, to: &known)
            let place = Comment(rawValue: "seed \(seed), step \(step)")
            #expect(few.people == whole.people && few.order == order && few.counts == whole.counts, place)
            #expect(few.owners == whole.owners && few.failures == whole.failures, place)
            #expect(known == few.ids, place)
            #expect(difference.removed == expected.removed && difference.failures == expected.failures, place)
            #expect(difference.changed.map(\.contact) == expected.changed.map(\.contact), place)
            #expect(difference.changed.map(\.hasNewPhoto) == expected.changed.map(\.hasNewPhoto), place)
            #expect(difference.moved == expected.moved, place)
            #expect(few.known.filesByPhotoName == whole.known.filesByPhotoName, place)
        }
    }

    @Test func `A new contact is placed among the others and no other one changes`() {
        var snapshot = BookSnapshot(
            ["a.vcf", "c.vcf"].reduce(into: [:]) { $0[$1] = .init(people: [PackedContact(Contact(id: $1.string))]) },
            order: ["a.vcf", "c.vcf"], listing: [], folders: [""])
        let part = BookSnapshot.Part(people: [PackedContact(Contact(id: "b.vcf"))])
        let difference = snapshot.update(few: ["b.vcf": .read(part)])
        #expect(difference.changed.map { "\($0.index) \($0.contact.id)" } == ["1 b.vcf"])
        #expect(snapshot.ids == ["a.vcf", "b.vcf", "c.vcf"])
    }
}
