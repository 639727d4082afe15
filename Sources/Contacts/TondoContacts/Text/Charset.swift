/// The character sets of text in books, except UTF-16, which applies to a whole file.
enum Charset: Hashable, Sendable {
    case utf8
    /// Also used for Latin-1, as in web browsers: they differ only in control characters that do not occur.
    case windows1252
    /// One that the C library converts.
    case other(Converter)

    /// One of a fixed list, so that a book cannot choose which of the C library's converters runs. A number, because it
    /// is passed along with every line.
    struct Converter: Hashable, Sendable {
        fileprivate let index: UInt8

        /// The name for the C library.
        var name: String { Charset.others[Int(index)].converter }
    }

    /// `name`: the value of a CHARSET parameter, in any notation; nil if it is unknown.
    init?(name: String) {
        let key = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard let charset = Self.byName[key] else { return nil }
        self = charset
    }

    private static let byName: [String: Charset] = {
        var names: [String: Charset] = [:]
        for name in ["utf8", "unicode11utf8", "usascii", "ascii"] { names[name] = .utf8 }
        for name in ["iso88591", "latin1", "windows1252", "cp1252", "ansi"] { names[name] = .windows1252 }
        for (index, other) in others.enumerated() {
            for word in other.words.split(separator: " ") {
                names[String(word)] = .other(Converter(index: UInt8(index)))
            }
        }
        return names
    }()

    private static let others: [(words: String, converter: String)] = [
        ("shiftjis sjis xsjis mskanji cp932 windows31j", "CP932"), ("eucjp xeucjp", "EUC-JP"),
        ("iso2022jp", "ISO-2022-JP"), ("windows1250 cp1250", "CP1250"), ("windows1251 cp1251", "CP1251"),
        ("windows1253 cp1253", "CP1253"), ("windows1254 cp1254 iso88599 latin5", "CP1254"),
        ("windows1255 cp1255", "CP1255"), ("windows1256 cp1256", "CP1256"), ("windows1257 cp1257", "CP1257"),
        ("iso88592 latin2", "ISO-8859-2"), ("iso88595", "ISO-8859-5"), ("iso88597", "ISO-8859-7"),
        ("iso88598", "ISO-8859-8"), ("iso885915 latin9", "ISO-8859-15"), ("koi8r", "KOI8-R"), ("koi8u", "KOI8-U"),
        ("gb2312 gbk gb18030 cp936", "GB18030"), ("big5 cp950", "CP950"), ("euckr ksc56011987 cp949", "CP949"),
        ("cp866 ibm866", "CP866"), ("cp850 ibm850", "CP850"), ("cp437 ibm437", "CP437"),
        ("macintosh macroman xmacroman mac", "MACINTOSH"), ("windows874 cp874 tis620 iso885911", "CP874"),
    ]
}
