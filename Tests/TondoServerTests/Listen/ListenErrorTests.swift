import Glibc
import Testing

@testable import TondoServer

@Suite struct ListenErrorTests {
    @Test(arguments: [EAFNOSUPPORT, EPERM])
    func `A socket that the process may not open is an error of the configuration`(code: CInt) {
        let error = ListenError(address: "127.0.0.1:80", errno: code)
        #expect(error.isConfiguration)
        #expect("\(error)".hasPrefix("127.0.0.1:80: ") && "\(error)".contains("RestrictAddressFamilies="))
    }

    @Test(arguments: [EADDRNOTAVAIL, EACCES, EMFILE])
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
}
