import Foundation
import Testing
import TondoTestSupport

@testable import tondo

/// A limit of 0 bytes a file (`ulimit -f`) is a full disk for everything but the picture that leaves through a pipe.
@Suite struct CacheFullDiskTests {
    private let cache: FilledCache
    private let full = #"ulimit -f 0; exec "$@""#

    init() throws { cache = try FilledCache(isFilled: false) }

    @Test func `On a full disk the cache stops storing and rendering goes on`() throws {
        _ = try cache.convert(only: "bo.png")
        let plain = try cache.run(["convert", "ada.jpg", "--size", "16", "-o", "-"]).output
        let outcome = try cache.convert(only: "ada.jpg", "-o", "-", shell: full)
        #expect(outcome.status == 0)
        #expect(outcome.output == plain)
        #expect(outcome.error.hasPrefix("tondo: cache: stopped storing entries: cache: no space left\n"))
    }

    @Test func `What is there still comes out of the cache of a full disk`() throws {
        _ = try cache.convert(only: "ada.jpg")
        let outcome = try cache.convert(only: "ada.jpg", "-o", "-", shell: full)
        #expect(outcome.status == 0)
        #expect(try outcome.output == cache.folder.data("avatars/ada.png"))
    }

    @Test func `Where a new cache has no room, rendering goes on without`() throws {
        let outcome = try cache.convert(only: "ada.jpg", "-o", "-", shell: full)
        #expect(outcome.status == 0)
        #expect(outcome.error == "tondo: warning: cache: cache: no space left; continuing without it\n")
        #expect(!outcome.output.isEmpty)
    }

    @Test func `Where no cache can be made, rendering goes on without`() throws {
        let outcome = try cache.run(["convert", "ada.jpg", "--cache-dir", "/proc/tondo-cache"])
        #expect(outcome.status == 0)
        #expect(outcome.error == "tondo: warning: cache: /proc/tondo-cache: cannot be created; continuing without it\n")
        #expect(cache.folder.exists("avatars/ada.png"))
    }

    @Test(.enabled(if: Unprivileged.isPossible, "no way to run as somebody whom permissions stop"))
    func `A cache of another user serves hits and stores nothing`() throws {
        _ = try cache.convert(only: "ada.jpg")
        let words = ["--size", "16", "--cache-dir", "cache", "-o", "-"]
        let opened = #"chmod -R a+rX .; "# + (Unprivileged.shell ?? "")
        let hit = try cache.run(["convert", "ada.jpg"] + words, shell: opened)
        #expect(hit.status == 0)
        #expect(hit.error.isEmpty)
        #expect(try hit.output == cache.folder.data("avatars/ada.png"))
        let miss = try cache.run(["convert", "bo.png"] + words, shell: opened)
        #expect(miss.status == 0)
        #expect(miss.error == "tondo: cache: stopped storing entries: cache: is forbidden or read-only\n")
    }
}
