/// The namespaces of prefixes (Namespaces in XML 1.0), as elements declare them. A prefix that is not declared is no error, as it is for
/// Expat: Stalwart and Cyrus have sent such elements among others, and each is in a namespace of its own, which no name of WebDAV is in.
struct XMLNamespaces {
    /// The declarations of all open elements, the innermost last.
    private var declared: [(prefix: String, space: String)] = []
    /// How many there were before each open element.
    private var counts: [Int] = []
    /// Names as they are written, while no element declares anything: a document repeats few of them.
    private var known: [String: XMLName] = [:]

    /// Declarations that may be open at a time. Each name is searched in them, so that more would make a document quadratic. Servers
    /// declare some ten, but may repeat them in each of a million responses: their sum has no limit.
    static let most = 256

    /// Opens the scope of an element that begins: its name is resolved with them. Throws `tooManyNamespaces`.
    mutating func open(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) throws(XMLError) {
        counts.append(declared.count)
        guard var attribute = attributes else { return }
        while let name = attribute[0], let value = attribute[1] {
            attribute += 2
            let text = String(cString: name)
            if text == "xmlns" { declared.append(("", String(cString: value))) }
            if text.hasPrefix("xmlns:") { declared.append((String(text.dropFirst(6)), String(cString: value))) }
            if declared.count > Self.most { throw .tooManyNamespaces }
        }
        if declared.count != counts.last { known.removeAll(keepingCapacity: true) }
    }

    mutating func close() {
        guard let count = counts.popLast(), count < declared.count else { return }
        declared.removeLast(declared.count - count)
        known.removeAll(keepingCapacity: true)
    }

    mutating func name(_ pointer: UnsafePointer<CChar>) -> XMLName {
        let text = String(cString: pointer)
        if let name = known[text] { return name }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count == 2 ? String(parts[0]) : ""
        let space = declared.last { $0.prefix == prefix }?.space
        let name = XMLName(
            space: space ?? (prefix.isEmpty ? "" : "undeclared:\(prefix)"), local: String(parts[parts.count - 1]))
        // A document of ever new names must not fill the memory.
        if known.count < 256 { known[text] = name }
        return name
    }
}
