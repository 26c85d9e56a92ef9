import IAPKGCommands

@main struct Main {
  static func main() { Program.main() }
}
