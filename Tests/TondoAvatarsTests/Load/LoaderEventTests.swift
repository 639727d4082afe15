import Foundation
import SystemPackage
import Testing
import TondoContacts

@testable import TondoAvatars

@Suite struct LoaderEventTests {
    private func object(_ event: LoaderEvent) throws -> [String: Any] {
        let data = Data(event.json(number: 7))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `Every event has its name and its number`() throws {
        let events: [LoaderEvent] = [
            .total(3), .contact(index: 0, Contact(id: "a")), .finished(LoadSummary()), .contactRemoved(id: "a"),
            .contactChanged(Contact(id: "a")),
            .avatarFailed(FailedAvatar(contact: "a", code: "corrupt", message: "m")),
        ]
        for event in events {
            let object = try object(event)
            #expect(object["event"] as? String == event.name)
            #expect(object["seq"] as? Int == 7)
        }
    }

    @Test func `A face tells whose it is, how it looks and where it lies`() throws {
        let avatar = PreparedAvatar(
            contact: "a", style: "strip", state: .selected, scale: 2, key: "ab", url: "file:///x", source: .rendered,
            milliseconds: 1.5)
        let found = try object(.avatar(avatar))
        #expect(
            Set(found.keys)
                == ["event", "seq", "contact", "style", "state", "scale", "key", "url", "source", "ms"])
        #expect(found["state"] as? String == "selected" && found["source"] as? String == "rendered")
        #expect(found["ms"] as? Double == 1.5)
    }

    @Test func `The end tells all its counts`() throws {
        let keys = try object(.finished(LoadSummary())).keys
        #expect(Set(keys) == ["event", "seq", "contacts", "avatars", "cached", "rendered", "failed", "ms"])
    }

    @Test func `Names with control characters stay one line`() throws {
        let id = "a\nb\u{1B}\u{9B}é"
        let line = LoaderEvent.contact(index: 0, Contact(id: id)).json(number: 1)
        #expect(!line.contains(0x0A) && !line.contains(0x1B) && !line.contains(0x9B))
        let contact = try object(.contact(index: 0, Contact(id: id)))["contact"] as? [String: Any]
        #expect(contact?["id"] as? String == id)
    }

    @Test func `Addresses of files are escaped`() {
        #expect(FileURL.text("/a b/ü%.png") == "file:///a%20b/%C3%BC%25.png")
        #expect(FileURL.text("a.png").hasPrefix("file:///") && FileURL.text("a.png").hasSuffix("/a.png"))
    }
}
