import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import type { SeedCompany } from './demo-rows.ts';

const HOUR = 3_600_000;

/** Shortcut, title, text, whether it is shared, and who wrote it. */
const cannedReplies = [
  [
    'hours',
    'Opening hours',
    'Hi {{first_name|there}}, we are open Monday to Friday, 9 to 5. When would be a good time for you?',
    true,
    'owner',
  ],
  [
    'address',
    'Our address',
    'We’re at 120 Harbor Street, second floor. Parking is behind the building.',
    true,
    'owner',
  ],
  [
    'confirm',
    'Appointment confirmed',
    'You’re all set, {{first_name|and thank you}}. See you then! {{my_name}}, {{company}}',
    true,
    'second',
  ],
  [
    'insurance',
    'Insurance question',
    'Happy to check. Could you send a photo of both sides of your insurance card?',
    true,
    'second',
  ],
  [
    'call',
    'I’ll call you',
    'Hi {{first_name|there}}, I’ll call you at {{phone}} in a few minutes. {{my_name}}',
    false,
    'first',
  ],
] as const;

interface Agent {
  id: number;
  name: string;
}
/** Who does what in the demo. */
interface Agents {
  first: Agent;
  second: Agent;
  owner: Agent;
}

/**
 * A team at work: some conversations are assigned, two are snoozed, and there are canned replies
 * and two saved views.
 */
export async function seedTeam(tx: Tx, company: SeedCompany, now: Date): Promise<void> {
  const agents = {
    first: company.agents[0]!,
    second: company.agents[1]!,
    owner: company.agents.at(-1)!,
  };
  const at = new Date(now.getTime() - 30 * 24 * HOUR);
  await assignAndSnooze(tx, company, agents, now);
  await insertCannedReplies(tx, company.id, agents, at);
  await insertViews(tx, company.id, agents, at);
  await insertAutomaticTexts(tx, company, at);
}

async function assignAndSnooze(
  tx: Tx,
  company: SeedCompany,
  { first, second }: Agents,
  now: Date,
): Promise<void> {
  const companyId = company.id;
  const open = (
    await sql<{
      id: number;
      unread: number;
    }>`select c.id, c.unread from conversation c
      where c.company_id = ${companyId} and c.archived_at is null and c.deleted_at is null
      and c.number_id = any(${company.numbers.slice(0, 3).map((n) => n.id)}::bigint[])
    order by c.last_activity_at desc, c.id desc limit 60`.execute(tx)
  ).rows;
  const give = (ids: number[], who: Agent) =>
    tx
      .updateTable('conversation')
      .set({ assigned_to: who.id, assigned_name: who.name, assigned_at: now })
      .where('company_id', '=', companyId)
      .where('id', 'in', ids.length ? ids : [0])
      .execute();
  await give(
    open.filter((_, i) => i % 5 === 1).map((c) => c.id),
    first,
  );
  await give(
    open.filter((_, i) => i % 7 === 3 && i % 5 !== 1).map((c) => c.id),
    second,
  );
  const asleep = open.filter((c, i) => c.unread === 0 && i > 8 && i % 5 !== 1).slice(0, 2);
  for (const [i, { id }] of asleep.entries()) {
    const until = new Date(now.getTime() + (i === 0 ? 20 : 68) * HOUR);
    await tx
      .updateTable('conversation')
      .set({ snoozed_until: until, snoozed_by: first.id, archived_at: now })
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .execute();
    await sql`select enqueue_job('conversations.unsnooze',
        ${JSON.stringify({ companyId, conversationId: id })}::json, null, ${until}, 25,
        ${`wake:${companyId}:${id}`}, null)`.execute(tx);
  }
}

async function insertCannedReplies(
  tx: Tx,
  companyId: number,
  agents: Agents,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('canned_reply')
    .values(
      cannedReplies.map(([shortcut, title, body, shared, who]) => ({
        company_id: companyId,
        owner_id: agents[who].id,
        owner_name: agents[who].name,
        shortcut,
        title,
        body,
        shared,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
}

async function insertViews(
  tx: Tx,
  companyId: number,
  { first, second, owner }: Agents,
  at: Date,
): Promise<void> {
  const view = (name: string, shared: boolean, who: Agent, filters: object) => ({
    company_id: companyId,
    owner_id: who.id,
    owner_name: who.name,
    shared,
    name,
    filters: JSON.stringify({
      state: 'open',
      assigned: null,
      types: [],
      numbers: [],
      search: '',
      dir: 'desc',
      ...filters,
    }),
    created_at: at,
    updated_at: at,
  });
  await tx
    .insertInto('inbox_view')
    .values([
      view('Needs a reply', true, owner, { state: 'unread', assigned: 'none', dir: 'asc' }),
      view('Voicemails', true, second, { types: ['voicemail'] }),
      view('My unread', false, first, { state: 'unread', assigned: 'me' }),
    ])
    .execute();
}

async function insertAutomaticTexts(tx: Tx, company: SeedCompany, at: Date): Promise<void> {
  const billing = company.numbers[3];
  if (billing)
    await tx
      .insertInto('number_auto_text')
      .values({
        company_id: company.id,
        number_id: billing.id,
        after_hours:
          'Thanks for your message. Our billing office is closed now and will reply in the morning.',
        text_back: 'Sorry we missed your call. How can we help?',
        updated_at: at,
      })
      .execute();
}
