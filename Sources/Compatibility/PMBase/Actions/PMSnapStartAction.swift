public import Foundation
internal import Ostiary
package import OstiaryPega

/// Something that the server does or shows in a SnapStart view. Use one of its subclasses.
///
/// Only `PMCreateCaseAction` is documented by its Swift name; the others follow its example. An action can be made, changed and performed
/// on any thread: what it is when it is performed counts.
@preconcurrency @MainActor
open class PMSnapStartAction: NSObject {
  private struct State: Sendable {
    var additionalProperties: [String: String] = [:]
    var showsFullPortal = false
  }

  /// The server's address; `nil` when the one given was none.
  public nonisolated let portalURL: URL?
  private nonisolated let kind: SnapStartAction.Kind
  private nonisolated let state = Locked(State())

  package nonisolated init(portalURL: URL?, kind: SnapStartAction.Kind) {
    self.portalURL = portalURL
    self.kind = kind
  }

  /// Further properties to pass on, by name.
  public nonisolated var additionalProperties: [String: String] {
    get { state.withLock { $0.additionalProperties } }
    set { state.withLock { $0.additionalProperties = newValue } }
  }

  /// Whether to show the whole portal around the work.
  public nonisolated var showsFullPortal: Bool {
    get { state.withLock { $0.showsFullPortal } }
    set { state.withLock { $0.showsFullPortal = newValue } }
  }

  /// The action for the loader. Properties are sorted by name, so that an address is always spelled the same.
  package nonisolated var action: SnapStartAction {
    let state = state.withLock { $0 }
    return SnapStartAction(
      kind,
      properties: state.additionalProperties.sorted { $0.key < $1.key }
        .map { SnapStartAction.Property($0.key, $0.value) },
      showsFullPortal: state.showsFullPortal ? true : nil)
  }

  /// An address given as `NSURL`. Bridging one that RFC 3986 does not allow would trap on Linux; it is no address.
  nonisolated static func url(_ url: NSURL?) -> URL? {
    url.map { URL(string: $0.absoluteString) ?? URL(filePath: "/") }
  }
}
