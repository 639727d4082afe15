internal import Synchronization

extension AvatarCache {
    /// From now on records the photos being drawn, so that the next process knows the photo after a crash. Photos that
    /// crashed processes were drawing get negative entries with back-off. Blocks for a moment.
    package func startDrawingJournal() {
        if isReadOnly { return }
        for subject in DrawingJournal.takeAbandoned(in: folder.root) {
            try? note(
                failureOf: subject, stage: "decode", code: "decoder-crashed",
                reason: "the process ended while it drew this photo", isTransient: true)
        }
        drawingJournal.withLock { drawingJournal in
            if drawingJournal == nil { drawingJournal = try? DrawingJournal(in: folder.root) }
        }
    }

    /// Runs `body`, which draws the photo with this subject.
    package func drawing<Result>(_ subject: String, _ body: () throws -> Result) rethrows -> Result {
        guard let journal = drawingJournal.withLock({ $0 }), let slot = journal.begin(subject) else {
            return try body()
        }
        defer { journal.end(slot) }
        return try body()
    }
}
