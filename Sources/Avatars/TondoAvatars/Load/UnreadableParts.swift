internal import SystemPackage
internal import TondoContacts

/// Unreadable folders and files of a book, such as folders with mode 0750 of another user.
package struct UnreadableParts: Equatable, Sendable {
    package private(set) var count = 0
    /// The first of them, relative to the book, each with the reason.
    package private(set) var first: [String] = []

    private static let most = 3

    /// None by default.
    package init(count: Int = 0, first: [String] = []) {
        self.count = count
        self.first = first
    }

    init(_ failures: some Sequence<ContactFailure>) {
        for failure in failures where failure.isUnreadablePart {
            count += 1
            if first.count < Self.most { first.append(failure.description) }
        }
    }

    package var isEmpty: Bool { count == 0 }
}

extension UnreadableParts: CustomStringConvertible {
    /// `private: cannot be read: permission denied; and 2 more`
    package var description: String {
        let rest = count - first.count
        return (first + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
    }
}

extension ContactFailure {
    /// A folder or file that exists and cannot be opened, or not read completely.
    var isUnreadablePart: Bool {
        guard line == nil, case .unreadable(let reason) = error else { return false }
        return reason != .noSuchFileOrDirectory
    }
}
