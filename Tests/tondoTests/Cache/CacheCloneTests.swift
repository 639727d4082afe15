import Foundation
import Testing
import TondoTestSupport

@testable import tondo

/// Pictures share their blocks with the cache's entries where the file system can (ioctl_ficlone(2)).
@Suite struct CacheCloneTests {
    /// Mounts a new file system, converts the photo twice within it through the cache, and reports where the blocks lie.
    private static func script(_ make: String) -> String {
        """
        truncate -s 400M image && mkdir mounted && \(make) image >&2 && mount -o loop image mounted || exit 77
        cp large.jpg mounted && cd mounted
        for out in one two; do "$1" convert large.jpg --size 192 --cache-dir cache -o $out >&2 || exit 1; done
        sync && cmp one/large.png two/large.png && filefrag -v two/large.png
        """
    }

    private static func isPossible(_ make: String) -> Bool {
        guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
        let probe =
            "truncate -s 400M image && mkdir mounted && \(make) image && mount -o loop image mounted && filefrag -V"
        let outcome = try? Tondo.run(in: folder, shell: Self.unshared(probe))
        return outcome?.status == 0
    }

    /// In a mount namespace of its own, so that nothing stays mounted.
    private static func unshared(_ script: String) -> String {
        "PATH=$PATH:/usr/sbin:/sbin exec unshare -m sh -ec '\(script)' sh \"$@\""
    }

    private static let hasBtrfs = isPossible("mkfs.btrfs -q")
    private static let hasXFS = isPossible("mkfs.xfs -q")

    private func sharedBlocks(_ make: String) throws -> Bool {
        let folder = try TemporaryFolder()
        try folder.add(Repository.sample, as: "large.jpg")
        let outcome = try Tondo.run(in: folder, shell: Self.unshared(Self.script(make)))
        #expect(outcome.status == 0, "\(outcome.error)")
        return outcome.text.contains("shared")
    }

    @Test(.enabled(if: hasBtrfs, "no btrfs can be made and mounted here: needs root, loop devices and mkfs.btrfs"))
    func `On btrfs a picture shares its blocks with its entry`() throws {
        #expect(try sharedBlocks("mkfs.btrfs -q"))
    }

    @Test(.enabled(if: hasXFS, "no XFS can be made and mounted here: needs root, loop devices and mkfs.xfs"))
    func `On XFS a picture shares its blocks with its entry`() throws {
        #expect(try sharedBlocks("mkfs.xfs -q"))
    }

    @Test func `From another file system a picture is copied`() throws {
        let cache = try FilledCache(isFilled: false)
        let place = "/dev/shm/tondo-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let words = ["convert", "ada.jpg", "--size", "16", "--cache-dir", place, "-o"]
        _ = try cache.run(words + ["one"])
        #expect(try cache.run(words + ["two"]).text.contains("(1 from the cache)"))
        #expect(try cache.folder.data("one/ada.png") == cache.folder.data("two/ada.png"))
    }
}
