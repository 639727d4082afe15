/// A password or token. It has no description that shows it, so that no log and no error can.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Nil if it is empty, longer than 64 kB, or holds a control character, which no request can carry.
    package init?(_ text: String) {
        guard 1...65_536 ~= text.utf8.count, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        self.text = text
    }

    /// For the one place that sends it.
    package func reveal() -> String { text }

    package var description: String { "(secret)" }
    package var debugDescription: String { "(secret)" }
    /// Without children, so that `dump` and the debugger's description show nothing.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
