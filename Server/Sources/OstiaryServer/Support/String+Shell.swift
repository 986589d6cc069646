extension String {
  /// The string as a shell takes it for one word, whatever is in it.
  package var shellWord: String { "'\(replacing("'", with: "'\\''"))'" }
}
