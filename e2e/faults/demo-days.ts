import pg from 'pg';
import { seedDemo } from '../../server/seeds/demo.ts';
import { migrate } from '../../server/src/platform/migrate.ts';
import { temporaryDatabase } from '../../server/src/platform/postgres/index.ts';
import { readSettings } from '../../server/src/settings.ts';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';

const HOUR = 3_600_000;

/**
 * The demo data created at one time after another, 37 hours apart, so that every weekday and time of
 * day has its turn: none fails, and each tells of the bad morning. `full`: over a year. What is
 * dated back from now may fail on one weekday only, and then it fails for everyone who starts that day.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const count = size === 'full' ? 240 : 24;
  const first = Date.UTC(2026, 0, 1) + (seed % 8760) * HOUR;
  const failures: string[] = [];
  const server = await temporaryDatabase();
  try {
    await migrate(await server.create('template'));
    for (let i = 0; i < count; i++) {
      const begun = new Date(first + i * 37 * HOUR);
      const url = await server.create(`demo_${i}`, 'template');
      const client = new pg.Client({ connectionString: url });
      try {
        await seedDemo(url, readSettings(), begun);
        await client.connect();
        const { rowCount } = await client.query(
          `select from alert where kind = 'missed_rate_high'`,
        );
        if (rowCount !== 1) failures.push(`${begun.toISOString()}: no alert of the bad morning`);
      } catch (error) {
        failures.push(`${begun.toISOString()}: ${String(error)}`);
      } finally {
        await client.end();
      }
    }
  } finally {
    await server.stop();
  }
  for (const failure of failures) console.error(failure);
  const seen = failures[0] ?? `${count} of ${count}`;
  return [printMetric('demo begun at any time', seen, 'all', failures.length === 0)];
}
