internal import FoundationEssentials
internal import Glibc
internal import SystemPackage
internal import TondoFiles
internal import TondoText
internal import libxxhash

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
            let file = try folder.open(key.hexadecimal, flags: O_RDONLY)
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

    static func bytes(of failure: Failure) -> [UInt8] {
        var fields = Fields()
        fields.add("subject", value: failure.subject)
        fields.add("stage", value: failure.stage)
        fields.add("code", value: failure.code)
        fields.add("reason", value: cut(failure.reason))
        if let limit = failure.memoryLimit { fields.add("memory", value: String(limit)) }
        fields.add("attempts", value: String(failure.attempts))
        fields.add("since", value: String(failure.since.milliseconds))
        if let until = failure.until { fields.add("until", value: String(until.milliseconds)) }
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
