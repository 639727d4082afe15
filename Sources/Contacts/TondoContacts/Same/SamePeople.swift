/// Which contacts with one displayed name are one person. Linear in their number and that of their addresses and numbers.
package enum SamePeople {
    /// The indices of the contacts of each person that has several; ascending. `marks`: of contacts with one displayed name.
    ///
    /// Contacts are one person if they share a mail address or a number, also by way of a third. Where their birthdays or
    /// full names contradict each other, only those stay together of which the book says the same: a contact without a
    /// birthday may belong to either of two with different ones.
    package static func groups(_ marks: [PersonMarks]) -> [[Int]] {
        if marks.count == 2 { return areOne(marks[0], marks[1]) ? [[0, 1]] : [] }
        var groups = joined(Array(marks.indices), marks)
        groups = groups.flatMap { divided($0, marks, values: $0.map { marks[$0].dayOfBirth }) }
        groups = groups.flatMap { divided($0, marks, values: $0.map { marks[$0].yearOfBirth }) }
        groups = groups.flatMap { divided($0, marks, values: fullNames(of: $0, marks)) }
        return groups.sorted { $0[0] < $1[0] }
    }

    /// As `groups` decides it, for two: most names that several contacts have are of two.
    private static func areOne(_ one: PersonMarks, _ other: PersonMarks) -> Bool {
        // Sets cost more than they save for the few that most contacts have.
        if one.ways.count + other.ways.count > fewWays {
            let (ways, forms) = (Set(one.ways), Set(one.nationalForms))
            let isShared =
                !ways.isDisjoint(with: other.ways) || !ways.isDisjoint(with: other.nationalForms)
                || !forms.isDisjoint(with: other.ways)
            return isShared && agree(one, other)
        }
        let isShared =
            one.ways.contains { other.ways.contains($0) || other.nationalForms.contains($0) }
            || one.nationalForms.contains(where: other.ways.contains)
        return isShared && agree(one, other)
    }

    private static let fewWays = 16

    private static func agree(_ one: PersonMarks, _ other: PersonMarks) -> Bool {
        func differ(_ first: UInt64?, _ second: UInt64?) -> Bool { first != nil && second != nil && first != second }
        return !differ(one.dayOfBirth, other.dayOfBirth) && !differ(one.yearOfBirth, other.yearOfBirth)
            && (one.id == other.id || !differ(one.fullName, other.fullName))
    }

    /// Copies of one card have one name, even if one of them was edited since.
    private static func fullNames(of group: [Int], _ marks: [PersonMarks]) -> [UInt64?] {
        var known: [String: UInt64] = [:]
        for index in group {
            if let name = marks[index].fullName, known[marks[index].id] == nil { known[marks[index].id] = name }
        }
        return group.map { known[marks[$0].id] }
    }

    /// Nothing is divided if no two values differ. `values`: of the members of the group; nil: unknown.
    private static func divided(_ group: [Int], _ marks: [PersonMarks], values: [UInt64?]) -> [[Int]] {
        guard Set(values.lazy.compactMap(\.self)).count > 1 else { return [group] }
        var parts: [UInt64?: [Int]] = [:]
        for (index, value) in zip(group, values) { parts[value, default: []].append(index) }
        return parts.values.flatMap { $0.count > 1 ? joined($0, marks) : [] }
    }

    /// Those that share a way, in groups of two or more.
    private static func joined(_ members: [Int], _ marks: [PersonMarks]) -> [[Int]] {
        var sets = DisjointSets(count: members.count)
        var first: [UInt64: Int] = [:]
        first.reserveCapacity(2 * members.count)
        for (place, member) in members.enumerated() {
            for way in marks[member].ways {
                if let other = first[way] { sets.join(place, with: other) } else { first[way] = place }
            }
        }
        for (place, member) in members.enumerated() {
            for way in marks[member].nationalForms {
                if let other = first[way] { sets.join(place, with: other) }
            }
        }
        var groups: [Int: [Int]] = [:]
        for (place, member) in members.enumerated() { groups[sets.root(of: place), default: []].append(member) }
        return groups.values.filter { $0.count > 1 }
    }
}

/// Sets of numbers from 0 on, at first one for each.
private struct DisjointSets {
    private var parents: [Int]

    init(count: Int) { parents = Array(0..<count) }

    mutating func root(of number: Int) -> Int {
        var number = number
        while parents[number] != number {
            // Halves the way for the next call.
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }

    /// The smaller root stays.
    mutating func join(_ one: Int, with other: Int) {
        let (first, second) = (root(of: one), root(of: other))
        parents[max(first, second)] = min(first, second)
    }
}
