/// Tondo's own JSON, version 1: one UTF-8 file that holds everything a contact has. Reading back what was written loses
/// nothing.
///
/// ```json
/// {"tondo": 1, "groups": [GROUP...], "contacts": [CONTACT...]}
/// ```
///
/// `tondo` is the version. A reader refuses a version newer than its own and passes over keys it does not know, so keys
/// may be added without raising it. What is absent or null is not there. The outer `groups` keep groups that nobody
/// belongs to. A contact's keys:
///
/// - `id`: text, unique in the book; derived from the contact where it is absent
/// - `kind`: `individual` (where absent), `group`, `organisation`, `location`
/// - `name`: object of the texts `given`, `family`, `additional`, `prefix`, `suffix`, `formatted`, and `nicknames`, an
///   array of texts
/// - `organisation`: array of texts, the company, then its departments from large to small
/// - `title`, `role`, `introduction`: texts
/// - `phones`, `emails`: arrays of objects, the preferred one first: `value` (also a number), `types` (array of texts such
///   as `home`), `label` (the owner's own word)
/// - `messengers`: object of `telegram`, `whatsapp`, `viber`, `signal`, `threema`: the handle, empty where it is only known
///   that there is one
/// - `groups`: array of objects: `name`; `id` where it differs from the name; `online`, how many of the group are declared
///   to be online
/// - `online`: true or false, absent where unknown; `vip`: true or false; both also 1 or 0
/// - `chatLog`: array of texts, oldest first
/// - `revision`: text, when it was last changed, as the book it came from says it
/// - `photo`: object with one of `data` (base64), `file` (a path, relative to this file) and `url` (never fetched); with
///   the first two also `crop`: `x`, `y`, `width`, `height` in pixels of the upright picture, `y` counted from its bottom
/// - `members`: array of texts, of a group: the ids of those who belong to it
///
/// Lists and events of a service shorten fields of more than 65,536 bytes and name them in `cut`, an array of texts; a file
/// never has it.
package enum TondoSchema {
    package static let version = 1

    static func check(version value: JSONValue?) throws(ContactsError) {
        guard let version = value?.number.flatMap({ Int($0) }), version > 0 else {
            throw .malformed("tondo: not a version")
        }
        guard version <= Self.version else { throw .newerVersion(version) }
    }
}
