import SystemPackage
import Testing
import TondoAvatars
import TondoTestSupport

@testable import tondo

@Suite struct CacheLocationTests {
    private func standard(_ variables: [String: FilePath]) -> FilePath? { CacheDirectory.standard { variables[$0] } }

    @Test func `XDG_CACHE_HOME comes before HOME`() {
        #expect(standard(["XDG_CACHE_HOME": "/x", "HOME": "/h"]) == "/x/tondo")
        #expect(standard(["HOME": "/h"]) == "/h/.cache/tondo")
    }

    @Test func `Relative and empty folders do not count`() {
        #expect(standard(["XDG_CACHE_HOME": "x", "HOME": "/h"]) == "/h/.cache/tondo")
        #expect(standard(["XDG_CACHE_HOME": "", "HOME": "h"]) == nil)
        #expect(standard([:]) == nil)
    }

    @Test func `The cache is made below HOME with all folders above it`() throws {
        let cache = try FilledCache(isFilled: false)
        let shell = #"HOME="$PWD/home" exec "$@""#
        _ = try cache.run(["convert", "ada.jpg", "--cache", "--size", "16"], shell: shell)
        #expect(cache.folder.exists("home/.cache/tondo/VERSION"))
        #expect(try cache.run(["cache", "ls"], shell: shell).lines.count == 2)
    }

    @Test func `Without HOME the cache's folder has to be named`() throws {
        let cache = try FilledCache(isFilled: false)
        let outcome = try cache.run(["cache", "stat"])
        #expect(outcome.status == 66)
        #expect(
            outcome.error
                == "tondo: neither XDG_CACHE_HOME nor HOME is set; name the cache folder with --cache-dir\n")
        let converted = try cache.run(["convert", "ada.jpg", "--cache"])
        #expect(converted.status == 0)
        #expect(converted.error.hasPrefix("tondo: warning: cache: neither XDG_CACHE_HOME nor HOME is set; "))
        #expect(try cache.convert().status == 0)
    }

    @Test func `Without --cache nothing is cached`() throws {
        let cache = try FilledCache(isFilled: false)
        _ = try cache.run(["convert", "ada.jpg", "--size", "16"], shell: #"HOME="$PWD/home" exec "$@""#)
        #expect(!cache.folder.exists("home"))
    }
}
