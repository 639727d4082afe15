import Foundation
import Testing
import TondoTestSupport

@testable import TondoServer

@Suite struct ServiceNotifierTests {
    @Test(arguments: [true, false])
    func `The manager is notified, by path or abstract name`(isAbstract: Bool) async throws {
        let folder = try TemporaryFolder()
        let manager = try Manager(isAbstract ? "@tondo-test-\(UUID().uuidString)" : folder.pathString + "/notify")
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": manager.name], process: 1)
        notifier.ready(status: "8 contacts\nWATCHDOG=1")
        #expect(manager.receive() == "READY=1\nSTATUS=8 contacts WATCHDOG=1\n")
        notifier.reloading(microseconds: 42)
        #expect(manager.receive() == "RELOADING=1\nMONOTONIC_USEC=42\n")
        notifier.status("drawing")
        #expect(manager.receive() == "STATUS=drawing\n")
        notifier.stopping()
        #expect(manager.receive() == "STOPPING=1\n")
        #expect(await !notifier.keepAlive { false })
        #expect(await notifier.keepAlive { true })
        #expect(manager.receive() == "WATCHDOG=1\n")
        #expect(manager.receive() == nil)
    }

    @Test func `Signs of life come twice as often as they are due, and only to whom they are for`() {
        func watchdog(_ environment: [String: String]) -> Duration? {
            ServiceNotifier(environment: environment, process: 7).watchdog
        }
        let both = ["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "30000000"]
        #expect(watchdog(both) == .seconds(15))
        #expect(watchdog(both.merging(["WATCHDOG_PID": "7"]) { $1 }) == .seconds(15))
        #expect(watchdog(both.merging(["WATCHDOG_PID": "8"]) { $1 }) == nil)
        #expect(watchdog(["WATCHDOG_USEC": "30000000"]) == nil)
        #expect(watchdog(["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "x"]) == nil)
    }

    @Test func `Signs of life are given until the task ends`() async throws {
        let folder = try TemporaryFolder()
        let manager = try Manager(folder.pathString + "/notify")
        let environment = ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "2"]
        let notifier = ServiceNotifier(environment: environment, process: 1)
        let watching = Task { await notifier.watch { true } }
        for _ in 0..<3 {
            var message: String?
            #expect(
                await eventually {
                    message = manager.receive()
                    return message != nil
                })
            #expect(message == "WATCHDOG=1\n")
        }
        watching.cancel()
        await watching.value
    }

    @Test(arguments: ["", "@", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200)])
    func `What is no address of a manager is left alone`(name: String) {
        ServiceNotifier(environment: ["NOTIFY_SOCKET": name], process: 1).stopping()
    }
}

/// A service manager's end of the socket.
private final class Manager {
    let name: String
    private let descriptor: Int32

    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(2 + bytes.count)) }
        }
        guard bound == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(descriptor) }

    /// Nil when nothing has come.
    func receive() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
