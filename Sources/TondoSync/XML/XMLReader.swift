internal import libexpat

/// The name of an element: namespace and local name.
package struct XMLName: Hashable, Sendable {
    package let space: String
    package let local: String

    package init(_ space: String, _ local: String) { (self.space, self.local) = (space, local) }
}

package enum XMLEvent {
    case start(XMLName)
    /// A piece of text; a run of text comes in several. CDATA and entities are resolved.
    case text(UnsafeBufferPointer<UInt8>)
    case end(XMLName)
}

package enum XMLError: Error, Equatable, Sendable, CustomStringConvertible {
    case syntax(line: Int, reason: String)
    /// A document type, which may define entities.
    case documentType
    case tooDeep

    package var description: String {
        switch self {
        case .syntax(let line, let reason): "line \(line) of the XML: \(reason)"
        case .documentType: "the XML has a document type, which is refused"
        case .tooDeep: "the XML is nested too deeply"
        }
    }
}

/// Reads XML from the pieces in which it arrives, in memory of one piece. Expat does the work. Raw control characters, which
/// would end any document and which servers pass on from cards, are dropped; document types, and with them entity bombs,
/// are refused. On one thread.
package final class XMLReader {
    private static let deepest = 100
    private static let separator: UInt8 = 0x0A

    private let parser: XML_Parser
    private let handler: (XMLEvent) throws -> Void
    private var depth = 0
    private var error: (any Error)?
    /// Nil: unknown before the first bytes. In UTF-16, a zero byte is part of a character.
    private var isWide: Bool?

    /// What `handler` throws ends the document, and is thrown by `read`.
    package init(_ handler: @escaping (XMLEvent) throws -> Void) {
        parser = XML_ParserCreateNS(nil, XML_Char(Self.separator))
        self.handler = handler
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { context, name, _ in XMLReader.of(context).start(name!) },
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

    package func read(_ bytes: UnsafeRawBufferPointer) throws {
        if bytes.isEmpty { return }
        let wide = isWide ?? (bytes[0] >= 0xFE || bytes[0] == 0 || bytes.count > 1 && bytes[1] == 0)
        isWide = wide
        if wide || !bytes.contains(where: Self.isControl) { return try parse(bytes, isEnd: false) }
        try bytes.filter { !Self.isControl($0) }.withUnsafeBytes { try parse($0, isEnd: false) }
    }

    /// The document is complete.
    package func finish() throws { try parse(UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true) }

    /// Those that XML 1.0 section 2.2 does not permit.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) throws {
        var start = 0
        repeat {
            let count = min(bytes.count - start, 1 << 20)
            let piece = bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
            start += count
            let status = XML_Parse(parser, piece, Int32(count), isEnd && start == bytes.count ? 1 : 0)
            if let error { throw error }
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

    private func start(_ name: UnsafePointer<CChar>) {
        depth += 1
        if depth > Self.deepest { return stop(XMLError.tooDeep) }
        report(.start(Self.name(name)))
    }

    private func end(_ name: UnsafePointer<CChar>) {
        depth -= 1
        report(.end(Self.name(name)))
    }

    private func text(_ bytes: UnsafePointer<CChar>, _ count: Int) {
        bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
            report(.text(UnsafeBufferPointer(start: $0, count: count)))
        }
    }

    private static func name(_ pointer: UnsafePointer<CChar>) -> XMLName {
        let text = String(cString: pointer)
        guard let line = text.utf8.firstIndex(of: separator) else { return XMLName("", text) }
        return XMLName(String(text[..<line]), String(text[text.index(after: line)...]))
    }
}
