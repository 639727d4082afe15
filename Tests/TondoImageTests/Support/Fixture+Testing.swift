import Testing
import TondoTestSupport

extension Fixture: CustomTestStringConvertible {
    public var testDescription: String { name }
}
