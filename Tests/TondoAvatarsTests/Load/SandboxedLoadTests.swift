import Foundation
import Testing
import TondoTestSupport

@testable import TondoAvatars

/// Loaders that decode photos in confined processes.
@Suite struct SandboxedLoadTests {
    private func events(_ book: SmallBook, _ program: String?) async throws -> [String] {
        var options = ContactLoader.Options()
        options.styles = [AvatarStyle(size: 16)]
        options.cacheFolder = book.folder.pathString + "/cache-\(UUID().uuidString)"
        options.decoder = try program.map { try $0.hasPrefix("/") ? $0 : BuiltProgram.path($0) }
        var events: [String] = []
        for try await event in try ContactLoader(book: book.folder.pathString + "/book", options).events() {
            switch event {
            case .avatar(let avatar):
                events.append("\(avatar.contact) \(avatar.key) \(try avatar.drawnPart)")
            case .avatarFailed(let failure): events.append("\(failure.contact) \(failure.code)")
            default: break
            }
        }
        return events.sorted()
    }

    private func book() throws -> SmallBook {
        let book = try SmallBook()
        for index in 0..<8 {
            let photo = SmallBook.inline(UInt8(index * 30))
            try book.write(SmallBook.card("p\(index)", photo: photo), to: "p\(index).vcf")
        }
        return book
    }

    @Test func `A load in confined processes gives the same avatars`() async throws {
        let book = try book()
        let avatars = try await events(book, "tondo-render")
        #expect(avatars.count == 8)
        let expected = try await events(book, nil)
        #expect(Set(avatars).symmetricDifference(expected).map { $0.prefix(80) } == [])
    }

    @Test func `A photo that crashes its decoder is one failure of the load`() async throws {
        let book = try book()
        let bytes = SmallBook.image(9) + Array("\nFAULT segfault\n".utf8)
        let photo = ";ENCODING=b;TYPE=PNG:" + Data(bytes).base64EncodedString()
        try book.write(SmallBook.card("bad", photo: photo), to: "bad.vcf")
        let avatars = try await events(book, "RenderFaults")
        #expect(avatars.filter { $0.hasPrefix("bad ") }.contains("bad decoder-crashed"))
        // The silhouette of the contact is the tenth.
        #expect(avatars.count == 10)
    }

    @Test func `A load without the program throws`() async throws {
        await #expect(throws: LoadError.self) { try await events(book(), "no-such-program") }
    }
}

extension PreparedAvatar {
    /// Of its file in the cache, in base 64: what follows has the time of the drawing.
    var drawnPart: String {
        get throws {
            let file = try Data(contentsOf: try #require(url.flatMap { URL(string: $0) }))
            let trailer = try #require(file.range(of: Data("seAL".utf8)))
            return file[..<(trailer.lowerBound - 4)].base64EncodedString()
        }
    }
}
