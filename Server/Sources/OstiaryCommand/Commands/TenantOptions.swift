internal import ArgumentParser

/// Whose user a name names.
struct TenantOptions: ParsableArguments {
  @Option(help: "The tenant that the user belongs to, for doors that have tenants. (default: none)")
  var tenant: String?
}
