import ArgumentParser
import Testing

@testable import TondoServer
@testable import tondo

@Suite struct ServiceRunTests {
    private func configuration(_ change: (inout ServiceConfiguration) -> Void = { _ in }) throws -> ServiceConfiguration
    {
        var configuration = ServiceConfiguration()
        configuration.addresses = [try #require(ListenAddress(tcp: "127.0.0.1:80"))]
        change(&configuration)
        return configuration
    }

    private func inherited(_ count: Int) throws -> InheritedSockets {
        try InheritedSockets(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "\(count)"], process: 7)
    }

    @Test(arguments: [true, false])
    func `Sockets from systemd replace listen, wherever that was set`(isBuiltIn: Bool) throws {
        let configuration = try configuration { $0.isListenBuiltIn = isBuiltIn }
        #expect(ServiceRun.sources(configuration, try inherited(0)) == [.address(configuration.addresses[0])])
        #expect(
            ServiceRun.sources(configuration, try inherited(1)) == [.inherited(.init(descriptor: 3, name: "unknown"))])
    }

    @Test func `A Unix socket of the settings is added to those from systemd`() throws {
        let socket = try #require(ListenAddress(unix: "/run/t.sock"))
        let sources = ServiceRun.sources(try configuration { $0.socket = socket }, try inherited(1))
        #expect(sources == [.inherited(.init(descriptor: 3, name: "unknown")), .address(socket)])
    }

    @Test func `A forbidden socket ends the service with 78, for which its unit does not restart it`() {
        #expect(Serve.exitCode(of: ListenError.forbidden(address: "a", reason: "b")) == .misconfigured)
        #expect(Serve.exitCode(of: ListenError.inUse(path: "a")) == .unavailable)
    }
}
