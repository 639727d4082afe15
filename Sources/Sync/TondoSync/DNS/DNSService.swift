/// A server that a domain names for a service: SRV (RFC 2782) and the path of TXT (RFC 6764 section 4).
package struct DNSService: Equatable, Sendable {
    /// In lower case, without a dot at its end.
    package let host: String
    /// That of TLS, since the SRV record is the one of `_carddavs`.
    package let port: Int
    /// Begins with a slash; `/.well-known/carddav` if no TXT record names one.
    package let path: String

    package init(host: String, port: Int, path: String) {
        self.host = host
        self.port = port
        self.path = path
    }

    /// Nil if it is not of the same domain: DNS is not authenticated, so a password must not follow it elsewhere
    /// (RFC 6764 section 8). Such a server is configured by its own URL.
    func url(for origin: WebURL.Origin) -> WebURL? {
        guard host == origin.host || host.hasSuffix("." + origin.host) else { return nil }
        // A label of DNS holds any bytes, also those that would end a host in a URL.
        guard let url = WebURL("https://\(host):\(port)\(path)"), url.origin.host == host else { return nil }
        return url
    }
}

/// Answers of DNS (RFC 1035 section 4), as far as SRV and TXT need.
struct DNSMessage {
    private let bytes: [UInt8]

    struct Service: Equatable {
        let priority, weight, port: Int
        let host: String
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Best first; a host of `.` means that there is none.
    var services: [Service] {
        records(type: 33).compactMap { range -> Service? in
            guard range.count > 6, let host = name(at: range.lowerBound + 6)?.text, !host.isEmpty else { return nil }
            let numbers = [0, 2, 4].map { number(at: range.lowerBound + $0) ?? 0 }
            return Service(priority: numbers[0], weight: numbers[1], port: numbers[2], host: host)
        }.sorted { ($0.priority, $1.weight) < ($1.priority, $0.weight) }
    }

    /// The strings of all records.
    var texts: [String] {
        records(type: 16).flatMap { range in
            var (texts, from) = ([String](), range.lowerBound)
            while from < range.upperBound {
                let end = from + 1 + Int(bytes[from])
                guard end <= range.upperBound else { break }
                texts.append(String(decoding: bytes[(from + 1)..<end], as: UTF8.self))
                from = end
            }
            return texts
        }
    }

    /// The data of each answer of a type.
    private func records(type: Int) -> [Range<Int>] {
        guard let questions = number(at: 4), let answers = number(at: 6) else { return [] }
        var (from, found) = (12, [Range<Int>]())
        for _ in 0..<questions {
            guard let name = name(at: from) else { return found }
            from = name.end + 4
        }
        for _ in 0..<answers {
            guard let name = name(at: from), let kind = number(at: name.end), let size = number(at: name.end + 8) else {
                return found
            }
            let data = (name.end + 10)..<(name.end + 10 + size)
            guard data.upperBound <= bytes.count else { return found }
            if kind == type { found.append(data) }
            from = data.upperBound
        }
        return found
    }

    private func number(at offset: Int) -> Int? {
        offset + 1 < bytes.count ? Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) : nil
    }

    /// Pointers lead backwards only, so that no loop is possible.
    private func name(at start: Int) -> (text: String, end: Int)? {
        var (labels, offset, end, lowest) = ([String](), start, Int?.none, start)
        while offset < bytes.count, labels.count < 128 {
            let size = Int(bytes[offset])
            if size == 0 { return (labels.joined(separator: ".").lowercased(), end ?? offset + 1) }
            if size & 0xC0 == 0xC0 {
                guard let target = number(at: offset).map({ $0 & 0x3FFF }), target < lowest else { return nil }
                end = end ?? offset + 2
                offset = target
                lowest = target
            } else {
                guard size < 64, offset + 1 + size <= bytes.count else { return nil }
                labels.append(String(decoding: bytes[(offset + 1)...(offset + size)], as: UTF8.self))
                offset += 1 + size
            }
        }
        return nil
    }
}
