import ArgumentParser
import Glibc

/// When words have colours.
enum ColorMode: String, WordArgument, CaseIterable, Sendable {
    case auto, always, never
}

/// The option of commands whose output has colours.
struct ColorOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When to use colours and bold type; auto: on a terminal, unless NO_COLOR is set.", valueName: "when"))
    var color = ColorMode.auto

    /// For standard output.
    var paint: Paint {
        let noColor = getenv("NO_COLOR").map { String(cString: $0) }
        return Paint(color, isTerminal: StandardStreams.colorColumns != nil, noColor: noColor)
    }
}

/// Colours and bold type, or none. Text has its width measured before it is painted.
struct Paint: Equatable {
    /// The parameter of the control sequence (ECMA-48 8.3.117).
    enum Tone: Int {
        case heading = 1
        case bad = 31
        case good = 32
        case poor = 33
    }

    private let isOn: Bool

    static let none = Paint(.never, isTerminal: false, noColor: nil)

    /// `noColor`: the value of NO_COLOR (no-color.org), which counts unless it is empty.
    init(_ mode: ColorMode, isTerminal: Bool, noColor: String?) {
        isOn =
            switch mode {
            case .auto: isTerminal && noColor?.isEmpty != false
            case .always: true
            case .never: false
            }
    }

    func callAsFunction(_ text: some StringProtocol, _ tone: Tone?) -> String {
        guard isOn, let tone else { return String(text) }
        return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }
}
