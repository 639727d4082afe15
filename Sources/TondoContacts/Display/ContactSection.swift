/// Contacts that follow each other in a list and have the same index letter; as JSON, of `GET /v1/sections`.
package struct ContactSection: Codable, Equatable, Sendable {
    package var title: String
    /// The place of its first contact in the list.
    package var offset: Int
    package var count: Int

    /// `titles`: of all contacts of a list, in its order.
    package static func all(of titles: some Sequence<String>) -> [ContactSection] {
        var sections: [ContactSection] = []
        for (offset, title) in titles.enumerated() {
            if let last = sections.indices.last, sections[last].title == title {
                sections[last].count += 1
            } else {
                sections.append(ContactSection(title: title, offset: offset, count: 1))
            }
        }
        return sections
    }
}
