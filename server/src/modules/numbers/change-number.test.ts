import { describe, expect, it } from 'vitest';
import { numbers as contract, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { provisionNumber } from './index.ts';

const app = await createTestApp();
let line = 6000;
const aNumber = (companyId: number, about: Partial<Parameters<typeof provisionNumber>[1]> = {}) =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: `+1415555${line++}`, ...about }),
  );
const change = (
  person: TestPerson,
  id: number,
  body: object,
  headers: Record<string, string> = {},
) => app.as(person).request(routing.updateNumber, { params: { id }, body: body, headers });
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors;

describe('changing a number', () => {
  it('a patch changes only the fields it names', async () => {
    const { owner, company } = await app.createCompany();
    const id = await aNumber(company.id, { label: 'Before' });
    const { status, body } = await change(owner, id, {
      label: 'After',
      record: true,
      recording_announcement: 'custom',
      recording_announcement_text: 'We record.',
      recording_retention_days: 30,
      voicemail: { greeting: 'Leave word.', email: ['desk@example.com'] },
      tags: ['Sales', 'North'],
      caller_id_name: 'HARBOR DENTAL',
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      label: 'After',
      record: true,
      recording_announcement: 'custom',
      recording_announcement_text: 'We record.',
      recording_retention_days: 30,
      caller_id_name: 'HARBOR DENTAL',
      voicemail: {
        enabled: true,
        greeting: 'Leave word.',
        email: ['desk@example.com'],
        transcribe: true,
      },
      tags: [{ name: 'North' }, { name: 'Sales' }],
    });
    expect(
      (await change(owner, id, { voicemail: { enabled: false } })).body.data.voicemail,
    ).toMatchObject({ enabled: false, greeting: 'Leave word.', email: ['desk@example.com'] });
    const said = (
      await app.services.db.pool.query(
        `select data from outbox where company_id = $1 and event = 'number.changed' order by id`,
        [company.id],
      )
    ).rows;
    expect(said.map((s) => s.data.changed.sort())).toEqual([
      [
        'caller_id_name',
        'label',
        'record',
        'recording_announcement',
        'recording_announcement_text',
        'recording_retention_days',
        'tags',
        'voicemail_emails',
        'voicemail_greeting',
      ],
      ['voicemail_enabled'],
    ]);
  });
  it('a patch without a change records and publishes nothing', async () => {
    const { owner, company } = await app.createCompany();
    const id = await aNumber(company.id, { label: 'Same' });
    const before = (await change(owner, id, { label: 'Same' })).body.data.updated_at;
    expect(
      (
        await change(owner, id, {
          label: 'Same',
          record: false,
          tags: [],
          voicemail: { enabled: true },
        })
      ).body.data.updated_at,
    ).toBe(before);
    expect(
      (
        await app.services.db.pool.query(
          `select 1 from outbox where company_id = $1 and event = 'number.changed'`,
          [company.id],
        )
      ).rows,
    ).toEqual([]);
  });
  it('invalid settings fail with 422 on the field', async () => {
    const { owner, company } = await app.createCompany();
    const id = await aNumber(company.id);
    expect(errorsOf(await change(owner, id, { recording_announcement: 'custom' }))).toHaveProperty(
      'recording_announcement_text',
    );
    expect(
      Object.keys(
        errorsOf(
          await change(owner, id, {
            recording_retention_days: 3,
            caller_id_name: 'Ünïcode',
            voicemail: { email: ['no'] },
          }),
        ),
      ).sort(),
    ).toEqual(['caller_id_name', 'recording_retention_days', 'voicemail.email.0']);
    expect(errorsOf(await change(owner, id, { schedule_id: 4 }))).toHaveProperty('schedule_id');
    const fax = await aNumber(company.id, { category: 3 });
    expect(errorsOf(await change(owner, fax, { sms_enabled: true }))).toHaveProperty('sms_enabled');
    expect((await change(owner, id, { ai_eav_enabled: true })).body.data).toMatchObject({
      record: true,
      call_transcription_enabled: true,
    });
    expect(errorsOf(await change(owner, id, { record: false }))).toHaveProperty('record');
  });
  it('of two concurrent changes the second fails as outdated', async () => {
    const { owner, company } = await app.createCompany();
    const id = await aNumber(company.id);
    const { headers } = await app.as(owner).request(routing.getNumber, { params: { id } });
    const etag = String(headers['etag']);
    expect((await change(owner, id, { label: 'First' }, { 'if-match': etag })).status).toBe(200);
    expect((await change(owner, id, { label: 'Second' }, { 'if-match': etag })).status).toBe(412);
  });
  it('people limited to numbers gain or lose this one, and nobody else’s access changes', async () => {
    const { owner, company } = await app.createCompany();
    const [one, two] = [await aNumber(company.id), await aNumber(company.id)];
    const una = await app.createPerson(company.id, 'user', [one]);
    const everyone = await app.createPerson(company.id, 'user');
    expect((await change(owner, two, { user_ids: [una.id] })).body.data.user_ids).toEqual([una.id]);
    expect((await app.as(una).request(contract.listNumbers)).body.meta.total).toBe(2);
    expect((await change(owner, one, { user_ids: [] })).status).toBe(200);
    expect((await app.as(una).request(contract.listNumbers)).body.data.map((n) => n.id)).toEqual([
      two,
    ]);
    expect(errorsOf(await change(owner, two, { user_ids: [] }))).toHaveProperty('user_ids');
    expect(errorsOf(await change(owner, two, { user_ids: [una.id, everyone.id] }))).toHaveProperty(
      'user_ids',
    );
    expect(errorsOf(await change(una, two, { user_ids: [] }))).toHaveProperty('user_ids');
  });
});
