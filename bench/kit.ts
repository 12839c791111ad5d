import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHouse, openWeb, type Web } from '../server/src/app.ts';
import type { House } from '../server/src/platform/context.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { readSettings } from '../server/src/platform/settings.ts';
import { hashToken, randomToken } from '../server/src/platform/secrets.ts';
import { insertCompany, insertMembership } from '../server/src/modules/companies/index.ts';

/** A whole server on a real PostgreSQL with durability on, for measuring. Nothing here is gated: ratios are printed. */
export interface Bench { house: House; web: Web; url: string; database: string; companyId: number; token: string; close(): Promise<void> }

export async function openBench(): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-bench-'));
  chmodSync(dataDir, 0o711); // as root the database runs as somebody else and must get in
  const server = await openDatabase({ dataDir });
  const database = server.url;
  await migrate(database);
  const settings = readSettings({ DATABASE_URL: database, DATA_DIR: dataDir, LOG_LEVEL: 'error', DEMO: '0', NODE_ENV: 'production', APP_SECRET: 'ab'.repeat(32), RATE_USER_PER_MINUTE: '100000000', RATE_COMPANY_PER_MINUTE: '100000000' });
  const house = openHouse(settings, 'bench');
  const web = await openWeb(house);
  const url = await web.listen({ port: 0, host: '127.0.0.1' });
  const token = randomToken('tla');
  const companyId = await house.db.system(async (tx) => {
    const person = await tx.insertInto('person').values({ email: 'bench@bench.test', password_hash: 'x' }).returning('id').executeTakeFirstOrThrow();
    const company = await insertCompany(tx, { name: 'Bench', timezone: 'UTC', created_at: new Date() });
    await insertMembership(tx, { company_id: company.id, user_id: person.id, role: 'owner' });
    await tx.insertInto('session').values({ person_id: person.id, kind: 'browser', access_hash: hashToken(token), access_expires_at: new Date(Date.now() + 86_400_000) }).execute();
    return company.id;
  });
  return {
    house, web, url, database, companyId, token,
    close: async () => { await web.close(); await (house as House & { close(): Promise<void> }).close(); await server.stop(); rmSync(dataDir, { recursive: true, force: true }); },
  };
}

export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
export const percentile = (values: number[], p: number) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * p) / 100))]!;

/**
 * Ours against the bare limit, interleaved: a warm-up of each, then bare, ours, bare, ours … three times. Repeated once when
 * the bare runs differ by more than 25 %: the machine was busy with something else.
 */
export async function compare(name: string, unit: string, bare: () => Promise<number>, ours: () => Promise<number>, rounds = 3): Promise<{ ours: number; bare: number; ratio: number }> {
  await bare(); await ours();
  for (let attempt = 0; ; attempt++) {
    const b: number[] = [], o: number[] = [];
    for (let i = 0; i < rounds; i++) { b.push(await bare()); o.push(await ours()); }
    const spread = Math.max(...b) / Math.min(...b);
    if (spread > 1.25 && attempt === 0) continue;
    const result = { ours: median(o), bare: median(b), ratio: median(o) / median(b) };
    console.log(`${name}: ours ${fmt(result.ours)} ${unit}, bare ${fmt(result.bare)} ${unit}, ratio ${result.ratio.toFixed(2)}${spread > 1.25 ? ` (noisy: bare runs differ ${((spread - 1) * 100).toFixed(0)} %)` : ''}`);
    return result;
  }
}
export const fmt = (n: number) => (n >= 100 ? Math.round(n).toLocaleString('en-US') : n.toPrecision(3));
