import ArgumentParser
import Testing
import TondoEndpoints

@testable import TondoConfiguration
@testable import TondoServer
@testable import tondo

@Suite struct ServiceRunTests {
    private func configuration(
        _ listen: SettingOrigin = .builtIn, _ change: (inout ServiceConfiguration) -> Void = { _ in }
    ) -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        #expect(configuration.listen.take(.init(value: .list(["127.0.0.1:80"]), origin: listen), home: nil).isEmpty)
        change(&configuration)
        return configuration
    }

    private func inherited(_ count: Int) throws -> InheritedSockets {
        try InheritedSockets(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "\(count)"], process: 7)
    }

    @Test(arguments: [true, false])
    func `Sockets from systemd replace listen, wherever that was set`(isBuiltIn: Bool) throws {
        let configuration = configuration(isBuiltIn ? .builtIn : .flag("listen"))
        #expect(
            ServiceRun.sources(configuration: configuration, inherited: try inherited(0)) == [
                .address(configuration.listen.value[0])
            ])
        #expect(
            ServiceRun.sources(configuration: configuration, inherited: try inherited(1)) == [
                .inherited(.init(descriptor: 3, name: "unknown"))
            ])
    }

    @Test func `A Unix socket of the settings is added to those from systemd`() throws {
        let socket = try #require(ListenAddress(unix: "/run/t.sock"))
        let configured = configuration {
            #expect($0.socket.take(.init(value: .text("/run/t.sock"), origin: .flag("socket")), home: nil).isEmpty)
        }
        let sources = ServiceRun.sources(configuration: configured, inherited: try inherited(1))
        #expect(sources == [.inherited(.init(descriptor: 3, name: "unknown")), .address(socket)])
    }

    @Test func `A forbidden socket ends the service with 78, for which its unit does not restart it`() {
        #expect(Serve.exitCode(of: ListenError.forbidden(address: "a", reason: "b")) == .misconfigured)
        #expect(Serve.exitCode(of: ListenError.inUse(path: "a")) == .unavailable)
    }
}
