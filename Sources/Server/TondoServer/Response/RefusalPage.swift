private import FoundationEssentials
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import TondoDigest

/// A refusal as a page for people: what it means and what to do, in the language of their browser. Programs get the problem.
enum RefusalPage {
    private enum Reason {
        /// A phone came without a code.
        case noCode
        /// Another machine came without a token.
        case notOpen
        /// A name that the service does not know.
        case unknownHost
    }

    private enum Language: String { case en, ru, zh }

    /// Nil if the problem has no page, or the client does not ask for one: only who follows a link lists `text/html`.
    static func response(to request: Request, problem: ProblemDetails, isFromPhone: Bool) -> Response? {
        guard request.method == .get || request.method == .head,
            request.headers[values: .accept].contains(where: { $0.lowercased().contains("text/html") }),
            let reason = reason(problem, isFromPhone: isFromPhone)
        else { return nil }
        let language = language(request.headers[values: .acceptLanguage].joined(separator: ","))
        var response = problem.response
        response.headers[.contentType] = "text/html; charset=utf-8"
        response.headers[.contentLanguage] = language.rawValue
        response.headers[.contentSecurityPolicy] = policy
        response.headers[.cacheControl] = "no-store"
        response.headers[.vary] = "Accept, Accept-Language"
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: html(reason, language)))
        return response
    }

    private static func reason(_ problem: ProblemDetails, isFromPhone: Bool) -> Reason? {
        switch problem {
        case HostGuard.problem: .unknownHost
        case AccessToken.problem: isFromPhone ? .noCode : .notOpen
        default: nil
        }
    }

    /// The known language that the client likes best (RFC 9110 12.5.4); English without one.
    private static func language(_ field: String) -> Language {
        var best = (language: Language.en, quality: 0.0)
        for item in field.prefix(1_000).split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = parts.first, let language = Language(rawValue: tag.prefix { $0 != "-" }.lowercased()) else {
                continue
            }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
            let quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if quality > best.quality { best = (language, quality) }
        }
        return best.language
    }

    private static func html(_ reason: Reason, _ language: Language) -> String {
        let lines = words[reason]?[language] ?? []
        let text = lines.dropFirst().map { "<p>\($0)</p>\n" }.joined()
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Tondo</title>
            <style>\(style)</style>
            <h1>\(lines.first ?? "Tondo")</h1>
            \(text)
            """
    }

    private static let style =
        "body{font:1.0625rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.5rem}h1{font-size:1.5rem}"

    /// Nothing but this style: no script, and no request.
    private static let policy: String = {
        let digest = Data(SHA256Digest(of: style.utf8).bytes).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }()

    /// The heading, and paragraphs of HTML.
    private static let words: [Reason: [Language: [String]]] = [
        .noCode: [
            .en: [
                "Scan a code to see the contacts",
                "On the computer, run <code>tondo open --phone</code> and scan the code that it shows with the camera of "
                    + "this phone.",
                "A code works once, and for ten minutes. If this page comes after a scan, the code was used or has run out: "
                    + "show another one.",
            ],
            .ru: [
                "Отсканируйте код, чтобы увидеть контакты",
                "Выполните на компьютере <code>tondo open --phone</code> и отсканируйте показанный код камерой этого "
                    + "телефона.",
                "Код действует один раз и десять минут. Если эта страница открылась после сканирования, код уже использован "
                    + "или устарел: покажите новый.",
            ],
            .zh: [
                "扫码查看联系人",
                "在电脑上运行 <code>tondo open --phone</code>，然后用这部手机的相机扫描显示的二维码。",
                "每个二维码只能使用一次，有效期十分钟。如果扫码后出现本页，说明该码已被使用或已过期，请重新显示一个。",
            ],
        ],
        .notOpen: [
            .en: [
                "These contacts are not open to other devices",
                "To see them on the computer that has them, run <code>tondo open</code> there.",
                "To see them on a phone, run <code>tondo serve --phone</code> there, and scan the code that it shows.",
            ],
            .ru: [
                "Эти контакты закрыты для других устройств",
                "Чтобы увидеть их на компьютере, где они хранятся, выполните на нём <code>tondo open</code>.",
                "Чтобы увидеть их на телефоне, выполните там <code>tondo serve --phone</code> и отсканируйте показанный код.",
            ],
            .zh: [
                "其他设备无法查看这些联系人",
                "要在保存联系人的电脑上查看，请在那台电脑上运行 <code>tondo open</code>。",
                "要在手机上查看，请在那台电脑上运行 <code>tondo serve --phone</code>，然后扫描显示的二维码。",
            ],
        ],
        .unknownHost: [
            .en: [
                "This address is not known here",
                "The service answers to the names that it was given. On its own computer it is <code>localhost</code>; "
                    + "<code>tondo open</code> opens it.",
                "The person who runs it adds other names with <code>--host</code>, or the setting <code>hosts</code>.",
            ],
            .ru: [
                "Этот адрес здесь неизвестен",
                "Служба отвечает только на заданные ей имена. На своём компьютере это <code>localhost</code>; её открывает "
                    + "<code>tondo open</code>.",
                "Другие имена добавляет тот, кто её запускает: параметром <code>--host</code> или настройкой "
                    + "<code>hosts</code>.",
            ],
            .zh: [
                "此处不识别这个地址",
                "服务只响应已设置的名称。在它所在的电脑上，名称是 <code>localhost</code>，可用 <code>tondo open</code> 打开。",
                "运行服务的人可以用 <code>--host</code> 或设置项 <code>hosts</code> 添加其他名称。",
            ],
        ],
    ]
}
