import { expect, inject, test } from 'vitest';
import { aDeskPhone } from '../server/src/adapters/sandbox/switch/sip/a-desk-phone.ts';
import { productUrl } from './visit.ts';

const patience = 60_000;

/** The whole product with a SIP desk phone at its second front door: nothing is stubbed, the phone speaks plain UDP. */
test('a desk phone registers with its person’s own password only, is rung by an outside phone, and the record says who answered', async () => {
  const signedIn = await ask<{ token: { access_token?: string } | string; data: { id: number; name: string } }>('POST', '/sanctum/login', { email: 'owner@demo.test', password: 'trunkline-demo' });
  const token = typeof signedIn.token === 'string' ? signedIn.token : signedIn.token.access_token!;
  const api = <T>(method: string, path: string, body?: object) => ask<T>(method, path, body, token);
  const company = (await api<{ data: { id: number } }>('POST', '/companies', { company_info: { name: 'Harbor Front Desk', timezone: 'America/New_York' } })).data.id;
  const me = (await api<{ data: { id: number; sip_user: string; sip_address: string; sip_password: string } }>('GET', `/user?company_id=${company}`)).data;
  const [found] = (await api<{ data: { found: { number: string }[] }[] }>('POST', '/numbers/locate-bulk', { company_id: company, items: [{ areaCode: '646', count: 1 }] })).data[0]!.found;
  const [line] = (await api<{ data: { id: number; number: string }[] }>('POST', '/numbers', { company_id: company, numbers: [found!.number], label: 'Front desk' })).data;
  await api('PUT', `/numbers/${line!.id}`, { company_id: company, voicemail: { enabled: false }, routes: [{ extension: 1, label: 'Front desk', type: 'in-app-calling', timeout: 30, forwards: [{ user_id: me.id }] }] });

  const realm = me.sip_address.split('@')[1]!;
  const phone = await aDeskPhone({ port: inject('productSip') }, { user: me.sip_user, password: me.sip_password, realm, hz: 620 });
  try {
    expect((await phone.register('not the password')).status).toBe(403);
    expect((await phone.register()).status).toBe(200);

    // Its "200 OK" is a promise: whoever calls the next moment finds it.
    // Other journeys' callers may still ring this person, who has several companies.
    const answering = phone.answer(patience, '+12125550172');
    const outside = (await (await fetch(`${productUrl()}/sandbox/calls`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ from: '+12125550172', to: line!.number, speech: 'Do you have anything on Friday, please call me back about it' }) })).json()) as { data: { id: string } };
    const { invite, bye } = await answering;
    expect(invite.headers.get('to')).toContain(me.sip_user);
    const state = async () => ((await (await fetch(`${productUrl()}/sandbox/calls/${outside.data.id}`)).json()) as { state: string; heard: { kind: string }[] });
    await expect.poll(async () => (await state()).heard.some((h) => h.kind === 'bridge'), { timeout: patience }).toBe(true);
    // The caller's words, said once, arrive at the phone as sound.
    await expect.poll(() => phone.loudest(), { timeout: patience }).toBeGreaterThan(500);
    bye();
    await expect.poll(async () => (await state()).state, { timeout: patience }).toBe('ended');

    const listed = async () => (await api<{ data: { recipient: string; details: { callId: number } }[] }>('POST', '/activity', { company_id: company })).data.find((item) => item.recipient === '+12125550172');
    await expect.poll(async () => (await listed())?.details.callId ?? 0, { timeout: patience }).toBeGreaterThan(0);
    const record = async () => (await api<{ data: { answered_by: object | null } }>('GET', `/calls/${(await listed())!.details.callId}`)).data.answered_by;
    await expect.poll(record, { timeout: patience }).toMatchObject({ type: 'app', id: me.id });
    await expect.poll(async () => (await api<{ data: { id: number; status: string }[] }>('GET', `/in-app-calling/users?company_id=${company}`)).data.find((one) => one.id === me.id)?.status, { timeout: patience, message: 'free again' }).toBe('active');
  } finally { phone.leave(); }
});

async function ask<T>(method: string, path: string, body?: object, token?: string): Promise<T> {
  const answer = await fetch(`${productUrl()}/api${path}`, { method, headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  return (await answer.json()) as T;
}
