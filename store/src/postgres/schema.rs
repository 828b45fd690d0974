//! What stands in the database, how it came there, and whether it is ours.

use deadpool_postgres::ClientWrapper;

use super::fault::Trouble;
use crate::Error;

/// The statements of each version, which lead there from the one before. A version that was ever used is never changed:
/// what has to change is another migration.
///
/// `log` says where each log ends, so that no record at its end is missed (INVARIANT 2); half of each of its pages is left
/// free for the next version of a row, which then needs no work on the index. Bytes are not compressed: it would cost
/// more than it saves for records of the usual size, and the length of one is known without reading it. INVARIANT 1: the
/// triggers refuse changes, also those of other programs. A snapshot is no part of a log, and is replaced.
const MIGRATIONS: &[&str] = &["
CREATE TABLE tern.migration (number int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE tern.log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE \"C\" NOT NULL CONSTRAINT log_name UNIQUE,
    position bigint NOT NULL CONSTRAINT log_position CHECK (position >= 0),
    link bytea NOT NULL CONSTRAINT log_link CHECK (octet_length(link) = 32)
) WITH (fillfactor = 50);
CREATE TABLE tern.record (
    log bigint NOT NULL,
    position bigint NOT NULL CONSTRAINT record_position CHECK (position >= 0),
    link bytea NOT NULL CONSTRAINT record_link CHECK (octet_length(link) = 32),
    bytes bytea NOT NULL,
    PRIMARY KEY (log, position)
);
ALTER TABLE tern.record ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE tern.snapshot (
    log bigint NOT NULL,
    kind text COLLATE \"C\" NOT NULL,
    position bigint NOT NULL,
    link bytea NOT NULL CONSTRAINT snapshot_link CHECK (octet_length(link) = 32),
    bytes bytea NOT NULL,
    PRIMARY KEY (log, kind)
);
ALTER TABLE tern.snapshot ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE FUNCTION tern.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END$$;
CREATE TRIGGER record_is_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON tern.record
    FOR EACH STATEMENT EXECUTE FUNCTION tern.refuse('a record is never changed or removed');
CREATE TRIGGER log_is_kept BEFORE DELETE OR TRUNCATE ON tern.log
    FOR EACH STATEMENT EXECUTE FUNCTION tern.refuse('a log is never removed');
CREATE TRIGGER head_goes_on BEFORE UPDATE ON tern.log
    FOR EACH ROW WHEN (new.id <> old.id OR new.name <> old.name OR new.position <= old.position)
    EXECUTE FUNCTION tern.refuse('a log is never renamed, and its head never goes back');
CREATE TRIGGER migration_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON tern.migration
    FOR EACH STATEMENT EXECUTE FUNCTION tern.refuse('a migration is never undone');
"];

/// The version of all migrations together.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// What has to stand in the schema at `VERSION`, as `SHAPE` lists it; nothing else may, but for further indexes.
const EXPECTED: &str = include_str!("shape.txt");

/// Tables, columns with their defaults, constraints, triggers (with whether they are on) and functions of the schema, a
/// line each: constraints and triggers as the server would write them down, functions by their result, language and body.
const SHAPE: &str = r#"
WITH ours AS (
    SELECT c.oid, c.relname::text AS name, c.relkind, c.relpersistence FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'tern' AND c.relkind NOT IN ('i', 'I', 'S', 't', 'c')
)
SELECT line FROM (
    SELECT 'table ' || name || ' ' || relkind::text || relpersistence::text AS line FROM ours
    UNION ALL
    SELECT 'column ' || o.name || '.' || a.attname || ' ' || pg_catalog.format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
        || CASE WHEN l.collname = 'C' THEN ' C' ELSE '' END
        || CASE WHEN a.attidentity <> '' THEN ' identity ' || a.attidentity::text ELSE '' END
        || coalesce(' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid), '')
    FROM ours o JOIN pg_catalog.pg_attribute a ON a.attrelid = o.oid
    LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT 'constraint ' || o.name || '.' || c.conname || ' ' || pg_catalog.pg_get_constraintdef(c.oid)
    FROM ours o JOIN pg_catalog.pg_constraint c ON c.conrelid = o.oid WHERE c.contype <> 'n'
    UNION ALL
    SELECT 'trigger ' || o.name || '.' || t.tgname || ' ' || t.tgenabled::text || ' '
        || pg_catalog.pg_get_triggerdef(t.oid)
    FROM ours o JOIN pg_catalog.pg_trigger t ON t.tgrelid = o.oid WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'rule ' || o.name || '.' || r.rulename
    FROM ours o JOIN pg_catalog.pg_rewrite r ON r.ev_class = o.oid
    UNION ALL
    SELECT 'function ' || p.proname || ' ' || pg_catalog.format_type(p.prorettype, NULL) || ' ' || g.lanname || ' '
        || pg_catalog.md5(p.prosrc)
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language g ON g.oid = p.prolang
    WHERE n.nspname = 'tern'
) lines ORDER BY line COLLATE "C"
"#;

/// Only one process at a time migrates. The number is `Tern` and `migr` in ASCII.
const LOCK: &str = "SELECT pg_advisory_xact_lock(6081392690441316210)";

/// What is in the database.
pub(super) enum Found {
    /// Nothing of ours, and nothing that is in the way.
    Nothing,
    /// A store of an earlier version.
    Older(i64),
    /// A store of this version.
    Ours,
}

/// What is there. INVARIANT 6: looked at before anything is written.
///
/// # Errors
///
/// `store_not_a_log`, `store_newer_schema` and what the server says.
pub(super) async fn look(client: &ClientWrapper, store: &str) -> Result<Found, Trouble> {
    let not_a_log = |why: String| {
        let store = store.to_owned();
        Trouble::Refused(Error::NotALog { store, why })
    };
    let rows = client.query(SHAPE, &[]).await?;
    let found: Vec<String> = rows
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    if found.is_empty() {
        return Ok(Found::Nothing);
    }
    if !found.iter().any(|line| line == "table migration rp") {
        return Err(not_a_log(
            "its schema `tern` was not made by this program".to_owned(),
        ));
    }
    let row = client
        .query_one(
            "SELECT coalesce(max(number), 0)::bigint FROM tern.migration",
            &[],
        )
        .await?;
    match row.try_get(0)? {
        version if version > VERSION => Err(Trouble::Refused(Error::NewerSchema {
            store: store.to_owned(),
            found: version,
            supported: VERSION,
        })),
        version if version < VERSION => Ok(Found::Older(version)),
        _ => match difference(&found) {
            None => Ok(Found::Ours),
            Some(difference) => Err(not_a_log(difference)),
        },
    }
}

/// What is there and should not be, or the other way round.
fn difference(found: &[String]) -> Option<String> {
    let expected: Vec<&str> = EXPECTED.lines().collect();
    if let Some(missing) = expected
        .iter()
        .find(|line| !found.iter().any(|it| it == *line))
    {
        return Some(format!("in its schema `tern` this is missing: {missing}"));
    }
    let extra = found
        .iter()
        .find(|line| !expected.contains(&line.as_str()))?;
    Some(format!("in its schema `tern` this is too much: {extra}"))
}

/// Makes a store, or brings one to this version, in one transaction. INVARIANT 6: a crash leaves it as it was.
///
/// # Errors
///
/// Those of [`look`].
pub(super) async fn migrate(client: &ClientWrapper, store: &str) -> Result<(), Trouble> {
    let row = client
        .query_one("SELECT current_setting('server_encoding')", &[])
        .await?;
    let encoding: String = row.try_get(0)?;
    if encoding != "UTF8" {
        return Err(Trouble::Refused(Error::NotALog {
            store: store.to_owned(),
            why: format!("it is a database of text in {encoding}, and names of logs are UTF8"),
        }));
    }
    client
        .batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on")
        .await?;
    client.batch_execute(LOCK).await?;
    // another process may have been faster
    let version = match look(client, store).await {
        Ok(Found::Nothing) => 0,
        Ok(Found::Older(version)) => version,
        Ok(Found::Ours) => VERSION,
        Err(refusal) => {
            client.batch_execute("ROLLBACK").await?;
            return Err(refusal);
        }
    };
    if version == 0 && !has_schema(client).await? {
        client.batch_execute("CREATE SCHEMA tern").await?;
    }
    for (number, statements) in (1_i64..).zip(MIGRATIONS) {
        if number > version {
            client.batch_execute(statements).await?;
            let number = i32::try_from(number).unwrap_or(i32::MAX);
            client
                .execute(
                    "INSERT INTO tern.migration (number) VALUES ($1)",
                    &[&number],
                )
                .await?;
        }
    }
    Ok(client.batch_execute("COMMIT").await?)
}

/// Whether an empty schema was made for us, by somebody who has the right to.
async fn has_schema(client: &ClientWrapper) -> Result<bool, tokio_postgres::Error> {
    let row = client
        .query_one(
            "SELECT count(*) > 0 FROM pg_catalog.pg_namespace WHERE nspname = 'tern'",
            &[],
        )
        .await?;
    row.try_get(0)
}
