import { expect, test } from 'vitest';
import { productUrl } from './browser.ts';
import {
  codesTo,
  enterCode,
  expectFine,
  friend,
  getNumber,
  newEmail,
  openPhone,
  openWithNumber,
  signUp,
  textFrom,
} from './caddy-person.ts';
import { sandboxRequest } from './test-company.ts';

test('a person signs up by code, takes a number, exchanges, deletes and restores it', async () => {
  const visit = await openPhone('/caddy/');
  const { page, consoleErrors } = visit;
  const email = newEmail();
  await page.getByRole('heading', { name: 'A second number, just for you' }).waitFor();
  await expectFine(visit);
  const first = await signUp(visit, email);
  await page.getByRole('button', { name: 'Another one' }).tap();
  const offered = page.getByRole('region', { name: 'A number for you' });
  await expect.poll(() => offered.textContent()).not.toContain(first);
  await expectFine(visit);
  await getNumber(page, 'Marketplace');
  const card = page.getByRole('article', { name: 'Marketplace' });
  await card.getByText('Not used yet').waitFor();
  await page.getByText('0 of 60').first().waitFor();
  await expectFine(visit);

  await card.getByRole('button', { name: /^Rename/ }).tap();
  const renaming = page.getByRole('dialog');
  await renaming.getByLabel('What is it for?').fill('Flea market');
  await expectFine(visit);
  await renaming.getByRole('button', { name: 'Save' }).tap();
  await page.getByRole('article', { name: 'Flea market' }).waitFor();

  // A number of an area, in exchange for the first.
  await page
    .getByRole('article', { name: 'Flea market' })
    .getByRole('link', { name: /^Exchange/ })
    .tap();
  await page.getByRole('heading', { name: 'Exchange your number' }).waitFor();
  await page.getByLabel('Area code').fill('646');
  const found = page.getByRole('button', { name: /^\(646\)/ }).first();
  await found.waitFor();
  // At the end, where no result is half below the bar of places.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expectFine(visit);
  await found.tap();
  await page.getByRole('dialog').getByText('You can restore it for 30 days.').waitFor();
  await expectFine(visit);
  await page.getByRole('dialog').getByRole('button', { name: 'Exchange' }).tap();
  const next = page.getByRole('article').filter({ hasText: '(646)' });
  await next.getByText('Active').waitFor();
  await page.getByText('You can restore it until').waitFor();

  // One has room in the plan: the other is used instead, or nothing changes.
  const old = page.getByRole('article').filter({ hasText: 'Deleted' });
  await old.getByRole('button', { name: /^Restore/ }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).tap();
  await next.getByText('Active').waitFor();
  await next.getByRole('button', { name: /^Delete/ }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).tap();
  await page.getByText('You have no active number.').waitFor();
  await expectFine(visit);
  await next.getByRole('button', { name: /^Restore/ }).tap();
  await next.getByText('Active').waitFor();
  expect(consoleErrors.filter((line) => !line.includes('403'))).toEqual([]);
});

test('an account says who it is, renews its session, and is deleted by a code', async () => {
  const visit = await openPhone('/caddy/');
  const { page, consoleErrors } = visit;
  const email = newEmail();
  await signUp(visit, email);
  await page.getByRole('link', { name: 'Account' }).tap();
  for (const name of [
    'Profile',
    'Password',
    'Blocked people',
    'Invite friends',
    'Notifications',
    'Help and feedback',
  ]) {
    await page.getByRole('link', { name, exact: true }).tap();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await expectFine(visit);
    await page.getByRole('link', { name: '← Account' }).tap();
  }
  await page.getByRole('link', { name: 'Profile' }).tap();
  await page.getByLabel('First name').fill('Sam');
  await page.getByRole('button', { name: 'Save' }).tap();
  await page.getByText('Profile saved').waitFor();
  await page.getByRole('link', { name: '← Account' }).tap();
  await page.getByText('Sam', { exact: true }).waitFor();

  // An expired token is renewed; the person notices nothing.
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('caddy.session')!) as object;
    localStorage.setItem('caddy.session', JSON.stringify({ ...kept, token: 'tla_expired' }));
  });
  await page.reload();
  await page.getByText('Sam', { exact: true }).waitFor();

  // Signed out, a link leads through the sign-in.
  await page.getByRole('button', { name: 'Sign out' }).tap();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await expectFine(visit);
  await page.goto('/caddy/account/delete');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await enterCode(page, email, () => page.getByRole('button', { name: 'Send code' }).tap());
  await page.getByRole('heading', { name: 'Delete account' }).waitFor();
  await expectFine(visit);
  await enterCode(page, email, () => page.getByRole('button', { name: 'Send code' }).tap());
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('caddy.session'))).toBeNull();
  expect(consoleErrors.filter((line) => !line.includes('401'))).toEqual([]);
});

test('who has an account learns it only with the code; a stranger gets none', async () => {
  const { page } = await openPhone('/caddy/');
  const email = newEmail();
  const visit = await openPhone('/caddy/');
  await signUp(visit, email);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await enterCode(page, email, () => page.getByRole('button', { name: 'Send code' }).tap());
  await page.getByText('You already have an account. Sign in instead.').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).tap();
  const stranger = newEmail();
  await page.getByRole('textbox', { name: 'Email' }).fill(stranger);
  await page.getByRole('button', { name: 'Send code' }).tap();
  await page.getByLabel('Digit 1').click();
  await page.keyboard.type('123456');
  await page
    .getByRole('alert')
    .getByText(/That code/)
    .waitFor();
  expect(await codesTo(stranger)).toEqual([]);
});

test('texts go both ways live, with a picture, and STOP is kept', async () => {
  const { visit, page, consoleErrors, mine } = await openWithNumber('Dating');
  const other = friend();
  await page.getByRole('link', { name: /^Messages/ }).tap();
  await page.getByText('Texts to and from your number appear here.').waitFor();
  await expectFine(visit);
  await page.getByRole('link', { name: 'New text' }).tap();
  await page.getByLabel('To', { exact: true }).fill(other);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello from my second number');
  await expectFine(visit);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  const log = page.getByRole('log', { name: 'Messages' });
  await log.getByText('Hello from my second number').waitFor();
  await log.getByText(/Delivered/).waitFor();

  // The answer appears by itself, and in the list as unread while another screen is open.
  await textFrom(other, mine, 'Hello yourself');
  await log.getByText('Hello yourself').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('Look');
  await page.getByLabel('Pictures and files').setInputFiles({
    name: 'dot.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await log.getByRole('button', { name: /^Enlarge/ }).waitFor();
  await expectFine(visit);

  // Without a network a text waits, and goes once.
  await visit.context.setOffline(true);
  await page.getByRole('textbox', { name: 'Message' }).fill('From the tunnel');
  await page.keyboard.press('Enter');
  await log.getByText('Not sent yet.').waitFor();
  await visit.context.setOffline(false);
  await log.getByText('Not sent yet.').waitFor({ state: 'detached' });
  await expect.poll(() => log.getByText(/Sending/).count()).toBe(0);
  await page.reload();
  await log.getByText('From the tunnel').waitFor();
  expect(await log.getByText('From the tunnel').count()).toBe(1);

  // The person names the number: in the thread, and among their contacts.
  await page.getByRole('button', { name: 'More about this conversation' }).tap();
  await page.getByRole('menuitem', { name: 'Save contact' }).tap();
  await page.getByRole('dialog').getByLabel('Name').fill('Jo Bicycle');
  await expectFine(visit);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).tap();
  await page.getByRole('heading', { name: 'Jo Bicycle' }).waitFor();
  await page.goto('/caddy/account/contacts');
  await page.getByText('Jo Bicycle').waitFor();
  await expectFine(visit);
  await page.getByRole('button', { name: 'Rename Jo Bicycle' }).tap();
  await page.getByRole('dialog').getByLabel('Name').fill('Jo Carver');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).tap();
  await page.getByText('Jo Carver').waitFor();

  await page.goto('/caddy/');
  await page.getByText('Jo Carver').waitFor();
  await textFrom(other, mine, 'STOP');
  const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
  await row.getByText('unread').waitFor();
  await expectFine(visit);
  await row.tap();
  await page.getByText(/opted out/).waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
  await page.getByRole('button', { name: 'More about this conversation' }).tap();
  await page.getByRole('menuitem', { name: 'Delete conversation' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).tap();
  await page.getByText('Texts to and from your number appear here.').waitFor();
  expect(consoleErrors.filter((line) => !/ERR_INTERNET_DISCONNECTED|network/i.test(line))).toEqual(
    [],
  );
});

test('calls ring in the app and go out from it, 911 is refused, and quiet hours lead to voicemail', async () => {
  const { visit, page, consoleErrors, mine } = await openWithNumber();
  const other = friend();
  const state = async (id: string) =>
    sandboxRequest<{ state: string; heard: { kind: string; what: string }[] }>(
      'GET',
      `/calls/${id}`,
    );
  const callMe = async (speech: string): Promise<string> =>
    (
      await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
        from: other,
        to: mine,
        speech,
      })
    ).data.id;
  await page.waitForFunction(() =>
    navigator.locks.query().then(({ held }) => held?.some((l) => l.name === 'caddy.phone')),
  );
  await page.waitForTimeout(2000);

  const call = await callMe('Is the bicycle still for sale');
  const ringing = page.getByRole('alertdialog', { name: 'Incoming call' });
  await ringing.getByText('Incoming call to Marketplace').waitFor();
  await expectFine(visit);
  await ringing.getByRole('button', { name: 'Answer' }).tap();
  const running = page.getByRole('dialog', { name: 'Call' });
  await running.getByRole('button', { name: 'Mute' }).waitFor();
  await expect
    .poll(async () => (await state(call)).heard.some(({ kind }) => kind === 'bridge'), {
      timeout: 60_000,
    })
    .toBe(true);
  await expectFine(visit);
  await running.getByRole('button', { name: 'Hang up' }).tap();
  await running.waitFor({ state: 'detached' });

  // Emergency numbers: said before the first call, and refused.
  await page.getByRole('link', { name: 'Calls', exact: true }).tap();
  await expectFine(visit);
  for (const key of ['9', '1', '1'])
    await page.getByRole('button', { name: key, exact: true }).tap();
  await page.getByRole('button', { name: 'Call', exact: true }).tap();
  await page.getByText('Caddy can’t call 911').waitFor();
  await page.getByRole('button', { name: 'I understand' }).tap();
  await page.getByText('You can’t place emergency calls here.').waitFor();
  await page.getByLabel('Number').fill(other);
  await page.getByRole('button', { name: 'Call', exact: true }).tap();
  await running.getByRole('button', { name: 'Hang up' }).tap();
  await running.waitFor({ state: 'detached' });

  // Quiet hours: no ringing, the person's own greeting, and the voicemail in the thread.
  await page.goto('/caddy/account/calls');
  await page.getByRole('switch', { name: 'Do not disturb' }).check();
  await page.getByLabel('From').fill('00:00');
  await page.getByLabel('Until').fill('00:00');
  await page.getByLabel('Voicemail greeting').fill('Sam is asleep. Speak after the tone.');
  await expectFine(visit);
  await page.getByRole('button', { name: 'Save' }).tap();
  await page.getByText('Saved', { exact: true }).waitFor();
  const second = await callMe('Please call me back about the bicycle');
  await expect
    .poll(async () => (await state(second)).heard.map(({ what }) => what).join(' '), {
      timeout: 60_000,
    })
    .toContain('Sam is asleep');
  expect(await ringing.count()).toBe(0);
  await page.goto('/caddy/');
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByText(/^Voicemail/)
    .waitFor();
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').tap();
  const log = page.getByRole('log', { name: 'Messages' });
  await log.getByText(/call me back about the bicycle/).waitFor();
  await log.getByText(/^Incoming call/).waitFor();
  await expectFine(visit);
  expect(consoleErrors.filter((line) => !/40[39]/.test(line))).toEqual([]);
});

test('the app can be installed, and opens without a network', async () => {
  const visit = await openPhone('/caddy/', { serviceWorkers: 'allow' });
  const { page } = visit;
  const manifest = await (await fetch(`${productUrl()}/caddy/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ start_url: '/caddy/', scope: '/caddy/', display: 'standalone' });
  for (const { src } of (manifest as { icons: { src: string }[] }).icons)
    expect((await fetch(`${productUrl()}${src}`)).headers.get('content-type')).toMatch(/^image\//);
  await signUp(visit, newEmail());
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto('/caddy/');
  await page.getByRole('heading', { name: 'Messages', exact: true }).waitFor();
  await visit.context.setOffline(true);
  await page.reload();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.getByRole('heading', { name: 'Messages', exact: true }).waitFor();
  await visit.context.setOffline(false);
});
