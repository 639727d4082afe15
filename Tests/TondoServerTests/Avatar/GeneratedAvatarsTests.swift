import Testing
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoServer

@Suite struct GeneratedAvatarsTests {
    @Test func `The same picture comes again, under the same key`() async throws {
        let subject = GeneratedAvatars.Subject.generated(.identicon, .md5(of: "a"), side: 20, isCircle: true)
        let generatedAvatars = GeneratedAvatars()
        let first = try await generatedAvatars.avatar(subject)
        #expect(try await generatedAvatars.avatar(subject).bytes == first.bytes)
        let other = try await GeneratedAvatars().avatar(subject)
        #expect(other.bytes == first.bytes && other.key == first.key && other.key.count == 64)
    }

    private static func subject(_ name: String) -> GeneratedAvatars.Subject {
        .generated(.retro, .md5(of: name), side: 2_048, isCircle: false)
    }

    /// One worker, and room for one that waits.
    private static var narrow: GeneratedAvatars {
        var options = GeneratedAvatars.standard
        (options.workers, options.depth) = (1, 1)
        return GeneratedAvatars(options: options)
    }

    @Test func `What would wait too long is refused`() async throws {
        let generatedAvatars = Self.narrow
        generatedAvatars.pause()
        async let first = generatedAvatars.avatar(.placeholder(Style(size: 16)))
        #expect(await eventually { generatedAvatars.counters.queued != 0 })
        await #expect(throws: ProblemDetails.queueFull) { try await generatedAvatars.avatar(Self.subject("a")) }
        generatedAvatars.resume()
        #expect(try await !first.key.isEmpty)
    }

    @Test func `Pictures have the bounds of photos`() {
        #expect(GeneratedAvatars.standard.wait == AvatarService.longestWait && GeneratedAvatars.standard.depth <= 1_024)
    }

    @Test func `A small picture does not wait for large ones`() async throws {
        var options = GeneratedAvatars.standard
        options.workers = 1
        let generatedAvatars = GeneratedAvatars(options: options)
        generatedAvatars.pause()
        let first = try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, side) in [2_048, 1_024, 40].enumerated() {
                group.addTask {
                    _ = try await generatedAvatars.avatar(
                        .generated(.retro, .md5(of: "\(index)"), side: side, isCircle: false))
                    return side
                }
                #expect(await eventually { generatedAvatars.counters.queued > index })
            }
            generatedAvatars.resume()
            return try await group.next()
        }
        #expect(first == 40)
    }

    @Test func `A placeholder that is not at hand comes in another size at once, and in its own later`() async throws {
        let generatedAvatars = Self.narrow
        generatedAvatars.pause()
        async let other = generatedAvatars.avatar(Self.subject("b"))
        #expect(await eventually { generatedAvatars.counters.queued != 0 })
        let (style, usual) = (Style(size: 20), GeneratedAvatars().placeholder(atOnce: Style(size: 96)))
        #expect(generatedAvatars.placeholder(atOnce: style).bytes == usual.bytes)
        generatedAvatars.resume()
        _ = try await other
        let own = try await generatedAvatars.avatar(.placeholder(style))
        #expect(generatedAvatars.placeholder(atOnce: style).bytes == own.bytes && own.bytes != usual.bytes)
    }
}
