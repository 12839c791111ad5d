import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { jobs as demoJobs } from '../seeds/jobs.ts';
import { allJobs } from '../src/app.ts';
import { subscriberJobs } from '../src/platform/subscriber-jobs.ts';

/**
 * SQL that queues a job can't read the retries the job declares (`JobPolicy`), so it repeats them.
 * Both are compared here, wherever the product's SQL queues a job.
 */
const sources = ['migrations', 'src', 'seeds'].flatMap((folder) =>
  readdirSync(`server/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name) && !/\.test\.ts$|\btables\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** The arguments of the call whose parenthesis opens at `open`. */
function argumentsAt(text: string, open: number): string[] {
  const found: string[] = [];
  let [depth, start, quoted] = [0, open + 1, false];
  for (let i = open; i < text.length; i += 1) {
    const char = text[i]!; // below its length
    if (char === "'") quoted = !quoted;
    if (quoted) continue;
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char)) depth -= 1;
    if (depth === 0 || (depth === 1 && char === ',')) {
      found.push(text.slice(start, i).trim());
      start = i + 1;
    }
    if (depth === 0) return found;
  }
  throw new Error(`unclosed: ${text.slice(open, open + 80)}`);
}

interface Queued {
  path: string;
  job: string;
  attempts: number;
}
const attempts = new Map<string, number>();
let queued: Queued[] = [];

beforeAll(async () => {
  for (const { name, retries } of [...(await allJobs()), ...demoJobs])
    attempts.set(name, retries + 1);
  queued = sources.flatMap((path) => {
    const text = readFileSync(`server/${path}`, 'utf8');
    return [...text.matchAll(/(?<!create function )\benqueue_job\(/g)].flatMap((call) => {
      const [name = '', , , , count = ''] = argumentsAt(text, call.index + call[0].length - 1);
      // `enqueue` reads the declaration.
      if (!/^\d+$/.test(count)) return [];
      // A name chosen by the caller is one of those in the type of the parameter just before.
      const names = name.startsWith("'") ? name : text.slice(call.index - 250, call.index);
      return [...names.matchAll(/'([a-z]+\.[A-Za-z]+)'/g)].map(([, job]) => ({
        path,
        job: job!, // its group always matches
        attempts: Number(count),
      }));
    });
  });
});

test('jobs queued by SQL get the retries that they declare', () => {
  expect(queued.map(({ job }) => job)).toEqual(
    expect.arrayContaining(['campaigns.publish', 'sandbox.reportFax', 'demo.speak']),
  );
  const declared = queued.map((one) => ({ ...one, attempts: attempts.get(one.job) }));
  expect(queued).toEqual(declared);
});

test('subscribers queued in one statement get the retries of their job', () => {
  const baseline = readFileSync('server/migrations/010_platform.sql', 'utf8');
  const body = baseline.slice(baseline.indexOf('create function enqueue_jobs'));
  const call = 'graphile_worker.add_job';
  const args = argumentsAt(body, body.indexOf(call) + call.length);
  expect(subscriberJobs([]).map(({ retries }) => retries + 1)).toEqual([
    Number(args[4]),
    Number(args[4]),
  ]);
});
