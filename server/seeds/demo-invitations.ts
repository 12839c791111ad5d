import { sql } from 'kysely';
import { hashToken, randomToken } from '../src/platform/secrets.ts';
import type { Tx } from '../src/platform/db.ts';

const DAY = 86_400_000;

/** Two invitations, one of them expired, and a request to support that was answered. */
export async function seedInvitations(
  tx: Tx,
  {
    companyId,
    userId,
    staffId,
    now,
  }: { companyId: number; userId: number; staffId: number; now: Date },
): Promise<void> {
  for (const [email, first, last, role, sentDaysAgo] of [
    ['nina.north@example.com', 'Nina', 'North', 'user', 2],
    ['theo.reed@example.com', 'Theo', 'Reed', 'reporting', 20],
  ] as const) {
    const sentAt = new Date(now.getTime() - sentDaysAgo * DAY);
    await tx
      .insertInto('invitation')
      .values({
        company_id: companyId,
        email,
        first_name: first,
        last_name: last,
        role,
        company_ids: sql`${[companyId]}::bigint[]`,
        message: role === 'user' ? 'Welcome to the front desk.' : null,
        token_hash: hashToken(randomToken('tli')),
        invited_by: userId,
        sent_at: sentAt,
        expires_at: new Date(sentAt.getTime() + 7 * DAY),
      })
      .execute();
  }
  const ticket = await tx
    .insertInto('support_ticket')
    .values({
      company_id: companyId,
      reference: 'S-7K3M-9QPD',
      user_id: userId,
      message: 'Calls to our main line ring only once before voicemail. What should we check?',
      callback_number: '(212) 555-0147',
      callback_requested: true,
      status: 'answered',
      assignee_id: staffId,
      created_at: new Date(now.getTime() - 3 * DAY),
      changed_at: new Date(now.getTime() - 2 * DAY),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('support_reply')
    .values({
      company_id: companyId,
      ticket_id: ticket.id,
      author_id: staffId,
      by_staff: true,
      message:
        'Open the number, then Routes, and raise “Ring for” to 25 seconds. Reply here if that doesn’t help.',
      created_at: new Date(now.getTime() - 2 * DAY),
    })
    .execute();
}
