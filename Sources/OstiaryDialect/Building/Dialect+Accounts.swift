extension Dialect {
  /// The settings that tell the accounts of one server apart: those that the calls of a sign-in name, the address of any call, or what
  /// requests carry. With another value of one of them, a user of the same name may be another one.
  ///
  /// What keeps several accounts gives each a ``/OstiaryCore/SessionKey`` that depends on their values.
  public var accountSettings: [DialectSetting] {
    var names = proof.names
    for site in callSites {
      switch site.step {
      case .prepare, .signIn, .continue: names.formUnion(site.call.names)
      case .renew, .verify, .who, .end:
        names.formUnion(site.call.path.names)
        for item in site.call.query { names.formUnion(item.value.names) }
      }
    }
    return settings.filter { names.contains($0.name) }
  }
}
