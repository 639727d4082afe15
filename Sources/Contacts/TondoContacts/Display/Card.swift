/// A part of what is shown of a contact or of the books; as JSON, of `GET /v1/contacts/{id}/cards` and `GET /v1/cards`.
/// Titles and labels are keys such as `phones`, which clients translate if they know them. Absent members are empty.
package struct Card: Codable, Equatable, Sendable {
    /// One line of a card: what it says, and how it is named.
    package struct Row: Codable, Equatable, Sendable {
        /// A key such as `home`, or the book's own words; empty for running text.
        package var label: String
        /// As it is shown: a phone number may have other separators than in the book.
        package var value: String
        /// `tel:`, `mailto:` or `https:`.
        package var link: String?
        /// What a client shows smaller beside the value, such as further types of a phone number.
        package var note: String?

        package init(_ label: String, _ value: String, link: String? = nil, note: String? = nil) {
            self.label = label
            self.value = value
            self.link = link
            self.note = note
        }
    }

    /// The card could not be made; the others could.
    package struct Failure: Codable, Equatable, Sendable {
        /// For programs, such as `book-unreadable`.
        package var code: String
        /// A sentence in English for people.
        package var detail: String
        /// The path that answers with the card alone.
        package var retry: String

        package init(code: String, detail: String, retry: String) {
            self.code = code
            self.detail = detail
            self.retry = retry
        }
    }

    /// The contact in a few rows, which a client shows on demand.
    package struct Preview: Codable, Equatable, Sendable {
        /// The display name, as text and not as a key.
        package var title: String
        /// The preferred phone number and e-mail address, as far as there are any.
        package var rows: [Row]
    }

    /// Selects how a client shows it: `name`, `phones`...
    package var type: String
    /// Unique among the cards of a response.
    package var id: String
    /// A key, which clients translate; the type unless it is another one.
    package var title: String
    /// Those that are shown at first; in a response `CardRows.limit` at most.
    package var rows: [Row] = []
    /// Above the rows: a key such as `vip`, or a number.
    package var header: String?
    /// Below the rows: a key such as `online`.
    package var footer: String?
    /// Nil: cannot be folded; true: is folded at first.
    package var fold: Bool?
    /// Rows that are shown on demand.
    package var further: [Row]?
    /// The path of further rows.
    package var more: String?
    /// Instead of rows; nil: the card was made.
    package var error: Failure?
    /// On the `name` card of a contact alone.
    package var preview: Preview?
    /// Points above the card; nil: 6.
    package var spacing: Int?

    private enum CodingKeys: String, CodingKey {
        case type, id, title, rows, header, footer, fold, more, error, preview, spacing
        case further = "extension"
    }

    /// `id`, `title`: the type by default.
    package init(_ type: String, id: String? = nil, title: String? = nil, _ rows: [Row] = []) {
        self.type = type
        self.id = id ?? type
        self.title = title ?? type
        self.rows = rows
    }
}

/// Some rows of a card; as JSON, of the path in `more`.
package struct CardRows: Codable, Equatable, Sendable {
    /// At most `limit`; empty behind the last row.
    package var rows: [Card.Row]
    /// The path of the next page; nil: this is the last one.
    package var more: String?

    /// Rows of a page.
    package static let limit = 50

    /// The rows at `offset` of all rows. `path`: of the card.
    package init(all: [Card.Row], offset: Int, path: String) {
        let start = min(max(offset, 0), all.count)
        let end = min(start + Self.limit, all.count)
        rows = Array(all[start..<end])
        more = end < all.count ? "\(path)/rows?offset=\(end)" : nil
    }
}

extension Card {
    /// With the first rows only, and the path of the others. `path`: of the card.
    package func beginning(path: String) -> Card {
        let page = CardRows(all: rows, offset: 0, path: path)
        var card = self
        card.rows = page.rows
        card.more = page.more
        return card
    }
}
