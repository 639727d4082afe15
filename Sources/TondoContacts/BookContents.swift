/// The contents of one file of a book.
package struct BookContents: Equatable, Sendable {
    /// In the file's order. Their ids are the file's own, or derived from their contents; `ContactMerger` makes them
    /// unique in a book.
    package var contacts: [Contact] = []
    /// Groups that the file declares, in its order, including empty ones.
    package var groups: [ContactGroup] = []
    /// In the file's order.
    package var failures: [ContactFailure] = []

    /// Ids that several contacts of the book claim, so that only one of them has it, see `Identities`.
    package var shared: Set<String> = []

    package init() {}
}
