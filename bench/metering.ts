import pg from 'pg';
import { compare, createBench } from './kit.ts';

/**
 * What it costs to note usage: the statement that ends a call, with the trigger that writes its
 * minutes and without, each call in a transaction of its own. All other triggers run in both.
 */
const CALLS = Number(process.env['CALLS'] ?? 6000);
const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 8);

const bench = await createBench();
const owner = new pg.Pool({ connectionString: bench.database, max: CONNECTIONS });
const rows = async <T>(text: string, values: unknown[] = []) =>
  (await owner.query(text, values)).rows as T[];
await rows(`insert into number (company_id, number, label) values ($1, '+12125550100', 'Main')`, [
  bench.companyId,
]);

/** Ends so many calls and returns how many a second. */
async function endCalls(isMetered: boolean): Promise<number> {
  await rows(`alter table call ${isMetered ? 'enable' : 'disable'} trigger usage_of_call`);
  const calls = await rows<{ id: string }>(
    `insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party,
       started_at, answered_at)
     select $1, n.id, false, 'bench', '+12125550147', n.number, '+12125550147',
       now() - interval '2 minutes', now() - interval '100 seconds'
     from number n, generate_series(1, $2::int) where n.company_id = $1
     returning id`,
    [bench.companyId, CALLS],
  );
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let call = calls[next++]; call; call = calls[next++])
        await owner.query({
          name: 'end',
          text: `update call set ended_at = now(), status = 4, outcome = 1, talk_seconds = 100,
            duration_seconds = 120 where company_id = $1 and id = $2`,
          values: [bench.companyId, call.id],
        });
    }),
  );
  return (calls.length / (performance.now() - began)) * 1000;
}

await compare(
  'ending a call',
  'a second',
  () => endCalls(false),
  () => endCalls(true),
);
const [{ noted } = { noted: 0 }] = await rows<{ noted: number }>(
  `select count(*)::int noted from usage_entry where component = 'voice_minutes'`,
);
console.log(`  ${noted} calls were noted`);
await owner.end();
await bench.close();
