internal import libexpat

/// The name of an element: namespace and local name.
package struct XMLName: Hashable, Sendable {
    /// The URI of the namespace; empty: none.
    package let space: String
    /// Without its prefix.
    package let local: String

    package init(space: String, local: String) {
        self.space = space
        self.local = local
    }
}

/// What a document consists of, as far as WebDAV needs it: attributes, comments and instructions are left out.
package enum XMLEvent {
    case start(XMLName)
    /// A piece of text; a run of text comes in several. CDATA and entities are resolved.
    case text(UnsafeBufferPointer<UInt8>)
    case end(XMLName)
}

/// Why a document is not read further.
package enum XMLError: Error, Equatable, Sendable, CustomStringConvertible {
    case syntax(line: Int, reason: String)
    /// A document type, which may define entities.
    case documentType
    case tooDeep
    /// More declarations of namespaces are open at a time than `XMLNamespaces.most`.
    case tooManyNamespaces
    /// The text is in an encoding that is not read.
    case encoding(String)

    /// A part of a sentence, such as for `SyncError.malformed`.
    package var description: String {
        switch self {
        case .syntax(let line, let reason): "line \(line) of the XML: \(reason)"
        case .documentType: "the XML has a document type, which is refused"
        case .tooDeep: "the XML is nested too deeply"
        case .tooManyNamespaces: "the XML declares more than \(XMLNamespaces.most) namespaces at a time"
        case .encoding(let name): "the XML is in the encoding '\(name)', and not in UTF-8"
        }
    }
}

/// Reads XML from the pieces in which it arrives, in memory of one piece. Expat does the work, on text that `XMLRepair` has made
/// readable. Document types, and with them entity bombs, are refused. What follows the root element is ignored. On one thread.
package final class XMLReader {
    private static let deepest = 100

    private let parser: XML_Parser
    private let handler: (XMLEvent) throws -> Void
    private var depth = 0
    private var names = XMLNamespaces()
    private var error: (any Error)?
    /// Nil: unknown before the first bytes. UTF-16 is left to Expat as it is.
    private var isWide: Bool?
    /// The first byte of a document, until there is a second one: only both show UTF-16 without a byte-order mark.
    private var first: UInt8?
    private var repair = XMLRepair()
    /// The root element has ended.
    private var isOver = false

    /// What `handler` throws ends the document, and is thrown by `read`.
    package init(handler: @escaping (XMLEvent) throws -> Void) {
        parser = XML_ParserCreate(nil)
        self.handler = handler
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { context, name, attributes in XMLReader.of(context).start(name!, attributes: attributes) },
            { context, name in XMLReader.of(context).end(name!) })
        XML_SetCharacterDataHandler(parser) { context, bytes, count in XMLReader.of(context).text(bytes!, Int(count)) }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            XMLReader.of(context).stop(XMLError.documentType)
        }
    }

    deinit { XML_ParserFree(parser) }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader {
        Unmanaged<XMLReader>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Takes the next piece, which may end anywhere. Throws an `XMLError`, or what the handler threw.
    package func read(_ bytes: UnsafeRawBufferPointer) throws {
        if bytes.isEmpty || isOver { return }
        if isWide != nil { return try take(bytes) }
        if let first {
            self.first = nil
            try ([first] + bytes).withUnsafeBytes { try begin($0) }
        } else if bytes.count == 1 {
            first = bytes[0]
        } else {
            try begin(bytes)
        }
    }

    private func begin(_ bytes: UnsafeRawBufferPointer) throws {
        let wide = bytes[0] >= 0xFE || bytes[0] == 0 || bytes.count > 1 && bytes[1] == 0
        isWide = wide
        // Whatever a document declares: the repair makes UTF-8 of it.
        if !wide { XML_SetEncoding(parser, "UTF-8") }
        try take(bytes)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws {
        if isWide == true { return try parse(bytes, isEnd: false) }
        try repair.take(bytes, isEnd: false) { try parse($0, isEnd: false) }
    }

    /// The document is complete.
    package func finish() throws {
        if let first {
            self.first = nil
            try withUnsafeBytes(of: first) { try begin($0) }
        }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        if isWide == false { try repair.take(none, isEnd: true) { try parse($0, isEnd: false) } }
        if !isOver { try parse(none, isEnd: true) }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) throws {
        var start = 0
        if isOver { return }
        repeat {
            // Expat counts in 32 bits.
            let count = min(bytes.count - start, 1 << 20)
            let piece = bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
            start += count
            let status = XML_Parse(parser, piece, Int32(count), isEnd && start == bytes.count ? 1 : 0)
            if let error { throw error }
            if isOver { return }
            if status == XML_STATUS_ERROR {
                let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no XML"
                throw XMLError.syntax(line: Int(XML_GetCurrentLineNumber(parser)), reason: reason)
            }
        } while start < bytes.count
    }

    private func stop(_ error: any Error) {
        if self.error == nil { self.error = error }
        XML_StopParser(parser, 0)
    }

    private func report(_ event: XMLEvent) {
        guard error == nil else { return }
        do { try handler(event) } catch { stop(error) }
    }

    private func start(_ name: UnsafePointer<CChar>, attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        depth += 1
        if depth > Self.deepest { return stop(XMLError.tooDeep) }
        do throws(XMLError) { try names.open(attributes) } catch { return stop(error) }
        report(.start(names.name(name)))
    }

    private func end(_ name: UnsafePointer<CChar>) {
        depth -= 1
        report(.end(names.name(name)))
        names.close()
        guard depth == 0, error == nil else { return }
        // Servers write errors and warnings behind the document.
        isOver = true
        XML_StopParser(parser, 0)
    }

    private func text(_ bytes: UnsafePointer<CChar>, _ count: Int) {
        bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
            report(.text(UnsafeBufferPointer(start: $0, count: count)))
        }
    }
}
