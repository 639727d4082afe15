internal import TondoText

/// Tondo's own JSON, version 1: one UTF-8 file with all data of the contacts. Writing and reading it back loses
/// nothing.
///
/// ```json
/// {"tondo": 1, "groups": [GROUP...], "contacts": [CONTACT...]}
/// ```
///
/// `tondo` is the version. A reader refuses a version newer than its own and ignores unknown keys, so that keys can be
/// added without a new version. A value that is absent or null does not exist. The outer `groups` keep groups without
/// members. A contact's keys:
///
/// - `id`: text, unique in the book; derived from the contact if it is absent
/// - `kind`: `individual` (if absent), `group`, `organisation`, `location`
/// - `name`: object of the texts `given`, `family`, `additional`, `prefix`, `suffix`, `formatted`, of `sortGiven` and
///   `sortFamily`, by which names are sorted instead of by themselves, and of `nicknames`, an array of texts
/// - `organisation`: array of texts, the company, then its departments from large to small
/// - `title`, `role`, `introduction`: texts
/// - `phones`, `emails`: arrays of objects, the preferred one first: `value` (also a number), `types` (array of texts
///   such as `home`), `label` (a custom word)
/// - `addresses`, `websites`: the same; the `value` of a postal address has its lines. If its book has them apart, `parts` is an
///   object of the texts `box`, `extended`, `street`, `city`, `region`, `code`, `country`; `value` may be absent beside it
/// - `birthday`, `anniversary`: texts, `1996-04-15`, or `--04-15` without a year
/// - `social`, `related`: arrays of objects like `phones`: profiles of social networks, whose first type is the network,
///   and people around the contact, whose type or label is the relation
/// - `messengers`: object of `telegram`, `whatsapp`, `viber`, `signal`, `threema`: the handle, empty if only its
///   existence is known
/// - `groups`: array of objects: `name`; `id` if it differs from the name; `online`, the declared number of members
///   online
/// - `online`: true or false, absent if unknown; `vip`: true or false; both also 1 or 0
/// - `chatLog`: array of texts, oldest first
/// - `revision`: text, when it was last changed, in the notation of the original book
/// - `photo`: object with one of `data` (base64), `file` (a path, relative to this file) and `url` (only fetched by
///   `tondo sync`); with the first two also `crop`: `x`, `y`, `width`, `height` in pixels of the upright photo, `y`
///   counted from its bottom
/// - `members`: array of texts, for a group: the ids of its members
/// - `properties`: array of objects, what a vCard had beside all that, in its order: `name`, in upper case; `group`, the
///   text before its dot; `parameters`, array of texts such as `TYPE=work`; `value`, with the escapes of vCard. A photo
///   is base64. `BEGIN` and `AGENT` may have the lines of a whole object; `END` and `VERSION` are left out. They go out again with the contact, see `SourceCard`
///
/// Lists have `photo` as true or false, see `ContactReport`. Lists and events of a service shorten fields of more than
/// 65,536 bytes and name them in `cut`, an array of texts; a file never has it.
package enum TondoSchema {
    /// What `tondo` says in a file of this program; a reader refuses a larger number.
    package static let version = 1

    /// Those that are well-formed, and leave their card one.
    static func properties(_ record: JSONRecord) -> [CardProperty] {
        guard record["properties"]?.kind == .array else { return [] }
        let found = try? record.records("properties") { part throws(JSONMismatch) -> CardProperty? in
            guard let name = try part.text("name"), let value = try part.text("value"), isName(name) else { return nil }
            let group = try part.text("group")
            let parameters = try part.texts("parameters")
            guard group.map(isName) ?? true, parameters.allSatisfy(isInLine) else { return nil }
            return CardProperty(group: group, name: name.uppercased(), parameters: parameters, value: value)
        }
        return InnerObject.allowed(found?.compactMap(\.self) ?? [])
    }

    /// Else a value could become another property.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { ASCII.isLetter($0) || (0x30...0x39).contains($0) || [0x2D, 0x5F].contains($0) }
    }

    private static func isInLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 } }

    static func check(version value: JSONValue?) throws(ContactsError) {
        guard let version = value?.number.flatMap({ Int($0) }), version > 0 else {
            throw .malformed("tondo: not a version")
        }
        guard version <= Self.version else { throw .newerVersion(version) }
    }
}
