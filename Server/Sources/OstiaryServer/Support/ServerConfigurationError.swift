public import Foundation

/// A server wasn't started because its configuration is wrong.
public struct ServerConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for each problem, all of them.
  public let problems: [String]

  public var description: String {
    (["The server was not started:"] + problems.map { "- " + $0 }).joined(separator: "\n")
  }
}

extension ServerConfigurationError: LocalizedError {
  public var errorDescription: String? { description }
}
