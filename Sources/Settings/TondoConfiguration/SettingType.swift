internal import Logging
internal import SystemPackage
internal import TondoAvatars
internal import TondoEndpoints
internal import TondoImage
internal import TondoRedis

/// The type of a setting: how a value is written, its range, its default, and what it means.
struct SettingType<Value: Sendable>: Sendable {
    let kind: SettingKind
    /// The default; nil: none.
    var standard: SettingValue?
    /// The values of a setting with a closed list of them.
    var choices: [String] = []
    /// The meaning of a value of this kind. `home`: that of `~`. `refuse` gets each reason why the value is invalid, to
    /// be printed after the name of the setting.
    let value: @Sendable (_ written: SettingValue?, _ home: String?, _ refuse: (String) -> Void) -> Value

    static func flag(default standard: Bool) -> Self where Value == Bool {
        Self(kind: .flag, standard: .flag(standard)) { written, _, _ in written == .flag(true) }
    }

    static func number(_ range: ClosedRange<Int>, default standard: Int) -> Self where Value == Int {
        Self(kind: .number(range), standard: .number(standard)) { written, _, _ in written?.number ?? standard }
    }

    static func number(_ range: ClosedRange<Int>) -> Self where Value == Int? {
        Self(kind: .number(range)) { written, _, _ in written?.number }
    }

    static func bytes(default standard: Int) -> Self where Value == Int {
        Self(kind: .bytes, standard: .number(standard)) { written, _, _ in written?.number ?? standard }
    }

    static func choice(default standard: Value) -> Self where Value: RawRepresentable<String> & CaseIterable {
        let words = Value.allCases.map(\.rawValue)
        return Self(kind: .choice(words), standard: .text(standard.rawValue), choices: words) { written, _, _ in
            written?.text.flatMap { Value(rawValue: $0) } ?? standard
        }
    }

    static func text() -> Self where Value == String? {
        Self(kind: .text) { written, _, _ in written?.text }
    }

    static func texts() -> Self where Value == [String] {
        Self(kind: .list, standard: .list([])) { written, _, _ in written?.list ?? [] }
    }

    static func path() -> Self where Value == FilePath? {
        Self(kind: .text) { written, home, _ in written?.text.map { expand($0, home) } }
    }

    static func paths() -> Self where Value == [FilePath] {
        Self(kind: .list, standard: .list([])) { written, home, _ in (written?.list ?? []).map { expand($0, home) } }
    }

    static func redis() -> Self where Value == RedisAddress? {
        Self(kind: .text) { written, _, refuse in
            guard let text = written?.text else { return nil }
            let address = RedisAddress(text)
            if address == nil { refuse("must be unix:/PATH or tcp:ADDRESS:PORT on this machine, not '\(text)'") }
            return address
        }
    }

    static func socket() -> Self where Value == ListenAddress? {
        Self(kind: .text) { written, home, refuse in
            guard let text = written?.text else { return nil }
            let address = ListenAddress(unix: expand(text, home).string)
            if address == nil { refuse("must be a path of at most \(ListenAddress.longestPath) bytes") }
            return address
        }
    }

    static func addresses(default standard: String) -> Self where Value == [ListenAddress] {
        Self(kind: .words, standard: .list([standard])) { written, _, refuse in
            (written?.list ?? []).compactMap { text in
                let address = ListenAddress(tcp: text)
                if address == nil {
                    let reason = ListenAddress.refusal(ofPortIn: text).map { "has \($0): '\(text)'" }
                    refuse(reason ?? "must be HOST:PORT, [ADDRESS]:PORT or :PORT, not '\(text)'")
                }
                return address
            }
        }
    }

    /// Names in lower case. `ports`: false refuses a port, which would mean another server.
    static func hosts(ports: Bool) -> Self where Value == Set<String> {
        Self(kind: .words, standard: .list([])) { written, _, refuse in
            let hosts = (written?.list ?? []).map { (text: $0, name: HostName.name($0)) }
            for host in hosts where host.name == nil { refuse("holds '\(host.text)', which is not a host name") }
            for host in hosts where !ports && host.name != nil && HostName.hasPort(host.text) {
                refuse("holds '\(host.text)'; a host has no port")
            }
            return Set(hosts.compactMap(\.name))
        }
    }

    static func areas() -> Self where Value == Set<ServiceArea> {
        Self(kind: .words, standard: .list([]), choices: ServiceArea.allCases.map(\.rawValue)) { written, _, refuse in
            let texts = written?.list ?? []
            for text in texts where ServiceArea(rawValue: text) == nil {
                refuse("must be a list of \(ServiceArea.list), not '\(text)'")
            }
            return Set(texts.compactMap { ServiceArea(rawValue: $0) })
        }
    }

    /// A field of a style, as its text and without its default, which depends on the other fields.
    static func field(_ field: StyleField) -> Self where Value == String? {
        let kind: SettingKind =
            switch field.kind {
            case .number(let range): .number(range)
            case .decimal(let range): .decimal(range)
            case .choice(let words): .choice(words)
            case .color: .text
            }
        return Self(kind: kind) { written, _, refuse in
            guard let text = written?.text ?? written.map({ "\($0)" }) else { return nil }
            if field.permits(text) { return text }
            refuse("must be \(field.allowed), not '\(text)'")
            return nil
        }
    }

    /// A shell expands `~` in arguments, but not in files. File managers copy paths as `file:` URIs.
    private static func expand(_ text: String, _ home: String?) -> FilePath {
        if let path = FileURI.path(text) { return path }
        guard let home, text == "~" || text.hasPrefix("~/") else { return FilePath(text) }
        return FilePath(home + text.dropFirst())
    }
}
