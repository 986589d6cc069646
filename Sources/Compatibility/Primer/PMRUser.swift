public import Foundation
internal import OstiaryExperiences

/// The user, as far as is known here. It always shows what is known now.
///
/// See the vendor's page "User management".
public final class PMRUser: NSObject, Sendable {
  private let service: PrimerService

  init(_ service: PrimerService) {
    self.service = service
    super.init()
  }

  /// The app's identifier of the user; `nil` while no user is logged in, or if the app did not say.
  public var userID: String? { service.user.profile.userID }

  /// A name to show.
  public var name: String? {
    get { service.user.profile.name }
    set { service.user.setName(newValue) }
  }

  /// What is known of the user.
  public var properties: [String: Any] { service.user.profile.properties.values.mapValues(PropertyBridge.foundation) }

  /// The experiments that the last experience was part of. They are this user's: a log-out forgets them.
  public var activeABNTests: [PMRUserABNTest] {
    service.variations.map { PMRUserABNTest(name: $0.name, variation: $0.variation) }
  }

  /// The arm of the last experience's first experiment; `nil` before one was shown to this user.
  public var lastViewedVariation: String? { service.variations.first?.variation }

  /// Whether a user is known, and nothing about the user.
  public override var description: String { "PMRUser(\(service.user.profile.standing.rawValue))" }
}

/// An experiment, and its arm that the user saw.
public final class PMRUserABNTest: NSObject, Sendable {
  /// The experiment.
  public let name: String?
  /// The arm.
  public let variation: String?

  init(name: String?, variation: String?) {
    self.name = name
    self.variation = variation
    super.init()
  }
}
