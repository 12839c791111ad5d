import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { hashToken, randomToken } from '../../server/src/platform/secrets.ts';
import { killProcess, RetryingDatabase, processesOf, withProduct } from '../product.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

interface Import {
  id: number;
  state: string;
  processed: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  skippedBy: Record<string, number>;
  resultUrl: string;
}

/**
 * An import whose worker is killed twice and whose connections are cut once: every row is imported
 * once.
 */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const rowCount = size === 'full' ? 100_000 : 30_000;
  return withProduct({ LOG_LEVEL: 'fatal', DEMO: '0' }, async ({ url, databaseUrl }, dataDir) => {
    const db = new RetryingDatabase(databaseUrl);
    const token = randomToken('tla');
    const { id: company } = await db.queryOne<{ id: number }>(
      `with p as (insert into person (email, password_hash) values ('owner@faults.test', 'x')
          returning id), c as (insert into company (name, slug, timezone)
          values ('Faults', 'faults', 'UTC') returning id),
      m as (insert into membership (company_id, user_id, role) select c.id, p.id, 'owner'
          from c, p) , s as (insert into session (person_id, kind, access_hash, access_expires_at)
          select p.id, 'browser', $1, now() + interval '1 day' from p)
        select c.id::float8 id from c`,
      [hashToken(token)],
    );
    const api = async <T>(method: string, path: string, body?: BodyInit): Promise<T> => {
      const once = () =>
        fetch(`${url}/api/companies/${company}/contacts/${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body } : {}),
        });
      let answer = await once();
      // At the moment its connections are cut, the web process may answer 5xx.
      for (let more = 40; method === 'GET' && answer.status >= 500 && more > 0; more--) {
        await pause(250);
        answer = await once();
      }
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return ((await answer.json()) as { data: T }).data;
    };
    // Every thousandth row repeats the first; every thousandth has no number.
    const lines = Array.from(
      { length: rowCount },
      (_, i) =>
        `Person ${i},${i % 1000 === 999 ? '+12122000000' : i % 1000 === 500 ? 'nobody' : `+1212${2_000_000 + i}`},Everybody`,
    );
    const form = new FormData();
    form.set('file', new Blob([`name,number,groups\n${lines.join('\n')}`]), 'people.csv');
    const { id } = await api<Import>('POST', 'imports', form);
    await api('POST', `imports/${id}/start`, '{}');

    const until = async (enough: (now: Import) => boolean): Promise<Import> => {
      for (;;) {
        const now = await api<Import>('GET', `imports/${id}`);
        if (enough(now) || now.state !== 'running') return now;
        await pause(80);
      }
    };
    const consoleErrors: string[] = [];
    for (const [from, trouble] of [
      [1, 'kill'],
      [rowCount * 0.3, 'cut'],
      [rowCount * 0.6, 'kill'],
    ] as const) {
      const now = await until(({ processed }) => processed >= from);
      if (now.state !== 'running') break;
      consoleErrors.push(`${trouble} at ${now.processed}`);
      if (trouble === 'kill')
        processesOf(dataDir)
          .filter(({ role }) => role === 'bulk')
          .forEach(({ pid }) => killProcess(pid));
      else await db.dropConnections(null);
    }
    const done = await until(() => false);
    const bad = rowCount / 1000;
    const good = rowCount - 2 * bad;
    const kept = await db.queryOne<Record<string, number>>(
      `select count(*)::int n, count(distinct number)::int numbers, (select count(*)::int
          from contact_group_member m where m.company_id = $1) members,
      (select sum(contacts)::int from contact_group_count g where g.company_id = $1
          and g.group_id = 0) counted from contact where company_id = $1 and deleted_at is null`,
      [company],
    );
    await db.close();
    const result = parse(await (await fetch(`${url}${done.resultUrl}`)).text(), {
      bom: true,
    }) as string[][];
    const told =
      done.state === 'finished' &&
      done.processed === rowCount &&
      done.created === good &&
      done.updated === 0 &&
      done.skippedBy['invalid_number'] === bad &&
      done.skippedBy['duplicate_in_file'] === bad;
    const once = Object.values(kept).every((n) => n === good);
    const rows = new Set(result.map(([row]) => row)).size;
    return [
      printMetric(
        'import-kills.rows',
        `${JSON.stringify(kept)} after ${consoleErrors.join(', ')}`,
        `${good} of each`,
        once && consoleErrors.length > 0,
      ),
      printMetric(
        'import-kills.told',
        `${done.state}: ${done.processed} read, ${done.created} new, ${done.skipped} left out`,
        `${rowCount}, ${good}, ${2 * bad}`,
        told,
      ),
      printMetric(
        'import-kills.result',
        `${rows} different lines of ${result.length}`,
        String(rowCount + 1),
        rows === rowCount + 1 && result.length === rows,
      ),
    ];
  });
}
