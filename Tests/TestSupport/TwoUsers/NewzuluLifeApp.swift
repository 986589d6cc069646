package import Foundation
package import OstiaryCore

/// The app of a Newzulu life: a client of the kind, or of the drop-in module.
///
/// Each call says first that it begins, in the moment in which it does, and how it has ended, once. All that is called here is
/// called on the life's thread.
package protocol NewzuluLifeApp: AnyObject {
  /// Whose session is known.
  var currentUserID: String? { get }
  func set(_ user: NewzuluLife.User, store: any SessionStore)
  func clear(begins: @escaping () -> Void, ends: @escaping () -> Void)
  func authenticate(begins: @escaping () -> Int, ends: @escaping (Int, _ userID: String?) -> Void)
  /// - Parameter begins: returns the number of the call, and the title to ask for.
  func list(begins: @escaping () -> (Int, String), ends: @escaping (Int, String) -> Void) -> (() -> Void)
  /// - Parameters:
  ///   - begins: returns the number of the call, what to upload, and how far an earlier upload has told that it had come.
  ///   - ends: gets how far this one has come, where that is known.
  func upload(
    begins: @escaping () -> (Int, NewzuluLife.Upload, (any Sendable)?),
    ends: @escaping (Int, _ outcome: String, _ state: (any Sendable)?) -> Void
  ) -> (() -> Void)
  /// Tells the life what has ended on another thread.
  func settle()
}

extension NewzuluLife {
  /// A user of the platform.
  package enum User: String, CaseIterable, Sendable {
    case ann = "11"
    case ben = "12"
    /// A user of the same address in another tenant.
    case annElsewhere = "21"

    package var email: String { self == .ben ? "ben@example.com" : "ann@example.com" }
    package var password: String {
      switch self {
      case .ann: "apple"
      case .ben: "banana"
      case .annElsewhere: "avocado"
      }
    }
    package var vhost: String? { self == .annElsewhere ? "1281" : nil }
  }

  /// What is uploaded.
  package struct Upload: Sendable {
    package let source: URL
    package let title: String
    let content: Data
    /// How often its user had signed out when it was begun.
    let epoch: Int
  }
}
