import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { Pool } from 'undici';
import { createServices, startWorker } from '../server/src/app.ts';
import { readSettings } from '../server/src/settings.ts';
import { fillInbox } from './fill-inbox.ts';
import { measureFrames, openWebApp } from './frames.ts';
import { createBench } from './kit.ts';
import { postSigned, signedText } from './sandbox-texts.ts';

/**
 * An open inbox while 20 texts a second arrive through the carrier's webhook, half of them in the
 * conversation that is open, the rest in those of its list and further down: how long its frames take,
 * against the same screen with nothing happening. Web server, worker, database and browser share this
 * machine. Goal: 50 frames a second.
 */
const RATE = 20;
const SECONDS = 15;
const CONVERSATIONS = 20_000;
const GOAL = 50;
/** The conversations that texts arrive in; the list shows the first 25. */
const PARTIES = 40;

if (process.argv[2] === 'worker') {
  const worker = await startWorker(await createServices(readSettings(process.env), 'bench-worker'));
  process.on('message', () => void worker.stop().then(() => process.exit(0)));
  process.send?.('ready');
} else await measure();

async function measure(): Promise<void> {
  const bench = await createBench(
    {},
    {
      name: 'inbox-frames',
      source: readFileSync(new URL('fill-inbox.ts', import.meta.url), 'utf8') + CONVERSATIONS,
      fill: async (owner, companyId, personId) => {
        await fillInbox(owner, companyId, personId, CONVERSATIONS, CONVERSATIONS * 5);
      },
    },
  );
  const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
  await owner.query(
    `insert into number_directory (number, company_id, number_id)
      select number, company_id, id from number where company_id = $1 on conflict do nothing`,
    [bench.companyId],
  );
  const { rows: parties } = await owner.query<{ id: number; from: string; to: string }>(
    `select c.id::float8 id, c.party "from", n.number "to" from conversation c
      join number n on n.company_id = c.company_id and n.id = c.number_id
      where c.company_id = $1 and c.archived_at is null and c.assigned_to is null
        and c.snoozed_until is null
      order by c.last_activity_at desc limit $2`,
    [bench.companyId, PARTIES],
  );
  const worker = fork(import.meta.filename, ['worker'], {
    env: { ...process.env, ...bench.env, PORT: new URL(bench.url).port },
  });
  await once(worker, 'message');
  const carrier = new Pool(bench.url, { connections: 16 });
  let sent = 0;
  const text = async (): Promise<void> => {
    const n = (sent += 1);
    const { from, to } = parties[n % 2 ? 0 : n % PARTIES]!;
    const words = `Do you have anything on Friday? text-${n}-`;
    const post = signedText(
      { id: `f${n}`, from, to, text: words },
      bench.services.settings.mediaSecret,
    );
    await postSigned(carrier, '/carriers/sandbox/texts', post);
  };
  const { page, close } = await openWebApp(bench, owner);
  try {
    await page.goto(`/inbox/${parties[0]!.id}`);
    await page.getByLabel('New message').waitFor({ timeout: 60_000 });
    await page.waitForTimeout(3000);
    console.log(`inbox, ${SECONDS} s each`);
    await measureFrames(page, { name: 'nothing happens', seconds: SECONDS });
    const sending: Promise<void>[] = [];
    const timer = setInterval(() => sending.push(text()), 1000 / RATE);
    await page.waitForTimeout(3000);
    const name = `${RATE} texts a second`;
    const busy = await measureFrames(page, { name, seconds: SECONDS });
    clearInterval(timer);
    await Promise.all(sending);
    await page.waitForTimeout(2000);
    const last = sent % 2 ? sent : sent - 1;
    const isShown = await page.getByText(`text-${last}-`).last().isVisible();
    console.log(
      `  ${sent} texts sent, the last one in the open conversation ${isShown ? 'is' : 'is NOT'} shown (goal: ${GOAL} frames a second)`,
    );
    process.exitCode = busy.perSecond >= GOAL && isShown ? 0 : 1;
  } finally {
    await close();
    worker.send('stop');
    await once(worker, 'exit');
    await carrier.close();
    await owner.end();
    await bench.close();
  }
}
