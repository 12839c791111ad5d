import type { Services } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import { seal } from '../src/platform/secrets.ts';

const HOUR = 3_600_000;
const rule = { event: 'call.completed', first_contact_only: true };

/**
 * A CRM that gets leads and a property of Google Analytics, with what was delivered to them. Nothing
 * leaves the demo.
 */
export async function seedIntegrations(
  { settings }: Services,
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<void> {
  const before = (hours: number): Date => new Date(now.getTime() - hours * HOUR);
  const common = { company_id: companyId, created_at: before(400), updated_at: before(400) };
  const [crm] = await tx
    .insertInto('destination')
    .values([
      {
        ...common,
        provider: 'adf',
        name: 'Harbor CRM',
        config: JSON.stringify({
          to: ['leads@crm.harbor.example'],
          dealer: { id: 'HD-1', name: 'Harbor Dental', phone: '+14155550100', email: '' },
        }),
        rules: JSON.stringify([rule]),
        last_sent_at: before(2),
      },
      {
        ...common,
        provider: 'ga4',
        name: 'Website',
        config: JSON.stringify({ measurementId: 'G-HARB0R2026' }),
        secret_sealed: seal(settings.appSecrets, 'simulated_secret'),
        rules: JSON.stringify([{ ...rule, first_contact_only: false }]),
        last_sent_at: before(1),
      },
    ])
    .returning('id')
    .execute();
  const calls = await tx
    .selectFrom('call')
    .select(['id', 'started_at', 'number_id'])
    .where('company_id', '=', companyId)
    .where('outbound', '=', false)
    .where('ended_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(6)
    .execute();
  if (!crm || calls.length === 0) return;
  await tx
    .insertInto('delivery')
    .values(
      calls.map(({ id, started_at: at, number_id }, n) => ({
        company_id: companyId,
        destination_id: crm.id,
        event: 'call.completed',
        subject_type: 'call',
        subject_id: id,
        number_id,
        rule: JSON.stringify(rule),
        dedupe_key: `call:${id}`,
        thread_root: id,
        state: n === 2 ? 'dead' : 'sent',
        attempts: n === 2 ? 8 : 1,
        next_try_at: at,
        request_redacted: `To: leads@crm.harbor.example\nSubject: New call lead – Harbor Dental\n\n<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n<adf>\n<prospect status="new">\n<id sequence="1" source="Trunkline">${id}</id>\n…`,
        error: n === 2 ? 'The mail server didn’t take the email.' : null,
        happened_at: at,
        created_at: at,
        ...(n !== 2 && { sent_at: at }),
      })),
    )
    .execute();
}
