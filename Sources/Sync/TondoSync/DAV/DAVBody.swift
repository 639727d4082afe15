internal import TondoText

/// The bodies of requests.
enum DAVBody {
    private static let head = #"<?xml version="1.0" encoding="utf-8"?>"#
    private static let spaces =
        #"xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav" xmlns:S="http://calendarserver.org/ns/""#

    static let discovery = propfind(
        "<resourcetype/><displayname/><current-user-principal/><C:addressbook-home-set/>")
    static let collections = propfind("<resourcetype/><displayname/><getcontenttype/>")
    static let members = propfind("<resourcetype/><getetag/><getcontenttype/>")
    /// Asks for the tag of the collection alone; it changes when anything in it does.
    static let tag = propfind("<S:getctag/>")
    /// Asks for what the user may do with the collection.
    static let privileges = propfind("<current-user-privilege-set/>")
    /// Asks for type, token and tag of the collection alone.
    static let versions = propfind("<resourcetype/><sync-token/><S:getctag/>")

    private static func propfind(_ properties: String) -> [UInt8] {
        Array("\(head)<propfind \(spaces)><prop>\(properties)</prop></propfind>".utf8)
    }

    /// Without a limit: servers have answered a limited report with the token of an unlimited one. Folders have tags, too.
    static func sync(token: String) -> [UInt8] {
        let token = token.isEmpty ? "<sync-token/>" : "<sync-token>\(escaped(token))</sync-token>"
        let body = "\(token)<sync-level>1</sync-level><prop><resourcetype/><getetag/></prop>"
        return Array("\(head)<sync-collection \(spaces)>\(body)</sync-collection>".utf8)
    }

    /// `hrefs`: absolute paths, as the server wrote them.
    static func multiget(_ hrefs: [String]) -> [UInt8] {
        let hrefs = hrefs.map { "<href>\(escaped($0))</href>" }.joined()
        let body = "<prop><getetag/><C:address-data/></prop>\(hrefs)"
        return Array("\(head)<C:addressbook-multiget \(spaces)>\(body)</C:addressbook-multiget>".utf8)
    }

    static func escaped(_ text: String) -> String {
        var output = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            default: output.unicodeScalars.append(character)
            }
        }
        return output
    }
}
