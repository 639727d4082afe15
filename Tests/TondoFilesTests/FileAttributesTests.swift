import Testing

@testable import TondoFiles

@Suite struct FileAttributesTests {
    @Test(arguments: [(0o664, 0o644), (0o660, 0o600), (0o640, 0o600), (0o644, 0o644), (0o604, 0o604), (0o777, 0o777)])
    func `Another group gets no rights that not all have`(mode: Int, narrowed: Int) {
        #expect(FileAttributes(mode: mode, user: 0, group: 0).modeForOtherGroup == narrowed)
    }
}
