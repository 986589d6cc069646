public import Foundation

/// A document is refused, for every reason at once.
public struct InvalidExperience: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// What is wrong, in the order of the document.
  public var problems: [ExperienceProblem]

  /// Makes the error.
  public init(_ problems: [ExperienceProblem]) {
    self.problems = problems
  }

  public var description: String {
    "The experience can't be used: " + problems.map(\.description).joined(separator: " ")
  }

  public var errorDescription: String? { description }
}
