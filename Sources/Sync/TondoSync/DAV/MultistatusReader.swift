/// Turns the events of an XML document into the responses of a multistatus (RFC 4918 section 13), one by one: memory holds
/// one response. Elements that are unknown are skipped with all that is in them.
package struct MultistatusReader {
    /// What ends the reading at once; the rest of a multistatus is lenient.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The document is something else, such as a page of HTML.
        case notMultistatus(String)

        package var description: String {
            switch self {
            case .notMultistatus(let name): "the answer is no multistatus but <\(name.prefix(64))>"
            }
        }
    }

    /// The largest card; a larger one is left out.
    private static let largestCard = 24 << 20
    /// Bytes of any other property. A longer one counts as absent, so that no server fills the memory with a name.
    private static let largestText = 1 << 16

    /// The token of the multistatus itself.
    package private(set) var syncToken: String?
    /// The root element has ended. Without it, the document was cut off.
    package private(set) var isComplete = false

    private var path: [XMLName] = []
    private var response = DAVResponse()
    private var propstat: DAVResponse?
    private var propstatStatus: Int?
    private var text: [UInt8] = []
    private var limit = 0
    private var isTooLong = false

    package init() {}

    /// Calls `output` at the end of each response. Throws a `Failure`, or what `output` throws.
    package mutating func take(_ event: XMLEvent, output: (DAVResponse) throws -> Void) throws {
        switch event {
        case .start(let name): try start(name)
        case .text(let bytes): append(bytes)
        case .end(let name): try end(name, output: output)
        }
    }

    private mutating func start(_ name: XMLName) throws {
        if path.isEmpty, name != DAVNames.multistatus { throw Failure.notMultistatus(name.local) }
        path.append(name)
        // Markup in a card that a server did not escape: its text is the card's.
        if isInCard { return }
        text.removeAll(keepingCapacity: true)
        limit = name == DAVNames.addressData ? Self.largestCard : Self.largestText
        isTooLong = false
        switch (path.count, name) {
        case (2, DAVNames.response): response = DAVResponse()
        case (3, DAVNames.propstat) where isInResponse:
            propstat = DAVResponse()
            propstatStatus = nil
        case (5, DAVNames.privileges) where property == name: propstat?.privileges = []
        case (6, _) where property == DAVNames.resourceType: propstat?.types.insert(name)
        case (7, _) where property == DAVNames.privileges: propstat?.privileges?.insert(name.local)
        default: break
        }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isTooLong || text.count + bytes.count > limit {
            isTooLong = true
        } else {
            text.append(contentsOf: bytes)
        }
    }

    private mutating func end(_ name: XMLName, output: (DAVResponse) throws -> Void) throws {
        if isInCard {
            path.removeLast()
            return
        }
        defer {
            path.removeLast()
            text.removeAll(keepingCapacity: true)
        }
        switch (path.count, name) {
        case (1, _): isComplete = true
        case (2, DAVNames.response): try output(response)
        case (2, DAVNames.syncToken): syncToken = value
        case (3, DAVNames.href) where isInResponse: if let value { response.hrefs.append(value) }
        case (3, DAVNames.status) where isInResponse: response.status = value.flatMap(Self.status)
        case (3, DAVNames.propstat) where isInResponse: endPropstat()
        case (4, DAVNames.status) where propstat != nil: propstatStatus = value.flatMap(Self.status)
        case (5, _) where property == name: endProperty(name)
        // Bitrix writes it without its namespace.
        case (6, _) where name.local == DAVNames.href.local && [DAVNames.dav, ""].contains(name.space): endLink()
        default: break
        }
    }

    /// Servers add statuses that say nothing about presence: 418 for what they leave out, 201 for what is new.
    private mutating func endPropstat() {
        if let propstat, 200..<300 ~= propstatStatus ?? 200 {
            response.take(propstat)
        } else if propstat != nil {
            response.propertyStatus = propstatStatus
        }
        propstat = nil
    }

    private mutating func endProperty(_ name: XMLName) {
        let value = value
        switch name {
        case DAVNames.etag: propstat?.etag = value
        case DAVNames.contentType: propstat?.contentType = value
        case DAVNames.displayName: propstat?.displayName = value
        case DAVNames.syncToken: propstat?.syncToken = value
        case DAVNames.ctag: propstat?.ctag = value
        case DAVNames.addressData: if !isTooLong { propstat?.card = text }
        default: break
        }
    }

    private mutating func endLink() {
        guard let value else { return }
        switch property {
        case DAVNames.principal: propstat?.principal = value
        case DAVNames.homeSet: propstat?.homes.append(value)
        default: break
        }
    }

    private var isInCard: Bool { path.count > 5 && property == DAVNames.addressData }

    private var isInResponse: Bool { path.count > 1 && path[1] == DAVNames.response }

    /// The property that is being read: below response, propstat and prop.
    private var property: XMLName? { path.count >= 5 && propstat != nil && path[3] == DAVNames.prop ? path[4] : nil }

    /// The text of the element without blanks around it; nil if it is empty or too long.
    private var value: String? {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        let head = text.drop(while: isBlank)
        let end = head.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? head.startIndex
        let bytes = head[head.startIndex..<end]
        return isTooLong || bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// `HTTP/1.1 404 Not Found`
    private static func status(of line: String) -> Int? {
        line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
