private import Foundation

/// Han characters that are written in several ways: traditional and simplified ones of Chinese, and the older ones and variants
/// that Japanese names have, such as 髙 and 澤.
enum HanVariants {
    /// The simplified Chinese character; nil for one without another form.
    static func usual(of scalar: Unicode.Scalar) -> Unicode.Scalar? { scalar.value < 0x3400 ? nil : table[scalar] }

    /// Made once: ICU takes longer to begin than for all characters.
    private static let table: [Unicode.Scalar: Unicode.Scalar] = {
        let scalars = (0x4E00...0x9FA5).compactMap { Unicode.Scalar($0) }
        let text = scalars.map { String($0) }.joined(separator: " ")
        let simplified = text.applyingTransform(StringTransform("Hant-Hans"), reverse: false) ?? text
        let usual = simplified.split(separator: " ").compactMap(\.unicodeScalars.first)
        let pairs = Array(japanese.unicodeScalars)
        let others = stride(from: 0, to: pairs.count, by: 2).map { (pairs[$0], pairs[$0 + 1]) }
        return Dictionary(zip(scalars, usual).filter { $0 != $1 } + others, uniquingKeysWith: { $1 })
    }()

    /// Characters of Japan, each with the simplified Chinese one.
    private static let japanese =
        "髙高﨑崎辺边邉边斎斋斉齐浜滨濵滨沢泽広广徳德瀬濑恵惠桜樱眞真竜龙滝泷冨富栁柳円圆豊丰栄荣実实関关蔵藏塩盐戸户黒黑増增淸清気气"
        + "姫姬亀龟鉄铁剣剑県县伝传嶋岛嶌岛槙槇𠮷吉薗园渕渊穂穗巌岩尭尧曽曾歩步覚觉総总聡聪応应郷乡鄕乡頼赖勲勋仏佛壱壹"
}
