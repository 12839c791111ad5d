import pg from 'pg';
import type { Metric } from '../metric.ts';
import { withProduct } from '../product.ts';
import { request, signInAsOwner } from '../traffic.ts';
import { secondsUntil, seen, took } from './kit.ts';

/**
 * "Requests are slow" and "Requests fail": somebody's transaction holds a table, then the product's role
 * may not read it any more. Both are seen by the alert's figure and by what the runbook says to look at.
 */
export async function requestsSlowOrFailing(): Promise<Metric[]> {
  return withProduct({ STATEMENT_SECONDS: '8' }, async ({ url, databaseUrl, output }) => {
    const operator = new pg.Client({ connectionString: databaseUrl });
    const somebody = new pg.Client({ connectionString: databaseUrl });
    somebody.on('error', () => {}); // The operator ends it.
    await Promise.all([operator.connect(), somebody.connect()]);
    const token = await signInAsOwner(url);
    const company = (
      await operator.query("select company_id id from number where number = '+12125552340'")
    ).rows[0].id;
    const list = () => request(url, `/api/companies/${company}/contactLabels`, { token }, 20_000);
    try {
      return [
        ...(await slow(url, list, operator, somebody)),
        ...(await failing(url, list, operator, output)),
      ];
    } finally {
      await operator.end();
      await somebody.end().catch(() => {});
    }
  });
}

/** Of `http_request_seconds`, of all routes: answers within a second and all, or those of a status. */
async function answers(url: string, matches: RegExp): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  return lines
    .filter((line) => matches.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
const slowAnswers = async (url: string) =>
  (await answers(url, /^http_request_seconds_count/)) -
  (await answers(url, /^http_request_seconds_bucket\{.*le="1"/));
const failedAnswers = (url: string) =>
  answers(url, /^http_request_seconds_count\{.*status="5\d\d"/);

type List = () => Promise<{ status: number; body: unknown }>;

async function slow(
  url: string,
  list: List,
  operator: pg.Client,
  somebody: pg.Client,
): Promise<Metric[]> {
  const before = await slowAnswers(url);
  await somebody.query('begin');
  await somebody.query('lock table contact_label in access exclusive mode');
  const during = await list();
  const { rows } = await operator.query<{ query: string }>(
    `select query from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid()
      order by query_start limit 1`,
  );
  await operator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'lock table%'`,
  );
  const back = await secondsUntil(async () => (await list()).status === 200);
  return [
    seen('slow: answered in time, to come again', during.status === 503, JSON.stringify(during)),
    seen('slow: the alert’s figure grows', (await slowAnswers(url)) > before),
    seen('slow: pg_stat_activity names it first', /^lock table/.test(rows[0]?.query ?? '')),
    took('slow: over once that transaction is ended', back),
  ];
}

async function failing(
  url: string,
  list: List,
  operator: pg.Client,
  output: () => string,
): Promise<Metric[]> {
  const before = await failedAnswers(url);
  await operator.query('revoke select on contact_label from trunkline_app');
  const during = await list();
  const { request_id: id = 'none' } = during.body as { request_id?: string };
  const isLogged = await secondsUntil(() => output().includes(id), 10);
  await operator.query('grant select on contact_label to trunkline_app');
  const back = await secondsUntil(async () => (await list()).status === 200);
  return [
    seen('failing: answered as our fault', during.status === 500, JSON.stringify(during)),
    seen('failing: the alert’s figure grows', (await failedAnswers(url)) > before),
    seen('failing: the log has the answer’s request', isLogged !== null, id),
    took('failing: over once its cause is gone', back),
  ];
}
