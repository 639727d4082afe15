internal import HTTPTypes
internal import Hummingbird
internal import TondoContacts
internal import TondoText

extension AvatarService {
    /// `GET /.well-known/webfinger?resource=acct:ada@example.org` (RFC 7033): where the avatar of a mail address is, for programs
    /// that know addresses and no hashes. An address without a photo is as unknown as any other, see `photo(for:)`.
    func addWebFinger(to router: Router<ServiceContext>) {
        router.get("/.well-known/webfinger") { request, _ in
            let resource = try WebFingerResource(Self.query(of: request.head.path ?? ""))
            guard await self.addressBooks.waitUntilServed() else { throw ProblemDetails.loading }
            let hash = AddressHash.sha256(of: resource.address)
            guard self.addressBooks.directory.find(hash).owner != nil else { throw ProblemDetails.avatarNotFound }
            let host = request.head.authority ?? "localhost"
            let scheme = PublicOrigin.scheme(of: host, fields: request.headers)
            return Self.answer(resource, href: "\(scheme)://\(host)/avatar/\(hash.hexadecimal)")
        }
    }

    private static func answer(_ resource: WebFingerResource, href: String) -> Response {
        let text = { (text: String) in JSONEscapes.quoted(text, style: .markup) }
        let link = #"{"rel":"http://webfinger.net/rel/avatar","type":"image/png","href":\#(text(href))}"#
        let links = resource.wantsAvatar ? link : ""
        var response = JSONResponse.ok(Array(#"{"subject":\#(text(resource.text)),"links":[\#(links)]}"#.utf8))
        response.headers[.contentType] = "application/jrd+json"
        return response
    }
}

/// The query of a WebFinger request.
struct WebFingerResource: Equatable {
    /// As it was asked for.
    let text: String
    /// The mail address.
    let address: String
    /// Either no relations were named, or that of avatars was among them.
    let wantsAvatar: Bool

    private static let relation = "http://webfinger.net/rel/avatar"

    /// `query`: percent-encoded. Throws `bad-parameter` without a `resource` that is a mail address, with `acct:`, `mailto:`, or
    /// neither, and `avatar-not-found` for another URI: that is a resource, which has no avatar here.
    init(_ query: String) throws(ProblemDetails) {
        var resources: [String] = []
        var relations: [String] = []
        for pair in query.utf8.split(separator: 0x26) {
            let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = PercentEncoding.decodeStrictly(parts[1]) else { continue }
            switch String(parts[0]) {
            case "resource": resources.append(value)
            case "rel": relations.append(value)
            default: break
            }
        }
        let scheme = ["acct:", "mailto:"].first { resources.first?.lowercased().hasPrefix($0) == true }
        guard resources.count == 1, let text = resources.first else { throw Self.refusal }
        if scheme == nil, text.contains(":") { throw .avatarNotFound }
        let rest = text.dropFirst(scheme?.count ?? 0)
        // Fediverse handles begin with one: @ada@example.org.
        address = String(rest.first == "@" ? rest.dropFirst() : rest)
        guard address.utf8.count <= 254, address.split(separator: "@", omittingEmptySubsequences: false).count == 2
        else { throw Self.refusal }
        self.text = text
        wantsAvatar = relations.isEmpty || relations.contains(Self.relation)
    }

    private static var refusal: ProblemDetails { .badParameter("resource", "acct: or mailto: and a mail address") }
}
