#if PostgreSQL
  import CPQ
  import OstiaryCore

  /// Looks into a connection string, so that nothing of it is ever shown.
  enum PostgreSQLConnectionString {
    /// The password in it, if there is one.
    /// - Throws: ``PostgreSQLFailure/unreadableConnectionString``. libpq's words are left out: they quote it.
    static func password(_ connection: Secret) throws(PostgreSQLFailure) -> Secret? {
      var message: UnsafeMutablePointer<CChar>?
      let parsed = connection.reveal().utf8.contains(0) ? nil : PQconninfoParse(connection.reveal(), &message)
      guard let options = parsed else {
        PQfreemem(message)
        throw .unreadableConnectionString
      }
      defer { PQconninfoFree(options) }
      var option = options
      while let keyword = option.pointee.keyword {
        if String(cString: keyword) == "password", let value = option.pointee.val {
          return Secret(String(cString: value))
        }
        option += 1
      }
      return nil
    }
  }
#endif
