/// The reason that a server gives for an error: sabre's `message`, or `responsedescription` (RFC 4918 section 14.25).
enum DAVReason {
    private static let elements = ["message", "responsedescription"]
    /// Bytes of a document that are read.
    private static let most = 16_384

    /// One line without what a terminal would obey, 200 characters at most; nil: the document gives none, such as a page.
    static func text(of body: [UInt8]) -> String? {
        var isInside = false
        var text: [UInt8] = []
        let reader = XMLReader { event in
            switch event {
            case .start(let name): isInside = text.isEmpty && elements.contains(name.local)
            case .text(let bytes): if isInside { text += bytes }
            case .end: isInside = false
            }
        }
        // What comes before an error counts. The document, which is no multistatus, is read at its end.
        try? body.prefix(most).withUnsafeBytes { bytes in
            try reader.read(bytes)
            try reader.finish()
        }
        let words = String(decoding: text, as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
        return words.isEmpty ? nil : String(AccountSetup.printable(words).prefix(200))
    }
}
