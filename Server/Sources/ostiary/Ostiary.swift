import OstiaryCommand

@main
struct Ostiary {
  static func main() async {
    await CommandLineTool.main()
  }
}
