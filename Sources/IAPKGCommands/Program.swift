import ArgumentParser

/// The way in from the executable.
public enum Program {
  public static func main() { IAPKG.main() }
}
