import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compliance, conversations as contract } from '#contract';
import { aWorld } from '../../../test/world.ts';
import { findOrMakeContact } from '../contacts/index.ts';
import { jobs } from './jobs.ts';
import { aPhone, inboxOf } from './test-inbox.ts';

const world = await aWorld();
const inbox = inboxOf(world);
/** Histories in all: 300 here, more by `OPT_OUT_HISTORIES` (5,000 in the long run). */
const histories = Number(process.env['OPT_OUT_HISTORIES'] ?? 300);
const together = 6;

const steps = ['stop', 'stop elsewhere', 'start', 'words', 'send', 'send elsewhere', 'hand over', 'schedule', 'clock', 'block', 'unblock', 'delete', 'forget contact', 'archive', 'carrier stop', 'stop while sending'] as const;
type Step = (typeof steps)[number];
const history = fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 9 });

const { company, owner } = await world.company();
const [number, elsewhere] = [await inbox.number(company.id), await inbox.number(company.id)];
const job = (name: string, payload: object) => jobs.find((j) => j.name === `conversations.${name}`)!.verb(inbox.inCompany(company.id), { companyId: company.id, ...payload } as never, { number: 1, last: false });
const inCompany = <T>(work: Parameters<typeof world.house.db.within<T>>[1]) => world.house.db.within({ companyId: company.id }, work);

/** One outside phone's life. Nothing but the one confirmation may reach it between STOP and START. */
async function live(path: readonly Step[]): Promise<void> {
  const phone = aPhone();
  let optedOut = false;
  let n = 0;
  const conversations = () => inCompany((tx) => tx.selectFrom('conversation').select(['id', 'number_id']).where('company_id', '=', company.id).where('party', '=', phone).execute());
  const received = async () => (await world.house.db.pool.query<{ n: number }>(`select count(*)::int n from sandbox.text where outgoing and to_number = $1 and body like 'msg%'`, [phone])).rows[0]!.n;
  const handOver = async () => { for (const c of await conversations()) await job('handOver', { conversationId: c.id }); };
  const plans = () => inCompany((tx) => tx.selectFrom('conversation_item as i').innerJoin('conversation as c', (j) => j.onRef('c.company_id', '=', 'i.company_id').onRef('c.id', '=', 'i.conversation_id')).select('i.id').where('i.company_id', '=', company.id).where('c.party', '=', phone).where('i.kind', '=', 'scheduledmessage').execute());
  const send = (numberId: number) => inbox.send(owner, { numberId, to: phone, message: `msg ${n++}` });
  let blocked = false;
  const act: Record<Step, () => Promise<void>> = {
    stop: async () => { await inbox.text(phone, number.number, 'STOP'); optedOut = true; },
    'stop elsewhere': async () => { await inbox.text(phone, elsewhere.number, 'Opt out'); optedOut = true; },
    start: async () => { await inbox.text(phone, number.number, 'START'); optedOut = false; },
    words: async () => { await inbox.text(phone, number.number, 'please do not stop'); },
    send: async () => { expect((await send(number.id)).status).toBe(optedOut || blocked ? 422 : 201); },
    'send elsewhere': async () => { expect((await send(elsewhere.id)).status).toBe(optedOut || blocked ? 422 : 201); },
    'hand over': handOver,
    schedule: async () => { await world.as(owner).ask(contract.scheduleMessage, { body: { companyId: company.id, numberId: number.id, to: phone, message: `msg ${n++}`, shouldBeSentAt: new Date(world.now.value.getTime() + 61_000).toISOString() } } as never); },
    clock: async () => {
      await inCompany(async (tx) => { for (const p of await plans()) await tx.updateTable('conversation_item').set((e) => ({ details: e.fn('jsonb_set', ['details', e.val('{sendAt}'), e.val('"2020-01-01T00:00:00.000Z"')]) as never })).where('company_id', '=', company.id).where('id', '=', p.id).execute(); });
      for (const p of await plans()) await job('sendScheduled', { itemId: p.id });
      await handOver();
    },
    block: async () => { await world.as(owner).ask(compliance.addBlock, { body: { company_id: company.id, target: phone } } as never); blocked = true; },
    unblock: async () => {
      const found = (await world.as(owner).ask(compliance.listBlocks, { params: { companyId: company.id }, query: { search: phone } } as never)).body.data;
      for (const b of found) await world.as(owner).ask(compliance.removeBlock, { params: { id: b.id } } as never);
      blocked = false;
    },
    delete: async () => { await world.as(owner).ask(contract.bulkUpdateConversations, { params: { companyId: company.id }, body: { ids: [1, ...(await conversations()).map((c) => c.id)], type: 'delete' } } as never); },
    'forget contact': async () => {
      await inCompany((tx) => tx.updateTable('contact').set({ deleted_at: new Date() }).where('company_id', '=', company.id).where('number', '=', phone).execute());
      await inbox.inCompany(company.id).transaction((t) => findOrMakeContact(t, phone));
    },
    archive: async () => { for (const c of await conversations()) await world.as(owner).ask(contract.archiveConversation, { params: { id: c.id } } as never); },
    'carrier stop': async () => {
      const [last] = await inCompany((tx) => tx.selectFrom('conversation_item as i').innerJoin('conversation as c', (j) => j.onRef('c.company_id', '=', 'i.company_id').onRef('c.id', '=', 'i.conversation_id')).select('i.id').where('i.company_id', '=', company.id).where('c.party', '=', phone).where('i.kind', '=', 'message').where('i.is_inbound', '=', false).where('i.deleted_at', 'is', null).limit(1).execute());
      if (!last) return;
      await inbox.receipt(`m.${company.id}.${last.id}`, 'undelivered', { code: 'opted_out' });
      optedOut = true;
    },
    'stop while sending': async () => { await Promise.all([send(number.id), inbox.text(phone, number.number, 'STOP'), handOver(), send(elsewhere.id)]); optedOut = true; },
  };
  for (const step of path) {
    const wasOut = optedOut;
    const before = await received();
    await act[step]();
    // Whatever was decided before STOP may still be on its way out; from here on, nothing.
    if (wasOut && optedOut) expect(await received(), `after ${step} in ${path.join(', ')}`).toBe(before);
  }
  const before = await received();
  await handOver();
  if (optedOut) expect(await received()).toBe(before);
  const confirmations = (await inbox.received(phone)).filter((t) => t.text.includes('no more texts')).length;
  const outs = await inCompany((tx) => tx.selectFrom('opt_out_history').select((e) => e.fn.countAll<number>().as('n')).where('company_id', '=', company.id).where('number', '=', phone).where('action', '=', 'out').executeTakeFirstOrThrow());
  expect(confirmations).toBeLessThanOrEqual(Number(outs.n));
}

test(`${histories} random histories: after STOP nothing is sent until START`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(history, { minLength: together, maxLength: together }), (paths) => Promise.all(paths.map(live)).then(() => {})), { numRuns: Math.ceil(histories / together), endOnFailure: true });
}, Math.max(120_000, histories * 400));
