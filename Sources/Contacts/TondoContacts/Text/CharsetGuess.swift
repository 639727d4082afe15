/// Detects the character set of text without a declared one.
///
/// Valid UTF-8 is UTF-8. Of the other sets, that one is taken whose letters and characters make the most of the text, see
/// `CharsetModel` and `CharsetPairs`. Windows' Western and Cyrillic sets, which most of these texts have, win where little speaks
/// against them: a name may be too short to be sure.
extension Charset {
    static func guess(_ bytes: UnsafeRawBufferPointer) -> Charset {
        if UTF8Text.defect(bytes) == nil { return .utf8 }
        let (text, known) = (CharsetSample(bytes), CharsetKnowledge.all)
        var (best, most) = (Charset.windows1252, max(known.western?.score(text) ?? 0, -3))
        // No byte counts more than 3: nothing can fit so much better.
        if most >= 3 * text.places.count - 1 { return best }
        if let cyrillic = known.cyrillic, case let score = cyrillic.score(text), score > max(most, 0) + cyrillic.margin
        {
            (best, most) = (cyrillic.charset, score + score / 7 + 3)
        }
        let others = known.others.lazy.map { ($0.charset, $0.score(text) - $0.margin) }
        let pairs = known.pairs.lazy.compactMap { set in set.score(text).map { (set.charset, $0 - 2) } }
        for (charset, score) in Array(others) + Array(pairs) where score > most { (best, most) = (charset, score) }
        return best
    }

    /// Two bytes of a text in this set can look like a character of UTF-8 by chance.
    var hasPairs: Bool { self != .utf8 && CharsetKnowledge.all.pairs.contains { $0.charset == self } }
}

/// What is known of the character sets, read once.
private struct CharsetKnowledge: Sendable {
    static let all = CharsetKnowledge()

    let western = CharsetModel("windows-1252", languages: latin + ["áðéíóúýþæö"], margin: 0)
    let cyrillic = CharsetModel("windows-1251", languages: [russian + "іїє"], margin: 1)
    let others: [CharsetModel]
    let pairs: [CharsetPairs]

    private static let latin = ["", "äöüß", "éèêàâçîïôùûœëñáíóúìò", "áâãàçéêíóôõú", "åäæøöé"]
    private static let russian = "аеиосртнлвк|мдпугяьычбзёйжш"
    private static let central = ["áčďéěíňóřšťúůýž|äöüľôĺŕß", "ąćęłńóśźż|äöüßéá", "áéíóöőúüű|äß"]

    private init() {
        // Those of other systems are tried last, and have to fit well.
        let foreign = Self.latin.dropFirst().map { $0 + "|äöüßéèêàâçîïôùûœëñáíóúìòãõåæø" }
        others = [
            ("windows-1250", Self.central + ["ăâîşţ|éöüß", "čćđšž|äöüßéá"], 2), ("iso-8859-2", Self.central, 2),
            ("windows-1254", ["çğıöşüâi|éäß"], 2), ("windows-1257", ["ąčęėįšųūž|éäöü", "āčēģīķļņšūž|éäöü"], 2),
            ("koi8-r", [Self.russian], 2), ("cp866", [Self.russian], 2),
            ("windows-1253", ["αοιεσςρνηλκτάίόέήύώ|πμυδγωθβφχξψϊ"], 2),
            ("windows-1255", ["יוהאלרמנבת|שדקחכםןעגזטספצףץך"], 2),
            ("windows-1256", ["المينرودبةحسعت|جخذزشصضطظغفقكهىءأإآئؤ"], 2),
            ("windows-874", ["ารนกอเงมยสวัิี่้ท|ชพดบคตลปจุูหะขแศโไผธณฐญ์็ำ"], 2),
            ("macintosh", foreign, 5), ("cp850", foreign, 5),
        ].compactMap { CharsetModel($0.0, languages: $0.1, margin: $0.2) }
        let (ascii, high): ((UInt8, UInt8), (UInt8, UInt8)) = ((0x40, 0x40), (0xA1, 0xA1))
        let signs = UInt8(0xA1)...0xA3
        pairs = [
            ("gbk", Self.chinese, [0x81...0xFE], [signs, 0xB0...0xD7], (0x40, 0xA1)),
            ("big5", Self.traditional, [0xA1...0xF9], [0xA1...0xC6], ascii),
            ("euc-kr", Self.korean, [0xA1...0xFD], [signs, 0xB0...0xC8], high),
            ("euc-jp", Self.japanese, [0xA1...0xF4], [0xA1...0xA5, 0xB0...0xCF], high),
            ("shift_jis", Self.japanese, [0x81...0x9F, 0xE0...0xFC], [0x81...0x83, 0x88...0x97], ascii),
        ].compactMap { CharsetPairs($0.0, frequent: $0.1, leads: $0.2, usual: $0.3, lowest: $0.4) }
    }

    private static let chinese = """
        王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵\
        万钱严覃武戴莫孔向汤伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂文辉玲红小大国华建志海春晓东北京上海市区路号公司有限医院学校老师妈爸哥姐弟妹家人手机电话先生联通移动信快递外卖物业阿姨叔舅姑奶\
        爷房东客服经理总部酒店银行
        """
    private static let traditional = """
        陳林黃張李王吳劉蔡楊許鄭謝郭洪邱曾廖賴徐周葉蘇莊江呂何羅高蕭潘簡朱鍾彭游詹胡施沈余趙盧梁顏柯孫魏翁戴范方宋鄧杜傅侯曹溫薛丁馬蔣唐卓藍馮姚石董紀歐程連古汪湯姜田康鄒白涂尤巫韓龔明志雅美惠淑麗\
        小大家文華國台臺北中市縣區路號公司有限醫院學校老師媽爸哥姐先生
        """
    private static let korean = """
        김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지나엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모수영준은혜미경숙희철상호동재대학교울시로회\
        사식병아버어머니빠가라리스트
        """
    private static let japanese = """
        あいうえおかがきくけこさしすせそただちつてとなにのはひふへほまみむめもやゆよらりるれろわをんアイウエオカキクケコサシスセソタチツテトナニノハヒフヘホマミムメモヤユヨラリルレロワンーッャュョガギグゴザジズダ\
        デドバビブベボパピプペポ佐藤鈴木高橋田中伊渡辺山本村小林加吉松井斎清崎森池阿部石川前岡後長谷近坂遠青西福太三野原上和島子美一郎大京東都市区町県株式会社学病院先生
        """
}
