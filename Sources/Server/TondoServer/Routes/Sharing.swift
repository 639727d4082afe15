internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TondoAvatars
internal import TondoContacts
internal import TondoImage
internal import TondoQR
internal import TondoText

/// Contacts as one gives them to others, see `SharedCard`.
extension AvatarService {
    /// `GET /v1/contacts/{id}/vcard`: a file with the photo; `GET /v1/contacts/{id}/qr`: a QR code of a business card.
    func addSharing(to router: Router<ServiceContext>) {
        router.get("/v1/contacts/:id/vcard") { _, context in
            let contact = try await self.contact(context)
            let photo = try await self.sharedPhoto(of: contact)
            return Self.response(SharedCard(contact).file(photo: photo), name: contact.displayName)
        }
        router.get("/v1/contacts/:id/qr") { request, context in
            let contact = try await self.contact(context)
            guard let code = QRCode(SharedCard(contact).brief(limit: Self.longestCode)) else {
                throw ProblemDetails.contactNotFound
            }
            return try Self.response(code, to: request)
        }
    }

    /// The bytes of a QR code of version 25 (ISO/IEC 18004 table 7): phones read larger ones badly from a screen.
    private static let longestCode = 1_273

    /// Pixels a side of the photo in a file: what phones show of a contact.
    private static let photoSide = 360

    /// The square of the photo that the avatar shows, drawn for it: the file has nothing else that is in the photo's, such as the
    /// place where it was taken. Nil without a photo that can be drawn.
    private func sharedPhoto(of contact: Contact) async throws(ProblemDetails) -> [UInt8]? {
        guard contact.photo != nil else { return nil }
        var style = Style(size: Self.photoSide)
        style.shape = .square
        let served = await avatars(of: contact, style)
        let (_, avatars) = try Self.avatar(served.result)
        // Initials are no photo.
        if avatars.problem != nil { return nil }
        guard let body = served.body else { throw .outputFull }
        return Array(body.bytes.readableBytesView)
    }

    private static func response(_ card: [UInt8], name: String) -> Response {
        var response = JSONResponse.ok(card)
        response.headers[.contentType] = "text/vcard; charset=utf-8"
        response.headers[.contentDisposition] = attachment(name)
        return response
    }

    /// RFC 6266, with a name for programs that know ASCII only. No system takes a slash or a control character in it.
    static func attachment(_ name: String) -> String {
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { isNamePart($0) ? $0 : "_" }))
        let short = plain.prefix(100).drop { $0 == "." || $0 == " " }
        let file = (short.isEmpty ? "contact" : String(short)) + ".vcf"
        return
            "attachment; filename=\"contact.vcf\"; filename*=UTF-8''\(PercentEncoding.encode(file, as: .pathSegment))"
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: !#"/\:*?"<>|"#.unicodeScalars.contains(scalar)
        }
    }

    /// An SVG, or for programs that want JSON the size and the rows of modules.
    static func response(_ code: QRCode, to request: Request) throws -> Response {
        var response: Response
        if request.headers[values: .accept].contains(where: { $0.lowercased().contains("application/json") }) {
            response = try JSONResponse.ok(report: QRReport(size: code.side, rows: code.rows))
        } else {
            response = JSONResponse.ok(Array(code.svg.utf8))
            response.headers[.contentType] = "image/svg+xml"
            response.headers[.contentSecurityPolicy] = "default-src 'none'"
        }
        response.headers[.vary] = "Accept"
        return response
    }
}

/// A QR code for a page that draws it. `rows`: from above, `1` is a dark module; without the light ones around the code.
private struct QRReport: Encodable {
    var size: Int
    var rows: [String]
}
