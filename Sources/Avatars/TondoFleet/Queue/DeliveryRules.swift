/// What becomes of a job that was delivered, drawn or not. Pure.
package struct DeliveryRules: Equatable, Sendable {
    /// After so many deliveries without an end a job is moved to the dead ones.
    package var mostDeliveries = 3

    package init() {}

    package enum Start: Equatable, Sendable {
        case draw
        /// Alone: a worker ended with this job and others, and only one of them may be the cause.
        case drawAlone
        case deadLetter
    }

    /// `deliveries`: including this one.
    package func start(deliveries: Int) -> Start {
        if deliveries > mostDeliveries { return .deadLetter }
        return deliveries > 1 ? .drawAlone : .draw
    }

    /// How drawing ended.
    package enum Ending: Equatable, Sendable {
        case drawn
        /// It fails again wherever it is drawn.
        case failed
        /// It may succeed elsewhere or later.
        case failedForNow
        /// This worker ends, or had no room.
        case notBegun
    }

    package enum End: Equatable, Sendable {
        /// Acknowledged, deleted, and reported to the requester.
        case complete
        /// Stays pending, and is claimed after a while.
        case leave
        case deadLetter
        /// To be delivered at once to another worker; this delivery does not count.
        case handBack
    }

    package func end(_ ending: Ending, deliveries: Int) -> End {
        switch ending {
        case .drawn, .failed: .complete
        case .failedForNow: deliveries >= mostDeliveries ? .deadLetter : .leave
        case .notBegun: .handBack
        }
    }
}
