import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { afterAll } from 'vitest';

/** What a refused request asks and writes beside its answer (`auditOnce`). */
const isTrace = (text: string): boolean =>
  text.startsWith('insert into "audit_log"') || text.startsWith('select from audit_log where');

/**
 * Which tables a request reads: those named in the statements it sends, and in the functions and
 * views they use. Only responses that depend on a changed table are read again.
 * @param url the database's address, as its owner
 * @returns runs `work` and resolves to the tables (`schema.name`) it read
 */
export async function recordTablesRead(
  url: string,
): Promise<<T>(work: () => Promise<T>) => Promise<{ result: T; tables: ReadonlySet<string> }>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string; full: string }>(`
    select c.relname as name, format('%I.%I', n.nspname, c.relname) as full from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'sandbox') and c.relkind in ('r', 'p') and not c.relispartition`);
  const { rows: bodies } = await client.query<{ name: string; text: string }>(`
    select p.proname as name, p.prosrc as text from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'sandbox')
    union all select viewname, definition from pg_views where schemaname in ('public', 'sandbox')`);
  await client.end();
  const tableOf = new Map(tables.map((t) => [t.name, t.full]));
  const bodyOf = new Map<string, string[]>();
  for (const { name, text } of bodies) bodyOf.set(name, [...(bodyOf.get(name) ?? []), text]);
  const words = (text: string) => new Set(text.toLowerCase().match(/[a-z_][a-z0-9_]*/g) ?? []);
  const known = new Map<string, ReadonlySet<string>>();
  const named = (text: string, within: ReadonlySet<string> = new Set()): Set<string> => {
    const found = new Set<string>();
    for (const word of words(text)) {
      const table = tableOf.get(word);
      if (table) found.add(table);
      if (within.has(word)) continue;
      for (const body of bodyOf.get(word) ?? [])
        for (const one of named(body, new Set([...within, word]))) found.add(one);
    }
    return found;
  };
  const tablesOf = (text: string): ReadonlySet<string> => {
    const before = known.get(text);
    if (before) return before;
    const found = named(text);
    // Every request asks whether an operator is inside; no write here lets one in. And a refusal
    // leaves a trace, if the last hour has none: no answer depends on it.
    if (text.includes("'admin.opened'") || isTrace(text)) found.delete('public.audit_log');
    known.set(text, found);
    return found;
  };

  const listening = new AsyncLocalStorage<Set<string>>();
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }];
    listening.getStore()?.add(typeof first === 'string' ? first : (first.text ?? ''));
    return Reflect.apply(query, this, args);
  } as typeof query;
  afterAll(() => {
    pg.Client.prototype.query = query;
  });

  return async (work) => {
    const statements = new Set<string>();
    const result = await listening.run(statements, work);
    return { result, tables: new Set([...statements].flatMap((text) => [...tablesOf(text)])) };
  };
}
