public import ArgumentParser

/// A value of a closed list of words, which people type in any letter case.
public protocol WordArgument: ExpressibleByArgument, RawRepresentable<String> {}

extension WordArgument {
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
