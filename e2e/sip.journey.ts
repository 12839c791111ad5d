import { expect, inject, test } from 'vitest';
import { openTestPhone } from '../server/test/support/desk-phone.ts';
import { createCompany, sandboxRequest } from './test-company.ts';

const patience = 60_000;

/** The whole product with a SIP desk phone: nothing is stubbed, the phone speaks plain UDP. */
test('a desk phone registers with its user’s own password only, is rung by a caller, and the record says who answered', async () => {
  const { id: company, number, ask: api } = await createCompany('Harbor Front Desk');
  const me = (
    await api<{
      data: { id: number; sip_user: string; sip_address: string; sip_password: string };
    }>('GET', `/user?company_id=${company}`)
  ).data;
  const line = await number('585', { label: 'Front desk' });
  await api('PUT', `/numbers/${line.id}`, {
    company_id: company,
    voicemail: { enabled: false },
    routes: [
      {
        extension: 1,
        label: 'Front desk',
        type: 'in-app-calling',
        timeout: 30,
        forwards: [{ user_id: me.id }],
      },
    ],
  });

  const realm = me.sip_address.split('@')[1]!;
  const phone = await openTestPhone(
    { port: inject('productSip') },
    { user: me.sip_user, password: me.sip_password, realm, hz: 620 },
  );
  try {
    expect((await phone.register('not the password')).status).toBe(403);
    expect((await phone.register()).status).toBe(200);

    // Its "200 OK" is a promise: a caller reaches it the next moment.
    const answering = phone.answer(patience, '+12125550172');
    const caller = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
      from: '+12125550172',
      to: line.number,
      speech: 'Do you have anything on Friday, please call me back about it',
    });
    const { invite, bye } = await answering;
    expect(invite.headers.get('to')).toContain(me.sip_user);
    const state = () =>
      sandboxRequest<{ state: string; heard: { kind: string }[] }>(
        'GET',
        `/calls/${caller.data.id}`,
      );
    await expect
      .poll(async () => (await state()).heard.some((h) => h.kind === 'bridge'), {
        timeout: patience,
      })
      .toBe(true);
    // The caller's words, said once, arrive at the phone as sound.
    await expect.poll(() => phone.loudest(), { timeout: patience }).toBeGreaterThan(500);
    bye();
    await expect.poll(async () => (await state()).state, { timeout: patience }).toBe('ended');

    const listed = async () =>
      (
        await api<{ data: { recipient: string; details: { callId: number } }[] }>(
          'POST',
          '/activity',
          { company_id: company },
        )
      ).data.find((item) => item.recipient === '+12125550172');
    await expect
      .poll(async () => (await listed())?.details.callId ?? 0, { timeout: patience })
      .toBeGreaterThan(0);
    const record = async () =>
      (
        await api<{ data: { answered_by: object | null } }>(
          'GET',
          `/calls/${(await listed())!.details.callId}`,
        )
      ).data.answered_by;
    await expect.poll(record, { timeout: patience }).toMatchObject({ type: 'app', id: me.id });
    await expect
      .poll(
        async () =>
          (
            await api<{ data: { id: number; status: string }[] }>(
              'GET',
              `/in-app-calling/users?company_id=${company}`,
            )
          ).data.find((one) => one.id === me.id)?.status,
        { timeout: patience, message: 'free again' },
      )
      .toBe('active');
  } finally {
    phone.leave();
  }
});
