import HTTPTypes
package import OstiaryCore

extension TransportRequest {
  /// The path and query; empty without one.
  package var path: String { head.path ?? "" }
  /// The field `Cookie`.
  package var cookies: String? { head.headerFields[.cookie] }
  /// The field `Authorization`.
  package var authorization: String? { head.headerFields[.authorization] }
}
