/// The statements about the number by which processes notify each other of changes to tokens or clients.
struct FreshnessStatements: StatementSet {
  static let sql = FreshnessStatements()

  let epoch = StorageStatement("SELECT number FROM token_epoch")
  let advanceEpoch = StorageStatement("UPDATE token_epoch SET number = number + 1")
}
