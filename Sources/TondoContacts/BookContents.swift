/// What one file of a book holds.
package struct BookContents: Equatable, Sendable {
    /// In the file's order. Their ids are the file's own, or derived from what they are; `BookRegister` keeps those of a
    /// book apart.
    package var contacts: [Contact] = []
    /// Those the file declares itself, in its order: also groups that nobody belongs to.
    package var groups: [ContactGroup] = []
    /// In the file's order.
    package var failures: [ContactFailure] = []

    /// Ids that several contacts of the book gave themselves, so that only one of them has it, see `Identities`.
    package var shared: Set<String> = []

    package init() {}
}
