import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Passwords, redirects and discovery.
struct AccountTests {
    private static func secret(_ folder: TemporaryFolder, _ text: String = "s3cret!word") throws -> String {
        try folder.write(text + "\n", to: "secret")
    }

    @Test
    func `a password goes out with the first request, and stays out of errors and files`() throws {
        let server = try ScriptedServer { _ in ScriptedServer.Reply(401) }
        var trial = try MirrorTrial(server.url + "/dav/")
        trial.source.user = "ada"
        trial.source.secret.file = try Self.secret(trial.folder)
        let result = trial.run()
        #expect(
            server.requests.first?.headers["authorization"] == "Basic "
                + Data("ada:s3cret!word".utf8).base64EncodedString())
        #expect(server.requests.count == 1)
        #expect(result.error?.code == "unauthorized")
        #expect(!"\(result)".contains("s3cret"))
        for file in try trial.folder.files() where file != "secret" {
            #expect(!String(decoding: try trial.folder.bytes(file), as: UTF8.self).contains("s3cret"))
        }
    }

    @Test
    func `a server's Retry-After is honoured`() throws {
        let server = try ScriptedServer { _ in ScriptedServer.Reply(503, "", headers: [("Retry-After", "7200")]) }
        let trial = try MirrorTrial(server.url + "/dav/")
        #expect(trial.run(now: 1_000_000).error?.code == "later")
        #expect(trial.run(isManual: false, now: 1_007_000).isSkipped)
        #expect(!trial.run(isManual: false, now: 1_007_300).isSkipped)
    }

    @Test
    func `Digest is answered with a body from its first request on`() throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        book.answer { request in
            if request.headers["authorization"]?.hasPrefix("Digest") == true { return nil }
            return ScriptedServer.Reply(
                401, "", headers: [("WWW-Authenticate", #"Digest realm="x", nonce="abc", qop="auth""#)])
        }
        var trial = try MirrorTrial(book.url)
        trial.source.user = "ada"
        trial.source.secret.file = try Self.secret(trial.folder)
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 1)
        let bodyless = book.server.requests.filter { ["REPORT", "PROPFIND"].contains($0.method) && $0.body.isEmpty }
        #expect(bodyless.isEmpty)
    }

    @Test
    func `a token of a command is fetched again once after a 401`() throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        book.answer { $0.headers["authorization"] == "Bearer new" ? nil : ScriptedServer.Reply(401) }
        var trial = try MirrorTrial(book.url)
        trial.source.authentication = .bearer
        let script = try trial.folder.write(
            "#!/bin/sh\nif [ -e \"$0.used\" ]; then echo new; else touch \"$0.used\"; echo old; fi\n", to: "token",
            mode: 0o700)
        trial.source.secret.command = [script]
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 1)
    }

    @Test
    func `Retry-After is a number of seconds or a date`() {
        func seconds(_ text: String) -> Int? {
            var headers = HTTPHeaders()
            headers.add(line: "Retry-After: \(text)")
            return headers.retryAfter(at: 784_111_777)
        }
        #expect(seconds("120") == 120 && seconds("-1") == 0 && seconds("99999999") == 86_400)
        #expect(seconds("Sun, 06 Nov 1994 08:50:37 GMT") == 60)
        #expect(seconds("Sun, 06 Nov 1994 08:00:00 GMT") == 0)
        #expect(seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 86_400)
        for text in ["soon", "", "GMT"] { #expect(seconds(text) == nil) }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect keeps method and body`(status: Int) throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        book.answer { request in
            request.path.hasPrefix("/old")
                ? ScriptedServer.Reply(status, "", headers: [("Location", FakeAddressBook.path)]) : nil
        }
        let trial = try MirrorTrial(book.server.url + "/old/")
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 1)
        #expect(book.server.lines.prefix(2) == ["PROPFIND /old/", "PROPFIND /ada/book/"])
    }

    @Test
    func `credentials do not follow a redirect to another origin`() throws {
        let other = try FakeAddressBook()
        let place = other.url
        let server = try ScriptedServer { _ in ScriptedServer.Reply(302, "", headers: [("Location", place)]) }
        var trial = try MirrorTrial(server.url + "/dav/")
        trial.source.user = "ada"
        trial.source.secret.file = try Self.secret(trial.folder)
        trial.run()
        #expect(server.requests.first?.headers["authorization"] != nil)
        #expect(!other.server.requests.isEmpty)
        #expect(other.server.requests.allSatisfy { $0.headers["authorization"] == nil })
    }

    @Test(arguments: ["file:///etc/passwd", "http://10.0.0.1/", "ftp://x/", "gopher://127.0.0.1/"])
    func `a redirect to another protocol or machine is refused`(place: String) throws {
        let server = try ScriptedServer { _ in ScriptedServer.Reply(302, "", headers: [("Location", place)]) }
        let trial = try MirrorTrial(server.url + "/dav/")
        #expect(["redirect-refused", "insecure"].contains(trial.run().error?.code))
    }

    @Test
    func `redirects end`() throws {
        let server = try ScriptedServer { request in
            ScriptedServer.Reply(302, "", headers: [("Location", request.path + "x")])
        }
        let trial = try MirrorTrial(server.url + "/dav/")
        #expect(trial.run().error?.code == "redirect-refused")
        #expect(server.requests.count == 6)
    }

    @Test
    func `plain http to another machine is refused before any connection`() throws {
        let trial = try MirrorTrial("http://192.0.2.1/dav/")
        #expect(trial.run().error?.code == "insecure")
    }

    @Test
    func `all books of an account are found by principal and homes`() throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        book.put("/ada/second/bob.vcf")
        book.answer { request in
            func answer(_ href: String, _ properties: String) -> ScriptedServer.Reply {
                FakeAddressBook.multistatus([
                    "<d:response><d:href>\(href)</d:href>\(FakeAddressBook.ok(properties))</d:response>"
                ])
            }
            let books = "<d:resourcetype><d:collection/><c:addressbook/></d:resourcetype>"
            switch (request.method, request.path) {
            case ("PROPFIND", "/"): return ScriptedServer.Reply(404)
            case ("PROPFIND", "/.well-known/carddav"):
                return ScriptedServer.Reply(301, "", headers: [("Location", "/dav/")])
            case ("PROPFIND", "/dav/"):
                return answer(
                    "/dav/", "<d:current-user-principal><d:href>/principals/ada/</d:href></d:current-user-principal>")
            case ("PROPFIND", "/principals/ada/"):
                return answer(
                    "/principals/ada/",
                    "<c:addressbook-home-set><d:href>/ada/</d:href><d:href>/shared/</d:href></c:addressbook-home-set>")
            case ("PROPFIND", "/ada/"):
                let system = "/ada/z-server-generated--system/"
                return FakeAddressBook.multistatus(
                    ["/ada/book/", "/ada/second/", system, "/ada/book/"].map {
                        "<d:response><d:href>\($0)</d:href>\(FakeAddressBook.ok(books))</d:response>"
                    })
            case ("PROPFIND", "/shared/"): return ScriptedServer.Reply(403)
            case ("REPORT", "/ada/second/") where request.body.contains("sync-collection"):
                return FakeAddressBook.multistatus([FakeAddressBook.found("/ada/second/bob.vcf", "\"1\"")], token: "s1")
            default: return nil
            }
        }
        let trial = try MirrorTrial(book.server.url)
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 2)
        book.server.forget()
        trial.run()
        #expect(book.server.lines == ["REPORT /ada/book/", "REPORT /ada/second/"])
    }

    @Test(arguments: [(403, "refused"), (423, "refused"), (404, "no-address-book"), (405, "no-address-book")])
    func `a place that is forbidden is not called missing`(status: Int, code: String) throws {
        let book = try FakeAddressBook()
        book.answer { _ in ScriptedServer.Reply(status) }
        #expect(try MirrorTrial(book.url).run().error?.code == code)
    }

    @Test
    func `a collection is found without the slash at its end`() throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        book.answer { $0.path.hasSuffix("/") ? nil : ScriptedServer.Reply(404) }
        let trial = try MirrorTrial(String(book.url.dropLast()))
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 1)
    }

    @Test func `a proxy that does not reach its server is not asked for each card alone`() throws {
        let book = try FakeAddressBook()
        for number in 0..<8 { book.put("\(number).vcf") }
        let batches = Locked(0)
        book.answer { request in
            guard request.body.contains("addressbook-multiget") else { return nil }
            batches.withLock { $0 += 1 }
            return ScriptedServer.Reply(521)
        }
        #expect(try MirrorTrial(book.url).run().error != nil)
        #expect(batches.withLock { $0 } < 8)
    }

    @Test(arguments: [520, 524, 408])
    func `a status of a proxy passes`(status: Int) throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        let isFirst = Locked(true)
        book.answer { _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? ScriptedServer.Reply(status) : nil
            }
        }
        #expect(try MirrorTrial(book.url).run().error == nil)
    }

    @Test
    func `a book that is gone is looked for, and its cards stay if there is no other`() throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        let trial = try MirrorTrial(book.url)
        trial.run()
        book.answer { _ in ScriptedServer.Reply(404) }
        for _ in 0..<3 { #expect(trial.run().error?.code == "no-address-book") }
        #expect(try trial.cards().count == 1)
    }
}
