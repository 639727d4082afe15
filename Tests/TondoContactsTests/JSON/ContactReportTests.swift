import Foundation
import Testing
import TondoTestSupport

@testable import TondoContacts

/// The encoder of lists is written by hand, its decoder is not: both have to agree.
@Suite struct ContactReportTests {
    private func decode(_ json: [UInt8]) throws -> ContactReport {
        try JSONDecoder().decode(ContactReport.self, from: Data(json))
    }

    @Test func `A listed contact decodes to the contact, without its photo and the parts of its addresses`() throws {
        var numbers = SplitMix64(11)
        for _ in 0..<300 {
            var contact = randomContact(&numbers)
            let report = try decode(TondoSchema.listed(contact, avatar: "/a"))
            let headline = ContactHeadline(contact)
            #expect(report.displayName == headline.displayName && report.section == headline.section)
            #expect(report.initials == headline.initials)
            #expect(report.phones?.map(\.formatted) ?? [] == contact.phones.map { PhoneMask.masked($0.value) })
            #expect(report.photo == (contact.photo != nil) && report.avatar == "/a" && report.cut == nil)
            contact.photo = nil
            for index in contact.addresses.indices { contact.addresses[index].parts = [] }
            #expect(Contact(report) == contact)
        }
    }

    @Test func `Every member that is written is one of the report`() throws {
        var numbers = SplitMix64(12)
        var names: Set<String> = []
        for _ in 0..<100 {
            var contact = randomContact(&numbers)
            contact.chatLog.append(String(repeating: "x", count: 100))
            let json = TondoSchema.listed(contact, avatar: "/a", avatars: Array("{}".utf8), longest: 50)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
            names.formUnion(object.keys)
            #expect(try decode(json).cut?.contains("chatLog") == true)
        }
        #expect(names == Set(ContactReport.CodingKeys.allCases.map(\.rawValue)))
    }

    @Test func `The members come in the order of the report`() {
        var contact = Contact(id: "a")
        (contact.title, contact.isVIP, contact.members) = ("T", true, ["b"])
        contact.photo = .remote(url: "https://example.org/a.png")
        #expect(
            String(decoding: TondoSchema.listed(contact, avatar: "/a"), as: UTF8.self)
                == #"{"id":"a","title":"T","vip":true,"members":["b"],"displayName":"a","initials":"","section":"#
                + ##""#","photo":true,"avatar":"/a"}"##)
    }
}

extension Contact {
    fileprivate init(_ report: ContactReport) {
        self.init(id: report.id)
        kind = report.kind.flatMap { Kind(rawValue: $0) } ?? .individual
        (name.given, name.family) = (report.name?.given ?? "", report.name?.family ?? "")
        (name.additional, name.prefix) = (report.name?.additional ?? "", report.name?.prefix ?? "")
        (name.suffix, name.formatted) = (report.name?.suffix ?? "", report.name?.formatted ?? "")
        (name.sortGiven, name.sortFamily) = (report.name?.sortGiven ?? "", report.name?.sortFamily ?? "")
        name.nicknames = report.name?.nicknames ?? []
        organisation = report.organisation ?? []
        (title, role, introduction) = (report.title, report.role, report.introduction)
        phones = report.phones.points
        emails = report.emails.points
        addresses = report.addresses.points
        websites = report.websites.points
        (birthday, anniversary) = (report.birthday, report.anniversary)
        (social, related) = (report.social.points, report.related.points)
        for (word, handle) in report.messengers ?? [:] {
            if let messenger = Messenger(rawValue: word) { messengers[messenger] = handle }
        }
        groups = (report.groups ?? []).map { ContactGroup($0.name, id: $0.id, online: $0.online) }
        (isOnline, isVIP) = (report.online, report.vip ?? false)
        (chatLog, revision, members) = (report.chatLog ?? [], report.revision, report.members ?? [])
    }
}

extension [ContactReport.Point]? {
    fileprivate var points: [ContactPoint] {
        (self ?? []).map { ContactPoint($0.value, types: $0.types ?? [], label: $0.label) }
    }
}
