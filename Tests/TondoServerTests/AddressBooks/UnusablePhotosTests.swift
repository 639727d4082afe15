import Synchronization
import Testing

@testable import TondoServer

@Suite struct UnusablePhotosTests {
    private final class Clock: Sendable {
        let time = Atomic<UInt64>(1_000_000_000_000)
        func advance(seconds: UInt64) { time.add(seconds * 1_000_000_000, ordering: .relaxed) }
    }

    private let clock = Clock()
    private let photos: UnusablePhotos

    init() { photos = UnusablePhotos { [clock] in clock.time.load(ordering: .relaxed) } }

    @Test func `A photo is tried again once in each interval`() {
        photos.insert("ada")
        #expect(!photos.mayRetry("ada", every: .seconds(30)))
        clock.advance(seconds: 30)
        #expect(photos.mayRetry("ada", every: .seconds(30)) && !photos.mayRetry("ada", every: .seconds(30)))
        clock.advance(seconds: 29)
        #expect(!photos.mayRetry("ada", every: .seconds(30)) && !photos.mayRetry("bo", every: .seconds(0)))
    }

    @Test func `A photo that gives an avatar is none of them any more`() {
        photos.insert("ada")
        #expect(photos.contains("ada") && !photos.contains("bo"))
        #expect(photos.remove("ada") && !photos.remove("ada") && !photos.contains("ada"))
    }
}
