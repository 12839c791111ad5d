import { hash } from '@node-rs/argon2';
import { demoCustomer } from '#contract/caddy/rules';
import { openAccount, routeCalls } from '../src/modules/caddy/index.ts';
import { patchPerson } from '../src/modules/identity/index.ts';
import { systemCtx, withTx, type Services } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import type { Item } from './demo-calls.ts';
import { planConversation } from './demo-conversations.ts';
import { seedNumbers } from './demo-numbers.ts';
import { DEMO_PASSWORD } from './demo-people.ts';
import { idAt, insertInBatches } from './demo-rows.ts';
import { createRandom } from './demo-vocabulary.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Who texted the demo's individual, and what was said: hours ago, who, and the words. */
const threads: [party: string, texts: [hoursAgo: number, theirs: boolean, text: string][]][] = [
  [
    '+13125550186',
    [
      [50, true, 'Hi, is the blue bicycle still available?'],
      [49.5, false, 'It is. You can see it on Saturday.'],
      [49, true, 'Great, 10 in the morning?'],
      [48.8, false, 'Works for me. I’ll send you the address.'],
      [2, true, 'I’m running ten minutes late, sorry!'],
    ],
  ],
  [
    '+17735550164',
    [
      [30, true, 'This is Grace about the sublet. Does it come with parking?'],
      [29, false, 'Yes, one space behind the house.'],
    ],
  ],
];

/** An individual in Caddy with a number and two conversations. */
export async function seedCaddy(services: Services, tx: Tx, now: Date): Promise<void> {
  const opened = new Date(now.getTime() - 30 * DAY);
  const account = await openAccount({ settings: services.settings, now: opened }, tx, {
    ...{ provider: 'email', subject: demoCustomer, email: demoCustomer, phone: null },
    passwordHash: await hash(DEMO_PASSWORD),
  });
  const companyId = account.company_id;
  await patchPerson(tx, account.person_id, { first_name: 'Casey', last_name: 'Customer' });
  await tx
    .updateTable('caddy_account')
    .set({ avatar: '🚲', last_opened_at: now })
    .where('company_id', '=', companyId)
    .execute();
  const number = { id: idAt(opened.getTime()), number: '+13125550133', label: 'Marketplace' };
  await seedNumbers(tx, companyId, [number], now);
  await tx
    .updateTable('number')
    .set({
      record: false,
      ai_eav_enabled: false,
      call_transcription_enabled: false,
      purchased_at: opened,
      created_at: opened,
    })
    .where('company_id', '=', companyId)
    .execute();
  const quiet = { markDirty: () => {}, notify: () => {} };
  await routeCalls(withTx(systemCtx(services, companyId, quiet), tx, quiet));
  const planned = threads.map(([party, texts]) =>
    planConversation(createRandom(1), companyId, {
      ...{ id: idAt(now.getTime() - (texts[0]?.[0] ?? 0) * HOUR), number, at: now },
      person: { number: party, id: null },
      mine: texts.map((text): Item => itemOf(text, now)),
    }),
  );
  await insertInBatches(
    tx,
    'conversation',
    planned.map(({ conversation }) => ({ ...conversation, archived_at: null })),
  );
  await insertInBatches(
    tx,
    'conversation_item',
    planned.flatMap(({ items }) => items),
  );
}

const itemOf = ([hoursAgo, inbound, text]: [number, boolean, string], now: Date): Item => ({
  ...{ at: now.getTime() - hoursAgo * HOUR, kind: 'message', inbound, text },
  details: { content: text, media: [], segments: 1, encoding: 'GSM-7' },
  ...{ delivery: inbound ? 'received' : 'delivered', agent: null, source: null },
  unread: hoursAgo < 3,
});
