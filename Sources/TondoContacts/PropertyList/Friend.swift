/// The fields of a group besides its friends.
struct GroupHead {
    var name: String?
    var online: Int?
    /// A field with the wrong type.
    var mismatch: PropertyListMismatch?
}

struct Friend {
    var name: String?
    var intro: String?
    var icon: String?
    var isVIP: Bool?
    var isOnline: Bool?
    var chatLog: [String]?
}

/// A value of the wrong type.
struct PropertyListMismatch: Error {
    /// From the dictionary on, as in JSON Pointers.
    var path: String
    var reason: String
}
