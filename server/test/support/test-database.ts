import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type {} from './global-setup.ts';

/** Creates a migrated, empty database, dropped at the latest when the run ends. Returns its address. */
export async function createTestDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copied as files, which takes half the time of copying pages through the WAL.
  await onServer(
    `create database ${name} template ${inject('databaseTemplate')} strategy file_copy`,
  );
  const address = new URL(inject('databaseServer'));
  address.pathname = `/${name}`;
  return address.href;
}

/** Drops one that `createTestDatabase` made: a run makes hundreds, and they lie in memory. */
export const dropTestDatabase = (address: string): Promise<void> =>
  onServer(`drop database if exists ${new URL(address).pathname.slice(1)} with (force)`);

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
