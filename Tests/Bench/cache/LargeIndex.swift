import Foundation
import Glibc
import TondoCache

/// A cache whose index has many rows, written by SQL since the files behind them are not needed. One photo has six
/// renditions, one contact one photo; one rendition in 10,000 is of a rare style.
struct LargeIndex {
    static let contact = "people/77.vcf"

    let path: String
    let entries: Int

    init(_ path: String, entries: Int) throws {
        (self.path, self.entries) = (path, entries)
        let cache = try AvatarCache.unlimited(path)
        // Makes the tables.
        let image = TestImage(0)
        try cache.store(image)
        cache.flush()
        try cache.remove(image.key)
        cache.close()
        let database = Database(file)
        database.run("PRAGMA cache_size = -400000; PRAGMA temp_store = MEMORY; BEGIN")
        database.run(Self.templates)
        database.run(Self.rows(entries))
        database.run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private var file: String { path + "/index.sqlite" }

    /// Takes the index out of the page cache, as far as the kernel does so.
    func forget() {
        let descriptor = open(file, O_RDONLY)
        fsync(descriptor)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        close(descriptor)
    }

    private static let templates = """
        INSERT INTO templates (id, text, style, side)
        SELECT id, style || ' decode=1/2 format=png renderer=1', style, side FROM (
            SELECT 101 + sides.key * 2 + rings.key AS id, sides.value AS side,
                'side=' || sides.value || ' inset=0' || rings.value || ' background=none' AS style
            FROM json_each('[48, 96, 144, 192, 1024]') sides, json_each('["", " ring=4 ring-color=#0A84FF"]') rings);
        """

    private static func rows(_ count: Int) -> String {
        """
        CREATE TEMP TABLE photos (id INTEGER PRIMARY KEY, digest TEXT);
        WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count / 6))
        INSERT INTO photos SELECT n, 'sha256:' || lower(hex(randomblob(32))) FROM numbers;
        WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < \(count))
        INSERT INTO entries (id, key, photo, crop, template, size, cost, created, used)
        SELECT n + 1000, randomblob(32), digest, 'none', CASE WHEN n % 10000 = 5 THEN 109 ELSE 101 + n % 6 END,
            2000 + abs(random()) % 40000, 1 + abs(random()) % 10000 / 100.0, 1760000000000 + n * 1000,
            1760000000000 + n * 1000 + abs(random()) % 10000000000
        FROM numbers JOIN photos ON photos.id = n / 6;
        INSERT INTO contacts (contact, entry, place)
        SELECT 'people/' || ((id - 1000) / 6) || '.vcf', id, 0 FROM entries WHERE id >= 1000;
        DROP TABLE photos;
        """
    }
}
