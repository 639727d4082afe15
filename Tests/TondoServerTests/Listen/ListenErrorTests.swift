import Glibc
import Testing
import TondoEndpoints

@testable import TondoServer

@Suite struct ListenErrorTests {
    @Test(arguments: [EAFNOSUPPORT, EPERM])
    func `A socket that the process may not open is an error of the configuration`(code: CInt) {
        let error = ListenError(address: "127.0.0.1:80", errno: code)
        #expect(error.isConfiguration)
        #expect("\(error)".hasPrefix("127.0.0.1:80: ") && "\(error)".contains("RestrictAddressFamilies="))
    }

    @Test(arguments: [EACCES, EMFILE])
    func `What may change by itself is none`(code: CInt) {
        let error = ListenError(address: "a:1", errno: code)
        #expect(
            !error.isConfiguration && error == .cannotListen(address: "a:1", reason: String(cString: strerror(code))))
    }

    @Test func `An address that is taken is answered with what to do`() {
        let error = ListenError(address: "a:1", errno: EADDRINUSE)
        #expect(!error.isConfiguration)
        #expect("\(error)" == "a:1: another process listens here; --listen takes another address")
    }

    @Test func `An address of another machine and a name without one are said in words`() async throws {
        let reasons = [
            ("192.0.2.1", "192.0.2.1:1: this machine has no such address"), ("2001:db8::1", "[2001:db8::1]:1: "),
            ("nothing.invalid", "nothing.invalid:1: no machine has this name"),
        ]
        for (host, reason) in reasons {
            let error = await #expect(throws: ListenError.self) {
                try await RunningServer.open([.address(.tcp(host: host, port: 1))])
            }
            #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
            #expect(error?.description.contains("Error") == false)
        }
    }
}
