import pg from 'pg';
import { expect, test } from 'vitest';
import { readSettings } from '../src/settings.ts';
import { createTestDatabase, dropTestDatabase } from '../test/support/test-database.ts';
import { seedDemo } from './demo.ts';

test('the demo begins on a Sunday, too, and tells of the bad morning before', async () => {
  const url = await createTestDatabase();
  await seedDemo(url, readSettings(), new Date('2026-11-29T14:00:00Z'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ first_seen_at: Date; value: number }>(
      `select first_seen_at, (metric->>'value')::int as value from alert
       where kind = 'missed_rate_high'`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.first_seen_at.toISOString()).toMatch(/^2026-11-27T1[678]/);
    expect(rows[0]!.value).toBeGreaterThan(40);
  } finally {
    await client.end();
    await dropTestDatabase(url);
  }
});
