import IAPKGServer

@main struct Main {
  static func main() { ServerProgram.start() }
}
