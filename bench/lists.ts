import { readFileSync } from 'node:fs';
import pg from 'pg';
import { Pool } from 'undici';
import { fillCompany } from './fill-company.ts';
import { createBench, fmt, median, percentile } from './kit.ts';
import { databaseClock } from './processor-time.ts';

/**
 * Every list, filter and figure of one company, at 1 and at 8 at once, through the whole dispatch
 * (session, permission, row-level security), and its ratio to a bare statement of the owner's for
 * the same page: no session, no row-level security, no count. Parts are interleaved in rounds after
 * a warm-up. `LISTS_CONVERSATIONS` (200,000) sets the size: seven items, a contact and two calls a
 * conversation, and a number for every forty. `LISTS_ROUNDS` (3), `LISTS_REQUESTS` (40) a round;
 * `LISTS_ONLY`: a pattern of names.
 * The goal is p95 ≤ 150 ms at 8 at once, at rest. Processor time of a request (all processes of the
 * database, and this one, which is server and client) says what a machine with other work can't.
 */
const size = Number(process.env['LISTS_CONVERSATIONS'] ?? 200_000);
const rounds = Number(process.env['LISTS_ROUNDS'] ?? 3);
const requests = Number(process.env['LISTS_REQUESTS'] ?? 40);
const GOAL_MS = 150;
const source = readFileSync(new URL('fill-company.ts', import.meta.url), 'utf8');
const bench = await createBench(
  {},
  {
    name: `company-${size}`,
    source,
    fill: (owner, companyId) => fillCompany(owner, companyId, size),
  },
);
const owner = new pg.Pool({ connectionString: bench.database, max: 8 });
const company = bench.companyId;

interface List {
  name: string;
  path: string;
  body?: object;
  bare: string;
}
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const inbox = `select * from conversation where company_id = $1 and archived_at is null
  and deleted_at is null order by last_activity_at desc, id desc limit 25`;
const items = (more: string) => `select * from conversation_item where company_id = $1
  and deleted_at is null ${more} order by created_at desc, id desc limit 25`;
const contacts = `select * from contact where company_id = $1 and deleted_at is null`;
const calls = `select * from call where company_id = $1 order by started_at desc, id desc limit 25`;
const numbers = `select * from number where company_id = $1 order by created_at desc, id desc limit 25`;
const bareKpi = (days: number) => `select hour::date, sum(calls), sum(answered), sum(texts_in)
  from figure_hour where company_id = $1 and number_id = 0 and hour > now() - interval '${2 * days} days'
  group by 1`;
const conversations = (query: string) =>
  `/api/companies/${company}/conversations?perPage=25${query}`;
const contactList = (query: string) => `/api/contacts?company_id=${company}&perPage=50${query}`;
const search = (query: string) => `/api/calls/search?company_id=${company}&perPage=25${query}`;
const table = (query: string) => `/api/numbers/datatable?company_id=${company}&perPage=25${query}`;
const activity = (
  name: string,
  filter: object[],
  more: { types?: string[]; page?: number } = {},
): List => ({
  name: `activity ${name}`,
  path: '/api/activity',
  body: { companyId: company, perPage: 25, groups: filter.length ? [filter] : [], ...more },
  bare: items(''),
});
const kpi = (days: number): List => ({
  name: `home figures, ${days} days`,
  path: `/api/companies/${company}/calls/kpi`,
  body: {
    currentRange: { start: day(days - 1), end: day(0) },
    tz: 'America/New_York',
    sameTime: true,
  },
  bare: bareKpi(days),
});
const lists: List[] = [
  { name: 'inbox', path: conversations(''), bare: inbox },
  { name: 'inbox page 200', path: conversations('&page=200'), bare: inbox },
  { name: 'inbox search rare', path: conversations('&search=zanzibar'), bare: inbox },
  { name: 'inbox search common', path: conversations('&search=friday'), bare: inbox },
  { name: 'inbox search two words', path: conversations('&search=friday%20monday'), bare: inbox },
  { name: 'inbox search digits', path: conversations('&search=2012000777'), bare: inbox },
  { name: 'contacts', path: contactList(''), bare: `${contacts} order by id desc limit 50` },
  {
    name: 'contacts by name',
    path: contactList('&sort=name'),
    bare: `${contacts} order by folded(name), id limit 50`,
  },
  {
    name: 'contacts, a late page',
    path: contactList(`&page=${Math.floor(size / 100)}`),
    bare: `${contacts} order by id desc limit 50`,
  },
  {
    name: 'contacts by name, a late page',
    path: contactList(`&sort=name&page=${Math.floor(size / 100)}`),
    bare: `${contacts} order by folded(name), id limit 50`,
  },
  {
    name: 'contacts search rare',
    path: contactList('&search=p777@mail'),
    bare: `${contacts} order by id desc limit 50`,
  },
  {
    name: 'contacts search common',
    path: contactList('&search=Miller'),
    bare: `${contacts} order by id desc limit 50`,
  },
  activity('all', []),
  activity('calls', [], { types: ['call'] }),
  activity('missed', [{ field: 'outcome', op: 'eq', value: '2' }], { types: ['call'] }),
  activity('number', [{ field: 'number_id', op: 'eq', value: 7 }]),
  activity('contact', [{ field: 'contact', op: 'eq', value: 77 }]),
  activity('duration, none', [{ field: 'duration', op: 'gte', value: 3500 }], { types: ['call'] }),
  activity('text common', [{ field: 'text', op: 'contains', value: 'friday' }]),
  activity('unread', [{ field: 'unread', op: 'eq', value: true }]),
  activity('to return', [{ field: 'callback_due', op: 'eq', value: true }], { types: ['call'] }),
  { name: 'call search, newest', path: search(''), bare: calls },
  { name: 'call search rare', path: search('&q=zanzibar'), bare: calls },
  { name: 'call search common', path: search('&q=appointment'), bare: calls },
  { name: 'call search by tag name', path: search('&q=hot%20lead'), bare: calls },
  { name: 'call search common and outcome', path: search('&q=appointment&outcome=2'), bare: calls },
  { name: 'call search digits', path: search('&q=2012000777'), bare: calls },
  { name: 'numbers', path: table(''), bare: numbers },
  { name: 'numbers search', path: table('&search=Line%2077'), bare: numbers },
  { name: 'numbers by last call', path: table('&sort=last_call_at&dir=desc'), bare: numbers },
  { name: 'numbers stats', path: `/api/numbers/stats?company_id=${company}`, bare: numbers },
  kpi(1),
  kpi(7),
  kpi(30),
  kpi(180),
  kpi(365),
  { name: 'waiting', path: `/api/analytics/waiting?company_id=${company}`, bare: inbox },
  {
    name: 'notification counts',
    path: `/api/notificationCounts?company_id=${company}`,
    bare: inbox,
  },
];

const http = new Pool(bench.url, { connections: 8 });
const headers = { authorization: `Bearer ${bench.token}`, 'content-type': 'application/json' };
async function ask({ name, path, body }: List): Promise<void> {
  const answer = await http.request({
    method: body ? 'POST' : 'GET',
    path,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200)
    throw new Error(`${name}: ${answer.statusCode} ${text.slice(0, 200)}`);
}
const bare = async ({ bare: statement }: List): Promise<void> => {
  await owner.query(statement, [company]);
};
/** How long each of so many took, with `atOnce` under way. */
async function time(act: () => Promise<void>, atOnce: number, times: number): Promise<number[]> {
  const took: number[] = [];
  let left = times;
  const one = async () => {
    while (left-- > 0) {
      const at = performance.now();
      await act();
      took.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return took;
}

console.log(
  `${size.toLocaleString('en-US')} conversations, ${(7 * size).toLocaleString('en-US')} items`,
);
const only = process.env['LISTS_ONLY'];
const wanted = lists.filter(({ name }) => !only || new RegExp(only).test(name));
const seen = wanted.map(() => ({
  ours: [[], []] as number[][],
  bare: [[], []] as number[][],
  database: 0,
  here: 0,
}));
const clock = await databaseClock(owner);
for (let round = 0; round <= rounds; round++)
  for (const [n, list] of wanted.entries())
    for (const [k, atOnce] of [1, 8].entries()) {
      const times = round === 0 ? 8 : requests; // Round 0 warms up.
      const theirs = await time(() => bare(list), atOnce, times);
      const [database, here] = [clock?.() ?? 0, process.cpuUsage()];
      const ours = await time(() => ask(list), atOnce, times);
      if (round === 0) continue;
      const { user, system } = process.cpuUsage(here);
      seen[n]!.database += (clock?.() ?? 0) - database;
      seen[n]!.here += (user + system) / 1e6;
      seen[n]!.bare[k]!.push(...theirs);
      seen[n]!.ours[k]!.push(...ours);
    }
const missed: string[] = [];
for (const [n, { name }] of wanted.entries()) {
  const { ours, bare: theirs, database, here } = seen[n]!;
  const perRequest = (seconds: number) =>
    clock ? fmt((1000 * seconds) / (ours[0]!.length + ours[1]!.length)) : '–';
  const parts = [1, 8].map((atOnce, k) => {
    const [p50, p95] = [median(ours[k]!), percentile(ours[k]!, 95)];
    const [b50, b95] = [median(theirs[k]!), percentile(theirs[k]!, 95)];
    if (atOnce === 8 && p95 > GOAL_MS) missed.push(name);
    return `at ${atOnce}: p50 ${fmt(p50)} p95 ${fmt(p95)} ms (bare ${fmt(b50)}, ${fmt(b95)}; ${(p50 / b50).toFixed(1)}x, ${(p95 / b95).toFixed(1)}x)`;
  });
  console.log(
    `${name}: ${parts.join('; ')}; processor: database ${perRequest(database)}, here ${perRequest(here)} ms`,
  );
}
console.log(
  missed.length
    ? `Above ${GOAL_MS} ms at 8 at once: ${missed.join(', ')}`
    : `All ${wanted.length} within ${GOAL_MS} ms at 8 at once`,
);
await http.close();
await owner.end();
await bench.close();
