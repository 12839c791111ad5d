import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitUntil } from '../browser-phone.ts';
import { waitForPhoneReady, productUrl, openVisit } from '../browser.ts';

/** The demo company's main line; 1 rings the front desk's app. */
const MAIN_LINE = '+12125552300';

async function post<T>(path: string, body: object, token?: string): Promise<T> {
  const answer = await fetch(`${productUrl()}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  expect(answer.status, path).toBeLessThan(300);
  return (await answer.json()) as T;
}
interface Phone {
  state: string;
  heard: { kind: string; what: string }[];
}
const outside = async (id: string): Promise<Phone> =>
  (await (await fetch(`${productUrl()}/sandbox/calls/${id}`)).json()) as Phone;

/** A colleague, signed in to Harbor Dental, with the phone connected. */
async function openDesk(email: string): Promise<Page> {
  const { page } = await openVisit('/login');
  await page
    .getByLabel(/e-?mail/i)
    .first()
    .fill(email);
  await page.getByLabel('Password', { exact: true }).first().fill('trunkline-demo');
  await page
    .getByRole('button', { name: /^(log in|sign in)$/i })
    .first()
    .click();
  const dock = page.getByRole('button', { name: /In-app phone/ });
  const choose = page.getByRole('heading', { name: 'Choose a company' });
  await dock.or(choose).first().waitFor();
  // Other journeys create companies with similar names.
  if (await choose.count())
    await page
      .getByRole('button')
      .filter({ has: page.getByText('Harbor Dental', { exact: true }) })
      .click();
  await waitForPhoneReady(page);
  return page;
}

async function callFrontDesk(from: string): Promise<string> {
  const { data } = await post<{ data: { id: string } }>('/sandbox/calls', {
    from,
    to: MAIN_LINE,
    speech: 'Hello, my tooth aches and I would like to talk to a person, please.',
  });
  await waitUntil(
    () => outside(data.id),
    ({ heard }) => heard.some(({ what }) => what.includes('press 1')),
  );
  await post(`/sandbox/calls/${data.id}/keys`, { digits: '1' });
  return data.id;
}
const bridges = (phone: Phone): number =>
  phone.heard.filter(({ kind }) => kind === 'bridge').length;

test('answered, transferred after asking; parked and retrieved; a supervisor listens in', async () => {
  const [una, adam, boss] = [
    await openDesk('user@demo.test'),
    await openDesk('administrator@demo.test'),
    await openDesk('owner@demo.test'),
  ];
  const call = await callFrontDesk('+12125550183');
  await una.getByRole('button', { name: 'Answer', exact: true }).click();
  await waitUntil(
    () => outside(call),
    (phone) => bridges(phone) === 1,
  );

  // Attended transfer, by keyboard: name, Enter.
  await una.getByRole('button', { name: 'Transfer', exact: true }).click();
  await una.getByLabel('To', { exact: true }).fill('Adam');
  await una.getByRole('option', { name: /Adam/ }).waitFor();
  await una.keyboard.press('Enter');
  await una.getByText('Calling Adam Administrator').waitFor();
  await waitUntil(
    () => outside(call),
    ({ heard }) => heard.some(({ kind }) => kind === 'hold'),
  );
  await adam.getByRole('button', { name: 'Answer', exact: true }).click();
  await una.getByText('Talking to Adam Administrator').waitFor();
  expect(bridges(await outside(call)), 'the caller hears no consultation').toBe(1);
  await una.getByRole('button', { name: 'Complete transfer' }).click();
  await waitUntil(
    () => outside(call),
    (phone) => bridges(phone) === 2,
  );
  await una.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'detached' });
  await adam.getByRole('button', { name: 'Park', exact: true }).waitFor();

  // The live board shows it without a reload, and the owner listens.
  await boss.goto(`${productUrl()}/calls/live`);
  await waitForPhoneReady(boss); // The page was reloaded, and listens through its phone.
  const row = boss.getByRole('group', { name: 'Monitor call with (212) 555-0183' });
  await row.getByRole('button', { name: 'Listen' }).click();
  await boss.getByText('You are monitoring a call').waitFor();
  await waitUntil(
    () => outside(call),
    ({ heard }) => heard.some(({ what }) => what.startsWith('room with')),
  );
  expect(await adam.getByText('monitoring').count(), 'the agent is not told').toBe(0);
  await boss.getByRole('button', { name: 'Stop monitoring' }).click();
  await boss.getByText('You are monitoring a call').waitFor({ state: 'detached' });

  // Parked by one user, retrieved by the other.
  await adam.getByRole('button', { name: 'Park', exact: true }).click();
  await boss.getByText('Parked in slot 1').waitFor();
  await una.getByRole('button', { name: 'Parked calls: 1' }).click();
  await una.getByRole('button', { name: 'Pick up the call in slot 1' }).click();
  await una.getByRole('button', { name: 'Park', exact: true }).waitFor();
  await una.getByRole('button', { name: /Parked calls/ }).waitFor({ state: 'detached' });
  await waitUntil(
    () => outside(call),
    (phone) => phone.heard.at(-1)?.kind === 'bridge',
  );
  await una.getByRole('button', { name: 'Hang up' }).click();
  await waitUntil(
    () => outside(call),
    ({ state }) => state === 'ended',
  );
  await boss.getByText('No calls right now').waitFor();
}, 600_000);

test('two agents and a mobile ring at once: the mobile must press the confirm key, the first to answer gets the call', async () => {
  const token = (
    await post<{ token: { access_token: string } }>('/api/sanctum/login', {
      email: 'owner@demo.test',
      password: 'trunkline-demo',
    })
  ).token.access_token;
  const ask = async <T>(path: string, method = 'GET', body?: object): Promise<T> => {
    const answer = await fetch(`${productUrl()}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(answer.status, path).toBeLessThan(300);
    return ((await answer.json()) as { data: T }).data;
  };
  const company = (await ask<{ id: number; name: string }[]>('/companies/slim')).find(
    ({ name }) => name === 'Harbor Dental',
  )!.id;
  const people = await ask<{ id: number; email: string; numbers: { id: number }[] }[]>(
    `/companies/${company}/users`,
  );
  const mobile = '+12125550149';
  const [free] = await ask<{ number: string }[]>('/numbers/locate', 'POST', {
    company_id: company,
    country: 'US',
    category: 2,
    areaCode: '646',
    match: 'Contains',
    limit: 1,
  });
  const [line] = await ask<{ id: number; number: string }[]>('/numbers', 'POST', {
    company_id: company,
    numbers: [free!.number],
    label: 'Two desks',
  });
  // She is limited to some numbers, and only those ring her.
  const limited = people.find(({ email }) => email === 'user@demo.test')!;
  await ask(`/company/${company}/user/${limited.id}`, 'PUT', {
    numbers: [...limited.numbers.map(({ id }) => id), line!.id],
  });
  const forwards = [
    ...['user@demo.test', 'administrator@demo.test'].map((email) => ({
      user_id: people.find((one) => one.email === email)!.id,
    })),
    { number: mobile },
  ];
  await ask(`/numbers/${line!.id}`, 'PUT', {
    routes: [
      {
        extension: 1,
        label: 'Both desks',
        type: 'simultaneous',
        timeout: 90,
        confirm_key: '1',
        confirm_key_wait: 2,
        forwards,
      },
    ],
  });

  const [una, adam] = [await openDesk('user@demo.test'), await openDesk('administrator@demo.test')];
  const [answerUna, answerAdam] = [una, adam].map((page) =>
    page.getByRole('button', { name: 'Answer', exact: true }),
  );
  const ringing = async (): Promise<{ id: string }[]> =>
    (await (
      await fetch(`${productUrl()}/sandbox/phones/${encodeURIComponent(mobile)}/ringing`)
    ).json()) as { id: string }[];
  const call = async (from: string): Promise<{ id: string; leg: string }> => {
    const { data } = await post<{ data: { id: string } }>('/sandbox/calls', {
      from,
      to: line!.number,
    });
    await Promise.all([answerUna!.waitFor(), answerAdam!.waitFor()]);
    const [leg] = await waitUntil(ringing, (legs) => legs.length > 0);
    return { id: data.id, leg: leg!.id };
  };

  // The mobile's voicemail answers and presses nothing: the desks keep ringing, and one answers.
  const first = await call('+12125550184');
  await post(`/sandbox/legs/${first.leg}/answer`, {});
  await waitUntil(ringing, (legs) => legs.length === 0);
  expect(bridges(await outside(first.id)), 'a mailbox does not get the caller').toBe(0);
  await answerUna!.waitFor();
  await answerAdam!.click();
  await waitUntil(
    () => outside(first.id),
    (phone) => bridges(phone) === 1,
  );
  await answerUna!.waitFor({ state: 'detached' });
  await adam.getByRole('button', { name: 'Hang up' }).click();
  await waitUntil(
    () => outside(first.id),
    ({ state }) => state === 'ended',
  );

  // The mobile presses 1: both desks stop ringing.
  const second = await call('+12125550185');
  await post(`/sandbox/legs/${second.leg}/answer`, { keys: '1' });
  await waitUntil(
    () => outside(second.id),
    (phone) => bridges(phone) === 1,
  );
  await Promise.all([
    answerUna!.waitFor({ state: 'detached' }),
    answerAdam!.waitFor({ state: 'detached' }),
  ]);
  await post(`/sandbox/calls/${second.id}/hangup`, {});
  await waitUntil(
    () => outside(second.id),
    ({ state }) => state === 'ended',
  );

  // The records show who answered.
  const answeredBy = async (
    from: string,
  ): Promise<{ label?: string; number?: string | null } | null | undefined> => {
    const rows = await ask<{ recipient: string; details: { callId?: number } }[]>(
      '/activity',
      'POST',
      { company_id: company, perPage: 20 },
    );
    const id = rows.find(({ recipient, details }) => recipient === from && details.callId)?.details
      .callId;
    return id === undefined
      ? undefined
      : (
          await ask<{ answered_by: { label: string; number: string | null } | null }>(
            `/calls/${id}`,
          )
        ).answered_by;
  };
  expect(
    (
      await waitUntil(
        () => answeredBy('+12125550184'),
        (by) => Boolean(by),
      )
    )?.label,
  ).toBe('Adam Administrator');
  expect(
    (
      await waitUntil(
        () => answeredBy('+12125550185'),
        (by) => Boolean(by),
      )
    )?.number,
  ).toBe(mobile);
}, 600_000);
