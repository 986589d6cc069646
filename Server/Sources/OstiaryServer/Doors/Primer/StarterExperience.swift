public import Foundation

/// The experience that a server offers before it is given others: signing up, logging in, and a lost password.
public enum StarterExperience {
  /// The document, in the format of `docs/experience.schema.json`.
  public static let document = Data(PackageResources.starter_json)
}
