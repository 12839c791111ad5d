import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { search, contacts, fields } from '#contract';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

/** Renaming what many calls carry answers at once; a job finds the calls by the new name. */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const many = 1200;

/** A company whose contact called so many times; all of those calls have one tag. */
async function busy(calls: number) {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const { tagId, contactId } = await app.services.db.systemTransaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`insert into contact (company_id, number, name)
      values (${company.id}, '+12125550147', 'Oldname Person') returning id`.execute(tx);
    const tags = await sql<{ id: number }>`insert into tag (company_id, name, color)
      values (${company.id}, 'Lukewarm', 'teal') returning id`.execute(tx);
    await sql`insert into call (company_id, id, number_id, outbound, carrier, from_number, to_number,
        party, contact_id, status, outcome, started_at)
      select ${company.id}, n, ${number.id}, false, 'sandbox', '+12125550147', ${number.number},
        '+12125550147', ${rows[0]!.id}, 12, 1, now() - n * interval '1 minute'
      from generate_series(1, ${calls}::int) n`.execute(tx);
    await sql`insert into call_tag (company_id, call_id, tag_id)
      select company_id, id, ${tags.rows[0]!.id} from call
      where company_id = ${company.id}`.execute(tx);
    return { tagId: tags.rows[0]!.id, contactId: rows[0]!.id };
  });
  return { company, owner, tagId, contactId };
}
type Busy = Awaited<ReturnType<typeof busy>>;
const found = async ({ company, owner }: Busy, q: string): Promise<number> =>
  (
    await app
      .as(owner as TestPerson)
      .request(search.searchCalls, { query: { companyId: company.id, q } })
  ).body.meta.total;
/** The last transaction that wrote search words of this company. */
const lastWrite = async ({ company }: Busy): Promise<string> =>
  (
    await app.services.db.systemTransaction((tx) =>
      sql<{ at: string }>`select max(xmin::text::bigint)::text at from call_search_text
        where company_id = ${company.id}`.execute(tx),
    )
  ).rows[0]!.at;
const renameTag = ({ company, owner, tagId }: Busy, name: string) =>
  app.as(owner).request(fields.updateTags, {
    params: { companyId: company.id },
    body: { tags: [{ id: tagId, name }] },
  });
const renameContact = ({ owner, contactId }: Busy, name: string) =>
  app.as(owner).request(contacts.updateContact, { params: { contactId }, body: { name } });

test.each([
  ['a tag', renameTag, 'Lukewarm'],
  ['a contact', renameContact, 'Oldname'],
] as const)('renaming %s of many calls writes none of them in the request', async (_, act, old) => {
  const [ours, theirs] = [await busy(many), await busy(60)];
  await app.drainJobs();
  await app.stopJobs();
  const before = await lastWrite(ours);
  expect((await act(ours, 'Brandnew')).status).toBe(200);
  expect(await lastWrite(ours)).toBe(before);
  const untouched = await lastWrite(theirs);
  await app.drainJobs();
  expect([await found(ours, 'brandnew'), await found(ours, old)]).toEqual([many, 0]);
  expect([await found(theirs, 'brandnew'), await found(theirs, old)]).toEqual([0, 60]);
  expect(await lastWrite(theirs)).toBe(untouched);
});

test('few calls are found by the new name at once', async () => {
  const ours = await busy(50);
  await app.stopJobs();
  await renameTag(ours, 'Brandnew');
  await renameContact(ours, 'Someone Else');
  expect([await found(ours, 'brandnew'), await found(ours, 'someone')]).toEqual([50, 50]);
  expect([await found(ours, 'lukewarm'), await found(ours, 'oldname')]).toEqual([0, 0]);
  await app.drainJobs();
});

test('merging a tag of many calls moves none of them in the request, and a chain of merges ends', async () => {
  const ours = await busy(many);
  const { company, owner } = ours;
  const tag = async (name: string) =>
    (
      await app.as(owner).request(fields.createTags, {
        params: { companyId: company.id },
        body: { tags: [{ name }] },
      })
    ).body.data[0]!.id;
  const merge = (gone: number, into: number) =>
    app.as(owner).request(fields.updateTags, {
      params: { companyId: company.id },
      body: { tags: [{ id: gone, merge_into: into }] },
    });
  const names = async () =>
    (
      await app.as(owner).request(fields.listTags, { params: { companyId: company.id } })
    ).body.data.map(({ name, usage_count }) => [name, usage_count]);
  const [middle, last] = [await tag('Middle'), await tag('Final')];
  await app.drainJobs();
  await app.stopJobs();
  const before = await lastWrite(ours);
  expect((await merge(ours.tagId, middle)).status).toBe(200);
  expect((await merge(middle, last)).status).toBe(200);
  expect(await lastWrite(ours)).toBe(before);
  expect((await names()).map(([name]) => name)).toEqual(['Final']);
  // Merged is not deleted: it can't be restored.
  const restored = await app.as(owner).request(fields.updateTags, {
    params: { companyId: company.id },
    body: { tags: [{ id: ours.tagId, restore: true }] },
  });
  expect(restored.status).toBe(404);
  await app.drainJobs();
  expect(await names()).toEqual([['Final', many]]);
  expect([await found(ours, 'final'), await found(ours, 'lukewarm')]).toEqual([many, 0]);
  const left = await app.services.db.systemTransaction((tx) =>
    sql`select from tag where company_id = ${company.id}`.execute(tx),
  );
  expect(left.rows).toHaveLength(1);
});
