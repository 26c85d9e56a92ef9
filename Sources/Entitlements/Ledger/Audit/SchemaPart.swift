/// A part of the schema that the ledger relies on: a column, a unique key, an index, or a trigger and its function.
///
/// The properties of a PostgreSQL table that could lose or hide rows are parts too: a rule, row security, and the
/// option UNLOGGED. This program never creates such a property. Unique keys and indexes are named after their columns,
/// because the databases name constraints differently.
struct SchemaPart: Hashable, Sendable {
  static let column = "column"
  static let trigger = "trigger"
  /// The kinds of which only the parts that this program creates are allowed.
  static let closedKinds: Set = [trigger, "rule", "row security", "unlogged table"]

  let kind: String
  let name: String
}

extension SchemaPart {
  /// Returns the parts that this program creates, with their definitions.
  static func expected(_ dialect: SQLDialect) throws(LedgerError) -> [SchemaPart: String] {
    let parts = try SQLiteConnection.inMemory { (connection) throws(LedgerError) in
      _ = try Migrator(connection: connection, name: "", time: 0).migrate()
      return try found(connection)
    }
    guard dialect == .postgres else { return parts }
    return parts.filter { $0.key.kind != trigger }.merging(Schema.postgresGuards) { $1 }
  }

  /// Returns the parts in a database, with their definitions.
  static func found(_ connection: any LedgerConnection) throws(LedgerError) -> [SchemaPart: String] {
    let query = connection.dialect == .sqlite ? sqliteQuery : postgresQuery
    return try connection.rows(query, []).reduce(into: [:]) { parts, row in
      parts[SchemaPart(kind: row.text(0) ?? "", name: row.text(1) ?? "")] = row.text(2) ?? "it"
    }
  }

  private static let sqliteQuery = """
    SELECT 'column', t.name || '.' || c.name, REPLACE(c.type, 'INTEGER', 'BIGINT')
    || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN ' NOT NULL' ELSE '' END
    || COALESCE(' DEFAULT ' || c.dflt_value, '')
    FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table'
    UNION ALL
    SELECT 'unique', t.name || ' (' || c.name || ')', NULL
    FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' AND c.pk = 1
    AND (SELECT MAX(k.pk) FROM pragma_table_info(t.name) AS k) = 1
    UNION ALL
    SELECT CASE i."unique" WHEN 1 THEN 'unique' ELSE 'index' END, t.name || ' ('
    || (SELECT group_concat(c.name, ', ') FROM pragma_index_info(i.name) AS c) || ')'
    || COALESCE((SELECT SUBSTR(m.sql, INSTR(m.sql, ' WHERE ')) FROM sqlite_master AS m
    WHERE m.type = 'index' AND m.name = i.name AND i.partial = 1), ''), NULL
    FROM sqlite_master AS t JOIN pragma_index_list(t.name) AS i WHERE t.type = 'table'
    UNION ALL
    SELECT 'trigger', tbl_name || '.' || name, REPLACE(sql, char(10), ' ') FROM sqlite_master WHERE type = 'trigger'
    """

  private static let postgresQuery = """
    WITH tables AS (SELECT c.oid, c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = 'iapkg' AND c.relkind = 'r')
    SELECT 'column', t.relname || '.' || a.attname, UPPER(format_type(a.atttypid, a.atttypmod))
    || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
    || COALESCE(' DEFAULT ' || split_part(pg_get_expr(d.adbin, d.adrelid), '::', 1), '')
    FROM tables AS t JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef AS d ON d.adrelid = t.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT CASE WHEN i.indisunique THEN 'unique' ELSE 'index' END, t.relname || ' ('
    || (SELECT string_agg(a.attname, ', ' ORDER BY k.ordinal)
    FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, ordinal)
    JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = k.number) || ')'
    || COALESCE(' WHERE ' || btrim(pg_get_expr(i.indpred, i.indrelid), '()'), ''), NULL
    FROM tables AS t JOIN pg_index AS i ON i.indrelid = t.oid AND i.indisvalid
    UNION ALL
    SELECT 'trigger', t.relname || '.' || g.tgname, pg_get_triggerdef(g.oid)
    || CASE g.tgenabled WHEN 'D' THEN ' (disabled)' WHEN 'R' THEN ' (for replication only)' ELSE '' END
    FROM tables AS t JOIN pg_trigger AS g ON g.tgrelid = t.oid AND NOT g.tgisinternal
    UNION ALL
    SELECT 'rule', t.relname || '.' || r.rulename, pg_get_ruledef(r.oid)
    FROM tables AS t JOIN pg_rewrite AS r ON r.ev_class = t.oid
    UNION ALL
    SELECT 'row security', c.relname, NULL FROM tables AS t JOIN pg_class AS c ON c.oid = t.oid
    WHERE c.relrowsecurity
    UNION ALL
    SELECT 'unlogged table', c.relname, NULL FROM tables AS t JOIN pg_class AS c ON c.oid = t.oid
    WHERE c.relpersistence <> 'p'
    UNION ALL
    SELECT 'function', p.proname, p.prosrc FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname = 'iapkg'
    """
}
