internal import FoundationEssentials
internal import Glibc
internal import SystemPackage
internal import TondoFiles
internal import TondoText
internal import libxxhash

extension AvatarCache {
    /// The negative entry of a photo, if it is still valid. `memoryLimit`: bytes a decode may use now.
    package func failure(of subject: String, memoryLimit: Int) -> Failure? {
        guard let failure = negativeEntry(CacheKey(recipe: subject)), failure.subject == subject,
            failure.holds(at: options.now(), memoryLimit: memoryLimit)
        else { return nil }
        return failure
    }

    /// Stores a negative entry. `isTransient`: the cause may go away by itself, so that the photo is retried after a
    /// minute, then after two, and so on up to a day; else not before the photo's bytes change.
    package func note(
        failureOf subject: String, stage: String, code: String, reason: String, memoryLimit: Int? = nil,
        isTransient: Bool = false
    ) throws(CacheError) {
        try checkStoring()
        let key = CacheKey(recipe: subject)
        let attempts = (negativeEntry(key)?.attempts ?? 0) + 1
        let now = options.now()
        let until = isTransient ? now.addingTimeInterval(Failure.retryDelay(attempts: attempts)) : nil
        let failure = Failure(
            subject: subject, stage: stage, code: code, reason: reason, memoryLimit: memoryLimit, attempts: attempts,
            since: now, until: until)
        try inWholeFolder { () throws(CacheError) in try store(failure, key) }
    }

    private func store(_ failure: Failure, _ key: CacheKey) throws(CacheError) {
        try change(key, .failure) { session in
            let (name, bytes) = (session.newName(), FailureFile.bytes(failure))
            do {
                let state = try write(bytes, to: name)
                try replace(name, key)
                let row = FailureRow(failure, key: key, size: bytes.count)
                return ((), Change(kind: .failure, failure: row, file: state))
            } catch {
                try? folder.temporary.remove(name)
                throw error
            }
        }
    }

    /// The photo could be drawn after all.
    package func forgetFailure(of subject: String) {
        let key = CacheKey(recipe: subject)
        guard !isReadOnly, (try? folder.failures.status(key.hexadecimal)) != nil else { return }
        try? change(key, kind: .failure) { try folder.failures.remove(key.hexadecimal) }
    }

    /// All negative entries, including expired ones, latest first. Reads every file.
    package func failures() throws(CacheError) -> [Failure] {
        do {
            return try folder.failures.names().compactMap { CacheKey($0.string).flatMap(negativeEntry) }
                .sorted { ($0.since, $1.subject) > ($1.since, $0.subject) }
        } catch { throw CacheError(error, at: path) }
    }

    /// Removes all negative entries, and returns their number.
    package func clearFailures() throws(CacheError) -> Int {
        if isReadOnly { throw .readOnly(path) }
        try bringUpToDate()
        do {
            var count = 0
            for key in try folder.failures.names().compactMap({ CacheKey($0.string) }) {
                do throws(CacheError) {
                    try change(key, kind: .failure) { try folder.failures.remove(key.hexadecimal) }
                    count += 1
                } catch {
                    // Another process removed it first, or it is not a file.
                    if error != .missing(path) && error != .system(path, .isDirectory) { throw error }
                }
            }
            flush()
            return count
        } catch let error as CacheError {
            throw error
        } catch { throw CacheError(error as? Errno ?? .ioError, at: path) }
    }

    /// Makes a negative entry's row agree with its file.
    func commitFailure(_ key: CacheKey, _ change: Change, in writer: inout IndexWriter) throws {
        if let known = change.failure, let placed = change.file,
            try folder.failures.status(key.hexadecimal)?.isSame(as: placed) == true
        {
            return try writer.put(known)
        }
        if let found = try FailureFile.read(key, in: folder.failures) {
            try writer.put(FailureRow(found.failure, key: key, size: found.state.size))
        } else {
            try writer.removeFailure(key)
        }
    }

    /// Counts negative entries again that other processes added or removed without a journal.
    func commitFailures() throws(CacheError) {
        if isReadOnly { return }
        do {
            let names = Set(try folder.failures.names().compactMap { CacheKey($0.string) })
            let differing = names.symmetricDifference(try index.read { try $0.failureKeys() })
            let change = Change(kind: .failure, announced: 0)
            note(Dictionary(uniqueKeysWithValues: differing.map { ($0, change) }))
            if !differing.isEmpty { flush() }
        } catch let error as CacheError {
            throw error
        } catch { throw CacheError(error as? Errno ?? .ioError, at: path) }
    }

    /// A link or folder in the place of a negative entry is moved away.
    private func replace(_ name: String, _ key: CacheKey) throws(Errno) {
        do { try folder.temporary.rename(name, to: folder.failures, key.hexadecimal) } catch Errno.isDirectory {
            try folder.failures.rename(
                key.hexadecimal, to: folder.temporary, "misplaced-\(TemporaryName.random())")
            try folder.temporary.rename(name, to: folder.failures, key.hexadecimal)
        }
    }

    /// A damaged one is ignored until it is replaced.
    func negativeEntry(_ key: CacheKey) -> Failure? { try? FailureFile.read(key, in: folder.failures)?.failure }
}

/// The file of a negative entry: one line of fields, the last of which is the XXH3-128 of the text before it.
enum FailureFile {
    /// Bytes.
    static let largest = 16_384
    /// Bytes; short enough that the file can be read back with every byte escaped to three.
    private static let longestReason = 1000
    private static let mostAttempts = 1 << 20

    /// Nil if there is none, or it is damaged. An error means that it may exist.
    static func read(_ key: CacheKey, in folder: Folder) throws(Errno) -> (failure: Failure, state: FileStatus)? {
        do {
            let file = try folder.open(key.hexadecimal, O_RDONLY)
            defer { try? file.close() }
            let state = try FileStatus(file)
            guard state.kind == .regular, state.size <= largest else { return nil }
            let bytes = try EntryFile.bytes(file, size: state.size)
            return failure(String(decoding: bytes, as: UTF8.self), key: key).map { ($0, state) }
        } catch {
            if error.isTransient { throw error }
            return nil
        }
    }

    static func bytes(_ failure: Failure) -> [UInt8] {
        var fields = Fields()
        fields.add("subject", failure.subject)
        fields.add("stage", failure.stage)
        fields.add("code", failure.code)
        fields.add("reason", cut(failure.reason))
        if let limit = failure.memoryLimit { fields.add("memory", String(limit)) }
        fields.add("attempts", String(failure.attempts))
        fields.add("since", String(failure.since.milliseconds))
        if let until = failure.until { fields.add("until", String(until.milliseconds)) }
        return Array("\(fields.text) sum=\(sum(fields.text))\n".utf8)
    }

    private static func cut(_ reason: String) -> String {
        var (cut, count) = (String.UnicodeScalarView(), 0)
        for scalar in reason.unicodeScalars {
            count += UTF8.width(scalar)
            if count > longestReason { break }
            cut.append(scalar)
        }
        return String(cut)
    }

    /// Nil if the text was not written for this key.
    static func failure(_ text: String, key: CacheKey) -> Failure? {
        let fields = Fields(text.hasSuffix("\n") ? text.dropLast() : text[...])
        guard let sum = fields["sum"], text == "\(text.dropLast(sum.utf8.count + 6)) sum=\(sum)\n",
            sum == Self.sum(String(text.dropLast(sum.utf8.count + 6))),
            let subject = fields["subject"], CacheKey(recipe: subject) == key, let stage = fields["stage"],
            let code = fields["code"], let reason = fields["reason"],
            let attempts = fields["attempts"].flatMap({ Int($0) }), let since = fields["since"].flatMap({ Int64($0) })
        else { return nil }
        return Failure(
            subject: subject, stage: stage, code: code, reason: reason,
            memoryLimit: fields["memory"].flatMap { Int($0) }, attempts: min(max(attempts, 1), mostAttempts),
            since: Date(milliseconds: since),
            until: fields["until"].flatMap { Int64($0) }.map { Date(milliseconds: $0) })
    }

    private static func sum(_ text: String) -> String {
        var text = text
        let hash = text.withUTF8 { XXH3_128bits($0.baseAddress, $0.count) }
        return Hex.text(hash.high64, digits: 16) + Hex.text(hash.low64, digits: 16)
    }
}
