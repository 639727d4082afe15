import SystemPackage
import Testing
import TondoAvatars
import TondoContacts

@testable import TondoServer

@Suite struct HeldEventsTests {
    private let start = ContinuousClock.now

    private static func entry(_ seq: UInt64, _ id: String? = nil, _ state: ContactVersion.State = .removed)
        -> SharedEventLog.Entry
    { .init(seq: seq, name: "e", json: "{}", version: id.map { ContactVersion(id: $0, state: state) }) }

    private func held(_ entries: SharedEventLog.Entry...) -> HeldEvents {
        var held = HeldEvents(longest: .seconds(2))
        held.add(entries, at: start)
        return held
    }

    @Test func `Events stay in their order behind one that waits`() {
        var held = held(Self.entry(1), Self.entry(2, "a"), Self.entry(3))
        #expect(held.ready(at: start) { _ in false }.map(\.seq) == [1])
        #expect(held.ready(at: start) { _ in true }.map(\.seq) == [2, 3])
        #expect(held.isEmpty)
    }

    @Test func `Each event waits for its own time`() {
        var held = held(Self.entry(1, "a"))
        held.add([Self.entry(2, "b")], at: start + .seconds(1))
        #expect(held.ready(at: start + .seconds(2)) { _ in false }.map(\.seq) == [1])
        #expect(held.ready(at: start + .milliseconds(2_999)) { _ in false }.isEmpty)
        #expect(held.ready(at: start + .seconds(3)) { _ in false }.map(\.seq) == [2])
    }

    @Test func `A change that the own books have passed over waits no longer`() {
        var held = held(Self.entry(1, "a", .present("1")), Self.entry(2, "b"), Self.entry(3, "a", .present("2")))
        let newest = ContactVersion(id: "a", state: .present("2"))
        #expect(held.ready(at: start) { $0 == newest }.map(\.seq) == [1])
        #expect(held.ready(at: start) { $0.id == "b" || $0 == newest }.map(\.seq) == [2, 3])
    }

    @Test func `An event of an avatar waits for nothing itself`() {
        var held = held(Self.entry(1, "a", .same))
        #expect(held.ready(at: start) { _ in false }.count == 1)
    }
}

@Suite struct ContactVersionTests {
    private static func contact(_ name: String, photo: ContactPhoto? = nil) -> Contact {
        var contact = Contact(id: "a b")
        contact.name.formatted = name
        contact.photo = photo
        return contact
    }

    @Test func `A version differs with what is seen of a contact, and with the place of its photo`() {
        let versions = [
            Self.contact("Ada"), Self.contact("Ada L."), Self.contact("Ada", photo: .file(path: "1.jpg", crop: nil)),
            Self.contact("Ada", photo: .file(path: "2.jpg", crop: nil)), Self.contact("Ada", photo: .remote(url: "x")),
        ].map { ContactVersion($0) }
        #expect(Set(versions.map(\.text)).count == 5)
        #expect(ContactVersion(Self.contact("Ada")) == versions[0])
    }

    @Test(arguments: [
        ContactVersion(id: "a b", state: .removed), .init(id: "", state: .same), .init(id: "x", state: .present("0f")),
    ])
    func `A version comes back from its text`(_ version: ContactVersion) {
        #expect(ContactVersion(version.text) == version)
    }

    @Test func `An event of the books has the version that the books have`() throws {
        let directory = ContactDirectory()
        let contact = Self.contact("Ada", photo: .file(path: "1.jpg", crop: nil))
        directory.put(contact, in: 0)
        var event = PublishedEvent(event: .contactChanged(index: 0, Self.contact("Ada")))
        event.photo = contact.photo
        #expect(directory.contact("a b").map { ContactVersion($0) } == event.version)
    }
}
