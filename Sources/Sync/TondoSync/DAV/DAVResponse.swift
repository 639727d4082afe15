/// One `response` of a multistatus, with the properties that the server reports as present.
package struct DAVResponse: Equatable, Sendable {
    /// As they are written; several share one status (RFC 4918 section 14.24).
    package var hrefs: [String] = []
    /// The status of the response itself. Without one, the properties have theirs.
    package var status: Int?
    /// The status of properties that are not present; 404 in all of them says the same as a status 404 (DavMail).
    package var propertyStatus: Int?
    /// As in `getetag`, with its quotes.
    package var etag: String?
    /// As in `getcontenttype`, with its parameters.
    package var contentType: String?
    /// As in `displayname`: a name for people.
    package var displayName: String?
    /// The elements in `resourcetype`; empty for a plain file.
    package var types: Set<XMLName> = []
    /// The reference in `current-user-principal` (RFC 5397), relative to the URL of the request.
    package var principal: String?
    /// The references in `addressbook-home-set` (RFC 6352 section 7.1.1), relative to the URL of the request.
    package var homes: [String] = []
    /// The property of the resource; a report has its own, see `MultistatusReader.syncToken`.
    package var syncToken: String?
    /// As in `getctag` of calendarserver.org; compared for equality only.
    package var ctag: String?
    /// The names in `current-user-privilege-set` (RFC 3744 section 5.5), without their namespaces; nil: it was not reported.
    package var privileges: Set<String>?
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
        privileges = other.privileges ?? privileges
    }
}
