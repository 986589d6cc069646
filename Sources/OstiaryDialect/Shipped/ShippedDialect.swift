internal import Foundation

/// A dialect that comes with this library, as a document. It says what the pages in its ``sources`` say, and is tested with the examples that
/// they publish. ``tried`` says whether it has met the product itself.
public struct ShippedDialect: Sendable, Hashable {
  /// The name, such as `simplejwt`.
  public let name: String
  /// The API's name for people.
  public let title: String
  /// The product and the version that the dialect has signed in to; `never` where it has met none.
  public let tried: String
  /// The document.
  public let json: String

  init(name: String, title: String, tried: String, json: String) {
    self.name = name
    self.title = title
    self.tried = tried
    self.json = json
  }

  /// The pages that the document was written from.
  public var sources: [String] { (try? dialect())?.sources ?? [] }

  /// The document as a value. It never fails for a dialect of ``ShippedDialects/all``.
  ///
  /// - Throws: Everything that is wrong with the document.
  public func dialect() throws(DialectError) -> Dialect {
    try Dialect(json: Data(json.utf8))
  }
}
