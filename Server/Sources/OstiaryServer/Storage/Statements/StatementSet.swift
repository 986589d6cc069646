/// The statements of a feature, each a stored property, in a file `…Statements.swift` of its folder. The lint refuses
/// statements elsewhere.
///
/// Every set is in the list ``ServerStatements``, by which a test prepares all statements with PostgreSQL.
package protocol StatementSet: Sendable {
  init()
}

extension StatementSet {
  /// Every statement of the set, with its name.
  static var statements: [(name: String, statement: StorageStatement)] {
    Mirror(reflecting: Self()).children.compactMap { child in
      guard let statement = child.value as? StorageStatement else { return nil }
      return ("\(Self.self).\(child.label ?? "")", statement)
    }
  }
}
