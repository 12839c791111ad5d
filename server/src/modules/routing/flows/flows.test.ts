import { describe, expect, it } from 'vitest';
import { flows, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx, type TxCtx } from '../../../platform/context.ts';
import { flowFor } from '../index.ts';
import { insertTestNumber } from '../../../../test/support/test-number.ts';

const app = await createTestApp();

let numbersGiven = 3300;
const aNumber = async () => {
  const { company, owner } = await app.createCompany();
  const number = `+1415555${(numbersGiven += 1)}`;
  const id = await insertTestNumber(app, company.id, number);
  return { company, owner, id, number };
};
const inCompany = <T>(companyId: number, work: (ctx: TxCtx) => Promise<T>) =>
  systemCtx(app.services, companyId, app.notifier).transaction(work);
const call = async (
  who: TestPerson,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  payload?: Record<string, unknown>,
  headers: Record<string, string> = {},
) => app.as(who).inject({ method, url: `/api${url}`, ...(payload ? { payload } : {}), headers });
const menu = { greeting: null, fallback: null };
const ring = (last: string, more: Record<string, unknown> = {}) => ({
  extension: 1,
  label: 'Sales',
  forwards: [{ number: `+121255501${last}`, label: `Phone ${last}` }],
  ...more,
});

describe('a call flow', () => {
  it('runs calls on the published version, not the draft', async () => {
    const { company, owner, id } = await aNumber();
    await call(owner, 'PUT', `/numbers/${id}`, { routes: [ring('11')] });
    const kept = await call(owner, 'PUT', `/numbers/${id}/flow/draft`, {
      routes: [ring('22')],
      menu,
      revision: null,
    });
    expect([kept.status, kept.body.data.draft.revision, kept.body.data.draft.changes]).toEqual([
      200,
      1,
      ['Sales now rings Phone 22 for 20 seconds.'],
    ]);
    const live = async () =>
      (await inCompany(company.id, (ctx) => flowFor(ctx, id))).routes[0]?.forwards[0]?.number;
    expect(await live()).toBe('+12125550111');
    const out = await call(owner, 'POST', `/numbers/${id}/flow/publish`, { revision: 1 });
    expect([out.status, out.body.data.published.version, out.body.data.draft]).toEqual([
      200,
      3,
      null,
    ]);
    expect(await live()).toBe('+12125550122');
  });

  it('saves a version with author, time and summary for every change of routes or menu', async () => {
    const { owner, id } = await aNumber();
    await call(owner, 'PUT', `/numbers/${id}`, { routes: [ring('11')] });
    await call(owner, 'PUT', `/numbers/${id}`, {
      routes: [
        ring('11', { voicemail_enabled: true }),
        { extension: 2, label: 'Support', type: 'voicemail' },
      ],
    });
    await call(owner, 'PUT', `/numbers/${id}`, { menu: { greeting: 'Hello.' } });
    await call(owner, 'PUT', `/numbers/${id}`, { label: 'Only the label' });
    const { body } = await call(owner, 'GET', `/numbers/${id}/flow/versions?perPage=2`);
    expect(
      body.data.map((one: flows.FlowVersion) => [
        one.version,
        one.kind,
        one.summary,
        one.published_by,
      ]),
    ).toEqual([
      [4, 'saved', 'The menu now says “Hello.”.', expect.stringMatching(/^owner \d+$/)],
      [
        3,
        'saved',
        'Sales now goes to voicemail. Support was added: it goes to voicemail.',
        expect.stringMatching(/^owner \d+$/),
      ],
    ]);
    const rest = await call(
      owner,
      'GET',
      `/numbers/${id}/flow/versions?perPage=2&cursor=${body.meta.next_cursor}`,
    );
    expect(rest.body.data.map((one: flows.FlowVersion) => one.version)).toEqual([2, 1]);
    expect(rest.body.meta.next_cursor).toBeNull();
  });

  it('detects concurrent edits of the draft, and neither overwrites the other', async () => {
    const { company, owner, id } = await aNumber();
    const other = await app.createPerson(company.id, 'administrator');
    await call(owner, 'PUT', `/numbers/${id}/flow/draft`, {
      routes: [ring('11')],
      menu,
      revision: null,
    });
    const mine = await call(owner, 'PUT', `/numbers/${id}/flow/draft`, {
      routes: [ring('12')],
      menu,
      revision: 1,
    });
    const theirs = await call(other, 'PUT', `/numbers/${id}/flow/draft`, {
      routes: [ring('13')],
      menu,
      revision: 1,
    });
    expect([mine.status, theirs.status, theirs.body.code]).toEqual([
      200,
      409,
      'flow.draft_changed',
    ]);
    expect(theirs.body.message).toMatch(/^owner \d+ changed this draft/);
    const stale = await call(other, 'POST', `/numbers/${id}/flow/publish`, { revision: 1 });
    expect(stale.body.code).toBe('flow.draft_changed');
    const tag = (await call(owner, 'GET', `/numbers/${id}/flow`)).headers['etag'] as string;
    await call(owner, 'POST', `/numbers/${id}/flow/publish`, { revision: 2 });
    const late = await call(
      other,
      'PUT',
      `/numbers/${id}/flow/draft`,
      { routes: [ring('13')], menu },
      { 'if-match': tag },
    );
    expect(late.status).toBe(412);
    const gone = await call(other, 'PUT', `/numbers/${id}/flow/draft`, {
      routes: [ring('13')],
      menu,
      revision: 2,
    });
    expect(gone.body.code).toBe('flow.draft_gone');
  });

  it('replaces a version published since the draft began only on confirmation', async () => {
    const { owner, id } = await aNumber();
    await call(owner, 'PUT', `/numbers/${id}`, { routes: [ring('11')] });
    await call(owner, 'PUT', `/numbers/${id}/flow/draft`, {
      routes: [ring('12')],
      menu,
      revision: null,
    });
    await call(owner, 'PUT', `/numbers/${id}`, { routes: [ring('13')] });
    const first = await call(owner, 'POST', `/numbers/${id}/flow/publish`, { revision: 1 });
    expect([first.status, first.body.code, first.body.message]).toEqual([
      409,
      'flow.published_meanwhile',
      expect.stringContaining('version 3'),
    ]);
    const second = await call(owner, 'POST', `/numbers/${id}/flow/publish`, {
      revision: 1,
      over: 3,
    });
    expect([second.status, second.body.data.published.version]).toEqual([200, 4]);
  });

  it('rolls back as a new version and restores a deleted route', async () => {
    const { owner, id } = await aNumber();
    await call(owner, 'PUT', `/numbers/${id}`, {
      routes: [
        ring('11'),
        { extension: 2, label: 'Support', forwards: [{ number: '+12125550144' }] },
      ],
      menu: { greeting: 'Choose.', fallback: 2 },
    });
    await call(owner, 'PUT', `/numbers/${id}`, {
      routes: [ring('12')],
      menu: { greeting: null, fallback: null },
    });
    const back = await call(owner, 'POST', `/numbers/${id}/flow/versions/2/restore`, {});
    expect(back.status).toBe(200);
    const { data } = (await app.as(owner).request(routing.getNumber, { params: { id } })).body;
    expect(data.routes.map((one) => [one.extension, one.label, one.forwards[0]?.number])).toEqual([
      [1, 'Sales', '+12125550111'],
      [2, 'Support', '+12125550144'],
    ]);
    expect(data.menu).toMatchObject({ greeting: 'Choose.', fallback: 2 });
    const [newest] = (await call(owner, 'GET', `/numbers/${id}/flow/versions`)).body.data;
    expect(newest).toMatchObject({ version: 4, kind: 'restored', restored_from: 2 });
    const draft = await call(owner, 'POST', `/numbers/${id}/flow/versions/3/restore`, {
      as: 'draft',
    });
    expect([draft.body.data.published.version, draft.body.data.draft.routes.length]).toEqual([
      4, 1,
    ]);
  });

  it('rejects an invalid draft by field when it is published, and keeps it as a draft', async () => {
    const { owner, id, number } = await aNumber();
    await call(owner, 'PUT', `/numbers/${id}/flow/draft`, {
      routes: [ring('11'), { extension: 2, forwards: [{ number }] }],
      menu,
    });
    const out = await call(owner, 'POST', `/numbers/${id}/flow/publish`, {});
    expect([out.status, out.body.errors]).toEqual([
      422,
      { 'routes.1.forwards.0.number': ['A number can’t forward to itself.'] },
    ]);
    const { body } = await call(owner, 'GET', `/numbers/${id}/flow`);
    expect([body.data.published.version, body.data.draft.revision]).toEqual([1, 1]);
    expect((await call(owner, 'DELETE', `/numbers/${id}/flow/draft`)).status).toBe(204);
    expect((await call(owner, 'POST', `/numbers/${id}/flow/publish`, {})).body.code).toBe(
      'flow.no_draft',
    );
  });

  it('never changes a published version', async () => {
    const { company, owner, id } = await aNumber();
    await call(owner, 'PUT', `/numbers/${id}`, { routes: [ring('11')] });
    await expect(
      inCompany(company.id, (ctx) =>
        ctx.tx
          .updateTable('flow_version')
          .set({ summary: 'Nothing' })
          .where('number_id', '=', id)
          .execute(),
      ),
    ).rejects.toThrow(/never changes/);
    const audited = await inCompany(company.id, (ctx) =>
      ctx.tx
        .selectFrom('audit_log')
        .select('action')
        .where('company_id', '=', company.id)
        .where('subject', '=', `number:${id}`)
        .execute(),
    );
    expect(audited.map((row) => row.action)).toContain('flow.saved');
  });

  it('is not found by users of other numbers', async () => {
    const { company, owner, id } = await aNumber();
    const elsewhere = await insertTestNumber(app, company.id, `+1415555${(numbersGiven += 1)}`);
    const user = await app.createPerson(company.id, 'user', [elsewhere]);
    await call(owner, 'PUT', `/numbers/${id}`, { routes: [ring('11')] });
    expect((await call(user, 'GET', `/numbers/${id}/flow`)).status).toBe(404);
    expect((await call(user, 'GET', `/numbers/${id}/flow/versions/1`)).status).toBe(404);
    expect((await call(user, 'GET', `/numbers/${elsewhere}/flow`)).status).toBe(200);
  });
});
