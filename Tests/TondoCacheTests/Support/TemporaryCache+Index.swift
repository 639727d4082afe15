import Foundation
import GRDB

@testable import TondoCache

extension TemporaryCache {
    /// A connection to the index beside the cache's own.
    func database() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: url("index.sqlite").path, configuration: configuration)
    }

    /// Changes the index behind the cache's back, constraints left unchecked.
    func tamper(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA ignore_check_constraints = ON") }
        let queue = try DatabaseQueue(path: url("index.sqlite").path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }
}

extension AvatarCache {
    var folder: CacheFolder { storage.files.folder }
    var objects: ObjectStore { storage.files.objects }
    var index: Index { storage.files.index }

    /// All entries by key, as if none had been used since it was made.
    func unusedEntries() throws -> [Entry] {
        try entries(EntryQuery()).map { entry in
            var entry = entry
            entry.used = entry.created
            return entry
        }.sorted { $0.key < $1.key }
    }

    /// Everything that a person may ask of it.
    func askEverything() throws {
        _ = try statistics()
        for order in EntryQuery.Order.allCases {
            var query = EntryQuery()
            query.order = order
            _ = try entries(query)
            (query.contact, query.limit, query.styleWords) = ("ada", 1, ["side=8"])
            (query.since, query.largerThan, query.photo) = (.distantPast, 1, "sha256:1")
            _ = try entries(query)
        }
        _ = try entry(TestImage(1).key)
        _ = try keys(prefix: "", limit: 10)
        _ = try removalRecord(of: TestImage(1).key)
        _ = try prune(maxSize: 1, maxAge: 1, isTrial: true)
    }
}
