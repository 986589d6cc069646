import OstiaryClientCommand
import OstiaryServerCommand

@main
struct Ostiary {
  static func main() {
    CommandLineTool.whole.main()
  }
}
