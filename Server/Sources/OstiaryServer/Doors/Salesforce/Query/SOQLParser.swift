import Foundation
import HTTPTypes

/// Reads a query.
struct SOQLParser {
  private var rest: ArraySlice<SOQLToken>
  private var depth = 0

  /// - Throws: `SalesforceDataFailure` `MALFORMED_QUERY`.
  static func parse(_ text: String) throws -> SOQLQuery {
    var parser = SOQLParser(rest: try SOQLToken.scan(text)[...])
    let query = try parser.query()
    guard parser.rest.isEmpty else { throw parser.unexpected() }
    return query
  }

  private init(rest: ArraySlice<SOQLToken>) {
    self.rest = rest
  }

  private mutating func query() throws -> SOQLQuery {
    try expect("select")
    let fields = try fields()
    try expect("from")
    let object = try name()
    let condition = take("where") ? try anyOf() : nil
    if let size = condition?.size { try demandLittle(size) }
    var order: [SOQLQuery.Order] = []
    if take("order") {
      try expect("by")
      repeat {
        order.append(try ordering())
        guard order.count <= SOQLLimits.mostOrders else {
          throw SOQLLimits.tooComplicated("it sorts by more than \(SOQLLimits.mostOrders) fields")
        }
      } while takeSymbol(",")
    }
    let limit = take("limit") ? try count() : nil
    let offset = take("offset") ? try count() : 0
    guard offset <= SOQLLimits.mostOffset else {
      throw SalesforceDataFailure(
        .badRequest, "NUMBER_OUTSIDE_VALID_RANGE", "Maximum SOQL offset allowed is \(SOQLLimits.mostOffset)")
    }
    return SOQLQuery(
      fields: fields, object: object, condition: condition, order: order, limit: limit, offset: offset)
  }

  private func demandLittle(_ size: (comparisons: Int, values: Int, patternBytes: Int)) throws {
    guard size.comparisons <= SOQLLimits.mostComparisons else {
      throw SOQLLimits.tooComplicated("it has more than \(SOQLLimits.mostComparisons) conditions")
    }
    guard size.values <= SOQLLimits.mostValues else {
      throw SOQLLimits.tooComplicated("its lists have more than \(SOQLLimits.mostValues) values")
    }
    guard size.patternBytes <= SOQLLimits.mostPatternBytes else {
      throw SOQLLimits.tooComplicated("its patterns have more than \(SOQLLimits.mostPatternBytes) bytes")
    }
  }

  /// nil for `COUNT()`.
  private mutating func fields() throws -> [String]? {
    if rest.first?.isWord("count") == true, rest.dropFirst().first == .symbol("(") {
      rest.removeFirst(2)
      guard takeSymbol(")") else { throw unexpected() }
      return nil
    }
    var names: [String] = []
    var known: Set<String> = []
    repeat {
      let name = try name()
      guard known.insert(name.lowercased()).inserted else {
        throw SalesforceDataFailure.malformedQuery("duplicate field selected: \(name)")
      }
      names.append(name)
    } while takeSymbol(",")
    return names
  }

  private mutating func ordering() throws -> SOQLQuery.Order {
    let field = try name()
    let isDescending = take("desc")
    if !isDescending { _ = take("asc") }
    var putsNullsLast = false
    if take("nulls") {
      putsNullsLast = take("last")
      if !putsNullsLast { try expect("first") }
    }
    return SOQLQuery.Order(field: field, isDescending: isDescending, putsNullsLast: putsNullsLast)
  }

  // MARK: Conditions

  private mutating func anyOf() throws -> SOQLCondition {
    var conditions = [try allOf()]
    while take("or") { conditions.append(try allOf()) }
    return conditions.count == 1 ? conditions[0] : .any(conditions)
  }

  private mutating func allOf() throws -> SOQLCondition {
    var conditions = [try term()]
    while take("and") { conditions.append(try term()) }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private mutating func term() throws -> SOQLCondition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= SOQLLimits.mostDepth else {
      throw SalesforceDataFailure.malformedQuery("the query is nested too deep")
    }
    if take("not") { return .not(try term()) }
    if takeSymbol("(") {
      let condition = try anyOf()
      guard takeSymbol(")") else { throw unexpected() }
      return condition
    }
    let field = try name()
    if take("like") {
      guard case .text(let pattern) = try value() else { throw unexpected() }
      return .like(field: field, pattern)
    }
    if take("in") { return .isIn(field: field, try values()) }
    if take("not") {
      try expect("in")
      return .not(.isIn(field: field, try values()))
    }
    guard case .symbol(let symbol)? = rest.first, let sign = SOQLCondition.Operator(rawValue: symbol) else {
      throw unexpected()
    }
    rest.removeFirst()
    return .comparison(field: field, sign, try value())
  }

  private mutating func values() throws -> [SOQLValue] {
    guard takeSymbol("(") else { throw unexpected() }
    var values: [SOQLValue] = []
    repeat { values.append(try value()) } while takeSymbol(",")
    guard takeSymbol(")") else { throw unexpected() }
    return values
  }

  private mutating func value() throws -> SOQLValue {
    switch rest.first {
    case .text(let text)?:
      rest.removeFirst()
      return .text(text)
    case .word(let word)?:
      guard let value = Self.literal(word) else { throw unexpected() }
      rest.removeFirst()
      return value
    default: throw unexpected()
    }
  }

  private static func literal(_ word: String) -> SOQLValue? {
    switch word.lowercased() {
    case "null": .null
    case "true": .bool(true)
    case "false": .bool(false)
    default: SalesforceTime.date(word).map(SOQLValue.time) ?? Double(word).map(SOQLValue.number)
    }
  }

  // MARK: Words

  private mutating func name() throws -> String {
    guard case .word(let word)? = rest.first, word.first?.isLetter == true else { throw unexpected() }
    rest.removeFirst()
    return word
  }

  private mutating func count() throws -> Int {
    guard case .word(let word)? = rest.first, let number = Int(word), number >= 0 else { throw unexpected() }
    rest.removeFirst()
    return number
  }

  private mutating func take(_ keyword: String) -> Bool {
    guard rest.first?.isWord(keyword) == true else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func takeSymbol(_ symbol: String) -> Bool {
    guard rest.first == .symbol(symbol) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func expect(_ keyword: String) throws {
    guard take(keyword) else { throw unexpected() }
  }

  private func unexpected() -> SalesforceDataFailure {
    let word =
      switch rest.first {
      case .word(let word)?: word
      case .text(let text)?: "'\(text)'"
      case .symbol(let symbol)?: symbol
      case nil: "<EOF>"
      }
    return .malformedQuery("unexpected token: \(word)")
  }
}
