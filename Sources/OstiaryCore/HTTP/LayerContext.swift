/// How a request comes to a layer: from the app, or from a layer above that follows redirects and keeps cookies itself.
package struct LayerContext: Sendable, Hashable {
  /// Whether the sender is a layer, or an authenticator. The layer below adds its own proof and watches for its own
  /// challenges, and leaves redirects and other cookies to the sender.
  package var isFromLayer = false
  /// Whether the sender follows a redirect with it. It then takes along nothing that belongs to another origin.
  package var isRedirected = false

  /// Whether it ends a session above. It asks no person to sign in to anything first.
  package var endsSession = false

  package init() {}
}
