/// One response among all, wherever the app carries it.
package final class ResponseIdentity: Sendable {
  package init() {}
}
