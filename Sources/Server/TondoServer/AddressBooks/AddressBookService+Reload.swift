internal import SystemPackage
internal import TondoAvatars

/// What a reload keeps.
extension AddressBookService.State {
    struct Reload {
        /// Loaders that are to be cancelled.
        var unwanted: [ContactLoader]
        /// The books that are not read again.
        var unchanged: Set<Int>
        /// The books whose contacts stay.
        var kept: Set<Int>
        /// The generation of the books that are read now.
        var generation: Int
    }

    /// `loaders`: new ones, of which those of unchanged books are not used.
    mutating func serve(_ books: [FilePath], styles: [AvatarStyle], by loaders: [ContactLoader]) -> Reload {
        let kept = Set(zip(books, self.books).enumerated().filter { $1.0 == $1.1 }.map(\.offset))
        let unchanged: Set<Int> = styles == self.styles && !isStopped ? kept.filter { progress[$0].problem == nil } : []
        let all = self.loaders + drawingLoaders.values
        generation += 1
        isBegun = true
        isStopped = false
        generations = books.indices.map { unchanged.contains($0) ? generations[$0] : generation }
        self.loaders = books.indices.map { unchanged.contains($0) ? self.loaders[$0] : loaders[$0] }
        self.books = books
        self.styles = styles
        drawingLoaders = drawingLoaders.filter { kept.contains($0.key) }
        for book in kept where progress[book].total != nil { former[book] = progress[book] }
        former = former.filter { kept.contains($0.key) }
        progress = progress(after: kept, unchanged)
        // Subscribers know the contacts of the unchanged books, so no second total begins a new count of them.
        if unchanged.isEmpty {
            hasPublishedTotal = false
            hasPublishedFinished = false
            held = []
            summary = LoadSummary()
        }
        let used = Set((self.loaders + drawingLoaders.values).map { ObjectIdentifier($0) })
        return Reload(
            unwanted: all.filter { !used.contains(ObjectIdentifier($0)) }, unchanged: unchanged, kept: kept,
            generation: generation)
    }

    private func progress(after kept: Set<Int>, _ unchanged: Set<Int>) -> [AddressBookService.Progress] {
        books.indices.map { book in
            if unchanged.contains(book) { return progress[book] }
            var new = AddressBookService.Progress(book: book)
            new.isKept = kept.contains(book) && (progress[book].isRead || progress[book].isKept)
            new.isAdded = !unchanged.isEmpty && hasPublishedTotal
            return new
        }
    }
}
