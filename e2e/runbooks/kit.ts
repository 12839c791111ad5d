import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { printMetric, type Metric } from '../metric.ts';

const root = join(import.meta.dirname, '../..');

/** A figure of /metrics, by its name and labels as they stand there. Null: it isn't given. */
export async function figureOf(url: string, name: string): Promise<number | null> {
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => null,
  );
  if (!answer?.ok) return null;
  const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
}

/** What `/readyz` says. Null: nobody answers. */
export async function readiness(url: string): Promise<Record<string, unknown> | null> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  );
  return answer && ((await answer.json()) as Record<string, unknown>);
}

/** `npm run NAME` of this checkout beside an installation. Resolves to what it printed. */
export async function operatorRuns(
  env: Record<string, string>,
  name: string,
  ...args: string[]
): Promise<string> {
  const child = spawn('npm', ['run', '-s', name, '--', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return said;
}

/** Waits until something is so. Returns how many seconds that took, or null after so many. */
export async function secondsUntil(
  isSo: () => Promise<boolean> | boolean,
  atMost = 90,
): Promise<number | null> {
  const began = performance.now();
  for (;;) {
    if (await isSo()) return (performance.now() - began) / 1000;
    if (performance.now() - began > atMost * 1000) return null;
    await pause(250);
  }
}

/** A line of the table: whether something was as the runbook says. */
export const seen = (id: string, isSo: boolean, found = ''): Metric =>
  printMetric(id, isSo ? 'yes' : `no: ${withoutGood(found).slice(-300)}`, 'yes', isSo);

/** What is left of what `npm run doctor` says without its good lines. */
const withoutGood = (said: string): string =>
  said
    .split('\n')
    .filter((line) => !line.trim().startsWith('✓'))
    .join('\n')
    .trim();

/** A line of the table: how long something took, which ends at all. */
export const took = (id: string, seconds: number | null): Metric =>
  printMetric(id, seconds === null ? 'never' : `${seconds.toFixed(1)} s`, 'ends', seconds !== null);
