/// One `response` of a multistatus, with the properties that the server reports as present.
package struct DAVResponse: Equatable, Sendable {
    /// As they are written; several share one status (RFC 4918 section 14.24).
    package var hrefs: [String] = []
    /// The status of the response itself. Without one, the properties have theirs.
    package var status: Int?
    /// The status of properties that are not present; 404 in all of them says the same as a status 404 (DavMail).
    package var propertyStatus: Int?
    package var etag: String?
    package var contentType: String?
    package var displayName: String?
    package var types: Set<XMLName> = []
    package var principal: String?
    package var homes: [String] = []
    package var syncToken: String?
    package var ctag: String?
    /// The card; nil: none was reported, or it is too large.
    package var card: [UInt8]?
    /// Any property was reported as present.
    package var isFound = false

    package init() {}

    /// The status of the resource, if it is stated anywhere.
    var resourceStatus: Int? { status ?? (isFound ? nil : propertyStatus) }

    /// Takes another response about the same resource. `isOwn`: its name, too.
    mutating func take(_ other: DAVResponse, isOwn: Bool) {
        if isOwn, hrefs.isEmpty { hrefs = other.hrefs }
        let wasFound = isFound
        take(other)
        isFound = wasFound || other.isFound
    }

    /// Takes the properties of a `propstat` that has them.
    mutating func take(_ other: DAVResponse) {
        isFound = true
        etag = other.etag ?? etag
        contentType = other.contentType ?? contentType
        displayName = other.displayName ?? displayName
        types.formUnion(other.types)
        principal = other.principal ?? principal
        homes += other.homes
        syncToken = other.syncToken ?? syncToken
        ctag = other.ctag ?? ctag
        card = other.card ?? card
    }
}
