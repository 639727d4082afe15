import Foundation
import Testing
import TondoEndpoints
import TondoQR
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct SharingTests {
    private static let remote = "X-Forwarded-For: 192.0.2.1\r\n"

    @Test func `A card is a file with the contact's name and its photo, drawn for it`() async throws {
        try await RunningService.run { service in
            let response = try await service.get("/v1/contacts/ada/vcard")
            #expect(response.status == 200 && response.field("content-type") == "text/vcard; charset=utf-8")
            #expect(response.field("content-disposition")?.hasSuffix("; filename*=UTF-8''ada.vcf") == true)
            let card = response.body.replacing("\r\n ", with: "")
            #expect(card.hasPrefix("BEGIN:VCARD\r\nVERSION:3.0\r\nN:;ada;;;\r\nFN:ada\r\nEMAIL:ada@example.org\r\n"))
            let line = try #require(card.split(separator: "\r\n").first { $0.hasPrefix("PHOTO;ENCODING=b;TYPE=PNG:") })
            let photo = try #require(Data(base64Encoded: String(line.split(separator: ":")[1])))
            #expect(Array(photo[16..<24]) == [0, 0, 1, 104, 0, 0, 1, 104])
            // The photo of the book has 8 pixels a side.
            #expect(!card.contains(Card.inline(10).split(separator: ":")[1]))
        }
    }

    @Test(arguments: ["bob", "eve"])
    func `A contact without a usable photo has a card without one`(id: String) async throws {
        try await RunningService.run { service in
            let response = try await service.get("/v1/contacts/\(id)/vcard")
            #expect(response.status == 200 && !response.body.contains("PHOTO") && response.body.contains("FN:\(id)"))
        }
    }

    @Test func `A QR code is an SVG, or rows for a page that draws it`() async throws {
        try await RunningService.run { service in
            let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:;bob;;;\r\nFN:bob\r\nEMAIL:bob@example.org\r\nEND:VCARD\r\n"
            let code = try #require(QRCode(text.utf8))
            let svg = try await service.get("/v1/contacts/bob/qr")
            #expect(svg.field("content-type") == "image/svg+xml" && svg.field("vary") == "Accept")
            #expect(svg.body == code.svg && svg.field("content-security-policy") == "default-src 'none'")
            let json = try await service.get("/v1/contacts/bob/qr", fields: "Accept: application/json\r\n")
            #expect(json.json["size"] as? Int == code.side && json.json["rows"] as? [String] == code.rows)
        }
    }

    @Test(arguments: ["vcard", "qr"])
    func `An unknown contact has neither`(name: String) async throws {
        try await RunningService.run { service in
            let response = try await service.get("/v1/contacts/nobody/\(name)")
            #expect(response.status == 404 && response.json["code"] as? String == "contact-not-found")
        }
    }

    @Test(arguments: [
        ([ServiceArea.contacts], 401, 200), ([.avatars], 401, 401), ([.contacts, .avatars], 200, 200),
        ([.photos], 401, 401),
    ])
    func `A card has a photo, and needs the area of avatars, too`(open: [ServiceArea], card: Int, code: Int)
        async throws
    {
        let requests = RequestGuard(hosts: HostGuard(), token: nil, open: Set(open))
        try await RunningService.run(guard: requests) { service in
            let statuses = [
                try await service.get("/v1/contacts/ada/vcard", fields: Self.remote).status,
                try await service.get("/v1/contacts/ada/qr", fields: Self.remote).status,
            ]
            #expect(statuses == [card, code])
        }
    }

    @Test(arguments: [
        ("Ada Lovelace", "Ada%20Lovelace"), ("Дима", "%D0%94%D0%B8%D0%BC%D0%B0"), ("a/b\\c\"d", "a_b_c_d"),
        ("../..", "_.."), ("\r\nX: y", "__X_%20y"), ("", "contact"), (" .hidden", "hidden"),
        (String(repeating: "a", count: 300), String(repeating: "a", count: 100)),
    ])
    func `The name of a file is safe everywhere`(name: String, file: String) {
        let wanted = "attachment; filename=\"contact.vcf\"; filename*=UTF-8''\(file).vcf"
        #expect(AvatarService.attachment(name) == wanted)
    }
}
