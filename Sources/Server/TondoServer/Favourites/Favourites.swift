internal import Dispatch
private import FoundationEssentials
internal import Synchronization
package import SystemPackage
internal import TondoFiles
internal import TondoText

/// The favourites, in a file of the service that several processes may change: each change locks the file, reads it, and
/// replaces it. Usable from any thread. What changes the file blocks.
package final class Favourites: Sendable {
    /// What the log says.
    package enum Notice: Equatable, Sendable, CustomStringConvertible {
        /// The file was damaged, or another program's. Its bytes are kept in `copy`.
        case setAside(FilePath, copy: FilePath)
        /// Until it can be read, there are no favourites, and none can be added.
        case unreadable(FilePath, reason: String)
        /// A favourite could not be brought up to date; it is tried again with the next change.
        case unwritten(FilePath, reason: String)
        /// There were too many; this one, whose contact is in no book, is none any more.
        case dropped(book: String, id: String)

        package var description: String {
            switch self {
            case .setAside(let file, let copy): "\(file) has no favourites that can be read; it is kept as \(copy)"
            case .unreadable(let file, let reason): "\(file): \(reason); no contact is a favourite until it can be read"
            case .unwritten(let file, let reason): "\(file): \(reason)"
            case .dropped(let book, let id):
                "there are \(Favourites.most) favourites; \(id) of \(book), which is not there, is none any more"
            }
        }
    }

    /// Why a change was refused.
    enum Failure: Error, Equatable {
        /// There is no file for them.
        case nowhere
        /// There are too many, and all of them are there.
        case full
        case file(FileError)
    }

    /// The contacts that may be favourites.
    package static let most = 10_000
    /// Bytes of a file that is read.
    private static let largest = 64 << 20

    private struct State {
        var records: [FavouriteRecord] = []
        /// Indices of `records`, by the place, and by the other one.
        var places: [FavouriteRecord.Place: Int] = [:]
        var others: [FavouriteRecord.Place: Int] = [:]
        /// The places of those that no book has at the moment.
        var away: Set<FavouriteRecord.Place> = []
        /// The places that other contacts have now.
        var taken: Set<FavouriteRecord.Place> = []
        /// What is to be written when a write in the background begins.
        var updates: [FavouriteRecord.Place: FavouriteRecord] = [:]

        mutating func take(_ records: [FavouriteRecord]) {
            self.records = records
            let numbered = records.enumerated()
            places = Dictionary(numbered.map { ($1.place, $0) }, uniquingKeysWith: { first, _ in first })
            others = Dictionary(
                numbered.compactMap { index, record in record.other.map { ($0, index) } },
                uniquingKeysWith: { first, _ in first })
            away.formIntersection(places.keys)
            taken.formIntersection(places.keys)
        }

        func index(at place: FavouriteRecord.Place) -> Int? {
            (taken.contains(place) ? nil : places[place]) ?? others[place]
        }
    }

    private let file: FilePath?
    private let report: @Sendable (Notice) -> Void
    private let state = Mutex(State())
    /// One change of this process at a time, in the order in which the state takes them over.
    private let writing = DispatchQueue(label: "tondo.favourites")

    /// Reads the file, and blocks. `file`: nil: nothing can become a favourite. `report` may be called on any thread.
    package init(file: FilePath? = nil, report: @escaping @Sendable (Notice) -> Void = { _ in }) {
        self.file = file
        self.report = report
        guard let file, FileStatus(file) != nil else { return }
        do throws(Failure) { try change { _ in false } } catch { report(.unreadable(file, reason: Self.reason(error))) }
    }

    /// Whether there are none.
    var isEmpty: Bool { state.withLock { $0.records.isEmpty } }

    /// All, in the order in which they became favourites.
    var all: [FavouriteRecord] { state.withLock { $0.records } }

    /// The favourite that is at this place, or may be.
    func record(at place: FavouriteRecord.Place) -> FavouriteRecord? {
        state.withLock { state in state.index(at: place).map { state.records[$0] } }
    }

    /// Those that no book has at the moment.
    var away: [FavouriteRecord] {
        state.withLock { state in
            state.away.isEmpty ? [] : state.records.filter { state.away.contains($0.place) }
        }
    }

    var hasAway: Bool { state.withLock { !$0.away.isEmpty } }

    /// `away`: the places of those that no book has at the moment; `taken`: the places that other contacts have now.
    func note(away: Set<FavouriteRecord.Place>, taken: Set<FavouriteRecord.Place> = []) {
        state.withLock { state in
            state.away = away
            state.taken = taken
        }
    }

    func note(_ place: FavouriteRecord.Place, isAway: Bool) {
        state.withLock { state in
            if isAway { state.away.insert(place) } else { state.away.remove(place) }
        }
    }

    /// Adds a favourite, in place of one that was at its place before another contact was.
    func add(_ record: FavouriteRecord) throws(Failure) {
        let away = state.withLock { $0.away }
        var dropped: FavouriteRecord?
        try change { records throws(Failure) in
            records.removeAll { $0.place == record.place }
            for index in records.indices where records[index].other == record.place { records[index].other = nil }
            if records.count >= Self.most {
                guard let oldest = records.firstIndex(where: { away.contains($0.place) }) else { throw .full }
                dropped = records.remove(at: oldest)
            }
            records.append(record)
            return true
        }
        if let dropped { report(.dropped(book: dropped.place.book, id: dropped.place.id)) }
    }

    /// The contact at this place is no favourite any more.
    func remove(at place: FavouriteRecord.Place) throws(Failure) {
        let own = record(at: place)?.place ?? place
        try change { records in
            let count = records.count
            records.removeAll { $0.place == own }
            return records.count < count
        }
    }

    /// Takes over what is known of favourites now; the file follows in the background.
    func update(_ records: [FavouriteRecord]) {
        if records.isEmpty { return }
        let isFirst = state.withLock { state in
            for record in records {
                guard let index = state.places[record.place] else { continue }
                if let last = state.records[index].other { state.others[last] = nil }
                state.records[index] = record
                if let other = record.other { state.others[other] = index }
            }
            defer { for record in records { state.updates[record.place] = record } }
            return state.updates.isEmpty
        }
        // One write for all that come until it begins.
        guard isFirst, let file else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            do throws(Failure) { try change { _ in false } } catch {
                report(.unwritten(file, reason: Self.reason(error)))
            }
        }
    }

    /// Returns once what `update` took over is written.
    func flush() { try? change { _ in false } }

    /// `body`: changes what the file has, and returns whether it did.
    private func change(_ body: (inout [FavouriteRecord]) throws(Failure) -> Bool) throws(Failure) {
        guard let file else { throw .nowhere }
        let result = writing.sync { () -> Result<Void, Failure> in
            do throws(Failure) {
                try change(file, body: body)
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    private func change(_ file: FilePath, body: (inout [FavouriteRecord]) throws(Failure) -> Bool) throws(Failure) {
        let updates = state.withLock { state in
            defer { state.updates = [:] }
            return state.updates
        }
        do {
            let locked = try LockedFile(file, size: Self.largest, permissions: .ownerReadWrite)
            let known = try known(locked)
            var records = known.records
            for index in records.indices { records[index] = updates[records[index].place] ?? records[index] }
            let isChanged = try body(&records)
            if isChanged || records != known.records || known.isDamaged {
                let bytes = try Self.encoded(records)
                // A file that is not read any more would be no favourite at all.
                guard bytes.count < Self.largest else { throw Failure.full }
                try locked.replace(with: bytes)
            }
            state.withLock { $0.take(records) }
        } catch {
            state.withLock { state in state.updates.merge(updates) { newer, _ in newer } }
            throw error as? Failure ?? .file(error as? FileError ?? FileError(.write, path: file, errno: .ioError))
        }
    }

    /// What the file has. A file that has no favourites that can be read is copied before it is replaced.
    private func known(_ file: LockedFile) throws -> (records: [FavouriteRecord], isDamaged: Bool) {
        if file.bytes.isEmpty { return ([], false) }
        let decoder = JSONDecoder()
        if let document = try? decoder.decode(FavouriteDocument.self, from: Data(file.bytes)),
            document.tondoFavourites == FavouriteDocument.version
        {
            return (document.favourites, false)
        }
        // A newer version of the service will read it again.
        if let header = try? decoder.decode(FavouriteDocument.Header.self, from: Data(file.bytes)),
            header.tondoFavourites > FavouriteDocument.version
        {
            throw FileError(.read, path: file.path, errno: .notSupported)
        }
        let copy = Self.copy(of: file.path)
        try AtomicFile.create(copy, with: file.bytes, mode: 0o600)
        report(.setAside(file.path, copy: copy))
        return ([], true)
    }

    /// A name that no file has: `favourites.json.damaged-1`.
    private static func copy(of file: FilePath) -> FilePath {
        let folder = file.removingLastComponent()
        let name = file.lastComponent?.string ?? "favourites"
        let number = (1...).first { FileStatus(folder.appending("\(name).damaged-\($0)")) == nil } ?? 1
        return folder.appending("\(name).damaged-\(number)")
    }

    private static func encoded(_ records: [FavouriteRecord]) throws -> [UInt8] {
        let document = FavouriteDocument(tondoFavourites: FavouriteDocument.version, favourites: records)
        return try JSONReport.encode(document) + [0x0A]
    }

    private static func reason(_ failure: Failure) -> String {
        if case .file(let error) = failure { "\(error)" } else { "it cannot be changed" }
    }
}
