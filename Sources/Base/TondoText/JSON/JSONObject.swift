/// A JSON object being written; its keys keep their order. Nil and empty values are left out.
///
/// ```swift
/// var object = JSONObject()
/// object.add("name", "Ada")
/// object.add("avatars", 2)
/// print(String(decoding: object.bytes, as: UTF8.self))
/// ```
package struct JSONObject {
    private var content: [UInt8] = []

    package init() {}

    /// `members`: encoded members, with commas between them.
    package init(members: [UInt8]) { content = members }

    /// Whether no member was added, or all of them were left out.
    package var isEmpty: Bool { content.isEmpty }
    /// The whole object in UTF-8, on one line.
    package var bytes: [UInt8] { [UInt8(ascii: "{")] + content + [UInt8(ascii: "}")] }

    /// Kept even if the text is empty: only nil is left out.
    package mutating func add(_ key: String, _ text: String?) {
        guard let text else { return }
        begin(key)
        JSONEscapes.append(text, to: &content)
    }

    /// Left out if it is nil; 0 is written.
    package mutating func add(_ key: String, _ number: Int?) {
        guard let number else { return }
        begin(key)
        content += String(number).utf8
    }

    /// Left out if it is nil; false is written.
    package mutating func add(_ key: String, _ flag: Bool?) {
        guard let flag else { return }
        begin(key)
        content += (flag ? "true" : "false").utf8
    }

    /// Left out if it has no members.
    package mutating func add(_ key: String, _ object: JSONObject) {
        guard !object.isEmpty else { return }
        begin(key)
        content += object.bytes
    }

    /// Left out if there are none; an empty object among others is written as `{}`.
    package mutating func add(_ key: String, _ objects: [JSONObject]) {
        addArray(key, of: objects) { $1 += $0.bytes }
    }

    /// Left out if there are none; an empty text among others is written.
    package mutating func add(_ key: String, _ texts: [String]) {
        addArray(key, of: texts) { JSONEscapes.append($0, to: &$1) }
    }

    /// `json`: an encoded JSON value.
    package mutating func add(_ key: String, json: [UInt8]) {
        begin(key)
        content += json
    }

    private mutating func addArray<Element>(
        _ key: String, of elements: [Element], append: (Element, inout [UInt8]) -> Void
    ) {
        guard !elements.isEmpty else { return }
        begin(key)
        for (index, element) in elements.enumerated() {
            content.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
            append(element, &content)
        }
        content.append(UInt8(ascii: "]"))
    }

    private mutating func begin(_ key: String) {
        if !content.isEmpty { content.append(UInt8(ascii: ",")) }
        JSONEscapes.append(key, to: &content)
        content.append(UInt8(ascii: ":"))
    }
}
