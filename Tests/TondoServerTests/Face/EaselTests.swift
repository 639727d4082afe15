import Testing
import TondoImage

@testable import TondoServer

@Suite struct EaselTests {
    @Test func `The same picture comes again, under the same key`() async throws {
        let subject = Easel.Subject.generated(.identicon, .md5(of: "a"), side: 20, isCircle: true)
        let easel = Easel()
        let first = try await easel.picture(subject)
        #expect(try await easel.picture(subject).png == first.png)
        let other = try await Easel().picture(subject)
        #expect(other.png == first.png && other.key == first.key && other.key.count == 64)
    }

    @Test func `What would wait too long is refused`() async throws {
        await #expect(throws: ProblemDetails.queueFull) {
            try await Easel(depth: 0).picture(.placeholder(Style(size: 16)))
        }
    }
}
