/// The two forms of an internationalised domain name (RFC 5890 2.3.2): `bücher.example` and `xn--bcher-kva.example`.
package enum DomainName {
    private static let mark = "xn--"

    /// Whether the two forms may differ. `domain`: in lower case.
    package static func isInternational(_ domain: some StringProtocol) -> Bool {
        !isASCII(String(domain)) || domain.contains(mark)
    }

    /// Nil if a label is not expressible. `domain`: in lower case.
    package static func ascii(_ domain: some StringProtocol) -> String? {
        let domain = String(domain)
        // Nearly all, and each request has one.
        if isASCII(domain), domain.utf8.count <= longest { return domain }
        return labels(of: domain) { label in
            isASCII(label) ? label : Punycode.encoded(Array(label.unicodeScalars)).map { mark + $0 }
        }
    }

    /// Nil if a label is no valid Punycode.
    package static func unicode(_ domain: some StringProtocol) -> String? {
        labels(of: domain) { label in
            guard label.hasPrefix(mark) else { return label }
            return Punycode.decoded(label.dropFirst(mark.count).utf8).map { scalars in
                String(String.UnicodeScalarView(scalars))
            }
        }
    }

    /// A longer one is no domain (RFC 1035 2.3.4), and the coding costs the square of a label's length.
    private static let longest = 1_024

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private static func labels(of domain: some StringProtocol, _ change: (String) -> String?) -> String? {
        guard domain.utf8.count <= longest else { return nil }
        var labels: [String] = []
        for label in domain.split(separator: ".", omittingEmptySubsequences: false) {
            guard let changed = change(String(label)) else { return nil }
            labels.append(changed)
        }
        return labels.joined(separator: ".")
    }
}

/// The coding of a label's characters as ASCII letters (RFC 3492).
private enum Punycode {
    private static let (base, least, most, skew, damp) = (36, 1, 26, 38, 700)
    private static let firstBias = 72
    private static let firstNumber: UInt32 = 0x80

    static func encoded(_ scalars: [Unicode.Scalar]) -> String? {
        var output = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let basics = output.count
        if basics > 0 { output.append(UInt8(ascii: "-")) }
        var (number, delta, bias, handled) = (firstNumber, 0, firstBias, basics)
        while handled < scalars.count {
            guard let next = scalars.lazy.map(\.value).filter({ $0 >= number }).min() else { return nil }
            delta += Int(next - number) * (handled + 1)
            number = next
            for scalar in scalars {
                if scalar.value < number { delta += 1 }
                guard scalar.value == number else { continue }
                output += digits(of: delta, bias: bias)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basics)
                delta = 0
                handled += 1
            }
            delta += 1
            number += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    static func decoded(_ text: some BidirectionalCollection<UInt8>) -> [Unicode.Scalar]? {
        let end = text.lastIndex(of: UInt8(ascii: "-")) ?? text.startIndex
        var scalars = text[..<end].map { Unicode.Scalar($0) }
        var rest = text[end...].drop { $0 == UInt8(ascii: "-") }
        var (number, position, bias) = (Int(firstNumber), 0, firstBias)
        while !rest.isEmpty {
            let former = position
            var (weight, step) = (1, base)
            while true {
                guard let digit = rest.popFirst().flatMap(value) else { return nil }
                position += digit * weight
                let threshold = min(max(step - bias, least), most)
                if digit < threshold { break }
                weight *= base - threshold
                step += base
                // Above every character at every place of a domain name.
                guard weight < 1 << 40, position < 1 << 40 else { return nil }
            }
            bias = adapted(position - former, count: scalars.count + 1, isFirst: former == 0)
            number += position / (scalars.count + 1)
            position %= scalars.count + 1
            guard let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init) else { return nil }
            scalars.insert(scalar, at: position)
            position += 1
        }
        return scalars
    }

    private static func digits(of delta: Int, bias: Int) -> [UInt8] {
        var (rest, step, digits) = (delta, base, [UInt8]())
        while true {
            let threshold = min(max(step - bias, least), most)
            if rest < threshold { return digits + [digit(rest)] }
            digits.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            step += base
        }
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var (delta, steps) = (isFirst ? delta / damp : delta / 2, 0)
        delta += delta / count
        while delta > (base - least) * most / 2 {
            delta /= base - least
            steps += base
        }
        return steps + (base - least + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30) }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case 0x61...0x7A: Int(digit) - 0x61
        case 0x30...0x39: Int(digit) - 0x30 + 26
        default: nil
        }
    }
}
