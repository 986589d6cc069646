/// Options of a door that has names of its own which the whole server must know.
protocol NamingDoorOptions: DoorOptions {
  /// The cookies that the door sets under a vendor's names. What begins with ``ServerCookieNames/prefix`` is known anyway.
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated]

  /// Further origins at which clients reach the door.
  var servedOrigins: [String] { get }
}

extension NamingDoorOptions {
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated] { [] }
  var servedOrigins: [String] { [] }
}
