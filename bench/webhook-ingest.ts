import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { signatureHeader, signWebhook } from '../server/src/adapters/sandbox/webhook.ts';
import { compare, openBench } from './kit.ts';

/**
 * A text that arrives: signed webhook → stored, conversation and counts changed, event in the outbox, acknowledged after
 * commit; against a bare Fastify route with one INSERT of the same text. Requests a second at 32 connections.
 */
const REQUESTS = 1500;
const CONNECTIONS = 32;
const OUR = '+14155552368';

const bench = await openBench();
const owner = new pg.Pool({ connectionString: bench.database, max: 16 });
await owner.query(`insert into number (company_id, number) values ($1, $2)`, [bench.companyId, OUR]);
await owner.query(`insert into number_directory (number, company_id, number_id) select number, company_id, id from number where number = $1`, [OUR]);
await owner.query('create table bare_text (id text primary key, from_number text, to_number text, body text, at timestamptz default now())');

const bare = Fastify();
bare.post<{ Body: { texts: { id: string; from: string; to: string; text: string }[] } }>('/texts', async (request, reply) => {
  const t = request.body.texts[0]!;
  await owner.query('insert into bare_text (id, from_number, to_number, body) values ($1, $2, $3, $4)', [t.id, t.from, t.to, t.text]);
  return reply.code(204).send();
});
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

let n = 0;
const load = async (origin: string, path: string) => {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const bodies = Array.from({ length: REQUESTS }, () => {
    const id = `t${++n}`;
    const body = JSON.stringify({ texts: [{ id, from: `+1201555${String(1000 + (n % 800)).slice(-4)}`, to: OUR, text: `Do you have anything on Friday? ${id}`, at: Date.now(), media: [] }] });
    return { body, headers: { 'content-type': 'application/json', [signatureHeader]: signWebhook(body, bench.house.settings.mediaSecret) } };
  });
  const at = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (next < bodies.length) {
      const { body, headers } = bodies[next++]!;
      const answer = await pool.request({ method: 'POST', path, headers, body });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
    }
  }));
  const perSecond = REQUESTS / ((performance.now() - at) / 1000);
  await pool.close();
  return perSecond;
};
await compare('webhook ingest', 'texts/s', () => load(bareUrl, '/texts'), () => load(bench.url, '/carriers/sandbox/texts'));
const { rows } = await owner.query(`select (select count(*)::int from conversation_item) items, (select count(*)::int from outbox) events`);
console.log(`stored ${rows[0].items} items and ${rows[0].events} events; none refused`);
await bare.close(); await owner.end(); await bench.close();
