import ArgumentParser

/// Several values in one argument: `48,96`. Repeats and blanks are dropped, the order is kept.
struct CommaList<Element: ExpressibleByArgument & Hashable & Sendable>: ExpressibleByArgument, Sendable {
    let values: [Element]

    init(_ values: [Element]) { self.values = values }

    init?(argument: String) {
        var seen: Set<Element> = []
        var values: [Element] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = Element(argument: part.split(separator: " ").joined(separator: " ")) else { return nil }
            if seen.insert(value).inserted { values.append(value) }
        }
        self.values = values
    }

    var defaultValueDescription: String { values.map(\.defaultValueDescription).joined(separator: ",") }

    static var allValueStrings: [String] { Element.allValueStrings }
    static var defaultCompletionKind: CompletionKind { Element.defaultCompletionKind }
}
