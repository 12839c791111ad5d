import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { signWebhook, signatureHeader, voiceWebhookPath } from '../server/src/exchange/protocol.ts';
import { fmt, median, createBench, percentile } from './kit.ts';

/**
 * Webhook response time with 200 calls in progress: each call arrives, hears a menu, presses 1,
 * rings a phone, is answered and ends; every webhook is answered after its commit. Compared with a
 * bare Fastify route that inserts one row per webhook at the same concurrency.
 */
const CALLS = Number(process.env['CALLS'] ?? 200);
/** All calls arrive within this time and last as long, so all of them overlap around the middle. */
const SPREAD_MS = Number(process.env['SPREAD_MS'] ?? 9000);
const OUR_NUMBER = '+14155552368';
const secret = 'the secret of the webhook bench';

// A fake exchange: accepts every command and does nothing.
const exchange = Fastify();
const performedCommands = new Map<string, { do: string; leg: string; id: string }[]>();
exchange.post<{
  Body: { commands: { do: string; leg: string; id: string; onBehalfOf?: string }[] };
}>('/commands', async ({ body }) => {
  for (const command of body.commands) {
    const of = command.onBehalfOf ?? command.leg;
    performedCommands.set(of, [...(performedCommands.get(of) ?? []), command]);
  }
  return {};
});
const exchangeUrl = await exchange.listen({ port: 0, host: '127.0.0.1' });
const bench = await createBench({ MEDIA_SECRET: secret });
const owner = new pg.Pool({ connectionString: bench.database, max: 16 });
await owner.query(
  `insert into exchange (id, url, capacity, seen_at) values ('bench', $1, 100000, 'infinity')`,
  [exchangeUrl],
);
const {
  rows: [number],
} = await owner.query<{ id: number }>(
  'insert into number (company_id, number) values ($1, $2) returning id',
  [bench.companyId, OUR_NUMBER],
);
await owner.query(
  `update company set settings = settings || '{"simultaneous_calls": 100000}' where id = $1`,
  [bench.companyId],
);
await owner.query(
  'insert into number_directory (number, company_id, number_id) values ($1, $2, $3)',
  [OUR_NUMBER, bench.companyId, number!.id],
);
const {
  rows: [route],
} = await owner.query<{ id: number }>(
  `insert into route (company_id, number_id, extension, type, timeout_seconds) values ($1, $2, 1, 'standard', 60) returning id`,
  [bench.companyId, number!.id],
);
await owner.query(
  `insert into forward (company_id, route_id, position, phone) values ($1, $2, 0, '+12125550188')`,
  [bench.companyId, route!.id],
);
await owner.query(
  'create table bare_report (id text primary key, call text, body jsonb, at timestamptz default now())',
);

const bare = Fastify();
bare.post<{ Body: { id: string; call: string }[] }>('/voice', async ({ body }, reply) => {
  for (const one of body)
    await owner.query('insert into bare_report (id, call, body) values ($1, $2, $3)', [
      one.id,
      one.call,
      JSON.stringify(one),
    ]);
  return reply.code(204).send();
});
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

let n = 0;
/** Waits for a value, up to a limit, so that a failed run ends. */
const until = async <T>(find: () => T | undefined): Promise<T> => {
  for (const at = performance.now(); ;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() - at > 20_000) throw new Error('the engine rang nobody');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

async function calls(origin: string, path: string, real: boolean): Promise<number[]> {
  const pool = new Pool(origin, { connections: 64 });
  const took: number[] = [];
  const begun = ++n;
  await Promise.all(
    Array.from({ length: CALLS }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, (i * SPREAD_MS) / CALLS));
      const call = `bench-${begun}-${i}`;
      let seq = 0;
      const report = async (event: object): Promise<void> => {
        const body = JSON.stringify([
          { id: `${call}-${++seq}`, call, seq, at: Date.now(), ...event },
        ]);
        const at = performance.now();
        const answer = await pool.request({
          method: 'POST',
          path,
          headers: {
            'content-type': 'application/json',
            [signatureHeader]: signWebhook(body, secret),
          },
          body,
        });
        await answer.body.dump();
        if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
        took.push(performance.now() - at);
      };
      const pause = () => new Promise((resolve) => setTimeout(resolve, SPREAD_MS / 3));
      await report({
        leg: call,
        type: 'inbound',
        from: `+1201555${String(1000 + i)}`,
        to: OUR_NUMBER,
      });
      // The engine decides which leg rings.
      const leg = real
        ? (await until(() => performedCommands.get(call)?.find((one) => one.do === 'createLeg')))
            .leg
        : `${call}-b`;
      await report({ leg, type: 'legRinging' });
      await pause();
      await report({ leg, type: 'legAnswered' });
      await pause();
      await report({ leg: call, type: 'digits', digits: '5' });
      await pause();
      await report({ leg: call, type: 'legEnded', cause: 'hangup' });
      await report({ leg, type: 'legEnded', cause: 'hangup' });
    }),
  );
  await pool.close();
  return took;
}

await calls(bareUrl, '/voice', false);
await calls(bench.url, voiceWebhookPath, true);
const [b, o]: [number[], number[]] = [[], []];
for (let round = 0; round < 2; round++) {
  b.push(...(await calls(bareUrl, '/voice', false)));
  o.push(...(await calls(bench.url, voiceWebhookPath, true)));
}
console.log(
  `answer to a voice report, ${CALLS} calls at once: ours p50 ${fmt(median(o))} p95 ${fmt(percentile(o, 95))} p99 ${fmt(percentile(o, 99))} ms, bare p50 ${fmt(median(b))} p95 ${fmt(percentile(b, 95))} ms, ratio p50 ${(median(o) / median(b)).toFixed(1)} p95 ${(percentile(o, 95) / percentile(b, 95)).toFixed(1)} (aim: under 300 ms)`,
);
const { rows } = await owner.query(
  `select count(*)::int calls, count(*) filter (where ended_at is not null)::int ended,
    count(*) filter (where answered_at is not null)::int answered from call`,
);
console.log(`${rows[0].calls} calls stored, ${rows[0].answered} answered, ${rows[0].ended} ended`);
await new Promise((resolve) => setTimeout(resolve, 1000)); // Commands not handled yet.
await bare.close();
await owner.end();
await bench.close();
await exchange.close();
process.exit(0);
