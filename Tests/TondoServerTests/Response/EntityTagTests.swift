import Testing
import TondoServer

@Suite struct EntityTagTests {
    @Test(arguments: [
        #""k""#, #"W/"k""#, "*", " * ", #""a", "k""#, #""a","k","b""#, #"W/"a", W/"k""#, #", "k" ,"#, #""a,b", "k""#,
        // Without their quotation marks, as a shell leaves them.
        "k", "W/k", "a, k", #""a",k"#, "k-gzip", #""k", x"#,
    ])
    func `A tag is found in a list, weak or strong`(value: String) {
        #expect(EntityTag.isMatched(EntityTag.strong("k"), ifNoneMatch: value))
    }

    @Test(arguments: ["-gzip", "--gzip", ";gzip", "-br", "-zstd", "-deflate"])
    func `A tag that a proxy has changed for its coding is found`(coding: String) {
        for value in ["\"k\(coding)\"", "W/\"k\(coding)\"", "\"a\", \"k\(coding)\""] {
            #expect(EntityTag.isMatched(EntityTag.strong("k"), ifNoneMatch: value))
        }
        for value in ["\"a\(coding)\"", "\"k\(coding)x\"", "\"k\(coding)\(coding)\"", "\"k-x\"", "\"k-\""] {
            #expect(!EntityTag.isMatched(EntityTag.strong("k"), ifNoneMatch: value))
        }
    }

    @Test(arguments: [
        "", #""k"#, #""K""#, #""a""#, #"w/"k""#, #""k" "a""#, #""k", *"#, #""a k""#, "*, \"k\"", "a", "K", "W/", #"k""#,
        "k a",
    ])
    func `What is no list of tags with this one matches nothing`(value: String) {
        #expect(!EntityTag.isMatched(EntityTag.strong("k"), ifNoneMatch: value))
    }
}
