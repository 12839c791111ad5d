import { expect, test } from 'vitest';
import { signInAsDemoRole, waitForPhoneReady, openVisit } from '../browser.ts';

/**
 * The first five minutes of a newcomer, from 0:00 to 2:40: one browser window for the company, one
 * for the test phone.
 */
const withoutNoise = (consoleErrors: string[]) =>
  consoleErrors.filter((line) => !/401|favicon/.test(line));

test('0:00 to 2:40: sign in, a text arrives live, a call is answered in the browser and recorded, STOP locks the composer', async () => {
  const company = await openVisit('/login');
  const inbox = company.page;
  await signInAsDemoRole(inbox, 'User');
  await inbox.goto('/inbox');
  // 0:20: an inbox with history.
  const list = inbox.getByRole('list', { name: 'Conversations' });
  await list.waitFor();
  await expect
    .poll(() => list.getByText(/\d{1,2}:\d\d [AP]M|day$|[A-Z][a-z]{2} \d/).count())
    .toBeGreaterThan(4);

  // 1:00: the test phone texts; the bubble appears live and the tab title counts it.
  const outside = await openVisit('/handset');
  const handset = outside.page;
  const words = `Do you have anything on Friday? ${Date.now() % 100_000}`;
  await handset.getByLabel('Text', { exact: true }).fill(words);
  const before = await inbox.title();
  await handset.getByRole('button', { name: 'Send text' }).click();
  const sentAt = Date.now();
  await inbox.getByText(words).first().waitFor();
  const seconds = (Date.now() - sentAt) / 1000;
  console.log(`0:00–2:40: the text stood in the inbox after ${seconds.toFixed(1)} s`);
  await expect.poll(() => inbox.title()).not.toBe(before);
  await inbox.getByText(words).first().click();
  await inbox.getByRole('textbox', { name: 'Message' }).fill('Friday at 10:30 is free.');
  await inbox.getByRole('button', { name: /^Send/ }).first().click();
  await handset.getByText('Friday at 10:30 is free.').waitFor();

  // 1:40: the test phone calls, the menu plays, and 2 rings the agent's browser on another screen.
  await inbox.goto('/numbers');
  await waitForPhoneReady(inbox);
  await handset.getByRole('button', { name: 'Phone', exact: true }).click();
  await handset.getByRole('button', { name: 'Call', exact: true }).click();
  await handset
    .getByText(/press 2/i)
    .first()
    .waitFor();
  await handset.getByRole('button', { name: 'Keypad' }).click();
  await handset.getByRole('button', { name: /^2/ }).click();
  const ringing = inbox.getByRole('alertdialog', { name: 'Incoming call' });
  await ringing.waitFor();
  await ringing.getByRole('button', { name: 'Answer' }).click();
  const call = inbox.getByRole('region', { name: 'Call', exact: true });
  await call.getByText(/^\d+:\d\d$/).waitFor();
  await call.getByRole('button', { name: 'Hold' }).click();
  await call.getByText('On hold').waitFor();
  await call.getByRole('button', { name: 'Resume' }).click();
  await call.getByText(/^(0:0[6-9]|0:[1-5]\d|[1-9]\d*:\d\d)$/).waitFor(); // Long enough to be worth a transcript.
  const record = call.getByRole('button', { name: 'Open record' });
  await record.click();
  await inbox.waitForURL(/\/calls\/\d+/);
  await inbox
    .getByRole('region', { name: 'Call', exact: true })
    .getByRole('button', { name: 'Hang up' })
    .click();
  // The record: connected, with a recording that can be played.
  await inbox
    .getByText(/Connected/)
    .first()
    .waitFor();
  await inbox.getByRole('button', { name: /^Play/ }).first().waitFor();

  // 2:40: STOP locks the composer and says why.
  await handset.getByRole('button', { name: 'Texts', exact: true }).click();
  await handset.getByRole('button', { name: 'STOP' }).click();
  await inbox.goto('/inbox');
  await inbox.getByText('(212) 555-0147').first().click();
  await inbox
    .getByTestId('locked-composer')
    .getByText('This contact opted out and cannot be texted.')
    .waitFor();
  expect(withoutNoise(company.consoleErrors)).toEqual([]);
  expect(withoutNoise(outside.consoleErrors)).toEqual([]);
}, 600_000);
