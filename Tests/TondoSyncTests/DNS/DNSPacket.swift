/// The answer of a server of names, made of its parts (RFC 1035 section 4).
struct DNSPacket {
    var id: UInt16 = 7
    var question = "_carddavs._tcp.example.test"
    var type: UInt16 = 33
    /// Type and data of each; their names are pointers to the question.
    var answers: [(type: UInt16, data: [UInt8])] = []

    static func word(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    static func service(_ host: [UInt8], port: UInt16, priority: UInt16 = 0, weight: UInt16 = 0) -> (UInt16, [UInt8]) {
        (33, word(priority) + word(weight) + word(port) + host)
    }

    static func text(_ strings: [String]) -> (UInt16, [UInt8]) {
        (16, strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
    }

    var bytes: [UInt8] {
        var bytes = Self.word(id) + [0x81, 0x80] + Self.word(1) + Self.word(UInt16(answers.count)) + [0, 0, 0, 0]
        bytes += Self.name(question) + Self.word(type) + Self.word(1)
        for answer in answers {
            bytes += [0xC0, 12] + Self.word(answer.type) + Self.word(1) + [0, 0, 0, 60]
            bytes += Self.word(UInt16(answer.data.count)) + answer.data
        }
        return bytes
    }
}
