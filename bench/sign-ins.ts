import pg from 'pg';
import { Pool } from 'undici';
import { hashPassword } from '../server/src/modules/identity/passwords.ts';
import { createBench, fmt, percentile } from './kit.ts';

/**
 * What others feel of sign-ins: the inbox's first page is asked for 20 times a second while nothing
 * else happens, while 50 people of as many networks sign in every second, and while one network
 * floods the sign-in besides. Rounds are interleaved. Prints the inbox's p95 in ms with its ratio to
 * quiet (goal: under 2), and how long the sign-ins of those outside the flood took.
 */
const bench = await createBench({ TRUST_PROXY: 'loopback' });
const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
owner.on('error', () => {});
const password = 'a long password of the bench';
const people = 500;
await owner.query(
  `with one as (insert into person (email, password_hash)
     select 'person-' || i || '@bench.test', $2 from generate_series(1, $3::int) i returning id)
   insert into membership (company_id, user_id, role) select $1, id, 'user' from one`,
  [bench.companyId, await hashPassword(password), people],
);
const client = new Pool(bench.url, { connections: 128 });
const ask = async (method: 'GET' | 'POST', path: string, from: string, body?: object) => {
  const at = performance.now();
  const answer = await client.request({
    ...{ method, path, ...(body ? { body: JSON.stringify(body) } : {}) },
    headers: {
      'x-forwarded-for': from,
      ...(body
        ? { 'content-type': 'application/json' }
        : { authorization: `Bearer ${bench.token}` }),
    },
  });
  await answer.body.text();
  return { status: answer.statusCode, ms: performance.now() - at };
};

let nth = 0;
const inbox = () => ask('GET', `/api/companies/${bench.companyId}/conversations`, '10.9.9.9');
const signIn = () => {
  const i = nth++ % people;
  return ask('POST', '/api/sanctum/login', `10.1.${i >> 8}.${i & 255}`, {
    ...{ email: `person-${i + 1}@bench.test`, password },
  });
};
const flood = () =>
  ask('POST', '/api/sanctum/login', '10.66.0.1', {
    ...{ email: `flood-${nth++}@bench.test`, password: 'wrong' },
  });

/** Starts `work` so often a second, for so long, and waits for the answers. */
async function every(perSecond: number, seconds: number, work: typeof inbox) {
  const answers: ReturnType<typeof inbox>[] = [];
  const began = performance.now();
  for (let i = 0; i < perSecond * seconds; i++) {
    const wait = began + (i * 1000) / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    answers.push(work());
  }
  return Promise.all(answers);
}

const SECONDS = 8;
const rounds = {
  quiet: [] as (typeof inbox)[],
  'sign-ins': [signIn],
  'sign-ins and a flood': [signIn, flood],
};
const listed: Record<string, number[]> = {};
const signedIn: Record<string, number[]> = {};
await every(20, 2, inbox);
await every(50, 2, signIn);
for (let round = 0; round < 3; round++)
  for (const [name, beside] of Object.entries(rounds)) {
    const [lists, ...others] = await Promise.all([
      every(20, SECONDS, inbox),
      ...beside.map((work) => every(work === flood ? 100 : 50, SECONDS, work)),
    ]);
    if (lists.some(({ status }) => status !== 200)) throw new Error('the inbox was refused');
    (listed[name] ??= []).push(...lists.map(({ ms }) => ms));
    const [signIns = []] = others;
    const refused = signIns.filter(({ status }) => status !== 200).length;
    if (refused > 0) console.log(`${name}: ${refused} of ${signIns.length} sign-ins refused`);
    (signedIn[name] ??= []).push(...signIns.map(({ ms }) => ms));
  }
const quiet = percentile(listed['quiet'] ?? [], 95);
for (const name of Object.keys(rounds)) {
  const p95 = percentile(listed[name] ?? [], 95);
  const signIns = signedIn[name] ?? [];
  const took = signIns.length ? `; a sign-in p95 ${fmt(percentile(signIns, 95))} ms` : '';
  console.log(`${name}: inbox p95 ${fmt(p95)} ms, ${(p95 / quiet).toFixed(2)}× quiet${took}`);
}
await client.close();
await owner.end();
await bench.close();
