import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { joinCall, measureFrequencies, openPhonePage } from './browser-phone.ts';
import { productUrl, sharedBrowser } from './browser.ts';
import {
  e164,
  expectFine,
  friend,
  getNumber,
  newEmail,
  openPhone,
  signUp,
} from './caddy-person.ts';
import { sandboxRequest } from './test-company.ts';

/** Caddy holds the phone of this browser, and its line is registered. */
async function awaitPhone(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    navigator.locks.query().then(({ held }) => held?.some((l) => l.name === 'caddy.phone')),
  );
  await page.waitForTimeout(2000);
}

/** From the next load on, the page's microphone is a tone, and `window.listen` measures what it hears. */
async function giveTone(page: Page, toneHz: number): Promise<void> {
  // tsx leaves this helper in functions that are sent to the page.
  await page.addInitScript({ content: 'globalThis.__name = (thing) => thing;' });
  await page.addInitScript((hz) => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      await context.resume();
      const target = context.createMediaStreamDestination();
      const tone = new OscillatorNode(context, { frequency: hz });
      tone.connect(new GainNode(context, { gain: 0.5 })).connect(target);
      tone.start();
      return target.stream;
    };
    const Real = window.RTCPeerConnection;
    let ear: AnalyserNode | null = null;
    window.RTCPeerConnection = class extends Real {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        this.addEventListener('track', ({ track }) => {
          const context = new AudioContext();
          ear = new AnalyserNode(context, { fftSize: 16384 });
          context.createMediaStreamSource(new MediaStream([track])).connect(ear);
          void context.resume();
        });
      }
    };
    window.listen = (frequencies) => {
      if (!ear) return frequencies.map(() => 0);
      const samples = new Float32Array(ear.fftSize);
      ear.getFloatTimeDomainData(samples);
      const { sampleRate } = ear.context;
      return frequencies.map((f) => {
        let cos = 0;
        let sin = 0;
        samples.forEach((value, i) => {
          cos += value * Math.cos((2 * Math.PI * f * i) / sampleRate);
          sin += value * Math.sin((2 * Math.PI * f * i) / sampleRate);
        });
        return (2 * Math.hypot(cos, sin)) / samples.length;
      });
    };
  }, toneHz);
}

/** A page hears the other's tone, and not its own. */
async function expectHears(page: Page, theirHz: number, ownHz: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const [theirs = 0, own = 1] = await measureFrequencies(page, theirHz, ownHz);
        return theirs > 0.05 && own < theirs / 4;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
}

test('two people hear each other, whoever calls', async () => {
  const [personHz, otherHz] = [910, 620];
  const visit = await openPhone('/caddy/');
  const { page } = visit;
  const mine = await signUp(visit, newEmail());
  await getNumber(page, 'Marketplace');
  await giveTone(page, personHz);
  await page.reload();
  const other = friend();
  const outside = await openPhonePage(await sharedBrowser(), productUrl());
  const { data } = await sandboxRequest<{ data: { token: string } }>('POST', '/handset/token', {
    number: other,
  });
  await joinCall(outside, data.token, otherHz);
  await awaitPhone(page);

  await outside.evaluate((number) => window.phone.dial(number), e164(mine));
  await page
    .getByRole('alertdialog', { name: 'Incoming call' })
    .getByRole('button', { name: 'Answer' })
    .tap();
  await expectHears(page, otherHz, personHz);
  await expectHears(outside, personHz, otherHz);
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
  await expectHears(page, otherHz, personHz);
  await expectHears(outside, personHz, otherHz);
  await running.getByRole('button', { name: 'Hang up' }).tap();
  await outside.context().close();
});

test('the person’s own phone rings too once it is proved, and takes the call with 1', async () => {
  const visit = await openPhone('/caddy/');
  const { page } = visit;
  const mine = e164(await signUp(visit, newEmail()));
  await getNumber(page, 'Marketplace');
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
