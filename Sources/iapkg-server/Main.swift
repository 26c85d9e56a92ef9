import IAPKGServer

@main struct Main {
  static func main() async { await ServerProgram.start() }
}
