/// What attributes of people mean in directories and in LDIF, by their names in lower case: those of inetOrgPerson (RFC 2798), Active
/// Directory, Mozilla and Evolution.
package enum DirectoryAttributes {
    /// Numbers, with their types.
    package static let phones: [(attribute: String, types: [String])] = [
        ("mobile", ["cell"]), ("mobiletelephonenumber", ["cell"]), ("cellphone", ["cell"]), ("othermobile", ["cell"]),
        ("telephonenumber", ["work"]), ("othertelephone", ["work"]), ("xmozillaanyphone", ["work"]),
        ("homephone", ["home"]), ("hometelephonenumber", ["home"]), ("otherhomephone", ["home"]),
        ("facsimiletelephonenumber", ["fax"]), ("fax", ["fax"]), ("pager", ["pager"]),
        ("pagertelephonenumber", ["pager"]), ("primaryphone", ["main"]),
        ("homefacsimiletelephonenumber", ["home", "fax"]), ("otherfacsimiletelephonenumber", ["fax"]),
        ("carphone", ["car"]), ("companyphone", ["work"]), ("assistantphone", ["assistant"]), ("ipphone", ["work"]),
        ("otherphone", []), ("telephoneassistant", ["assistant"]),
    ]
    /// Pages, which a label may follow (RFC 2079).
    package static let sites: [(attribute: String, types: [String])] = [
        ("labeleduri", []), ("wwwhomepage", []), ("url", []), ("mozillahomeurl", ["home"]), ("homeurl", ["home"]),
        ("mozillaworkurl", ["work"]), ("workurl", ["work"]),
    ]
    /// Names of other people.
    package static let related: [(attribute: String, types: [String])] = [
        ("spousename", ["spouse"]), ("managername", ["manager"]), ("assistantname", ["assistant"]),
    ]
    /// The entries of other people, by their distinguished names (RFC 2798 2.4 and RFC 4524 2.13).
    package static let relatedEntries: [(attribute: String, types: [String])] = [
        ("manager", ["manager"]), ("secretary", ["assistant"]), ("assistant", ["assistant"]),
    ]
    /// Texts about a person.
    package static let notes = ["description", "info", "note", "comment"]
    /// Other names of a person.
    package static let nicknames = ["mozillanickname", "xmozillanickname", "nickname", "edupersonnickname"]
    /// Names in AOL's network.
    package static let aim = ["nsaimid", "nscpaimscreenname"]
    /// The parts of the address at work, in the order of vCard (RFC 6350 section 6.3.1), each with its names.
    package static let work = [
        ["postofficebox"], ["mozillaworkstreet2"], ["street", "streetaddress"], ["l", "locality", "localityname"],
        ["st", "stateorprovincename"], ["postalcode"], ["co", "countryname", "c"],
    ]
    /// Those of the address at home, as Mozilla names them.
    package static let home = [
        [], ["mozillahomestreet2"], ["mozillahomestreet"], ["mozillahomelocalityname"], ["mozillahomestate"],
        ["mozillahomepostalcode"], ["mozillahomecountryname"],
    ]

    /// A text of a directory: UTF-8, or what people of other countries took for it.
    package static func text(_ value: [UInt8]) -> String {
        value.withUnsafeBytes { bytes in
            if UTF8Text.defect(bytes) == nil { return String(decoding: bytes, as: UTF8.self) }
            return String(decoding: CharsetDecoder().utf8(bytes, charset: .guess(bytes)), as: UTF8.self)
        }
    }
}
