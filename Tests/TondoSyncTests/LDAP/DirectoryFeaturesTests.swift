import Testing

@testable import TondoSync

@Suite struct DirectoryFeaturesTests {
    @Test(arguments: [
        (["dc=example"], nil, "dc=example"), (["cn=config", "dc=example"], nil, "dc=example"),
        (["o=one", "o=two"], nil, nil), (["dc=a,dc=b", "cn=schema,dc=b"], "dc=a,dc=b", "dc=a,dc=b"), ([], nil, nil),
    ])
    func `Entries are in the only tree, or in the default one`(trees: [String], usual: String?, context: String?) {
        var root = LDAPEntry(name: "")
        root.add("namingContexts", values: trees.map { Array($0.utf8) })
        if let usual { root.add("defaultNamingContext", values: [Array(usual.utf8)]) }
        #expect(DirectoryFeatures(root).context == context)
    }
}
