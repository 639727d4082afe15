import Foundation
import Testing

@testable import tondo

@Suite struct RelativeTimeTests {
    private let now = Date(timeIntervalSince1970: 1_795_269_792)

    @Test(arguments: [
        (0, "just now"), (9.9, "just now"), (-9, "just now"), (10, "10 seconds ago"), (60, "1 minute ago"),
        (185, "3 minutes ago"), (3_599, "59 minutes ago"), (7_200, "2 hours ago"), (86_399, "23 hours ago"),
        (172_800, "2 days ago"), (2_629_746, "1 month ago"), (63_113_904, "2 years ago"), (-180, "in 3 minutes"),
        (1e300, "31,688 years ago"),
    ])
    func `The largest whole unit is shown`(_ seconds: Double, _ text: String) {
        #expect(RelativeTime.text(now.addingTimeInterval(-seconds), now: now) == text)
    }
}
