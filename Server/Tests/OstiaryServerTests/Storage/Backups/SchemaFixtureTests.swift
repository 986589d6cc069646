import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Databases of each schema of the past", .timeLimit(.minutes(5)))
struct SchemaFixtureTests {
  /// What a schema is, one thing a line, without the names that PostgreSQL gives itself.
  private static let description = """
    SELECT 'column', table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity
      FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 2, 3;
    SELECT 'constraint', conrelid::regclass, contype, pg_get_constraintdef(oid), convalidated
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY conrelid::regclass::text, 3, 4;
    SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 2, 3;
    SELECT 'trigger', tgrelid::regclass, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 3;
    SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 2;
    SELECT 'migration', name FROM ostiary_migrations ORDER BY 2;
    """

  @Test(
    "OP-11: the newest schema has a fixture, or one has to be made",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func newest() async throws {
    if ProcessInfo.processInfo.environment["OSTIARY_FIXTURE"] == "write" { try await SchemaFixtures.write() }
    #expect(SchemaFixtures.present.first == 17, "the first that was in use has gone")
    for suffix in ["sql", "backup"] {
      let file = SchemaFixtures.file(SchemaFixtures.newest, suffix)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(SchemaFixtures.hint)")
    }
  }

  @Test(
    "OP-11: PostgreSQL's tables of before become those of now, and their rows are there",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
    arguments: SchemaFixtures.present)
  func upgraded(number: Int) async throws {
    let target = try await DatabasePlace(.postgreSQL)
    let statements = try String(contentsOf: SchemaFixtures.file(number, "sql"), encoding: .utf8)
    try await target.execute(statements)
    let counts = Dictionary(
      statements.split(separator: "\n").filter { $0.hasPrefix("INSERT INTO public.") }
        .map { line in (String(line.dropFirst(19).prefix { $0 != " " }), 1) }, uniquingKeysWith: +)
    let keys = ServerKeySources(variables: [ServerKeySources.variable: EarlierDatabaseTests.key])
    let storage = try ServerStorage(target.storage, keys: keys)
    let now = try await storage.digests()
    for (table, digest) in now where counts[table] != nil || number == SchemaFixtures.newest {
      #expect(digest.count >= counts[table] ?? 1, "\(table)")
    }
    try await storage.close()
    // A schema that was made at once.
    try await target.execute("CREATE DATABASE fresh;")
    var fresh = PostgreSQLDatabase(
      Secret(try #require(target.server).address.replacing("/postgres?", with: "/fresh?")), folder: target.folder.url)
    fresh.connections = 2
    try await ServerStorage(.postgreSQL(fresh), keys: keys).close()
    let (upgraded, made) = (
      try await target.answer(Self.description), try await target.answer(Self.description, database: "fresh")
    )
    let difference = made.split(separator: "\n").difference(from: upgraded.split(separator: "\n"))
    #expect(upgraded == made, "\(difference)")
    #expect(made.contains("constraint") && made.contains("index") && made.contains("function"))
  }

  @Test(
    "OP-11: a back-up of each schema is restored into either engine, and its users and tokens work on",
    arguments: SchemaFixtures.present, DatabasePlace.Engine.present)
  func restored(number: Int, engine: DatabasePlace.Engine) async throws {
    let target = try await DatabasePlace(engine)
    let report = try await target.storage.restore(SchemaFixtures.file(number, "backup"), keys: ServerKeySources())
    #expect(report.key == .restored && report.tables.allSatisfy { $0.rows > 0 }, "\(report.tables)")
    let check = try await target.storage.check(keys: ServerKeySources())
    #expect(check.isGood && check.age == .equal, "\(check.findings)")
    try await TestServer.run({ configuration in
      configuration.storage = target.storage
      configuration.development?.clock = AdjustableClock(EarlierDatabaseTests.moment)
    }) { server in
      let user = EarlierDatabaseTests.user
      let client = server.client()
      #expect(
        try await client.get(Client.loginActivity, headers: Client.basic(user.name, user.password)).status == 200)
      let salesforce = EarlierDatabaseTests.salesforce
      let refreshed = try await server.client().post(
        "/services/oauth2/token",
        form: [
          ("grant_type", "refresh_token"), ("refresh_token", salesforce.refresh), ("client_id", salesforce.app),
        ])
      #expect(refreshed.status == 200 && refreshed.json["access_token"]?.string != nil, "\(refreshed.body)")
    }
  }
}
