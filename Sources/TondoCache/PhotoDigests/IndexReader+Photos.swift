internal import FoundationEssentials
internal import GRDB

extension IndexReader {
    func photo(_ place: PhotoPlace) throws -> PhotoFacts? {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT facts FROM photos WHERE place = ?"), arguments: [Data(place.bytes)])
        return try rows.next().flatMap(Self.facts)
    }

    /// The latest `limit` photos.
    func photos(limit: Int) throws -> [PhotoPlace: PhotoFacts] {
        var photos: [PhotoPlace: PhotoFacts] = [:]
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT facts, place FROM photos ORDER BY id DESC LIMIT ?"),
            arguments: [limit])
        while let row = try rows.next() {
            let place = try row.withUnsafeData(atIndex: 1) {
                $0.flatMap { $0.withUnsafeBytes(PhotoPlace.init(bytes:)) }
            }
            if let place { photos[place] = try Self.facts(row) }
        }
        return photos
    }

    /// Nil for a damaged row: the photo is read then.
    private static func facts(_ row: Row) throws -> PhotoFacts? {
        try row.withUnsafeData(atIndex: 0) { $0.flatMap { $0.withUnsafeBytes(PhotoFacts.init(bytes:)) } }
    }
}

extension IndexWriter {
    func removePhotos() throws { try database.cachedStatement(sql: "DELETE FROM photos").execute() }

    /// Adds or replaces rows, and drops the oldest above `limit`.
    func put(_ photos: [PhotoPlace: PhotoFacts], limit: Int) throws {
        if photos.isEmpty { return }
        let insert = try database.cachedStatement(sql: "INSERT OR REPLACE INTO photos (place, facts) VALUES (?, ?)")
        for (place, facts) in photos { try insert.execute(arguments: [Data(place.bytes), Data(facts.bytes)]) }
        // Ids grow by one, so that this needs no count of the rows; gaps only make it drop a few more.
        try database.cachedStatement(sql: "DELETE FROM photos WHERE id <= (SELECT max(id) FROM photos) - ?")
            .execute(arguments: [limit])
    }
}
