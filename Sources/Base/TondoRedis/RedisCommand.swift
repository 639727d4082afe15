/// One word of a command.
package enum RedisArgument: Sendable, Hashable {
    case text(String)
    case number(Int)
    case bytes([UInt8])
}

extension RedisArgument: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    /// Also for interpolated text, such as a key with a digest in it.
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int) { self = .number(number) }
}

/// A command with its arguments, as a RESP array of bulk strings: any bytes are permitted in any place.
package struct RedisCommand: Sendable {
    private(set) var body: [UInt8] = []
    private(set) var count = 0
    /// The first word, for messages.
    package let name: String

    /// `name`: the first word, which also identifies the command in messages.
    package init(_ name: String, _ arguments: RedisArgument...) { self.init(name, arguments) }

    /// For arguments whose number is known at run time only.
    package init(_ name: String, _ arguments: [RedisArgument]) {
        self.name = name
        append(.text(name))
        for argument in arguments { append(argument) }
    }

    /// Adds one bulk string. Numbers are sent in decimal digits, text in UTF-8.
    package mutating func append(_ argument: RedisArgument) {
        switch argument {
        case .text(let text): append(text.utf8)
        case .number(let number): append(String(number).utf8)
        case .bytes(let bytes): append(bytes)
        }
    }

    private mutating func append(_ word: some Collection<UInt8>) {
        // Nothing is reserved: a request for the exact size would copy all earlier words for each further one.
        body += "$\(word.count)\r\n".utf8
        body += word
        body += "\r\n".utf8
        count += 1
    }

    /// What goes over the wire.
    var encoded: [UInt8] { "*\(count)\r\n".utf8 + body }
}
