internal import OstiaryClientCommand

/// What `ostiary serve` says of the server as a whole.
enum ServeMessage: CommandMessage {
  case listening(origin: String)
  case developmentMode
  case noUserYet
  case signInFromElsewhere
  case stopping
  case dataTwice
  case keyNeedsFolder
  case certificateWithoutKey
  case certificateTwice
  case badAuditDays(most: Int)
  case passwordWithoutUser
  case signUpTwice
  case adminNeedsFolder
  case mailNeedsServer
  case mailNeedsSender
  case badMailServer(String)
  case mailNeedsPassword
  case badMailPasswordFile(String)
  case badMailSecurity(String)
  case databaseTwice
  case databaseNeedsAddress
  case badDatabase
  case badDatabasePasswordFile(String)
  case badDatabaseConnections
  case badDatabaseListen
  case badDatabasePooler(String)
  case badOperations(String)
  case operationsNeedAddress
  case badLogFormat(String)
  case badTracePercent
  case traceNeedsAddress

  var line: Line {
    switch self {
    case .listening(let origin): "\("✓", .green) Listening on \(origin, .bold); Ctrl-C stops."
    case .developmentMode: "\("Development mode: cheap hashing, any password. Not for real users.", .yellow)"
    case .noUserYet: "There is no user yet:"
    case .signInFromElsewhere: "Sign in from another terminal:"
    case .stopping: "\nStopping; Ctrl-C again stops at once."
    case .dataTwice: "--data and --in-memory do not go together."
    case .keyNeedsFolder: "--key-file and --in-memory do not go together."
    case .certificateWithoutKey: "--tls-cert and --tls-key go together."
    case .certificateTwice: "--tls-cert and --dev-tls do not go together."
    case .badAuditDays(let most): "--audit-days takes a number from 1 to \(most)."
    case .passwordWithoutUser: "--password-stdin is for the password of --user."
    case .signUpTwice: "--allow-sign-up and --no-sign-up do not go together."
    case .adminNeedsFolder: "--admin needs a data folder, where `ostiary admin add` makes the tokens."
    case .mailNeedsServer: "--mail-from and --mail-user go with --mail-server."
    case .mailNeedsSender: "--mail-server needs the address that mail is from."
    case .badMailServer(let text): "“\(text)” is no mail server."
    case .mailNeedsPassword:
      "--mail-user needs its password in the variable OSTIARY_MAIL_PASSWORD, or in --mail-password-file."
    case .badMailPasswordFile(let path):
      "--mail-password-file: \(path) can't be read, has no password in it, or can be read by others."
    case .badMailSecurity(let text): "--mail-security does not know “\(text)”."
    case .databaseTwice: "--database and --in-memory do not go together."
    case .databaseNeedsAddress: "The other database options go with --database."
    case .badDatabase: "--database takes the address of a database of PostgreSQL."
    case .badDatabasePasswordFile(let path):
      "--database-password-file: \(path) can't be read, has no password in it, or can be read by others."
    case .badDatabaseConnections: "--database-connections takes a number from 1 to 1000."
    case .badDatabaseListen: "--database-listen takes the address of the same database of PostgreSQL."
    case .badDatabasePooler(let text): "--database-pooler does not know “\(text)”."
    case .badOperations(let text): "“\(text)” is no address for --operations."
    case .operationsNeedAddress: "--insecure-operations-address goes with --operations."
    case .badLogFormat(let text): "--log-format does not know “\(text)”."
    case .badTracePercent: "--trace-percent takes a number from 1 to 100."
    case .traceNeedsAddress: "--trace-percent goes with --trace-otlp."
    }
  }

  var advice: String {
    switch self {
    case .dataTwice, .databaseTwice, .keyNeedsFolder, .certificateTwice, .signUpTwice: "Write one of the two."
    case .certificateWithoutKey: "Write both."
    case .passwordWithoutUser: "Write --user NAME, too."
    case .adminNeedsFolder: "Leave --in-memory out."
    case .mailNeedsServer: "Write --mail-server mail.example.org."
    case .mailNeedsSender: "Write --mail-from doorkeeper@example.org."
    case .badMailServer: "Write --mail-server with a name and perhaps a port: mail.example.org:465."
    case .badMailPasswordFile, .badDatabasePasswordFile: "Check the path, and run chmod 600 on it."
    case .badMailSecurity: "Write tls, starttls or insecure-plain-text."
    case .databaseNeedsAddress, .badDatabase: "Write --database postgres://USER@HOST/NAME."
    case .badDatabaseListen: "Write --database-listen postgres://USER@HOST/NAME."
    case .badDatabasePooler: "Write session or transaction."
    case .badOperations, .operationsNeedAddress: "Write --operations 127.0.0.1:9400, unix:PATH or off."
    case .badLogFormat: "Write text or json."
    case .traceNeedsAddress: "Write --trace-otlp http://127.0.0.1:4318."
    default: ""
    }
  }

  static let examples: [ServeMessage] = [
    .listening(origin: "http://127.0.0.1:8080"), .developmentMode, .noUserYet, .signInFromElsewhere, .stopping,
    .dataTwice, .keyNeedsFolder, .certificateWithoutKey, .certificateTwice, .badAuditDays(most: 36_500),
    .passwordWithoutUser,
    .signUpTwice, .adminNeedsFolder, .mailNeedsServer, .mailNeedsSender, .badMailServer("mail example"),
    .mailNeedsPassword, .badMailPasswordFile("mail.password"), .badMailSecurity("ssl"), .databaseTwice,
    .databaseNeedsAddress,
    .badDatabase, .badDatabasePasswordFile("database.password"), .badDatabaseConnections,
    .badDatabaseListen, .badDatabasePooler("statement"),
    .badOperations("everywhere"), .operationsNeedAddress, .badLogFormat("xml"), .badTracePercent,
    .traceNeedsAddress,
  ]
}

/// What stands beside a word in the announcement of `ostiary serve`.
enum ServeDetail: CommandMessage {
  case unsentMail
  case inMemory
  case signUpOn
  case signUpOff
  /// - what: What a door lets an account do that its user has made.
  case selfMadeAccount(what: String)

  var line: Line {
    switch self {
    case .unsentMail: "Mail, unsent"
    case .inMemory: "in memory, gone when it stops"
    case .signUpOn: "on: people make themselves accounts"
    case .signUpOff: "off; --allow-sign-up switches it on"
    case .selfMadeAccount(let what): "such an account \(what)"
    }
  }

  static let isSentences = false
  static let examples: [ServeDetail] = [
    .unsentMail, .inMemory, .signUpOn, .signUpOff, .selfMadeAccount(what: "sees its own records alone"),
  ]
}
