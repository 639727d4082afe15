import SystemPackage
import Testing
import TondoAvatars

@testable import TondoConfiguration
@testable import tondo

@Suite struct UserStateTests {
    /// As systemd starts a unit without StateDirectory=.
    @Test func `The service of a user and its commands have one trash and one token`() {
        var configuration = ServiceConfiguration()
        configuration.environment = ["HOME": "/h", "CACHE_DIRECTORY": "/h/.cache/tondo"]
        #expect(configuration.standardTokenFile == "/h/.local/state/tondo/token")
        let commands = Trash.standard { ["HOME": "/h"][$0].map { FilePath($0) } }
        #expect(configuration.trash?.folder == commands && commands == "/h/.local/share/tondo/trash")
    }
}
