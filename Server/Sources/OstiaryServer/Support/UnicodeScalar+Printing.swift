extension Unicode.Scalar {
  /// Whether the scalar could move the cursor, end a line or turn the text around when printed.
  var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
    default: false
    }
  }
}
