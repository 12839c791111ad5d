import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compliance, contacts, conversations as contract, importing } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { module as contactModule } from '../contacts/module.ts';
import { findOrCreateContact } from '../contacts/index.ts';
import { jobs } from './jobs.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
/** Number of histories: 40 here, more with `OPT_OUT_HISTORIES` (`npm run test:faults opt-out`). */
const histories = Number(process.env['OPT_OUT_HISTORIES'] ?? 40);
/**
 * This many run at once, a new one starting as another ends, so that a slow one delays no other.
 */
const together = 12;

const steps = [
  'stop',
  'stop elsewhere',
  'start',
  'words',
  'send',
  'send elsewhere',
  'hand over',
  'schedule',
  'clock',
  'block',
  'unblock',
  'delete',
  'forget contact',
  'archive',
  'carrier stop',
  'stop while sending',
  'merge',
  'merge, their number',
  'part',
  'delete contact',
  'restore contact',
  're-create contact',
  'put contact',
  'import',
  'undo import',
] as const;
type Step = (typeof steps)[number];
const history = fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 9 });

const { company, owner } = await app.createCompany();
const [number, elsewhere] = [await inbox.number(company.id), await inbox.number(company.id)];
const job = (name: string, payload: object) =>
  jobs
    .find((j) => j.name === `conversations.${name}`)!
    .handler(
      inbox.inCompany(company.id),
      { companyId: company.id, ...payload },
      {
        number: 1,
        last: false,
      },
    );
const contactJob = (name: string, payload: object) =>
  contactModule
    .jobs!.find((j) => j.name === name)!
    .handler(
      inbox.inCompany(company.id),
      { companyId: company.id, ...payload },
      {
        number: 1,
        last: false,
      },
    );
const inCompany = <T>(work: Parameters<typeof app.services.db.transaction<T>>[1]) =>
  app.services.db.transaction({ companyId: company.id }, work);

/**
 * The history of one outside phone. Between STOP and START only the one confirmation may reach it.
 */
async function live(path: readonly Step[]): Promise<void> {
  const phone = uniquePhone();
  let optedOut = false;
  let n = 0;
  const conversations = () =>
    inCompany((tx) =>
      tx
        .selectFrom('conversation')
        .select(['id', 'number_id'])
        .where('company_id', '=', company.id)
        .where('party', '=', phone)
        .execute(),
    );
  const received = async () =>
    (
      await app.services.db.pool.query<{ n: number }>(
        `select count(*)::int n from sandbox.text where outgoing and to_number = $1 and body like 'msg%'`,
        [phone],
      )
    ).rows[0]!.n;
  const handOver = async () => {
    for (const c of await conversations()) await job('submit', { conversationId: c.id });
  };
  const plans = () =>
    inCompany((tx) =>
      tx
        .selectFrom('conversation_item as i')
        .innerJoin('conversation as c', (j) =>
          j.onRef('c.company_id', '=', 'i.company_id').onRef('c.id', '=', 'i.conversation_id'),
        )
        .select('i.id')
        .where('i.company_id', '=', company.id)
        .where('c.party', '=', phone)
        .where('i.kind', '=', 'scheduledmessage')
        .execute(),
    );
  const send = (numberId: number) =>
    inbox.send(owner, { numberId, to: phone, message: `msg ${n++}` });
  let blocked = false;
  const me = app.as(owner);
  const book = <E extends Parameters<ReturnType<typeof app.as>['request']>[0]>(
    endpoint: E,
    input: Parameters<typeof me.request<E>>[1],
  ) => me.request(endpoint, input);
  /** The current contact of this phone, and of the friend it is sometimes merged with. */
  const friend = uniquePhone();
  let merged: { id: number; mergeId: number } | null = null;
  let deleted: number | null = null;
  let imported: number | null = null;
  const person = async (number: string): Promise<number> =>
    (await inbox.inCompany(company.id).transaction((t) => findOrCreateContact(t, number)))!.id;
  const merge = async (number: 'this' | 'with') => {
    const [one, other] = [await person(friend), await person(phone)];
    if (one === other) return;
    const answer = await book(contacts.mergeContacts, {
      params: { id: one },
      body: { with: other, choose: { number, name: 'with' } },
    });
    expect(answer.status).toBe(200);
    merged = { id: one, mergeId: answer.body.data.mergeId };
  };
  const act: Record<Step, () => Promise<void>> = {
    stop: async () => {
      await inbox.text(phone, number.number, 'STOP');
      optedOut = true;
    },
    'stop elsewhere': async () => {
      await inbox.text(phone, elsewhere.number, 'Opt out');
      optedOut = true;
    },
    start: async () => {
      await inbox.text(phone, number.number, 'START');
      optedOut = false;
    },
    words: async () => {
      await inbox.text(phone, number.number, 'please do not stop');
    },
    send: async () => {
      expect((await send(number.id)).status).toBe(optedOut || blocked ? 422 : 201);
    },
    'send elsewhere': async () => {
      expect((await send(elsewhere.id)).status).toBe(optedOut || blocked ? 422 : 201);
    },
    'hand over': handOver,
    schedule: async () => {
      await app.as(owner).request(contract.scheduleMessage, {
        body: {
          companyId: company.id,
          numberId: number.id,
          to: phone,
          message: `msg ${n++}`,
          shouldBeSentAt: new Date(app.clock.value.getTime() + 61_000).toISOString(),
        },
      });
    },
    clock: async () => {
      await inCompany(async (tx) => {
        for (const p of await plans())
          await tx
            .updateTable('conversation_item')
            .set((e) => ({
              details: e.fn('jsonb_set', [
                'details',
                e.val('{sendAt}'),
                e.val('"2020-01-01T00:00:00.000Z"'),
              ]),
            }))
            .where('company_id', '=', company.id)
            .where('id', '=', p.id)
            .execute();
      });
      for (const p of await plans()) await job('sendScheduled', { itemId: p.id });
      await handOver();
    },
    block: async () => {
      await app
        .as(owner)
        .request(compliance.addBlock, { body: { company_id: company.id, target: phone } });
      blocked = true;
    },
    unblock: async () => {
      const found = (
        await app.as(owner).request(compliance.listBlocks, {
          params: { companyId: company.id },
          query: { search: phone },
        })
      ).body.data;
      for (const b of found)
        await app.as(owner).request(compliance.removeBlock, { params: { id: b.id } });
      blocked = false;
    },
    delete: async () => {
      await app.as(owner).request(contract.bulkUpdateConversations, {
        params: { companyId: company.id },
        body: { ids: [1, ...(await conversations()).map((c) => c.id)], type: 'delete' },
      });
    },
    'forget contact': async () => {
      await inCompany((tx) =>
        tx
          .updateTable('contact')
          .set({ deleted_at: new Date() })
          .where('company_id', '=', company.id)
          .where('number', '=', phone)
          .execute(),
      );
      await inbox.inCompany(company.id).transaction((t) => findOrCreateContact(t, phone));
    },
    archive: async () => {
      for (const c of await conversations())
        await app.as(owner).request(contract.archiveConversation, { params: { id: c.id } });
    },
    'carrier stop': async () => {
      const [last] = await inCompany((tx) =>
        tx
          .selectFrom('conversation_item as i')
          .innerJoin('conversation as c', (j) =>
            j.onRef('c.company_id', '=', 'i.company_id').onRef('c.id', '=', 'i.conversation_id'),
          )
          .select('i.id')
          .where('i.company_id', '=', company.id)
          .where('c.party', '=', phone)
          .where('i.kind', '=', 'message')
          .where('i.is_inbound', '=', false)
          .where('i.deleted_at', 'is', null)
          .limit(1)
          .execute(),
      );
      if (!last) return;
      await inbox.receipt(`m.${company.id}.${last.id}`, 'undelivered', { code: 'opted_out' });
      optedOut = true;
    },
    merge: () => merge('this'),
    'merge, their number': () => merge('with'),
    part: async () => {
      if (merged)
        expect([200, 404, 409]).toContain(
          (await book(contacts.undoMerge, { params: merged, body: {} })).status,
        );
      merged = null;
    },
    'delete contact': async () => {
      deleted = await person(phone);
      expect((await book(contacts.deleteContact, { params: { contactId: deleted } })).status).toBe(
        204,
      );
    },
    'restore contact': async () => {
      if (deleted)
        expect([200, 404, 409]).toContain(
          (await book(contacts.restoreContact, { params: { contactId: deleted }, body: {} }))
            .status,
        );
    },
    're-create contact': async () => {
      expect([201, 409]).toContain(
        (
          await book(contacts.createContact, {
            body: { companyId: company.id, number: phone, name: 'Again' },
          })
        ).status,
      );
    },
    'put contact': async () => {
      expect(
        (
          await book(contacts.putContacts, {
            params: { companyId: company.id },
            body: { contacts: [{ number: phone, name: `Put ${n}` }] },
          })
        ).status,
      ).toBe(200);
    },
    import: async () => {
      const payload = `--line\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\nname,number,unsubscribed\nImported ${n},${phone},no\n\r\n--line--\r\n`;
      const read = (await app.as(owner).inject({
        method: 'POST',
        url: `/api/companies/${company.id}/contacts/imports`,
        payload,
        headers: { 'content-type': 'multipart/form-data; boundary=line' },
      })) as { body: { data: { id: number } } };
      imported = read.body.data.id;
      expect(
        (
          await book(importing.startContactImport, {
            params: { companyId: company.id, importId: imported },
            body: {},
          })
        ).status,
      ).toBe(202);
      await contactJob('contacts.import', { importId: imported });
    },
    'undo import': async () => {
      if (imported === null) return;
      expect([202, 409]).toContain(
        (
          await book(importing.undoContactImport, {
            params: { companyId: company.id, importId: imported },
          })
        ).status,
      );
      await contactJob('contacts.undoImport', { importId: imported, by: 0 });
    },
    'stop while sending': async () => {
      await Promise.all([
        send(number.id),
        inbox.text(phone, number.number, 'STOP'),
        handOver(),
        send(elsewhere.id),
      ]);
      optedOut = true;
    },
  };
  for (const step of path) {
    const wasOut = optedOut;
    const before = wasOut ? await received() : 0;
    await act[step]();
    // Anything decided before STOP may still be on its way; from here on, nothing.
    if (wasOut && optedOut) expect(await received(), `after ${step}`).toBe(before);
  }
  const before = await received();
  await handOver();
  if (optedOut) expect(await received()).toBe(before);
  const confirmations = (await inbox.received(phone)).filter((t) =>
    t.text.includes('no more texts'),
  ).length;
  const outs = await inCompany((tx) =>
    tx
      .selectFrom('opt_out_history')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('company_id', '=', company.id)
      .where('number', '=', phone)
      .where('action', '=', 'out')
      .executeTakeFirstOrThrow(),
  );
  expect(confirmations).toBeLessThanOrEqual(Number(outs.n));
}

test(
  `${histories} random histories: after STOP nothing is sent until START`,
  async () => {
    const seed = Number(process.env['OPT_OUT_SEED'] ?? 20261122);
    const waiting = fc.sample(history, { numRuns: histories, seed });
    const worker = async (): Promise<void> => {
      for (let path = waiting.pop(); path; path = waiting.pop()) {
        await live(path).catch((error: unknown) => {
          waiting.length = 0;
          throw new Error(
            `in the history ${path.join(', ')} (OPT_OUT_SEED=${seed}): ${String(error)}`,
            { cause: error },
          );
        });
      }
    };
    await Promise.all(Array.from({ length: together }, worker));
  },
  Math.max(300_000, histories * 1000),
);
