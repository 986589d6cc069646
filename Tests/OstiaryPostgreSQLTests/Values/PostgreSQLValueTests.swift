#if PostgreSQL
  import Foundation
  import OstiaryPostgreSQL
  import TestSupport
  import Testing

  /// What is bound and what comes back, with a real server.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct PostgreSQLValueTests {
    private static let integers: [Int64] = [0, 1, -1, .max, .min, 1 << 53 + 1, -(1 << 53) - 1]
    private static let reals: [Double] = [
      0, -0.0, 0.1, 1 / 3, .pi, -.pi, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
      .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .ulpOfOne, 1e15, 1e16, 1e22,
      1.797e308, 123_456_789.123_456_78, .infinity, -.infinity,
    ]
    private static let texts = [
      "", "a", " ", "é", "e\u{301}", "\u{FEFF}x", "\u{1F9EA}", "\\x00", "'; DROP TABLE kept; --", "$1", "NULL",
      "a\r\n\tb\u{1}",
      String(repeating: "ü\\", count: 100_000),
    ]
    private static let bytes = [
      Data(), Data([0]), Data([0, 0, 1]), Data((0...255).map(UInt8.init)), Data("\\x4142".utf8), Data("\\".utf8),
      Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
    ]

    private static var all: [PostgreSQLValue] {
      var all = integers.map(PostgreSQLValue.integer)
      all += reals.map(PostgreSQLValue.real)
      all += texts.map(PostgreSQLValue.text)
      all += bytes.map(PostgreSQLValue.bytes)
      return all
    }

    private static func type(_ value: PostgreSQLValue) -> String {
      switch value {
      case .null, .text: "text"
      case .integer: "bigint"
      case .real: "double precision"
      case .bytes: "bytea"
      }
    }

    private static func isSame(_ value: PostgreSQLValue, in rows: PostgreSQLRows) -> Bool {
      switch value {
      case .null: rows.isNull(0, 0)
      case .integer(let number): rows.integer(0, 0) == number
      case .real(let number): rows.real(0, 0)?.bitPattern == number.bitPattern
      case .text(let text): rows.text(0, 0).map { Array($0.utf8) } == Array(text.utf8)
      case .bytes(let bytes): rows.bytes(0, 0) == bytes
      }
    }

    @Test(
      "OP-10: every kind of value comes back bit for bit, prepared or not, in a pipeline, however the server writes it",
      arguments: ["", "options='-c bytea_output=escape -c extra_float_digits=0'"])
    func roundTrips(extra: String) async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session(extra)
      for value in Self.all {
        let statement = "SELECT $1::\(Self.type(value))"
        #expect(Self.isSame(value, in: try session.run(statement, [value])), "\(shown(value).prefix(80))")
        #expect(Self.isSame(value, in: try session.run(statement, [value], keepsPrepared: false)))
        #expect(try session.run(statement, [.null]).isNull(0, 0))
      }
      let answers = try session.pipeline(Self.all.map { ("SELECT $1::\(Self.type($0))", [$0]) })
      #expect(zip(Self.all, answers).allSatisfy { Self.isSame($0, in: $1) })
      #expect(answers.count == Self.all.count)
      let notANumber = try session.run("SELECT $1::double precision", [.real(.nan)])
      #expect(notANumber.real(0, 0)?.isNaN == true)
    }

    @Test(
      "OP-10: values are stored as they were bound, and found by them; a column's type decides, not the value's kind")
    func stored() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      try session.run(script: "CREATE TABLE kept (i bigint, r double precision, t text, b bytea, f boolean, n numeric)")
      let row: [PostgreSQLValue] = [
        .integer(.min), .real(.leastNonzeroMagnitude), .text("é"), .bytes(Data([0, 255])), .integer(1), .real(0.5),
      ]
      let insert = "INSERT INTO kept VALUES ($1, $2, $3, $4, $5, $6)"
      #expect(try session.run(insert, row).affected == 1)
      #expect(try session.run(insert, row.map { _ in .null }).affected == 1)
      let found = try session.run(
        "SELECT * FROM kept WHERE i = $1 AND r = $2 AND t = $3 AND b = $4", Array(row.prefix(4)))
      #expect(found.count == 1 && found.columnCount == 6)
      #expect(found.integer(0, 4) == 1 && found.bool(0, 4) == true && found.real(0, 5) == 0.5)
      #expect(try session.run("SELECT * FROM kept WHERE b IS NULL AND t IS NULL").count == 1)
      #expect(try session.run("UPDATE kept SET i = 7 WHERE i IS NULL").affected == 1)
      #expect(try session.run("DELETE FROM kept").affected == 2)
    }

    @Test("OP-06: a cell that is not there, or of another kind, is nil and no trap")
    func cells() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      let rows = try session.run(
        """
        SELECT 12, true, false, sum(2::bigint), 1.50::numeric, 't'::text, NULL::text, '\\x0041'::bytea, 'NaN'::numeric,
          99999999999999999999::numeric, 2, 'Infinity'::double precision
        """)
      #expect((rows.count, rows.columnCount) == (1, 12))
      #expect((0..<12).map { rows.integer(0, $0) } == [12, 1, 0, 2, nil, nil, nil, nil, nil, nil, 2, nil])
      #expect((0..<12).map { rows.bool(0, $0) } == [nil, true, false, nil, nil, nil, nil, nil, nil, nil, nil, nil])
      #expect(rows.real(0, 4) == 1.5 && rows.real(0, 8)?.isNaN == true && rows.real(0, 11) == .infinity)
      #expect(rows.real(0, 5) == nil && rows.real(0, 6) == nil)
      #expect(rows.text(0, 5) == "t" && rows.text(0, 6) == nil && rows.text(0, 0) == "12")
      #expect(rows.bytes(0, 7) == Data([0, 0x41]) && rows.bytes(0, 5) == nil && rows.bytes(0, 6) == nil)
      #expect((0..<12).filter { rows.isNull(0, $0) } == [6])
      let outside = [-1, 12, Int.min, Int.max, Int(Int32.max) + 1, 1 << 32]
      for (row, column) in outside.map({ (0, $0) }) + outside.map({ ($0, 0) }) + outside.map({ ($0, $0) }) {
        #expect(rows.isNull(row, column))
        #expect(rows.integer(row, column) == nil && rows.real(row, column) == nil && rows.bool(row, column) == nil)
        #expect(rows.text(row, column) == nil && rows.bytes(row, column) == nil)
      }
      for statement in ["SELECT 1 WHERE false", "SET search_path = public", ""] {
        let none = try session.run(statement)
        #expect(none.count == 0 && none.integer(0, 0) == nil && none.isNull(0, 0))
      }
    }

    @Test("OP-06: a NUL character is refused before it is sent: a transaction that is open goes on")
    func zeroCharacters() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      try session.run(script: "BEGIN")
      expectFailure(.refused, "22021") { try session.run("SELECT $1::text", [.text("a\0b")]) }
      expectFailure(.refused, "22021") { try session.run("SELECT 1\0 + 1") }
      expectFailure(.refused, "22021") { try session.run(script: "SELECT 1\0; SELECT 2") }
      expectFailure(.refused, "22021") { try session.pipeline([("SELECT 1", []), ("SELECT $1::text", [.text("\0")])]) }
      expectFailure(.refused, "54023") { try session.run("SELECT 1", Array(repeating: .null, count: 65_536)) }
      #expect(session.transaction == .inTransaction)
      #expect(try session.run("SELECT $1::text", [.text("ab")]).text(0, 0) == "ab")
    }
  }
#endif
