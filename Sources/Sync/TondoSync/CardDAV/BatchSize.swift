/// How many cards one request asks for: as many as make some megabytes, by what cards were seen to have.
package struct BatchSize: Equatable, Sendable {
    /// Evolution asks for no more, so servers bear it.
    private static let most = 100
    static let bytes = 4 << 20
    /// Before any card was seen.
    private static let first = 25

    private var most = Self.most
    private var cards = 0
    private var total = 0

    package init() {}

    /// Takes what one answer brought, for the mean size of a card. `bytes`: of all these cards.
    package mutating func note(cards: Int, bytes: Int) {
        self.cards += cards
        total += bytes
    }

    /// The server did not manage so many: no later request asks for more than half of them.
    package mutating func note(tooMany count: Int) { most = max(min(most, count / 2), 1) }

    /// Cards of the next request, from one to a hundred.
    package var count: Int {
        if cards == 0 { return min(Self.first, most) }
        return max(min(Self.bytes / max(total / cards, 1), most), 1)
    }
}
