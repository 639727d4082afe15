internal import FoundationEssentials
internal import Glibc
internal import SystemPackage
internal import libxxhash

extension AvatarCache {
    /// What is remembered against a photo, if that still holds. `memoryLimit`: bytes a decode may take now.
    package func failure(of subject: String, memoryLimit: Int) -> Failure? {
        guard let failure = remembered(CacheKey(recipe: subject)), failure.subject == subject,
            failure.holds(at: options.now(), memoryLimit: memoryLimit)
        else { return nil }
        return failure
    }

    /// Remembers a failure. `isTransient`: it may go away by itself, so it is tried again after a minute, then after
    /// two, and so on up to a day; else not before the photo's bytes change.
    package func note(
        failureOf subject: String, stage: String, code: String, reason: String, memoryLimit: Int? = nil,
        isTransient: Bool = false
    ) throws(CacheError) {
        if isReadOnly { throw .readOnly(path) }
        let key = CacheKey(recipe: subject)
        let attempts = (remembered(key)?.attempts ?? 0) + 1
        let now = options.now()
        let until = isTransient ? now.addingTimeInterval(Failure.patience(attempts: attempts)) : nil
        let failure = Failure(
            subject: subject, stage: stage, code: code, reason: reason, memoryLimit: memoryLimit, attempts: attempts,
            since: now, until: until)
        do {
            let name = try session().newName()
            let file = try folder.temporary.open(name, O_WRONLY | O_CREAT | O_EXCL)
            do {
                try file.closeAfter { _ = try file.writeAll(FailureFile.bytes(failure)) }
                try replace(name, key)
            } catch {
                try? folder.temporary.remove(name)
                throw error
            }
        } catch let error as CacheError {
            throw error
        } catch { throw CacheError(error as? Errno ?? .ioError, at: path) }
    }

    /// A photo could be drawn after all.
    package func forgetFailure(of subject: String) {
        if !isReadOnly { try? folder.failures.remove(CacheKey(recipe: subject).hexadecimal) }
    }

    /// All that are remembered, those too that hold no longer, latest first.
    package func failures() throws(CacheError) -> [Failure] {
        do {
            return try folder.failures.names().compactMap { CacheKey($0.string).flatMap(remembered) }
                .sorted { ($0.since, $1.subject) > ($1.since, $0.subject) }
        } catch { throw CacheError(error, at: path) }
    }

    /// Forgets all failures, and gives their number.
    package func clearFailures() throws(CacheError) -> Int {
        if isReadOnly { throw .readOnly(path) }
        do {
            var count = 0
            for name in try folder.failures.names() where CacheKey(name.string) != nil {
                do throws(Errno) {
                    try name.withName { name throws(Errno) in try folder.failures.remove(name) }
                    count += 1
                } catch {
                    // Another process forgot it first, or it is none.
                    if error != .noSuchFileOrDirectory && error != .isDirectory { throw error }
                }
            }
            return count
        } catch { throw CacheError(error as? Errno ?? .ioError, at: path) }
    }

    /// Forgets failures that are older than `maxAge` seconds, and gives their number.
    func pruneFailures(maxAge: Double, isTrial: Bool) throws(CacheError) -> Int {
        let oldest = options.now().addingTimeInterval(-maxAge)
        let old = try failures().filter { $0.since < oldest }
        if !isTrial { for failure in old { forgetFailure(of: failure.subject) } }
        return old.count
    }

    /// A link or folder in a failure's place is moved out of the way.
    private func replace(_ name: String, _ key: CacheKey) throws(Errno) {
        do { try folder.temporary.rename(name, to: folder.failures, key.hexadecimal) } catch Errno.isDirectory {
            try folder.failures.rename(
                key.hexadecimal, to: folder.temporary, "misplaced-\(TemporaryName.random())")
            try folder.temporary.rename(name, to: folder.failures, key.hexadecimal)
        }
    }

    /// What is not whole is worth nothing and waits to be replaced.
    func remembered(_ key: CacheKey) -> Failure? {
        guard let text = try? folder.failures.text(key.hexadecimal, limit: FailureFile.largest) else { return nil }
        return FailureFile.failure(text, key: key)
    }
}

/// A failure as a file: one line of fields, the last of which is the XXH3-128 of what comes before it.
enum FailureFile {
    /// Bytes.
    static let largest = 16_384
    /// Bytes, so that with every one of them spelled as three it can be read back.
    private static let longestReason = 1000
    private static let mostAttempts = 1 << 20

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

    /// Nil when the text is not what was written for this key.
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
        return [hash.high64, hash.low64].map {
            let digits = String($0, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
