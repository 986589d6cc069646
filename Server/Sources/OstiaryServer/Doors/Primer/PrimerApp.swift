import Crypto
public import Foundation
import OstiaryCore
import OstiaryExperiences

/// An app that gets its experiences from the Primer door.
public struct PrimerApp: Sendable, Hashable {
  /// The token with which the app gets experiences and delivers events (`X-Primer-Token`). Every copy of an app has it, so it is
  /// not secret. Nil derives one from the key of the server's data.
  package var token: String?
  /// The tokens that copies of the app still show which have not been updated, the oldest first. The oldest one names the app's
  /// records: an event that was delivered with one token and comes again with another counts once.
  package var formerTokens: [String] = []
  /// The app's experiences as JSON documents, delivered byte for byte; one of a type. By default the starter.
  package var experiences: [Data]

  /// Makes an app.
  public init(token: String? = nil, experiences: [Data] = [StarterExperience.document]) {
    self.token = token
    self.experiences = experiences
  }

  static let mostTokenBytes = 200

  /// The token of the first key: copies of an app have it, and know nothing of a change of the server's key.
  static func madeToken(_ ring: KeyRing) -> String {
    ring.keys(for: "primer.token").oldest.key.withUnsafeBytes { $0.prefix(16).map { $0 } }.hexadecimal
  }

  /// All problems of the app, one sentence each.
  var problems: [String] {
    var problems: [String] = []
    let isUsable = (formerTokens + (token.map { [$0] } ?? [])).allSatisfy { token in
      (1...Self.mostTokenBytes).contains(token.utf8.count) && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    if !isUsable {
      problems.append("An app's token must be 1 to \(Self.mostTokenBytes) characters of ASCII without blanks.")
    }
    var types: Set<String> = []
    for (index, document) in experiences.enumerated() {
      let report = PrimerExperience.report(on: document)
      problems += report.problems.prefix(10).map { "Experience \(index + 1): \($0)" }
      if report.problems.count > 10 {
        problems.append("Experience \(index + 1) has \(report.problems.count - 10) more problems.")
      }
      if let type = report.experience?.type.rawValue, !types.insert(type).inserted {
        problems.append("Experience \(index + 1) is another one of the type \(type): an app has one of a type.")
      }
    }
    return problems
  }
}
