/// What a figure is held against.
enum Bar {
  case none
  /// The figure of another operation of the same run, by its name, and how many times that it may be.
  case times(String, atMost: Double?)
  /// So much more than another operation of the same run, by its name, in the unit of the table.
  case beyond(String, atMost: Double)
  /// So much, in the unit of the table.
  case atMost(Double)
}
