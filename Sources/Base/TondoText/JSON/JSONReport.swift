/// Encodes reports as JSON for the commands and the service.
///
/// Members come in the order in which a value encodes them, which is the order of declaration of a synthesised
/// conformance. Foundation's `JSONEncoder` keeps no order, and leaves U+2028 and U+2029 as they are; what this encodes,
/// its `JSONDecoder` decodes.
package enum JSONReport {
    /// The order of the members of an object. A dictionary is always sorted, since it has no order.
    package enum Order: Sendable {
        case declared
        /// Alphabetical.
        case sorted
    }

    /// One line without a line end. Nil members are left out, and a whole `Double` has no fraction. Throws for numbers
    /// that JSON does not have.
    package static func encode(_ value: some Encodable, order: Order = .declared) throws -> [UInt8] {
        var output: [UInt8] = []
        try JSONNode(value).write(to: &output, order)
        return output
    }
}

/// A JSON value while it is encoded. The containers of one value change it together, so it is a class.
private final class JSONNode {
    private enum Content {
        case null
        case text([UInt8])
        case object([(key: String, value: JSONNode)])
        case array([JSONNode])
    }

    private var content = Content.null
    /// A dictionary has no order of its own.
    private var isDictionary = false

    /// Null.
    init() {}

    init(_ value: some Encodable) throws {
        switch value {
        case let text as String:
            var bytes: [UInt8] = []
            JSONEscapes.append(text, to: &bytes)
            content = .text(bytes)
        case let flag as Bool: content = .text(Array((flag ? "true" : "false").utf8))
        case let number as any BinaryInteger: content = .text(Array("\(number)".utf8))
        case let number as Double: content = .text(Array(try Self.text(number).utf8))
        case let number as Float: content = .text(Array(try Self.text(Double(number)).utf8))
        default:
            isDictionary = value is any StringKeyed
            try value.encode(to: NodeEncoder(node: self))
        }
    }

    private static func text(_ number: Double) throws -> String {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "no number of JSON"))
        }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    func becomeObject() { if case .object = content {} else { content = .object([]) } }
    func becomeArray() { if case .array = content {} else { content = .array([]) } }
    func become(_ value: some Encodable) throws { content = try JSONNode(value).content }

    var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

    @discardableResult func add(_ value: JSONNode, for key: String) -> JSONNode {
        guard case .object(var members) = content else { return value }
        // With two owners, the array would be copied for each new member.
        content = .null
        members.append((key, value))
        content = .object(members)
        return value
    }

    @discardableResult func append(_ value: JSONNode) -> JSONNode {
        guard case .array(var elements) = content else { return value }
        // With two owners, the array would be copied for each new element.
        content = .null
        elements.append(value)
        content = .array(elements)
        return value
    }

    func write(to output: inout [UInt8], _ order: JSONReport.Order) {
        switch content {
        case .null: output += "null".utf8
        case .text(let text): output += text
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output, order)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            let isSorted = isDictionary || order == .sorted
            output.append(UInt8(ascii: "{"))
            for (index, member) in (isSorted ? members.sorted { $0.key < $1.key } : members).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONEscapes.append(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output, order)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}

private protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}

private struct NodeEncoder: Encoder {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(ObjectContainer(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return ArrayContainer(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ValueContainer(node: node) }
}

private struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { node.add(JSONNode(), for: key.stringValue) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        node.add(try JSONNode(value), for: key.stringValue)
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        NodeEncoder(node: node.add(JSONNode(), for: key.stringValue)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { NodeEncoder(node: node.add(JSONNode(), for: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(node: node.add(JSONNode(), for: key.stringValue)) }
}

private struct ArrayContainer: UnkeyedEncodingContainer {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    func encodeNil() { node.append(JSONNode()) }
    func encode<Value: Encodable>(_ value: Value) throws { node.append(try JSONNode(value)) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        NodeEncoder(node: node.append(JSONNode())).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { NodeEncoder(node: node.append(JSONNode())) }
}

private struct ValueContainer: SingleValueEncodingContainer {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }

    func encodeNil() {}
    func encode<Value: Encodable>(_ value: Value) throws { try node.become(value) }
}
