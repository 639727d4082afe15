import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles
import TondoImage
import TondoText

/// Results as JSON, one object per line. Keys are stable; new ones may be added.
enum JSONLine {
    static func result(_ result: ConversionResult) -> String { encode(ResultLine(result)) }

    /// An unreadable folder, in the shape of a result.
    static func failure(_ error: FileError) -> String { encode(ResultLine(error)) }

    /// An unreadable contact, or a whole unreadable book.
    static func failure(_ failure: ContactFailure) -> String { encode(ResultLine(failure)) }

    /// `output`: the output path, as the user wrote it.
    static func summary(_ summary: ConversionSummary, output: String) -> String {
        encode(SummaryLine(summary: summary, output: output))
    }

    static func encode(_ value: some Encodable) -> String {
        guard let bytes = try? JSONReport.encode(value, order: .sorted) else { return "{}" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private struct ResultLine: Encodable {
    struct Output: Encodable {
        var path: String
        var size: Int
        var scale: Int
        var state: String
        var side: Int
        var written: Bool
        var source: String
        var bytes: Int?
    }

    struct Failure: Encodable {
        var stage: String
        var code: String
        var message: String
        var remembered: Bool?
    }

    var event = "result"
    var input: String
    var contact: String?
    var status: String
    var format: String?
    var width: Int?
    var height: Int?
    var orientation: Int?
    var crop: CropReport?
    /// Beside the crop, not in it.
    var faces: [CropReport.Face]?
    var outputs: [Output]
    var warnings: [String]
    var error: Failure?
    var ms: Double

    init(_ error: FileError) {
        input = error.path.string
        status = "failed"
        outputs = []
        warnings = []
        ms = 0
        self.error = Failure(stage: "file", code: error.code, message: error.description)
    }

    init(_ failure: ContactFailure) {
        input = failure.place
        status = "failed"
        outputs = []
        warnings = []
        ms = 0
        error = Failure(stage: "contact", code: failure.error.code, message: failure.error.description)
    }

    init(_ result: ConversionResult) {
        input = result.input.name
        if case .contact(let person) = result.input.source { contact = person.contact.id }
        status = result.status.rawValue
        format = result.header?.format.rawValue
        width = result.header?.width
        height = result.header?.height
        orientation = result.header?.orientation.rawValue
        crop = result.crop
        faces = crop?.faces
        crop?.faces = nil
        outputs = result.outputs.map { output in
            Output(
                path: output.path.string, size: output.style.size, scale: output.style.scale,
                state: output.style.state.rawValue, side: output.style.side, written: output.isWritten,
                source: output.source.rawValue,
                bytes: output.isWritten ? output.bytes : nil)
        }
        warnings = result.warnings.map(\.description)
        error = result.failure.map {
            Failure(
                stage: $0.stage, code: $0.code, message: $0.message, remembered: $0.isNegativeEntry ? true : nil)
        }
        ms = (result.milliseconds * 1000).rounded() / 1000
    }
}

private struct SummaryLine: Encodable {
    var event = "summary"
    var inputs: Int
    var done: Int
    var skipped: Int
    var failed: Int
    var ignored: Int
    var groups: Int
    var noPhoto: Int
    var left: Int
    var written: Int
    var cached: Int
    var bytes: Int
    var seconds: Double
    var interrupted: Bool
    var output: String

    init(summary: ConversionSummary, output: String) {
        self.output = output
        inputs = summary.inputs
        done = summary.done
        skipped = summary.skipped
        failed = summary.failed
        ignored = summary.ignored
        left = summary.left
        written = summary.written
        bytes = summary.bytes
        cached = summary.cached
        noPhoto = summary.photoless
        groups = summary.groups
        seconds = (summary.seconds * 1000).rounded() / 1000
        interrupted = summary.isInterrupted
    }
}
