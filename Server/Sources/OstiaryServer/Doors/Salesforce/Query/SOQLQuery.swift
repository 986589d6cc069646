import Foundation

/// A query in the supported part of SOQL: one object's own fields, conditions joined by AND, OR and NOT, an order, a
/// limit and an offset.
struct SOQLQuery: Sendable {
  /// The fields' names as the query has them; nil for `COUNT()`.
  let fields: [String]?
  /// The object's name.
  let object: String
  let condition: SOQLCondition?
  let order: [Order]
  let limit: Int?
  let offset: Int

  /// One field of the order.
  struct Order: Sendable {
    let field: String
    let isDescending: Bool
    /// Whether records without a value come last.
    let putsNullsLast: Bool
  }

  /// All fields that the query names.
  var namedFields: [String] {
    (fields ?? []) + (condition?.fields ?? []) + order.map(\.field)
  }
}

/// A value in a query.
enum SOQLValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case time(Date)

  var isNull: Bool { self == .null }
}
