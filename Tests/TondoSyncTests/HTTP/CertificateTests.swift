import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Servers whose certificates are not trusted get neither passwords nor requests.
@Suite(.blocking) struct CertificateTests {
    private static func trial(_ server: SecureBook, host: String = "127.0.0.1", path: String = "/book/") throws
        -> MirrorTrial
    {
        var trial = try MirrorTrial("https://\(host):\(server.port)\(path)")
        trial.source.user = "ada"
        trial.source.secret.file = try trial.folder.write("pw\n", to: "secret")
        return trial
    }

    @Test
    func `a certificate that no authority signed is refused, and the error names host and reason`() throws {
        let server = try SecureBook()
        let result = try Self.trial(server).run()
        #expect(result.error?.code == "tls-failed")
        let text = result.error.map { "\($0)" } ?? ""
        #expect(text.contains("127.0.0.1") && text.contains("certificate") && text.contains("--ca-file"), "\(text)")
        #expect(server.requests.isEmpty)
    }

    @Test
    func `a server that speaks no TLS is called so`() {
        let reason = "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number"
        let error = HTTPError.tls(host: "h", reason: reason)
        #expect(error.description == "no trusted connection to h: the server does not speak TLS at this port")
        #expect(HTTPError.tls(host: "h", reason: "expired").description == "no trusted connection to h: expired")
    }

    @Test
    func `insecure permits plain http, and no other certificate`() throws {
        let server = try SecureBook()
        var trial = try Self.trial(server)
        trial.source.isInsecure = true
        #expect(trial.run().error?.code == "tls-failed")
        #expect(server.requests.isEmpty)
    }

    @Test
    func `a certificate of the configured authority is trusted`() throws {
        let server = try SecureBook()
        var trial = try Self.trial(server)
        trial.source.certificates = server.certificate
        let result = trial.run()
        #expect(result.error == nil, "\(result)")
    }

    @Test(arguments: [false, true])
    func `a redirect from https to http is refused`(isInsecure: Bool) throws {
        let server = try SecureBook()
        var trial = try Self.trial(server, path: "/plain/")
        (trial.source.certificates, trial.source.isInsecure) = (server.certificate, isInsecure)
        #expect(trial.run().error?.code == "redirect-refused")
    }

    @Test
    func `a redirect to http at the same host is followed by https, at the same port`() throws {
        let server = try SecureBook()
        var trial = try Self.trial(server, path: "/inner/")
        trial.source.certificates = server.certificate
        #expect(trial.run().error == nil)
        #expect(server.requests.contains("PROPFIND /book/"))
    }

    @Test
    func `a certificate of another host is refused`() throws {
        let server = try SecureBook(names: ["other.test"])
        var trial = try Self.trial(server, host: "localhost")
        trial.source.certificates = server.certificate
        let result = trial.run()
        #expect(result.error?.code == "tls-failed")
        #expect("\(result)".contains("localhost"))
        #expect(server.requests.isEmpty)
    }

    @Test
    func `a file of authorities that is none is an error`() throws {
        let server = try SecureBook()
        var trial = try Self.trial(server)
        trial.source.certificates = try trial.folder.write("none\n", to: "ca.pem")
        #expect(trial.run().error?.code == "tls-failed")
        trial.source.certificates = trial.folder.pathString + "/missing.pem"
        #expect(trial.run().error?.code == "tls-failed")
    }

    @Test
    func `photos come over trusted connections alone`() throws {
        let server = try SecureFiles(["ada.jpg": [0xFF, 0xD8, 0xFF, 0xE0, 0, 0]])
        var options = PhotoFetch.Options()
        (options.policy, options.timeout) = (.loopback, .seconds(60))
        func answer(_ options: PhotoFetch.Options) throws -> PhotoState.Answer {
            let fetch = PhotoFetch(options: options)
            let url = try #require(WebURL(server.url + "/ada.jpg"))
            return try fetch.run(url, known: nil, hosts: PhotoHosts(words: ["any"]), client: fetch.newClient()).answer
        }
        guard case .failed(let reason) = try answer(options) else {
            Issue.record("a photo was fetched")
            return
        }
        #expect(reason.contains("127.0.0.1") && reason.contains("certificate"), "\(reason)")
        options.certificates = server.certificate
        guard case .picture = try answer(options) else {
            Issue.record("a photo was refused")
            return
        }
    }
}
