public import Foundation
internal import Ostiary
package import OstiaryPega

/// Something that the server does or shows in a SnapStart view. Use one of its subclasses.
///
/// Only `PMCreateCaseAction` is documented by its Swift name; the others follow its example.
open class PMSnapStartAction: NSObject {
  /// The server's address; `nil` when the one given was none.
  public let portalURL: URL?
  /// Further properties to pass on, by name.
  public var additionalProperties: [String: String] = [:]
  /// Whether to show the whole portal around the work.
  public var showsFullPortal = false

  private let kind: SnapStartAction.Kind

  package init(portalURL: URL?, kind: SnapStartAction.Kind) {
    self.portalURL = portalURL
    self.kind = kind
  }

  /// The action for the loader. Properties are sorted by name, so that an address is always spelled the same.
  package var action: SnapStartAction {
    SnapStartAction(
      kind,
      properties: additionalProperties.sorted { $0.key < $1.key }.map { SnapStartAction.Property($0.key, $0.value) },
      showsFullPortal: showsFullPortal ? true : nil)
  }

  /// The address that performs this action at the server.
  /// - Throws: ``OstiaryError`` `invalidInput` when there is none.
  package func address(_ configuration: PegaConfiguration) throws -> PegaAddress {
    guard let portalURL else {
      throw OstiaryError(
        .invalidInput, "There is no portal address.", advice: "Give an address such as https://host/prweb.",
        requestMayHaveExecuted: false)
    }
    return try PegaAddress(portalURL, configuration: configuration)
  }

  /// An address given as `NSURL`. Bridging one that RFC 3986 does not allow would trap on Linux.
  static func url(_ url: NSURL?) -> URL? {
    (url?.absoluteString).flatMap { URL(string: $0) }
  }
}
