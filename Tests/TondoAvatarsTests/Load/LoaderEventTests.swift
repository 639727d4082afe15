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
            .contactChanged(index: 2, Contact(id: "a")),
            .avatarFailed(FailedAvatar(contact: "a", code: "corrupt", message: "m")),
        ]
        for event in events {
            let object = try object(event)
            #expect(object["event"] as? String == event.name)
            #expect(object["seq"] as? Int == 7)
        }
    }

    @Test func `An avatar event has its contact, its style and its URL`() throws {
        let avatar = PreparedAvatar(
            contact: "a", style: "strip", state: .selected, scale: 2, key: "ab", url: "file:///x", kind: .initials,
            source: .rendered,
            milliseconds: 1.5)
        let found = try object(.avatar(avatar))
        #expect(
            Set(found.keys)
                == ["event", "seq", "contact", "style", "state", "scale", "key", "url", "kind", "source", "ms"])
        #expect(found["state"] as? String == "selected" && found["source"] as? String == "rendered")
        #expect(found["kind"] as? String == "initials")
        #expect(found["ms"] as? Double == 1.5)
    }

    @Test func `The end has all of its counters`() throws {
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
        #expect(FileURL.text(of: "/a b/ü%.png") == "file:///a%20b/%C3%BC%25.png")
        #expect(FileURL.text(of: "a.png").hasPrefix("file:///") && FileURL.text(of: "a.png").hasSuffix("/a.png"))
    }

    @Test(arguments: ["\u{2028}", "\u{2029}"]) func `Separators of lines are escaped`(separator: String) throws {
        var contact = Contact(id: "a")
        contact.name.formatted = "Ada\(separator)B"
        let line = LoaderEvent.contactChanged(index: 0, contact).json(number: 1)
        #expect(
            !String(decoding: line, as: UTF8.self).unicodeScalars.contains {
                "\(separator)".unicodeScalars.contains($0)
            })
        let read = try object(.contactChanged(index: 0, contact))["contact"] as? [String: Any]
        #expect((read?["name"] as? [String: Any])?["formatted"] as? String == "Ada\(separator)B")
    }

    @Test func `A long field is cut in events, and named`() throws {
        var contact = Contact(id: "a")
        contact.introduction = String(repeating: "é", count: 1_000_000)
        contact.title = "Countess"
        for event in [LoaderEvent.contact(index: 0, contact), .contactChanged(index: 0, contact)] {
            #expect(event.json(number: 1).count < 70_000)
            let read = try object(event)["contact"] as? [String: Any]
            #expect(read?["cut"] as? [String] == ["introduction"])
            #expect(read?["introduction"] as? String == String(repeating: "é", count: 32_768))
            #expect(read?["title"] as? String == "Countess")
        }
    }
}
