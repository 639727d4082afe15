/// An object with typed access to its values.
package struct JSONRecord {
    /// The object on the tape, for its position in the text.
    package let value: JSONValue
    /// A JSON Pointer (RFC 6901).
    package let path: String
    /// Keys that occur more than once; of their values the last one is here.
    package private(set) var repeated: [String] = []
    private var values: [String: JSONValue] = [:]

    /// Throws if the value is no object, or one whose end is missing. `path`: its JSON Pointer, empty for the root.
    package init(value: JSONValue, path: String) throws(JSONMismatch) {
        self.value = value
        self.path = path
        guard value.isObject else { throw JSONMismatch(value: value, path: path, reason: "not an object") }
        // The beginning of an object would look like one that lacks members.
        guard !value.isCut else { throw JSONMismatch(value: value, path: path, reason: "truncated") }
        for (key, value) in value.members where values.updateValue(value, forKey: key) != nil { repeated.append(key) }
    }

    /// Nil if it is missing or null.
    package subscript(key: String) -> JSONValue? { values[key].flatMap { $0.kind == .null ? nil : $0 } }

    /// Nil if it is missing or null; throws for every value but a string.
    package func text(_ key: String) throws(JSONMismatch) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.string else { throw mismatch(value, key: key, reason: "not a text") }
        return text
    }

    /// Also a number, as text.
    package func word(_ key: String) throws(JSONMismatch) -> String? {
        guard let number = self[key]?.number else { return try text(key) }
        return number
    }

    /// Also 0 and 1.
    package func flag(_ key: String) throws(JSONMismatch) -> Bool? {
        guard let value = self[key] else { return nil }
        switch (value.kind, value.number) {
        case (.yes, _), (_, "1"): return true
        case (.no, _), (_, "0"): return false
        default: throw mismatch(value, key: key, reason: "neither true nor false")
        }
    }

    /// Nil if it is missing or null; throws for a fraction, an exponent, and what an `Int` cannot hold.
    package func integer(_ key: String) throws(JSONMismatch) -> Int? {
        guard let value = self[key] else { return nil }
        guard let number = value.number.flatMap({ Int($0) }) else {
            throw mismatch(value, key: key, reason: "not a whole number")
        }
        return number
    }

    /// Nil if it is missing or null; throws for every value but a complete object.
    package func record(_ key: String) throws(JSONMismatch) -> JSONRecord? {
        guard let value = self[key] else { return nil }
        return try JSONRecord(value: value, path: pointer(key))
    }

    /// One at a time: a record needs much more memory than the result.
    package func records<Result>(
        _ key: String, body: (JSONRecord) throws(JSONMismatch) -> Result
    ) throws(JSONMismatch) -> [Result] {
        var results: [Result] = []
        for (index, element) in try elements(key).enumerated() {
            results.append(try body(try JSONRecord(value: element, path: "\(pointer(key))/\(index)")))
        }
        return results
    }

    /// Empty if the array is missing or null; throws if an element is no string.
    package func texts(_ key: String) throws(JSONMismatch) -> [String] {
        var texts: [String] = []
        for (index, element) in try elements(key).enumerated() {
            guard let text = element.string else {
                throw mismatch(element, key: "\(key)/\(index)", reason: "not a text")
            }
            texts.append(text)
        }
        return texts
    }

    private func elements(_ key: String) throws(JSONMismatch) -> some Sequence<JSONValue> {
        let value = self[key]
        if let value, !value.isArray { throw mismatch(value, key: key, reason: "not an array") }
        return [value].lazy.compactMap { $0 }.flatMap { $0.elements }
    }

    /// An error at the value of a key, with the path of this record.
    package func mismatch(_ value: JSONValue, key: String, reason: String) -> JSONMismatch {
        JSONMismatch(value: value, path: pointer(key), reason: reason)
    }

    private func pointer(_ key: String) -> String { "\(path)/\(key)" }
}

/// A value of the wrong type.
package struct JSONMismatch: Error {
    /// Bytes from the start of the text to the value.
    package var offset: Int
    /// The JSON Pointer (RFC 6901) of the value. Keys are not escaped: those of the schemas need no escape.
    package var path: String
    /// A part of a sentence, such as `not a text`.
    package var reason: String

    package init(value: JSONValue, path: String, reason: String) {
        offset = value.range.lowerBound
        self.path = path
        self.reason = reason
    }
}
