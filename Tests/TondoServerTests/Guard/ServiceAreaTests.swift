import HTTPTypes
import Hummingbird
import Testing
import TondoEndpoints
import TondoTestSupport

@testable import TondoServer

@Suite struct ServiceAreaTests {
    @Test(arguments: [
        ("/", ServiceArea.viewer), ("/v1/contacts", .contacts), ("/v1/contacts/ada", .contacts),
        ("/v1/groups", .contacts), ("/v1/sections", .contacts), ("/viewer/0/app.js", .viewer),
        ("/v1/session", .viewer), ("/phone", .viewer), ("/worker.js", .viewer), ("/manifest.webmanifest", .viewer),
        ("/v1/contacts/ada/vcard", .contacts), ("/v1/contacts/ada/qr", .contacts),
        ("/v1/contacts/ada/avatar", .avatars), ("/v1/contacts/ada/photo", .photos), ("/v1/contacts/ada/crop", .avatars),
        ("/v1/events", .events),
        ("/v1/cache", .cache), ("/v1/cache/why/ada", .cache), ("/metrics", .metrics), ("/v1/jobs", .metrics),
        ("/.well-known/webfinger", .webfinger),
    ])
    func `Each path is in one area`(path: String, area: ServiceArea) { #expect(ServiceArea(path: path) == area) }

    @Test(arguments: [
        "", "/v1", "/v1/", "/v2/contacts", "/v1/contacts/ada/restore", "/v1/contacts/ada/photo/", "/viewer",
        "/viewer/0", "/viewer/0/a/b", "/worker.js/", "/index.html", "/v1/session/codes", "/v1/session/phone", "/phone/",
        "/metrics/", "/avatar/0", "//",
    ])
    func `Other paths are in none`(path: String) { #expect(ServiceArea(path: path) == nil) }

    @Test func `Only avatars by hash and the health are always open`() {
        #expect(
            ["/avatar/0", "/healthz", "/readyz", "/favicon.ico", "/robots.txt"].allSatisfy {
                ServiceArea.isAlwaysOpen($0)
            })
        for path in ["/", "/avatar", "/avatar/0/x", "/healthz/", "/v1/contacts", "/readyz/..", "/avatarx"] {
            #expect(!ServiceArea.isAlwaysOpen(path), "\(path)")
        }
    }

    @Test func `Every route that reads is in an area or always open`() async throws {
        let people = try await ServedContacts()
        people.addressBooks.stop()
        for route in people.service.router().routes where route.method == .get {
            let path = "/" + route.path.description.split(separator: "/").joined(separator: "/")
            #expect(ServiceArea.isAlwaysOpen(path) != (ServiceArea(path: path) != nil), "\(path)")
        }
    }
}
