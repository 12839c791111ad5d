import type { Tx } from '../src/platform/db.ts';

/**
 * Three phrase lists of the first company, and a rule that its recorded calls match. The list that is
 * watched raises an alert when the newest voicemails have been heard: people leave some on closed days,
 * too.
 */
export async function seedPhrases(tx: Tx, companyId: number, by: number, now: Date): Promise<void> {
  const at = new Date(now.getTime() - 21 * 86_400_000);
  const list = async (
    name: string,
    phrases: string[],
    said_by: 'either' | 'client',
    alert = false,
  ) =>
    (
      await tx
        .insertInto('phrase_list')
        .values({
          company_id: companyId,
          name,
          phrases,
          said_by,
          at_least: 1,
          alert,
          created_by: by,
          created_at: at,
          updated_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const booking = await list(
    'Booking',
    ['book a cleaning', 'book an appointment', 'you are booked', 'can you be here'],
    'either',
  );
  await list('Insurance', ['insurance', 'delta dental', 'benefits'], 'client');
  await list('Callback requests', ['call me back', 'please call me'], 'client', true);
  await tx
    .insertInto('outcome_rule')
    .values({
      company_id: companyId,
      name: 'Booked',
      is_on: true,
      phrase_list_id: booking,
      min_talk_seconds: 10,
      outcome_tag: 'appt_booked',
      qualified: true,
      created_by: by,
      created_at: at,
    })
    .execute();
}
