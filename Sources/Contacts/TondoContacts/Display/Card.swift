/// A part of what is shown of a contact or of the books; as JSON, of `GET /v1/contacts/{id}/cards` and `GET /v1/cards`.
/// Titles and labels are keys such as `phones`, which clients translate if they know them. Absent members are empty.
package struct Card: Codable, Equatable, Sendable {
    package struct Row: Codable, Equatable, Sendable {
        package var label: String
        package var value: String
        /// `tel:`, `mailto:` or `https:`.
        package var link: String?
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
        package var code: String
        package var detail: String
        /// The path that answers with the card alone.
        package var retry: String

        package init(code: String, detail: String, retry: String) {
            self.code = code
            self.detail = detail
            self.retry = retry
        }
    }

    package struct Preview: Codable, Equatable, Sendable {
        package var title: String
        package var rows: [Row]
    }

    /// Selects how a client shows it: `name`, `phones`...
    package var type: String
    /// Unique among the cards of a response.
    package var id: String
    package var title: String
    package var rows: [Row] = []
    package var header: String?
    package var footer: String?
    /// Nil: cannot be folded; true: is folded at first.
    package var fold: Bool?
    /// Rows that are shown on demand.
    package var further: [Row]?
    /// The path of further rows.
    package var more: String?
    package var error: Failure?
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
    package var rows: [Card.Row]
    package var more: String?

    /// Rows of a page.
    package static let limit = 50

    /// The rows at `offset` of all rows. `path`: of the card.
    package init(_ all: [Card.Row], offset: Int, path: String) {
        let start = min(max(offset, 0), all.count)
        let end = min(start + Self.limit, all.count)
        rows = Array(all[start..<end])
        more = end < all.count ? "\(path)/rows?offset=\(end)" : nil
    }
}

extension Card {
    /// With the first rows only, and the path of the others. `path`: of the card.
    package func beginning(path: String) -> Card {
        let page = CardRows(rows, offset: 0, path: path)
        var card = self
        card.rows = page.rows
        card.more = page.more
        return card
    }
}
