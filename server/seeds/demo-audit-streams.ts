import type { Services } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import { seal } from '../src/platform/secrets.ts';

/** Two receivers of the audit log: one that works, and one that was given up after a day. */
export async function seedAuditStreams(
  { settings }: Services,
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<void> {
  const secret_sealed = seal(settings.appSecrets, 'whsec_c2ltdWxhdGVk');
  const created_at = new Date(now.getTime() - 9 * 86_400_000);
  const common = { company_id: companyId, secret_sealed, created_at, next_try_at: now };
  await tx
    .insertInto('audit_stream')
    .values([
      {
        ...common,
        kind: 'webhook',
        target: JSON.stringify({ kind: 'webhook', url: 'https://logs.harbor.example/trunkline' }),
      },
      {
        ...common,
        kind: 's3',
        target: JSON.stringify({
          ...{ kind: 's3', bucket: 'harbor-archive', region: 'us-east-1', endpoint: null },
          ...{ prefix: 'audit', access_key_id: 'AKIASIMULATED' },
        }),
        state: 'paused',
        paused_because: 'failing',
        failures: 31,
        last_error: 'The bucket answered with status 403 (AccessDenied).',
      },
    ])
    .execute();
}
