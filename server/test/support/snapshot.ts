import pg from 'pg';

/**
 * Rows of one table written for one company; `companyId` is null where the table has no company.
 */
export interface WrittenRows {
  table: string;
  companyId: number | null;
}

/**
 * Tables that background work writes regardless of requests: neither watched nor restored. The
 * relay keeps counting, so what it published stays published.
 */
const unwatchedTables = new Set(['public.outbox', 'public.outbox_cursor', 'public.lease']);

export interface Snapshot {
  /** A position in the log of writes; `writtenSince` returns what came after it. */
  mark(): Promise<number>;
  /** What committed transactions wrote since a mark, without the traces that refusals leave. */
  writtenSince(mark: number): Promise<WrittenRows[]>;
  /** Restores every table that was written to its content when the snapshot was taken. */
  restore(): Promise<void>;
}

/**
 * Copies the current content of a test database, watches every table, and can restore what was
 * written. Row triggers log table and company in the writer's own transaction, so a rollback leaves
 * no entry.
 * @param url the database's address, as its owner
 */
export async function takeSnapshot(url: string): Promise<Snapshot & { close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const { rows: tables } = await client.query<{ name: string; columns: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name,
      (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'sandbox') and c.relkind in ('r', 'p') and not c.relispartition`);
  const watched = tables.filter((t) => !unwatchedTables.has(t.name));
  await client.query(`
    create schema snapshot;
    create table snapshot.written (n bigserial, table_name text not null, company_id bigint,
      is_trace boolean not null);
    create function snapshot.note() returns trigger language plpgsql security definer as $$
      declare one jsonb := to_jsonb(coalesce(new, old));
      begin
        insert into snapshot.written (table_name, company_id, is_trace) values (format('%I.%I', tg_table_schema, tg_table_name),
          coalesce(one ->> 'company_id', case when tg_table_name = 'company' then one ->> 'id' end)::bigint,
          tg_table_name = 'audit_log' and one ->> 'action' = 'access.refused');
        return null;
      end $$`);
  // In this session only: restoring must fire neither triggers nor foreign key checks.
  for (const { name } of watched) {
    await client.query(`create table snapshot."${name}" as select * from ${name};
      create trigger snapshot_note after insert or update or delete on ${name} for each row execute function snapshot.note()`);
  }
  await client.query('set session_replication_role = replica');
  const columnsOf = new Map(watched.map((t) => [t.name, t.columns]));

  return {
    mark: async () =>
      (await client.query<{ n: number }>('select coalesce(max(n), 0) as n from snapshot.written'))
        .rows[0]!.n,
    writtenSince: async (mark) =>
      (
        await client.query<WrittenRows>(
          'select distinct table_name as "table", company_id as "companyId" from snapshot.written where n > $1 and not is_trace',
          [mark],
        )
      ).rows,
    restore: async () => {
      // Another process may work on the same rows: retry after a deadlock.
      for (let tries = 1; ; tries++) {
        await client.query('begin');
        try {
          const { rows } = await client.query<{ table_name: string }>(
            'delete from snapshot.written returning table_name',
          );
          const names = [...new Set(rows.map((r) => r.table_name))].sort();
          for (const name of names)
            await client.query(
              `delete from ${name};
                insert into ${name} (${columnsOf.get(name)!}) overriding system value
                select ${columnsOf.get(name)!} from snapshot."${name}"`,
            );
          await client.query('commit');
          return;
        } catch (error) {
          await client.query('rollback');
          if ((error as { code?: string }).code !== '40P01' || tries === 5) throw error;
        }
      }
    },
    close: () => client.end(),
  };
}
