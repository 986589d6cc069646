import OstiaryCommand

@main
struct Ostiary {
  static func main() {
    CommandLineTool.main()
  }
}
