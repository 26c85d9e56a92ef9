/// The numbered migrations of the schema. A released migration must not change; each schema change is a new migration.
///
/// `entries` is the ledger: an append-only table, which triggers enforce. All other tables are derived from it, updated
/// in the same transactions, and can be recomputed (`Ledger.audit`). Times are milliseconds since 1970.
enum Schema {
  struct Migration: Sendable {
    let statements: [String]
    /// Additional statements for one of the databases.
    var sqlite: [String] = []
    var postgres: [String] = []
    /// Whether the rules for the rights of subscriptions with a grace period changed.
    var changesGracePeriods = false
  }

  /// The schema version of this program.
  static var version: Int { migrations.count }

  static let migrations = [
    Migration(
      statements: tables + indexes, sqlite: sqliteTriggers, postgres: postgresTriggers),
    // Upgrades of subscriptions, and proofs of accounts: existing purchases are proven.
    Migration(statements: [
      "ALTER TABLE entries ADD COLUMN is_upgraded BIGINT",
      "ALTER TABLE entries ADD COLUMN proof TEXT",
      "ALTER TABLE transactions ADD COLUMN is_upgraded BIGINT NOT NULL DEFAULT 0",
      "ALTER TABLE purchases ADD COLUMN proof TEXT NOT NULL DEFAULT 'proven'",
      "CREATE INDEX transactions_id ON transactions (environment, id)",
    ]),
    // The operators of adjustments, and the properties of accounts and purchases that entries lacked. New entries record
    // the properties of existing accounts and purchases, so that an audit covers them.
    Migration(statements: [
      "ALTER TABLE iapkg_schema ADD COLUMN probe TEXT",
      "ALTER TABLE entries ADD COLUMN operator TEXT",
      "ALTER TABLE entries ADD COLUMN token_is_signed BIGINT",
      "ALTER TABLE entries ADD COLUMN is_consumable BIGINT",
      """
      INSERT INTO entries (time, kind, account, reason, token_is_signed)
      SELECT (SELECT MAX(time) FROM entries), 'account', id, 'token ' || token, 1 FROM accounts
      WHERE token_is_signed = 1 ORDER BY id
      """,
      """
      INSERT INTO entries (time, kind, environment, purchase, is_consumable)
      SELECT (SELECT MAX(time) FROM entries), 'purchase', environment, key, 1 FROM purchases
      WHERE is_consumable = 1 ORDER BY environment, key
      """,
    ]),
    // A refund or an upgrade ends a grace period.
    Migration(statements: [], changesGracePeriods: true),
    // In SQLite, `INSERT OR REPLACE` does not fire the trigger for DELETE.
    Migration(statements: [], sqlite: [sqliteReplacementTrigger]),
  ]

  private static let tables = [
    """
    CREATE TABLE entries (
      sequence {sequence},
      time BIGINT NOT NULL,
      kind TEXT NOT NULL,
      environment TEXT,
      account TEXT,
      purchase TEXT,
      transaction_id TEXT,
      product TEXT,
      balance TEXT,
      amount BIGINT,
      unit BIGINT,
      quantity BIGINT,
      signed_date BIGINT,
      expires_date BIGINT,
      revocation_date BIGINT,
      revocation_share BIGINT,
      request_id TEXT,
      notification_id TEXT,
      reason TEXT,
      digest TEXT)
    """,
    """
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      token TEXT,
      token_is_signed BIGINT NOT NULL,
      created BIGINT NOT NULL,
      UNIQUE (token, token_is_signed))
    """,
    // The key is the transaction identifier of a consumable, otherwise the original transaction identifier.
    """
    CREATE TABLE purchases (
      environment TEXT NOT NULL,
      key TEXT NOT NULL,
      is_consumable BIGINT NOT NULL,
      account TEXT,
      PRIMARY KEY (environment, key))
    """,
    """
    CREATE TABLE purchase_credits (
      environment TEXT NOT NULL,
      key TEXT NOT NULL,
      balance TEXT NOT NULL,
      unit BIGINT NOT NULL,
      applied BIGINT NOT NULL,
      PRIMARY KEY (environment, key, balance))
    """,
    // The state of each transaction according to its newest signature.
    """
    CREATE TABLE transactions (
      environment TEXT NOT NULL,
      key TEXT NOT NULL,
      id TEXT NOT NULL,
      product TEXT NOT NULL,
      quantity BIGINT NOT NULL,
      signed_date BIGINT NOT NULL,
      expires_date BIGINT,
      revocation_date BIGINT,
      revocation_share BIGINT,
      PRIMARY KEY (environment, key, id))
    """,
    """
    CREATE TABLE shares (
      environment TEXT NOT NULL,
      key TEXT NOT NULL,
      account TEXT NOT NULL,
      PRIMARY KEY (environment, key, account))
    """,
    // The source is the key of a purchase, or empty for grants and withheld products of support staff.
    """
    CREATE TABLE entitlements (
      account TEXT NOT NULL,
      environment TEXT NOT NULL,
      product TEXT NOT NULL,
      source TEXT NOT NULL,
      expires BIGINT,
      is_withheld BIGINT NOT NULL,
      PRIMARY KEY (account, environment, product, source))
    """,
    """
    CREATE TABLE balances (
      account TEXT NOT NULL,
      environment TEXT NOT NULL,
      name TEXT NOT NULL,
      amount BIGINT NOT NULL,
      PRIMARY KEY (account, environment, name))
    """,
  ]

  private static let indexes = [
    "CREATE UNIQUE INDEX entries_request ON entries (account, request_id) WHERE request_id IS NOT NULL",
    "CREATE UNIQUE INDEX entries_notification ON entries (notification_id) WHERE notification_id IS NOT NULL",
    "CREATE INDEX entries_account ON entries (account, sequence)",
    "CREATE INDEX entries_purchase ON entries (environment, purchase, sequence)",
    "CREATE INDEX entitlements_source ON entitlements (environment, source)",
    "CREATE INDEX purchases_account ON purchases (account)",
  ]

  private static let refusal = "the entries of the ledger are never changed"

  private static let sqliteTriggers = ["UPDATE", "DELETE"].map { change in
    """
    CREATE TRIGGER entries_no_\(change.lowercased()) BEFORE \(change) ON entries
    BEGIN SELECT RAISE(ABORT, '\(refusal)'); END
    """
  }

  /// Keeps an entry that `INSERT OR REPLACE` would replace. An insertion with an existing sequence number is an error. An
  /// insertion of a known request or notification has no effect, as in this program (`ON CONFLICT DO NOTHING`).
  ///
  /// If the insertion states no sequence number, `NEW.sequence` is -1, which no entry has.
  private static let sqliteReplacementTrigger = """
    CREATE TRIGGER entries_no_replacement BEFORE INSERT ON entries
    BEGIN
    SELECT RAISE(ABORT, '\(refusal)') FROM entries WHERE sequence = NEW.sequence;
    SELECT RAISE(IGNORE) FROM entries WHERE account = NEW.account AND request_id = NEW.request_id;
    SELECT RAISE(IGNORE) FROM entries WHERE notification_id = NEW.notification_id;
    END
    """

  private static let postgresTriggers = [
    """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    '\(postgresRefusal.replacing("'", with: "''"))'
    """,
    """
    CREATE TRIGGER entries_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
  ]

  private static let postgresRefusal = "BEGIN RAISE EXCEPTION '\(refusal)'; END"

  /// The definitions of the trigger and its function, as PostgreSQL describes them.
  static let postgresGuards = [
    SchemaPart(kind: "trigger", name: "entries.entries_no_change"): """
    CREATE TRIGGER entries_no_change BEFORE DELETE OR UPDATE OR TRUNCATE ON iapkg.entries \
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    SchemaPart(kind: "function", name: "refuse_change"): postgresRefusal,
  ]
}

extension Schema.Migration {
  /// Returns the statements for a database, in order.
  func statements(_ dialect: SQLDialect) -> [String] {
    let sequence =
      dialect == .sqlite ? "INTEGER PRIMARY KEY" : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    return statements.map { $0.replacing("{sequence}", with: sequence) }
      + (dialect == .sqlite ? sqlite : postgres)
  }
}
