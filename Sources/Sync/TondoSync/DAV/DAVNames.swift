/// The XML names of WebDAV (RFC 4918), its synchronisation (RFC 6578), CardDAV (RFC 6352), calendarserver.org and GroupDAV.
enum DAVNames {
    static let dav = "DAV:"
    static let cardDAV = "urn:ietf:params:xml:ns:carddav"
    static let calDAV = "urn:ietf:params:xml:ns:caldav"
    static let groupDAV = "http://groupdav.org/"
    static let calendarServer = "http://calendarserver.org/ns/"

    static let multistatus = XMLName(space: dav, local: "multistatus")
    static let response = XMLName(space: dav, local: "response")
    static let propstat = XMLName(space: dav, local: "propstat")
    static let prop = XMLName(space: dav, local: "prop")
    static let href = XMLName(space: dav, local: "href")
    static let status = XMLName(space: dav, local: "status")
    static let etag = XMLName(space: dav, local: "getetag")
    static let contentType = XMLName(space: dav, local: "getcontenttype")
    static let displayName = XMLName(space: dav, local: "displayname")
    static let resourceType = XMLName(space: dav, local: "resourcetype")
    static let collection = XMLName(space: dav, local: "collection")
    static let principal = XMLName(space: dav, local: "current-user-principal")
    static let syncToken = XMLName(space: dav, local: "sync-token")
    static let addressBook = XMLName(space: cardDAV, local: "addressbook")
    static let calendar = XMLName(space: calDAV, local: "calendar")
    static let groupBook = XMLName(space: groupDAV, local: "vcard-collection")
    static let principalType = XMLName(space: dav, local: "principal")
    static let homeSet = XMLName(space: cardDAV, local: "addressbook-home-set")
    static let addressData = XMLName(space: cardDAV, local: "address-data")
    static let privileges = XMLName(space: dav, local: "current-user-privilege-set")
    static let ctag = XMLName(space: calendarServer, local: "getctag")
}
