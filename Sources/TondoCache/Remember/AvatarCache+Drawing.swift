internal import Synchronization

extension AvatarCache {
    /// From now on notes which photos are drawn, so that the next process knows which one it was when this one dies. What
    /// processes that died were drawing is remembered as a failure with back-off. Blocks for a moment.
    package func noteDrawings() {
        if isReadOnly { return }
        for subject in DrawingNotes.takeAbandoned(in: folder.root) {
            try? note(
                failureOf: subject, stage: "decode", code: "decoder-crashed",
                reason: "the program ended while it drew this photo", isTransient: true)
        }
        drawings.withLock { drawings in
            if drawings == nil { drawings = try? DrawingNotes(in: folder.root) }
        }
    }

    /// Runs `body`, which draws the photo that failures know by this name.
    package func drawing<Result>(_ subject: String, _ body: () throws -> Result) rethrows -> Result {
        guard let notes = drawings.withLock({ $0 }), let slot = notes.begin(subject) else { return try body() }
        defer { notes.end(slot) }
        return try body()
    }
}
