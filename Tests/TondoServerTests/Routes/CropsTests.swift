import Testing
import TondoAvatars

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct CropsTests {
    @Test func `The crop of a contact is that of its avatar, drawn or from the cache`() async throws {
        try await RunningService.run { service in
            let drawn = try await service.get("/v1/contacts/ada/crop?size=20")
            #expect(drawn.status == 200)
            #expect(drawn.body == #"{"x":0,"y":0,"side":8,"by":"centre","photo":{"width":8,"height":8}}"#)
            // It is in the cache now.
            #expect(try await service.get("/v1/contacts/ada/crop?size=20").body == drawn.body)
            let top = try await service.get("/v1/contacts/ada/crop?crop=top")
            #expect(top.json["by"] as? String == "top")
        }
    }

    @Test func `The crop that a card states comes first`() async throws {
        let crop = ";X-ABCROP-RECTANGLE=ABClipRect_1&1&2&4&4&x"
        let cards = ["ada": Card.card("ada", photo: crop + Card.inline(10))]
        try await RunningService.run(cards) { service in
            let json = try await service.get("/v1/contacts/ada/crop").json
            #expect(json["by"] as? String == "contact" && json["side"] as? Int == 4)
            #expect(json["x"] as? Int == 1 && json["y"] as? Int == 2)
        }
    }

    @Test(arguments: ["bob", "eve"])
    func `A contact whose avatar shows no photo has no crop`(_ id: String) async throws {
        try await RunningService.run { service in
            let response = try await service.get("/v1/contacts/\(id)/crop")
            #expect(response.status == 404 && response.json["code"] as? String == "no-photo")
        }
    }

    @Test func `An unknown contact and a wrong query are problems as for avatars`() async throws {
        try await RunningService.run { service in
            for query in ["zoe/crop", "ada/crop?size=0"] {
                let crop = try await service.get("/v1/contacts/\(query)")
                let avatar = try await service.get("/v1/contacts/\(query.replacing("crop", with: "avatar"))")
                #expect(crop.status == avatar.status && crop.body == avatar.body)
            }
        }
    }
}
