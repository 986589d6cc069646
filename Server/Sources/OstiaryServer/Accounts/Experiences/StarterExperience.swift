public import Foundation

/// The experience that a server offers by default: signing up, logging in, and recovering a password.
public enum StarterExperience {
  /// The document, in the format of `docs/experience.schema.json`.
  public static let document = Data(PackageResources.starter_json)
}
