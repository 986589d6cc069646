import Foundation
import HTTPTypes
import OstiaryCore

/// A query in the database's form. It reads, compares and sorts by fields of its object only; all other text of the
/// query is bound as parameters.
struct SOQLPlan: Sendable {
  let query: SOQLQuery
  let object: SalesforceObject
  let caller: SalesforceTokenHolder

  /// - Throws: `SalesforceDataFailure` for fields that aren't there, or can't be looked at.
  init(_ query: SOQLQuery, _ object: SalesforceObject, _ caller: SalesforceTokenHolder) throws {
    self.query = query
    self.object = object
    self.caller = caller
    for name in query.namedFields where object.field(named: name) == nil {
      throw SalesforceDataFailure(
        .badRequest, "INVALID_FIELD", "No such column '\(name)' on entity '\(object.name)'.")
    }
    for name in query.condition?.fields ?? [] { _ = try column(name, for: "filtered") }
    for order in query.order { _ = try column(order.field, for: "sorted") }
  }

  /// The number of matching records, before the query's limit.
  func count() throws -> StorageQuery {
    var statement = StorageQuery(Self.sql.count)
    try addSource(to: &statement)
    return statement
  }

  /// Some of the records, in the query's order.
  func page(from start: Int, size: Int) throws -> StorageQuery {
    let (sql, records) = (Self.sql, object.prefix)
    var statement = StorageQuery(
      records == .user ? sql.selectUsers : records == .organization ? sql.selectOrganization : sql.selectRecords)
    try addSource(to: &statement)
    statement.add(sql.order)
    for order in query.order {
      statement.add(try column(order.field, for: "sorted").expression)
      switch (order.isDescending, order.putsNullsLast) {
      case (false, false): statement.add(sql.ascending)
      case (false, true): statement.add(sql.ascendingNullsLast)
      case (true, false): statement.add(sql.descending)
      case (true, true): statement.add(sql.descendingNullsLast)
      }
      statement.add(sql.comma)
    }
    // Among equals the oldest is first; for users the name decides.
    statement.add(records == .user ? sql.username : records == .organization ? sql.orgID : sql.number)
    if records == .user {
      statement.add(sql.comma)
      statement.add(sql.userID)
    }
    statement.add(sql.page, size, start)
    return statement
  }

  private static let sql = SOQLStatements.sql

  private func column(_ name: String, for use: StaticString) throws -> SOQLColumn {
    guard let field = object.field(named: name), let column = SOQLColumn.of(field, object) else {
      throw SalesforceDataFailure(.badRequest, "INVALID_FIELD", "field '\(name)' can not be \(use) in a query call")
    }
    return column
  }

  private func addSource(to statement: inout StorageQuery) throws {
    let (sql, org) = (Self.sql, caller.org)
    switch object.prefix {
    case .user:
      statement.add(sql.fromUsers, org.tenant)
      if !caller.seesOthers { statement.add(sql.thatUser, caller.user.id) }
    case .organization:
      let fields = SalesforceRecord(org).fields
      statement.add(
        sql.fromOrganization, SOQLKey.of(fields["Id"]), SOQLKey.of(fields["Name"]), org.isSandbox,
        SOQLKey.of(fields["OrganizationType"]))
    default:
      let place = caller.place(object)
      statement.add(sql.fromRecords, org.id.short, object.name)
      if let user = place.userID { statement.add(sql.ofUser, user) }
    }
    guard let condition = query.condition else { return }
    statement.add(sql.and)
    try add(condition, to: &statement)
  }

  // MARK: Conditions

  /// Each condition is true or false, never null: if there is no value the comparison itself gives a result.
  private func add(_ condition: SOQLCondition, to statement: inout StorageQuery) throws {
    let sql = Self.sql
    statement.add(sql.open)
    switch condition {
    case .comparison(let name, let sign, let value):
      try add(try column(name, for: "filtered"), sign, value, to: &statement)
    case .like(let name, let pattern):
      let column = try column(name, for: "filtered")
      guard column.kind == .text else {
        throw SalesforceDataFailure(
          .badRequest, "INVALID_QUERY_FILTER_OPERATOR", "'\(name)': invalid operator on this field")
      }
      add(column, sql.isLike, SOQLKey.of(pattern: pattern), to: &statement)
    case .isIn(let name, let values):
      try add(try column(name, for: "filtered"), in: values, to: &statement)
    case .not(let condition):
      statement.add(sql.not)
      try add(condition, to: &statement)
    case .all(let conditions): try add(conditions, joinedBy: sql.and, to: &statement)
    case .any(let conditions): try add(conditions, joinedBy: sql.or, to: &statement)
    }
    statement.add(sql.close)
  }

  private func add(
    _ conditions: [SOQLCondition], joinedBy word: StorageFragment, to statement: inout StorageQuery
  ) throws {
    for (index, condition) in conditions.enumerated() {
      if index > 0 { statement.add(word) }
      try add(condition, to: &statement)
    }
  }

  private func add(
    _ column: SOQLColumn, _ test: StorageFragment, _ value: any StorageBindable, to statement: inout StorageQuery
  ) {
    statement.add(column.expression)
    statement.add(Self.sql.isNotNull)
    statement.add(Self.sql.and)
    statement.add(column.expression)
    statement.add(test, value)
  }

  /// No value is less or greater than null, and a value of another kind is unequal.
  private func add(
    _ column: SOQLColumn, _ sign: SOQLCondition.Operator, _ value: SOQLValue, to statement: inout StorageQuery
  ) throws {
    let sql = Self.sql
    if value.isNull {
      switch sign {
      case .equal, .unequal:
        statement.add(column.expression)
        statement.add(sign == .equal ? sql.isNull : sql.isNotNull)
      default: statement.add(sql.never)
      }
      return
    }
    if column.kind == .time, case .time(let date) = value { return add(column, sign, date, to: &statement) }
    guard let bound = Self.bound(value, column.kind) else {
      return statement.add(sign == .unequal ? sql.always : sql.never)
    }
    switch sign {
    case .unequal:
      statement.add(column.expression)
      statement.add(sql.isNull)
      statement.add(sql.or)
      statement.add(column.expression)
      statement.add(sql.unequal, bound)
    case .equal: add(column, sql.equal, bound, to: &statement)
    case .less: add(column, sql.less, bound, to: &statement)
    case .lessOrEqual: add(column, sql.lessOrEqual, bound, to: &statement)
    case .greater: add(column, sql.greater, bound, to: &statement)
    case .greaterOrEqual: add(column, sql.greaterOrEqual, bound, to: &statement)
    }
  }

  /// Records show a time cut to milliseconds. The tolerance of a microsecond allows for the stored form.
  private func add(
    _ column: SOQLColumn, _ sign: SOQLCondition.Operator, _ date: Date, to statement: inout StorageQuery
  ) {
    let (sql, start, end) = (Self.sql, date.addingTimeInterval(-1e-6), date.addingTimeInterval(0.001 - 1e-6))
    switch sign {
    case .less: add(column, sql.less, start, to: &statement)
    case .lessOrEqual: add(column, sql.less, end, to: &statement)
    case .greater: add(column, sql.greaterOrEqual, end, to: &statement)
    case .greaterOrEqual: add(column, sql.greaterOrEqual, start, to: &statement)
    case .equal:
      add(column, sql.greaterOrEqual, start, to: &statement)
      statement.add(sql.and)
      add(column, sql.less, end, to: &statement)
    case .unequal:
      statement.add(sql.not)
      statement.add(sql.open)
      add(column, .equal, date, to: &statement)
      statement.add(sql.close)
    }
  }

  private func add(_ column: SOQLColumn, in values: [SOQLValue], to statement: inout StorageQuery) throws {
    let sql = Self.sql
    if column.kind == .time {
      guard values.count <= SOQLLimits.mostComparisons else {
        throw SOQLLimits.tooComplicated("a list has more than \(SOQLLimits.mostComparisons) times")
      }
      for (index, value) in values.enumerated() {
        if index > 0 { statement.add(sql.or) }
        statement.add(sql.open)
        try add(column, .equal, value, to: &statement)
        statement.add(sql.close)
      }
      return
    }
    let bound = values.compactMap { Self.bound($0, column.kind) }
    if bound.isEmpty {
      statement.add(sql.never)
    } else {
      statement.add(column.expression)
      statement.add(sql.isNotNull)
      statement.add(sql.and)
      statement.add(column.expression)
      statement.add(sql.isIn)
      statement.add(list: bound)
    }
    guard values.contains(where: \.isNull) else { return }
    statement.add(sql.or)
    statement.add(column.expression)
    statement.add(sql.isNull)
  }

  /// The value in the column's form; nil if they can't be compared.
  private static func bound(_ value: SOQLValue, _ kind: SOQLColumn.Kind) -> (any StorageBindable)? {
    switch (kind, value) {
    case (.text, .text(let text)): SOQLKey.of(text)
    case (.reference, .text(let text)): SOQLKey.of(id: text)
    case (.number(let prefix), .text(let text)): SalesforceRecordID(text)?.number(of: prefix)
    case (.flag, .bool(let flag)): flag
    default: nil
    }
  }
}
