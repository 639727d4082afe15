/// One `response` of a multistatus, with the properties that the server reports as present.
package struct DAVResponse: Equatable, Sendable {
    /// As they are written; several share one status (RFC 4918 section 14.24).
    package var hrefs: [String] = []
    /// Of the response itself, without one the properties have theirs.
    package var status: Int?
    package var etag: String?
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

    /// Takes the properties of a `propstat` that has them.
    mutating func take(_ other: DAVResponse) {
        isFound = true
        etag = other.etag ?? etag
        displayName = other.displayName ?? displayName
        types.formUnion(other.types)
        principal = other.principal ?? principal
        homes += other.homes
        syncToken = other.syncToken ?? syncToken
        ctag = other.ctag ?? ctag
        card = other.card ?? card
    }
}
