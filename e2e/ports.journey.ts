import { expect, test } from 'vitest';
import { isBusinessDay } from '../contract/src/porting-rules.ts';
import { found } from './company.ts';
import { phoneReady, productUrl } from './visit.ts';

/** A business day with the carrier's seven before it, whatever today is: in four weeks there may be a holiday. */
const inWeeks = (weeks: number): string => {
  const day = new Date(Date.now() + weeks * 7 * 86_400_000);
  while (!isBusinessDay(day.toISOString().slice(0, 10))) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
};
const aPdf = { name: 'bill.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF') };

test('a number moves here: checked, described, signed, handed in; documents asked for and added; then it rings', async () => {
  const line = '7431';
  const number = `(917) 555-${line}`;
  const { open } = await found('Moving Dental');
  const { page, troubles } = await open('/numbers/ports');
  await page.getByRole('button', { name: 'Move numbers here' }).first().click();

  // Numbers: one that is never released says why, the other may come.
  const wizard = page.getByRole('dialog');
  const next = wizard.getByRole('button', { name: 'Next' });
  await wizard.getByLabel('Numbers to move').fill(`${number}\n(917) 555-0199`);
  await wizard.getByRole('button', { name: 'Check these numbers' }).click();
  await wizard.getByText('(917) 555-0199 cannot be moved: the carrier that has it does not release it.').waitFor();
  await wizard.getByLabel('Numbers to move').fill(number);
  await next.click();

  // Details. What is left out is told at its field when one goes on to sign.
  await wizard.getByLabel('Account number there').fill('884213');
  await wizard.getByLabel('Main number of that account').fill(number);
  await wizard.getByLabel('Day of the move').fill(inWeeks(4));
  await wizard.getByLabel('Company on the bill').fill('Harbor Dental LLC');
  await wizard.getByLabel('First name').fill('Olive');
  await wizard.getByLabel('Last name').fill('Owner');
  await wizard.getByLabel('E-mail').fill('olive@harbor.test');
  await wizard.getByLabel('Phone').last().fill('(212) 555-0147');
  await wizard.getByLabel('Street').fill('1 Water Street');
  await wizard.getByLabel('City').fill('New York');
  await wizard.getByLabel('State or province').fill('NY');
  await wizard.getByLabel('ZIP or postal code').fill('10004');
  // Read late: the draft must open where it was left all the same.
  const slowly = /\/api\/company\/\d+\/ports\/\d+$/;
  await page.route(slowly, async (route) => { if (route.request().method() === 'GET') await new Promise((done) => setTimeout(done, 2_000)); await route.continue().catch(() => undefined); });
  await next.click();

  // Left and continued: the draft is kept.
  await wizard.getByText('at most 30 days old', { exact: false }).first().waitFor();
  await wizard.getByRole('button', { name: 'Continue later' }).click();
  await wizard.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: new RegExp(`${line}, Draft`) }).click();

  await wizard.getByLabel('Date of the bill').waitFor();
  await page.unroute(slowly);
  await wizard.getByLabel('Date of the bill').fill(new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10));
  await wizard.locator('input[type=file]').setInputFiles(aPdf);
  await wizard.getByRole('button', { name: 'Add document' }).click();
  await wizard.getByRole('link', { name: 'bill.pdf' }).waitFor();
  await next.click();
  await wizard.getByRole('article', { name: 'Letter of authorization' }).getByText('884213').waitFor();
  await wizard.getByRole('checkbox').check();
  await wizard.getByRole('button', { name: 'Sign letter' }).click();
  await wizard.getByText('Signed by Olive Owner').waitFor();
  const letter = await page.request.get((await wizard.getByRole('link', { name: 'Download PDF' }).getAttribute('href'))!);
  expect((await letter.body()).subarray(0, 5).toString()).toBe('%PDF-');
  await next.click();
  await wizard.getByRole('button', { name: 'Submit request' }).click();
  await wizard.waitFor({ state: 'hidden' });

  // The carrier asks for a record; it is added, and the states pass live.
  await page.getByRole('row', { name: new RegExp(`${line}, (Handed in|Needs documents)`) }).click();
  const drawer = page.getByRole('dialog');
  // The simulated carrier goes on by itself each minute, and at once when pressed, unless it still waits for papers on their way.
  const onTo = (words: string) => expect.poll(async () => {
    const there = drawer.getByText(words, { exact: true }).first();
    if (await there.isVisible()) return true;
    await drawer.getByRole('button', { name: 'Next state now' }).click({ timeout: 2000 }).catch(() => undefined);
    return there.isVisible();
  }, { timeout: 120_000, interval: 1500 }).toBe(true);
  await onTo('The carrier asks for: Customer service record');
  await drawer.locator('input[type=file]').setInputFiles({ ...aPdf, name: 'record.pdf' });
  await drawer.getByRole('button', { name: 'Add document' }).click();
  await drawer.getByRole('link', { name: 'record.pdf' }).waitFor();
  await drawer.getByRole('button', { name: 'Send documents' }).click();
  await onTo('Moved');
  await drawer.getByRole('link', { name: number }).waitFor();
  const mails = async () => ((await (await fetch(`${productUrl()}/dev/outbox.json`)).json()) as { data: { to: string; subject: string }[] }).data.filter((m) => m.to === 'olive@harbor.test').map((m) => m.subject);
  await expect.poll(mails, { timeout: 60_000 }).toContain('Your numbers have moved');

  // It rings: somebody outside calls it, and the browser of the company asks to answer.
  await page.keyboard.press('Escape');
  await phoneReady(page);
  const call = await fetch(`${productUrl()}/sandbox/calls`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ from: '+12125550147', to: `+1917555${line}` }) });
  expect(call.status).toBeLessThan(300);
  await page.getByRole('alertdialog', { name: 'Incoming call' }).waitFor();
  // It rings nobody any longer: other journeys call, too.
  await fetch(`${productUrl()}/sandbox/calls/${((await call.json()) as { data: { id: string } }).data.id}/hangup`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  await page.getByRole('alertdialog', { name: 'Incoming call' }).waitFor({ state: 'detached' });
  expect(troubles.filter((entry) => !/401|409|422|favicon/.test(entry))).toEqual([]);
}, 600_000);
