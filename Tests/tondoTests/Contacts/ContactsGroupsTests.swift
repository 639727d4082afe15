import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ContactsGroupsTests {
    @Test func `Groups have their totals and who is online`() throws {
        let book = try SmallBook()
        try book.folder.write(
            Data(
                """
                {"tondo":1,"groups":[{"name":"Empty"}],"contacts":[
                {"id":"a","name":{"formatted":"A"},"online":true,"groups":[{"name":"Friends"}]},
                {"id":"b","name":{"formatted":"B"},"groups":[{"name":"Friends"}]}
                ]}
                """.utf8), to: "book.json")
        let outcome = try book.run("groups", "book.json")
        #expect(outcome.status == 0)
        #expect(outcome.text == "GROUP\tTOTAL\tONLINE\nEmpty\t0\t0\nFriends\t2\t1\n")
        let json = try book.run("groups", "book.json", "--json").lines
        #expect(json[1] == #"{"id":"Friends","name":"Friends","total":2,"online":1}"#)
    }

    @Test func `A book without groups says so`() throws {
        let outcome = try SmallBook(SmallBook.bo).run("groups", "book.vcf")
        #expect(outcome.status == 0)
        #expect(outcome.error == "no groups\n")
    }
}
