/// What a worker reports about a job to its requester: one element of a list, whose parts are separated by tabs.
package struct JobResult: Equatable, Sendable {
    /// An avatar of the job, in the order of its styles.
    package struct Avatar: Equatable, Sendable {
        /// 64 digits.
        package var key: String
        package var isDrawn: Bool
        /// To draw it, or to find it.
        package var milliseconds: Double

        package init(key: String, isDrawn: Bool, milliseconds: Double) {
            self.key = key
            self.isDrawn = isDrawn
            self.milliseconds = milliseconds
        }
    }

    /// The number of the job in its run.
    package var number: Int
    /// Nil: all avatars are there.
    package var code: String?
    /// For people, with a `code`.
    package var message = ""
    package var avatars: [Avatar] = []

    package init(number: Int, avatars: [Avatar]) {
        self.number = number
        self.avatars = avatars
    }

    package init(number: Int, code: String, message: String) {
        self.number = number
        self.code = code
        self.message = message
    }

    /// The photo's temporary blob was evicted: the requester stores it again.
    package static let photoGone = "photo-gone"
    /// The entry was no job.
    package static let malformed = "malformed-job"
    /// A worker ended while it drew the photo, for the last permitted time.
    package static let workerLost = "worker-lost"

    /// `tondo jobs drop` deleted the job.
    package static let dropped = "job-dropped"

    private static let longestMessage = 500
    private static let mostAvatars = 64

    package var text: String {
        if let code {
            let line = message.unicodeScalars.map { $0 == "\t" ? " " : Character($0) }
            return "\(number)\t\(code)\t\(String(line.prefix(Self.longestMessage)))"
        }
        let words = avatars.map { "\($0.key),\($0.isDrawn ? "drawn" : "cached"),\($0.milliseconds)" }
        return "\(number)\t\t\(words.joined(separator: " "))"
    }

    /// Nil for anything else than `text`.
    package init?(_ text: String) {
        let parts = text.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let number = Int(parts[0]) else { return nil }
        self.number = number
        if !parts[1].isEmpty {
            code = parts[1]
            message = parts[2]
            return
        }
        let words = parts[2].split(separator: " ")
        let found = words.prefix(Self.mostAvatars).map { Avatar($0) }
        guard found.count == words.count, found.allSatisfy({ $0 != nil }) else { return nil }
        avatars = found.compactMap(\.self)
    }
}

extension JobResult.Avatar {
    fileprivate init?(_ word: Substring) {
        let parts = word.split(separator: ",")
        guard parts.count == 3, parts[0].utf8.count == 64, let time = Double(parts[2]), time.isFinite,
            parts[1] == "drawn" || parts[1] == "cached"
        else { return nil }
        self.init(key: String(parts[0]), isDrawn: parts[1] == "drawn", milliseconds: time)
    }
}
