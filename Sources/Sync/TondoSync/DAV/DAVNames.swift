/// The XML names of WebDAV (RFC 4918), its synchronisation (RFC 6578), CardDAV (RFC 6352), calendarserver.org and GroupDAV.
enum DAVNames {
    static let dav = "DAV:"
    static let cardDAV = "urn:ietf:params:xml:ns:carddav"
    static let calDAV = "urn:ietf:params:xml:ns:caldav"
    static let groupDAV = "http://groupdav.org/"
    static let calendarServer = "http://calendarserver.org/ns/"

    static let multistatus = XMLName(dav, "multistatus")
    static let response = XMLName(dav, "response")
    static let propstat = XMLName(dav, "propstat")
    static let prop = XMLName(dav, "prop")
    static let href = XMLName(dav, "href")
    static let status = XMLName(dav, "status")
    static let etag = XMLName(dav, "getetag")
    static let contentType = XMLName(dav, "getcontenttype")
    static let displayName = XMLName(dav, "displayname")
    static let resourceType = XMLName(dav, "resourcetype")
    static let collection = XMLName(dav, "collection")
    static let principal = XMLName(dav, "current-user-principal")
    static let syncToken = XMLName(dav, "sync-token")
    static let validSyncToken = XMLName(dav, "valid-sync-token")
    static let addressBook = XMLName(cardDAV, "addressbook")
    static let calendar = XMLName(calDAV, "calendar")
    static let groupBook = XMLName(groupDAV, "vcard-collection")
    static let principalType = XMLName(dav, "principal")
    static let homeSet = XMLName(cardDAV, "addressbook-home-set")
    static let addressData = XMLName(cardDAV, "address-data")
    static let ctag = XMLName(calendarServer, "getctag")
}
