import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { espeakSpeech } from '../server/src/adapters/speech-espeak/speech.ts';
import { joinCall, openPhonePage } from './browser-phone.ts';
import { productUrl, sharedBrowser } from './browser.ts';
import { expectFine, friend, openWithNumber } from './caddy-person.ts';
import { expectHears, giveVoice } from './sound.ts';
import { sandboxRequest } from './test-company.ts';

/** Caddy holds the phone of this browser, and its line is registered. */
async function awaitPhone(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    navigator.locks.query().then(({ held }) => held?.some((l) => l.name === 'caddy.phone')),
  );
  await page.waitForTimeout(2000);
}

test('two people hear each other, whoever calls', async () => {
  const voice = async (text: string): Promise<Int16Array> =>
    (await espeakSpeech().synthesize({ text })).pcm16k;
  const [persons, others] = [
    await voice('Yes, the bicycle is still here. Come by on Tuesday after six.'),
    await voice('No. Stop. I have nine, ten, or eleven of them! What do you pay?'),
  ];
  const { page, mine } = await openWithNumber();
  await giveVoice(page, persons);
  await page.reload();
  const other = friend();
  const outside = await openPhonePage(await sharedBrowser(), productUrl());
  const { data } = await sandboxRequest<{ data: { token: string } }>('POST', '/handset/token', {
    number: other,
  });
  await giveVoice(outside, others);
  await joinCall(outside, data.token, null);
  await awaitPhone(page);

  await outside.evaluate((number) => window.phone.dial(number), mine);
  await page
    .getByRole('alertdialog', { name: 'Incoming call' })
    .getByRole('button', { name: 'Answer' })
    .tap();
  await expectHears(page, others, persons);
  await expectHears(outside, persons, others);
  const running = page.getByRole('dialog', { name: 'Call' });
  await running.getByRole('button', { name: 'Hang up' }).tap();
  await running.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Calls', exact: true }).tap();
  await page.getByLabel('Number').fill(other);
  await page.getByRole('button', { name: 'Call', exact: true }).tap();
  await page.getByRole('button', { name: 'I understand' }).tap();
  await expect
    .poll(() => outside.evaluate(() => window.said.filter((one) => one.startsWith('ring')).at(-1)))
    .toBeTruthy();
  await outside.evaluate(() =>
    window.phone.answer(window.said.findLast((one) => one.startsWith('ring'))!.slice(5)),
  );
  await expectHears(page, others, persons);
  await expectHears(outside, persons, others);
  await running.getByRole('button', { name: 'Hang up' }).tap();
  await outside.context().close();
});

test('the person’s own phone rings too once it is proved, and takes the call with 1', async () => {
  const { visit, page, mine } = await openWithNumber();
  const own = friend();
  await page.goto('/caddy/account/calls');
  await page.getByRole('button', { name: 'Change the phone that rings, too' }).tap();
  await page.getByLabel('Your own phone').fill(own);
  await page.getByRole('button', { name: 'Send code' }).tap();
  await page.getByLabel('Digit 1').waitFor();
  await expectFine(visit);
  const codeIn = async (): Promise<string | undefined> => {
    const answer = await fetch(`${productUrl()}/sandbox/texts?phone=${encodeURIComponent(own)}`);
    const texts = (await answer.json()) as { text: string }[];
    return texts.flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.slice(0, 1) ?? [])[0];
  };
  await expect.poll(codeIn).toBeTruthy();
  await page.getByLabel('Digit 1').click();
  await page.keyboard.type((await codeIn())!);
  await page.getByRole('button', { name: 'Remove Also ring this phone' }).waitFor();

  const { data: call } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
    from: '+13125550199',
    to: mine,
    speech: 'Is the bicycle still for sale',
  });
  const ringing = () => sandboxRequest<{ id: string }[]>('GET', `/phones/${own}/ringing`);
  await expect.poll(async () => (await ringing()).length).toBe(1);
  const incoming = page.getByRole('alertdialog', { name: 'Incoming call' });
  await incoming.waitFor();
  const [leg] = await ringing();
  await sandboxRequest('POST', `/legs/${leg!.id}/answer`, { keys: '1', speech: 'Yes it is' });
  // Both legs are one call now, and the app has stopped ringing.
  await expect
    .poll(async () =>
      (await sandboxRequest<{ heard: { kind: string }[] }>('GET', `/calls/${call.id}`)).heard.some(
        ({ kind }) => kind === 'bridge',
      ),
    )
    .toBe(true);
  await incoming.waitFor({ state: 'detached' });
  await sandboxRequest('POST', `/calls/${call.id}/hangup`, {});
});
