import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import type { Tx } from './db.ts';
import { defineRecurring } from './jobs.ts';
import { keyIdOf, seal, unseal, UnsealError, type KeyRing } from './secrets.ts';

/**
 * Every column whose values are sealed with APP_SECRET. A test compares the list with the schema.
 */
export const sealedColumns = [
  { table: 'person', column: 'sip_password_secret' },
  { table: 'push_device', column: 'keys_secret' },
  { table: 'port_request', column: 'pin_sealed' },
  { table: 'mail_outbox', column: 'sealed' },
  { table: 'idempotency_key', column: 'body_sealed' },
  { table: 'webhook_retry', column: 'sealed' },
  { table: 'tenant', column: 'dkim_key_sealed' },
  { table: 'tenant_domain', column: 'auth_token_sealed' },
  { table: 'mfa_factor', column: 'secret_sealed' },
  { table: 'mfa_factor', column: 'pending_sealed' },
  { table: 'oauth_client', column: 'secret_sealed' },
  { table: 'oauth_record', column: 'payload_sealed' },
  { table: 'oauth_signing_key', column: 'jwk_sealed' },
  { table: 'connection', column: 'tokens_sealed' },
  { table: 'connection_attempt', column: 'verifier_sealed' },
  { table: 'audit_stream', column: 'secret_sealed' },
  { table: 'destination', column: 'secret_sealed' },
  { table: 'sso_connection', column: 'secret_sealed' },
] as const;
type SealedColumn = { table: string; column: string };

/** Rows per statement: each statement is a short transaction. */
const BATCH_ROWS = 200;

interface ResealResult {
  /** Number of values that are now sealed with the newest secret. */
  resealed: number;
  /** Number of values that none of our secrets opens; they are left unchanged. */
  unreadable: number;
}

/**
 * Seals values of earlier secrets with the newest one. A value that changes meanwhile is skipped,
 * because whatever writes it uses the newest.
 * @param db as the system role, outside a transaction
 */
export async function resealStoredValues(db: Tx, secrets: KeyRing): Promise<ResealResult> {
  const total = { resealed: 0, unreadable: 0 };
  for (const at of sealedColumns) {
    for (let place = '(0,0)'; ;) {
      const rows = await staleValues(db, at, secrets, place);
      const last = rows.at(-1);
      if (!last) break;
      place = last.place;
      const fresh = rows.flatMap((row) => {
        const text = openOrNull(secrets, row.sealed);
        return text === null ? [] : [{ ...row, fresh: seal(secrets, text) }];
      });
      total.unreadable += rows.length - fresh.length;
      total.resealed += await replaceValues(db, at, fresh);
    }
  }
  return total;
}

async function staleValues(
  db: Tx,
  { table, column }: SealedColumn,
  secrets: KeyRing,
  after: string,
) {
  const value = sql.ref(`t.${column}`);
  const { rows } = await sql<{ place: string; sealed: string }>`
    select t.ctid::text as place, ${value} as sealed from ${sql.table(table)} t
    where ${value} is not null and split_part(${value}, '.', 1) <> ${keyIdOf(secrets[0])}
      and t.ctid > ${after}::tid
    order by t.ctid limit ${sql.lit(BATCH_ROWS)}`.execute(db);
  return rows;
}

async function replaceValues(
  db: Tx,
  { table, column }: SealedColumn,
  rows: readonly { place: string; sealed: string; fresh: string }[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = v.fresh
    from unnest(${rows.map((r) => r.place)}::text[], ${rows.map((r) => r.sealed)}::text[],
      ${rows.map((r) => r.fresh)}::text[]) v(place, sealed, fresh)
    where t.ctid = v.place::tid and ${sql.ref(`t.${column}`)} = v.sealed`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function openOrNull(secrets: KeyRing, sealed: string): string | null {
  try {
    return unseal(secrets, sealed);
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

/** Runs hourly while APP_SECRET_PREVIOUS names a secret, and moves its values to the newest. */
export async function resealHourly(ctx: Ctx): Promise<void> {
  const { appSecrets } = ctx.settings;
  if (appSecrets.length === 1) return;
  const result = await resealStoredValues(ctx.inBackground().db.unscoped, appSecrets);
  if (result.unreadable > 0)
    ctx.log.warn(result, 'some stored secrets were sealed with a secret that is not known here');
  else ctx.log.info(result, 'stored secrets are sealed with APP_SECRET');
}

export const jobs = [
  defineRecurring(
    'secrets.reseal',
    {
      cron: '37 * * * *',
      does: 'seals stored secrets with the newest key',
      queue: 'default',
      timeoutSeconds: 1800,
    },
    resealHourly,
  ),
];
