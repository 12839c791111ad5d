import { describe, expect, test } from 'vitest';
import { calls, integrations, oauthIntegrations as contract } from '#contract';
import { answerOf, createAccountHarness } from '../../../../test/support/account-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';

const {
  app,
  asked,
  meddle,
  loseFirst,
  company: connect,
  later,
} = await createAccountHarness(['sandbox.gohighlevel_object']);

interface Stored {
  id: string;
  fields: Record<string, unknown>;
}
const inLocation = async (type: 'contact' | 'note' | 'opportunity'): Promise<Stored[]> =>
  (
    await app.services.db.pool.query<Stored>(
      `select id::text, fields from sandbox.gohighlevel_object where type = $1 order by id`,
      [type],
    )
  ).rows;
/** A contact that the location has had for a while. */
const stored = async (fields: object): Promise<string> =>
  (
    await app.services.db.pool.query<{ id: string }>(
      `insert into sandbox.gohighlevel_object (location, type, fields, created_at, updated_at)
       values ('sandbox-main', 'contact', $1, '2026-01-01', '2026-01-01') returning id::text`,
      [JSON.stringify(fields)],
    )
  ).rows[0]?.id ?? '';
const company = (config: object = {}, delayMinutes = 0) =>
  connect(
    'gohighlevel',
    { location_id: 'sandbox-main', ...config },
    (['call.completed', 'qualified'] as const).map((event) => ({
      ...{ event, delay_minutes: delayMinutes },
    })),
  );
const pipeline = { pipeline_id: 'pipePatients', stage_id: 'stageCalled' };
const isCreating = (path: string, { method, url }: OutboundRequest): boolean =>
  method === 'POST' && url.endsWith(path);

describe('a person who calls', () => {
  test('is one contact with tags, an opportunity and a note for each call, also where workers deliver at one time', async () => {
    const { missedCall, log, deliverTogether } = await company(
      { ...pipeline, tags: ['Called', 'web'], field_map: { number_label: 'cfCampaign' } },
      1,
    );
    for (let n = 0; n < 3; n++) await missedCall();
    app.clock.advance(61);
    await deliverTogether();
    const [contact, ...more] = await inLocation('contact');
    expect(more).toEqual([]);
    expect(contact?.fields).toMatchObject({
      ...{ phone: '+12125550147', tags: ['called', 'web'] },
      customFields: [{ id: 'cfCampaign', value: 'Main line' }],
    });
    expect((await inLocation('opportunity')).map(({ fields }) => fields)).toEqual([
      {
        ...{ pipelineId: 'pipePatients', pipelineStageId: 'stageCalled', status: 'open' },
        ...{ contactId: contact?.id, name: '+12125550147' },
      },
    ]);
    const notes = await inLocation('note');
    expect(notes.map(({ fields }) => fields['contactId'])).toEqual(
      Array.from({ length: 3 }, () => contact?.id),
    );
    expect(String(notes[0]?.fields['body'])).toMatch(/^Inbound call missed\nLine: Main line\n/);
    const done = await log();
    expect(done.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    expect(JSON.stringify(done)).not.toMatch(/5550147|sbx_/);
  });

  test('and is there keeps what a person typed, and gets what is missing', async () => {
    const id = await stored({
      ...{ phone: '(212) 555-0147', firstName: 'Ann', source: 'Walk-in', tags: ['vip'] },
      customFields: [{ id: 'cfCampaign', value: 'By hand' }],
    });
    const { missedCall } = await company({
      tags: ['called'],
      field_map: { number_label: 'cfCampaign', tracking_number: 'cfKeyword' },
    });
    await missedCall();
    const [contact, ...more] = await inLocation('contact');
    expect(more).toEqual([]);
    expect(contact).toMatchObject({
      id,
      fields: {
        ...{ phone: '(212) 555-0147', firstName: 'Ann', source: 'Walk-in' },
        tags: ['vip', 'called'],
        customFields: [
          { id: 'cfCampaign', value: 'By hand' },
          { id: 'cfKeyword', value: expect.stringMatching(/^\+1/) },
        ],
      },
    });
  });

  test('is made once where an answer was lost: contact, opportunity and note', async () => {
    const { missedCall, log } = await company(pipeline);
    for (const path of ['/contacts/', '/opportunities/', '/notes']) {
      loseFirst((request) => isCreating(path, request));
      await missedCall();
      await later(61);
    }
    expect((await log()).every(({ state }) => state === 'sent')).toBe(true);
    expect(await inLocation('contact')).toHaveLength(1);
    expect(await inLocation('opportunity')).toHaveLength(1);
    expect(await inLocation('note')).toHaveLength(3);
  });

  test('stays in the stage that a person moved them to, and gets a new opportunity once that is closed', async () => {
    const { missedCall } = await company(pipeline);
    await missedCall();
    const set = (fields: object) =>
      app.services.db.pool.query(
        `update sandbox.gohighlevel_object set fields = fields || $1 where type = 'opportunity'`,
        [JSON.stringify(fields)],
      );
    await set({ pipelineStageId: 'stageBooked' });
    await missedCall();
    expect(
      (await inLocation('opportunity')).map(({ fields }) => fields['pipelineStageId']),
    ).toEqual(['stageBooked']);
    await set({ status: 'won' });
    await missedCall();
    expect((await inLocation('opportunity')).map(({ fields }) => fields['status'])).toEqual([
      ...['won', 'open'],
    ]);
  });

  test('isn’t created where that is turned off; one who was deleted is created anew', async () => {
    const closed = await company({ create_contact: false });
    await closed.missedCall();
    expect((await closed.log())[0]).toMatchObject({
      state: 'skipped',
      error: 'No contact in GoHighLevel has this number.',
    });
    const { missedCall } = await company();
    await missedCall();
    await app.services.db.pool.query('delete from sandbox.gohighlevel_object');
    await missedCall();
    expect(await inLocation('contact')).toHaveLength(1);
    expect(await inLocation('note')).toHaveLength(1);
  });
});

test('a call that is qualified afterwards changes its note; one that was deleted there stays deleted', async () => {
  const { owner, missedCall, log } = await company();
  const id = await missedCall();
  const edit = async (body: object): Promise<void> => {
    await app.as(owner).request(calls.updateCall, { params: { id }, body });
    await app.drainJobs();
  };
  await edit({ qualified: true });
  const [note, ...more] = await inLocation('note');
  expect(more).toEqual([]);
  expect(String(note?.fields['body'])).toContain('Qualified: Yes');
  await app.services.db.pool.query(`delete from sandbox.gohighlevel_object where type = 'note'`);
  await edit({ qualified: false });
  await edit({ qualified: true });
  expect(await inLocation('note')).toEqual([]);
  expect((await log()).map(({ state }) => state)).not.toContain('failed');
});

describe('what GoHighLevel answers', () => {
  test('without a field that was deleted: it is named, and the rest arrives', async () => {
    const { missedCall, log } = await company({
      field_map: { number_label: 'gone', tracking_number: 'cfKeyword' },
    });
    await missedCall();
    expect((await log())[0]).toMatchObject({
      state: 'sent',
      error: 'GoHighLevel didn’t take number_label. Check the fields.',
    });
  });

  test('that a field isn’t taken: the rest is sent without fields', async () => {
    const { missedCall, log } = await company({ field_map: { number_label: 'cfKeyword' } });
    meddle((request, answer) =>
      request.body.includes('customFields')
        ? answerOf(422, { statusCode: 422, message: ['customFields.0 is invalid'] })
        : answer,
    );
    await missedCall();
    expect((await log())[0]).toMatchObject({
      state: 'sent',
      error: 'GoHighLevel didn’t take number_label. Check the fields.',
    });
  });

  test('its limit: it waits, which is no failed try', async () => {
    const { missedCall, log } = await company();
    meddle(() => answerOf(429, { statusCode: 429, message: 'Too Many Requests' }));
    await missedCall();
    expect((await log())[0]).toMatchObject({ state: 'queued', attempts: 0 });
    meddle(null);
    await later(60);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('that access expired, or the app was uninstalled', async () => {
    const { missedCall, log, account } = await company();
    app.clock.advance(4000);
    await missedCall();
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
    await app.services.db.pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
    app.clock.advance(4000);
    await missedCall();
    expect((await log())[0]?.error).toBe('Access has ended. Connect the account again.');
    expect(await account()).toMatchObject({ status: 'expired' });
  });

  test('that it isn’t allowed, or the stage is gone: it says so', async () => {
    const other = await company({ location_id: 'another' });
    await other.missedCall();
    expect((await other.log())[0]).toMatchObject({
      state: 'dead',
      error: 'GoHighLevel doesn’t allow it. Connect the account again to give access.',
    });
    const moved = await company({ ...pipeline, stage_id: 'gone' });
    await moved.missedCall();
    expect((await moved.log())[0]).toMatchObject({
      state: 'dead',
      error: 'GoHighLevel refused the opportunity. Choose the stage again.',
    });
  });
});

test('locations, stages, tags and fields are listed for those who set it up', async () => {
  const { owner, id } = await company();
  const { owner: stranger } = await app.createCompany();
  type Kind = 'locations' | 'pipelines' | 'tags' | 'properties' | 'owners';
  const look = (person: TestPerson, kind: Kind) =>
    app.as(person).request(contract.lookUpOAuthIntegration, {
      params: { companyId: person.companyId, id, kind },
      query: {},
    });
  const listOf = async (kind: Kind) => (await look(owner, kind)).body.data;
  expect(await listOf('locations')).toEqual([
    { id: 'sandbox-main', name: 'Main account at GoHighLevel', detail: null },
  ]);
  expect((await listOf('pipelines'))[0]).toEqual({
    ...{ id: 'pipePatients/stageCalled', name: 'Called', detail: 'New patients' },
  });
  expect((await listOf('tags')).map(({ name }) => name)).toEqual(['called', 'new patient']);
  expect((await listOf('properties')).map(({ name }) => name)).toEqual(['Campaign', 'Keyword']);
  expect((await look(owner, 'owners')).status).toBe(404);
  expect((await look(stranger, 'tags')).status).toBe(404);
});

test('a dry run shows the contact, the opportunity and the note as they would be sent', async () => {
  const { owner, companyId, missedCall, account } = await company(pipeline);
  await missedCall();
  asked.length = 0;
  const destinationId = (await account()).destinations[0]?.id ?? 0;
  const { body } = await app
    .as(owner)
    .request(integrations.dryRunDestination, { params: { companyId, destinationId } });
  const shown = body.data.calls[0]?.request_redacted ?? '';
  for (const path of ['/contacts/', '/opportunities/', '/contacts/new/notes'])
    expect(shown).toContain(`POST https://services.leadconnectorhq.com${path}`);
  expect(JSON.stringify(body)).not.toContain('5550147');
  expect(asked).toEqual([]);
});
