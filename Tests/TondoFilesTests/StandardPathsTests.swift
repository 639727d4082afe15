import SystemPackage
import Testing
import TondoFiles

@Suite struct StandardPathsTests {
    @Test func `A folder of its own comes before the one below HOME`() {
        let paths = StandardPaths(environment: ["XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "/s", "HOME": "/h"])
        #expect(paths.cache == "/c" && paths.state == "/s")
        #expect(paths.data == "/h/.local/share" && paths.configuration == "/h/.config")
    }

    @Test func `Relative and empty folders do not count`() {
        let paths = StandardPaths(environment: [
            "XDG_CACHE_HOME": "c", "XDG_STATE_HOME": "", "HOME": "/h", "STATE_DIRECTORY": "s",
        ])
        #expect(paths.cache == "/h/.cache" && paths.state == "/h/.local/state" && paths.serviceState == nil)
        #expect(StandardPaths(environment: ["HOME": "h"]).cache == nil && StandardPaths(environment: [:]).data == nil)
    }

    @Test func `Of several folders that systemd gives, the first counts`() {
        let paths = StandardPaths(environment: [
            "CACHE_DIRECTORY": "/var/cache/a:/var/cache/b", "STATE_DIRECTORY": "/var/lib/a",
        ])
        #expect(paths.serviceCache == "/var/cache/a" && paths.serviceState == "/var/lib/a")
    }
}
