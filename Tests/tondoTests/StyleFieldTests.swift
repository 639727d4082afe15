import ArgumentParser
import Foundation
import Testing
import TondoAvatars
import TondoFleet
import TondoImage
import TondoRender
import TondoTestSupport

@testable import TondoConfiguration
@testable import TondoServer
@testable import tondo

/// Gives every field of the table to every reader and writer of styles: a new entry is in all of these tests at once, and
/// fails where it is ignored.
@Suite struct StyleFieldTests {
    /// A text for a field: a limit, the default or something between them; or the nearest text beyond a limit.
    struct Case: Sendable, CustomTestStringConvertible {
        let field: StyleField
        let text: String
        var isPermitted = true

        var testDescription: String { "\(field.name)=\(text)" }

        /// The value as programs write it; nil: the field has none.
        var value: String? {
            switch field.kind {
            case .number, .choice: text
            case .decimal: Double(text).map { "\($0)" }
            case .color: RGBA(text)?.hexadecimal
            }
        }

        /// A style in which every field can be seen, with this text for its field.
        var texts: [String: String] {
            ["size": "1024", "state": "selected", "format": "webp"].merging([field.name: text]) { $1 }
        }
    }

    static let cases: [Case] = StyleField.all.flatMap { field in
        let (valid, invalid): ([String], [String])
        switch field.kind {
        case .number(let range):
            valid = ["\(range.lowerBound)", "\(range.upperBound)", field.standard].compactMap(\.self)
            invalid = ["\(range.lowerBound - 1)", "\(range.upperBound + 1)"]
        case .decimal(let range):
            valid = ["\(range.lowerBound)", "\(range.upperBound)", "1.5"]
            invalid = ["\(range.lowerBound - 0.5)", "\(range.upperBound + 0.5)", "nan"]
        case .choice(let words): (valid, invalid) = (words, ["other"])
        case .color(let word): (valid, invalid) = (["#ff0080", "navy", word].compactMap(\.self), ["#12345", "bluish"])
        }
        return valid.map { Case(field: field, text: $0) }
            + invalid.map { Case(field: field, text: $0, isPermitted: false) }
    }

    private static let settings = cases.filter { $0.field.access != .programs }
    private static let parameters = cases.filter { $0.field.access == .requests }
    private static let words = cases.filter { $0.field.word != nil }

    /// A refusal in the words of a reader.
    private struct Refusal: Error, CustomStringConvertible { let description: String }

    /// A reader gives the described style, or the reason why there is none: the value is not permitted, or leaves no room.
    private func check(
        _ given: Case, isSelectable: Bool = false, by read: ([String: String]) throws(Refusal) -> Style
    ) -> String? {
        do {
            let style = try read(given.texts)
            #expect(given.isPermitted && given.field.text(style) == given.value)
            #expect(style == Style(fields: given.texts, isSelectable: isSelectable) && style.problem == nil)
            return nil
        } catch {
            #expect(!given.isPermitted || Style(fields: given.texts).problem != nil, "\(error)")
            if given.isPermitted { #expect(error.description.contains("leave no room")) }
            return given.isPermitted ? nil : error.description
        }
    }

    @Test(arguments: settings) func `An option takes the field up to its limits`(_ given: Case) {
        let refusal = check(given) { texts throws(Refusal) in
            do { return try StyleOptions.parse(texts.map { "--\($0)=\($1)" }).styles[0] } catch {
                throw Refusal(description: StyleOptions.message(for: error))
            }
        }
        if let refusal { #expect(refusal.contains("--\(given.field.name) ")) }
    }

    @Test(arguments: settings) func `A style of the configuration takes the field up to its limits`(_ given: Case) {
        let refusal = check(given) { texts throws(Refusal) in try configured(texts) }
        if let refusal { #expect(refusal.contains(": \(given.field.name) must be ")) }
    }

    @Test(arguments: parameters) func `A query takes the field up to its limits`(_ given: Case) {
        let refusal = check(given, isSelectable: true) { texts throws(Refusal) in
            do throws(ProblemDetails) {
                return try AvatarQuery(texts.map { "\($0)=\($1)" }.joined(separator: "&"), styles: [:]).style
            } catch {
                throw Refusal(description: error.detail ?? "")
            }
        }
        if let refusal { #expect(refusal == "\(given.field.name) must be \(given.field.allowed).") }
    }

    @Test(arguments: parameters) func `A body with many avatars takes the field up to its limits`(_ given: Case) {
        let refusal = check(given, isSelectable: true) { texts throws(Refusal) in
            let members = texts.map { "\"\($0)\":\(written($0, $1))" } + ["\"ids\":[]"]
            let body = Data("{\(members.joined(separator: ","))}".utf8)
            do {
                return try JSONDecoder().decode(BulkAvatarQuery.self, from: body)
                    .style(quality: AvatarFormat.usualQuality)
            } catch { throw Refusal(description: (error as? ProblemDetails)?.detail ?? "\(error)") }
        }
        if let refusal { #expect(refusal == "\(given.field.name) must be \(given.field.allowed).") }
    }

    @Test(arguments: words) func `A job of the work queue carries the field up to its limits`(_ given: Case) {
        var style = Style(fields: Self.visible)
        if given.isPermitted { given.field.set(&style, given.text) }
        #expect(StyleText.style(StyleText.text(style)) == (style.problem == nil ? style : nil))
        if !given.isPermitted { #expect(StyleText.style(job(given)) == nil, "\(job(given))") }
    }

    @Test(arguments: words) func `A request to a render worker carries the field up to its limits`(_ given: Case) throws
    {
        var style = Style(fields: Self.visible)
        given.field.set(&style, given.text)
        let setup = RenderSetup(styles: [style], limits: Limits())
        let bytes = RenderRequest(setup: setup, avatars: [], crop: nil, source: .inBand(count: 0)).bytes
        if style.problem == nil, given.isPermitted {
            #expect(given.field.text(style) == given.value)
            #expect(try RenderRequest(bytes).setup.styles == [style])
        } else if given.field.text(style) == given.text {
            // Values that a style cannot hold, such as an unknown word, are never written.
            #expect(throws: WireError.self) { try RenderRequest(bytes) }
        }
    }

    @Test(arguments: cases.filter(\.isPermitted)) func `Another value is another recipe`(_ given: Case) {
        let usual = Style(fields: Self.visible)
        var style = usual
        given.field.set(&style, given.text)
        guard style.problem == nil else { return }
        func recipe(_ style: Style) -> AvatarRecipe {
            AvatarRecipe(photo: .init(PhotoFile(copying: [1])), style: style, decodeDenominator: 1)
        }
        #expect((recipe(style) == recipe(usual)) == (given.field.text(usual) == given.value))
    }

    @Test func `A style without a word has the defaults, in every reader`() throws {
        let style = Style(size: 96)
        #expect(try StyleOptions.parse([]).styles == [style] && configured([:]) == style)
        #expect(try AvatarQuery("", styles: [:]).style == style)
        #expect(
            try JSONDecoder().decode(BulkAvatarQuery.self, from: Data(#"{"ids":[]}"#.utf8)).style(quality: 7) == style)
        #expect(StyleText.text(style) == "96x1 normal")
        #expect(style.canonicalText == "side=96 inset=0 background=none" && Style(fields: [:]) == style)
        for field in StyleField.all where field.name != StyleField.quality.name {
            #expect(field.text(style) == field.standard, "\(field.name)")
        }
        #expect(StyleField.quality.text(Style(fields: ["format": "webp"])) == StyleField.quality.standard)
    }

    @Test(arguments: cases) func `A field is unknown where it cannot be set`(_ given: Case) throws {
        if given.field.access == .programs {
            #expect(throws: (any Error).self) { try StyleOptions.parse(["--\(given.field.name)=\(given.text)"]) }
            #expect(throws: Refusal.self) { try configured([given.field.name: given.text]) }
        }
        if given.field.access != .requests {
            #expect(try AvatarQuery("\(given.field.name)=\(given.text)", styles: [:]).style == Style(size: 96))
        }
    }

    @Test func `The description of the interface has the names, limits and defaults of the table`() throws {
        let document = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(filePath: Repository.path("assets/openapi.json"))))
        func member(_ path: String...) -> [String: Any] {
            path.reduce(document as? [String: Any] ?? [:]) { $0[$1] as? [String: Any] ?? [:] }
        }
        let body = member(
            "paths", "/v1/avatars", "post", "requestBody", "content", "application/json", "schema", "properties")
        let query = member("paths", "/v1/contacts/{id}/avatar", "get")["parameters"] as? [[String: Any]] ?? []
        for field in StyleField.parameters {
            let parameter = query.first { $0["name"] as? String == field.name }
            for schema in [body[field.name], parameter?["schema"]].map({ $0 as? [String: Any] ?? [:] }) {
                switch field.kind {
                case .number(let range):
                    #expect(
                        schema["minimum"] as? Int == range.lowerBound && schema["maximum"] as? Int == range.upperBound)
                case .choice(let words): #expect(schema["enum"] as? [String] == words, "\(field.name)")
                case .decimal, .color: Issue.record("no schema is known for \(field.name)")
                }
                if let standard = schema["default"] { #expect("\(standard)" == field.standard, "\(field.name)") }
            }
        }
    }

    @Test(arguments: StyleField.settings.map(\.name)) func `The documents name the option`(_ name: String) throws {
        let text = try String(contentsOfFile: Repository.path("docs/cli.md"), encoding: .utf8)
        #expect(text.contains("`--\(name)`"))
    }

    private static let visible = ["size": "1024", "state": "selected", "format": "webp"]

    private func configured(_ texts: [String: String]) throws(Refusal) -> Style {
        let lines = ["[styles.a]"] + texts.map { "\($0) = \(written($0, $1))" }
        let reading = ConfigurationSource(file: nil, environment: [:]).read(
            ConfigurationFile(name: "t.toml", text: lines.joined(separator: "\n")), variables: [:])
        guard reading.problems.isEmpty, let style = reading.configuration.avatarStyles["a"]?.style else {
            throw Refusal(description: reading.problems.map(\.description).joined(separator: "\n"))
        }
        return style
    }

    /// A value as TOML and JSON write it.
    private func written(_ name: String, _ text: String) -> String {
        switch StyleField.all.first(where: { $0.name == name })?.kind {
        case .number, .decimal: text
        default: "\"\(text)\""
        }
    }

    /// A job with this text for a field.
    private func job(_ given: Case) -> String {
        let style = Style(fields: Self.visible.merging(["background": "red"]) { $1 })
        func texts(_ fields: [StyleField]) -> [String] {
            fields.map { $0.name == given.field.name ? given.text : $0.text(style) ?? "" }
        }
        let first = texts(StyleField.words[0])
        let named = StyleField.words.dropFirst().filter { $0.contains { $0.name == given.field.name } }
        let words = named.map { "\($0[0].word ?? "")=\(texts($0).joined(separator: ","))" }
        return (["\(first[0])x\(first[1])", first[2]] + words).joined(separator: " ")
    }
}
