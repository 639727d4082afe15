internal import TondoText

/// Fetches one photo: https, at most three redirects that each stay within the permitted hosts, addresses of the public internet
/// alone, 5 MB, 10 s, no credentials, cookies, referrer or proxy. Accepted by its leading bytes.
package struct PhotoFetch: Sendable {
    /// The limits of one photo; only tests change them, but for `isCancelled`.
    package struct Options: Sendable {
        /// Checked for the address of each connection, after redirects too.
        package var policy = AddressPolicy.public
        /// For tests: http, too.
        package var permitsPlain = false
        /// For tests: a file in PEM instead of the system's certificates.
        package var certificates: String?
        /// For tests: addresses of hosts, each `HOST:PORT:ADDRESS`, instead of the system's.
        package var addresses: [String] = []
        /// Bytes; a larger photo fails.
        package var size = 5_000_000
        /// The limit of each request: a redirect begins another one.
        package var timeout = Duration.seconds(10)
        /// Called on the threads of the fetches, at least once a second while one runs.
        package var isCancelled: @Sendable () -> Bool = { false }

        package init() {}
    }

    /// Those of every client that `newClient` makes.
    package let options: Options

    /// Opens no connection, see `newClient`.
    package init(options: Options = Options()) { self.options = options }

    private static let redirects = 3

    /// A client for some photos of one host, on one thread.
    package func newClient() -> HTTPClient {
        var client = HTTPClient.Options()
        client.policy = options.policy
        client.redirects = Self.redirects
        client.certificates = options.certificates
        client.addresses = options.addresses
        client.isCancelled = options.isCancelled
        return HTTPClient(options: client)
    }

    /// Also returns the bytes of a new picture. `known`: the stored one. Blocks; throws only if it is cancelled.
    package func run(
        _ url: WebURL, known: PhotoState.Picture?, hosts: PhotoHosts, client: HTTPClient
    ) throws(HTTPError) -> (answer: PhotoState.Answer, bytes: [UInt8]) {
        guard isPermitted(url, hosts: hosts) else { return (.failed("the URL is not permitted"), []) }
        var request = HTTPRequest(method: "GET", url: url)
        request.limit = options.size
        request.timeout = options.timeout
        request.headers = [("Accept", "image/*")]
        if let etag = known?.etag { request.headers.append(("If-None-Match", etag)) }
        if let modified = known?.modified { request.headers.append(("If-Modified-Since", modified)) }
        request.follows = { [self] in isPermitted($0, hosts: hosts) }
        do {
            return answer(try client.send(request), known: known)
        } catch HTTPError.cancelled { throw .cancelled } catch { return (.failed("\(error)"), []) }
    }

    private func isPermitted(_ url: WebURL, hosts: PhotoHosts) -> Bool {
        (url.origin.isSecure || options.permitsPlain) && hosts.permits(url)
    }

    private func answer(_ response: HTTPResponse, known: PhotoState.Picture?) -> (PhotoState.Answer, [UInt8]) {
        switch response.status {
        case 200: break
        case 304 where known != nil: return (.same, [])
        case 404, 410: return (.gone, [])
        default: return (.failed("status \(response.status)"), [])
        }
        guard let kind = PictureKind(response.body) else { return (.failed("it is no picture that can be drawn"), []) }
        let picture = PhotoState.Picture(
            digest: PhotoStore.digest(response.body), kind: kind, size: response.body.count,
            etag: Self.validator(response.headers["etag"]), modified: Self.validator(response.headers["last-modified"]))
        return (.picture(picture), response.body)
    }

    /// What can be sent back.
    private static func validator(_ text: String?) -> String? {
        text.flatMap { 1...512 ~= $0.utf8.count && $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } ? $0 : nil }
    }
}
