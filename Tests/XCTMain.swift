import Testing

/// The program of the tests on Linux. SwiftPM would write one, which also has the tests of XCTest. To find those it needs the compiler's
/// index of everything that is built, which takes a tenth of the build. Here are none.
@main
struct TestProgram {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
