import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createCompany } from './test-company.ts';
import { api, productUrl, waitForNotice } from './browser.ts';

/**
 * A campaign from start to finish: written with a tag, previewed, tested, sent, paused and resumed;
 * one recipient replies STOP in between. With thousands of recipients and carrier faults: `npm run
 * test:faults campaign-carrier-faults`.
 */
const PEOPLE = Number(process.env['CAMPAIGN_PEOPLE'] ?? 150);
const hasCarrierFaults = process.env['CAMPAIGN_CARRIER_FAULTS'] === '1';
const faults = {
  errorRate: 0.03,
  dropAfterEffectRate: 0.02,
  duplicateRate: 0.1,
  reorderRate: 0.1,
  lateReceiptsMs: 200,
};
const sandbox = async <T>(path: string, init?: { method: string; body: object }): Promise<T> => {
  const answer = await fetch(
    `${productUrl()}${path}`,
    init
      ? {
          method: init.method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(init.body),
        }
      : {},
  );
  expect(answer.status, path).toBeLessThan(300);
  return (await answer.json().catch(() => null)) as T;
};
const phone = (n: number): string => `+1646${7_200_000 + n}`;

test(`a campaign to ${PEOPLE} with pause, resume and a STOP${hasCarrierFaults ? ' with carrier faults' : ''} ends with every recipient in a final state and none texted twice`, async () => {
  const { id: company, owner, number, register, open } = await createCompany('Recall Dental');
  // The score sets the rate: slow enough that the pause falls while texts are being sent.
  await register((await number('631', { label: 'Billing desk' })).id, PEOPLE > 1000 ? 90 : 20);
  const { page, consoleErrors } = await open('/campaigns', owner);

  // The recipients, imported from a file into their own group.
  const imported = await page.evaluate(
    async ([id, rows]) => {
      const xsrf = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const form = new FormData();
      form.append('file', new File([rows as string], 'recall.csv', { type: 'text/csv' }));
      const up = await fetch(`/api/companies/${id}/contacts/imports`, {
        method: 'POST',
        headers: { 'x-xsrf-token': xsrf },
        body: form,
      });
      return ((await up.json()) as { data: { id: number } }).data.id;
    },
    [
      company,
      `name,number\n${Array.from({ length: PEOPLE }, (_, i) => `${i % 10 === 3 ? '' : `Guest${i} Journey`},${phone(i)}`).join('\n')}`,
    ] as const,
  );
  await api(page, 'POST', `/companies/${company}/contacts/imports/${imported}/start`, {
    options: {
      existing: 'update',
      groupIds: [],
      newGroup: 'Recall everybody',
      labelIds: [],
      optinType: null,
      optinSource: '',
    },
  });
  await expect
    .poll(
      async () =>
        (await api(page, 'GET', `/companies/${company}/contacts/imports/${imported}`)).body.data
          .state,
      { timeout: 120_000 },
    )
    .toBe('finished');

  // Written: the tag is inserted with a click and has a fallback for contacts without a name.
  await page.getByRole('link', { name: 'New campaign' }).first().click();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Enter a title.').waitFor();
  await page.getByRole('textbox', { name: 'Title' }).fill('Journey to many');
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Dear ');
  await page.getByRole('button', { name: 'First name' }).click();
  // The cursor moves behind the tag a moment later.
  await expect
    .poll(() =>
      message.evaluate(
        (el: HTMLTextAreaElement) =>
          el === document.activeElement && el.selectionStart === el.value.length,
      ),
    )
    .toBe(true);
  await page.keyboard.type(', a place is free on Friday – shall we keep it?');
  await page.getByRole('textbox', { name: 'Fallback when first name is missing' }).fill('guest');
  await page.getByRole('button', { name: 'Use plain characters' }).click();
  await expect
    .poll(async () => (await message.inputValue()).replaceAll('\u2063', ''))
    .toBe('Dear First name, a place is free on Friday - shall we keep it?');
  await page.getByRole('combobox', { name: 'Group' }).fill('Recall ev');
  await page.getByRole('option', { name: 'Recall everybody' }).click();
  await page.getByRole('combobox', { name: 'From' }).fill('Billing');
  await page.getByRole('option', { name: /Billing desk/ }).click();
  // The texts stay out of the inbox by default.
  expect(await page.getByRole('checkbox', { name: 'Show in inbox' }).isChecked()).toBe(false);
  // Previewed for each of the first three recipients, with the cost.
  const side = page.getByRole('complementary', { name: 'Preview' });
  await side.getByText(`${PEOPLE.toLocaleString('en-US')} recipients`).waitFor();
  await expect
    .poll(() => side.getByTestId('phone-text').innerText())
    .toMatch(
      /^Dear (Guest\d+|guest), a place is free on Friday - shall we keep it\?\nReply STOP to stop\.$/,
    );
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.waitForURL(/\/campaigns\/\d+\/edit/);
  const id = Number(/campaigns\/(\d+)/.exec(page.url())![1]);
  // Quiet hours don't apply, wherever and whenever this runs.
  const hour = new Date().getUTCHours();
  const clock = (ahead: number): string => `${String((hour + ahead) % 24).padStart(2, '0')}:00`;
  expect(
    (
      await api(page, 'PATCH', `/campaigns/${id}`, {
        timezone: 'UTC',
        quiet_hours: { start: clock(12), end: clock(13), mode: 'company' },
      })
    ).status,
  ).toBe(200);

  // A test text to the user's own phone.
  await page.reload();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('dialog').getByLabel('Phones').fill('(201) 555-0119');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
  await waitForNotice(page, 'Sent to 1 phone');
  await expect
    .poll(
      async () =>
        (
          await sandbox<{ text: string }[]>(
            `/sandbox/texts?phone=${encodeURIComponent('+12015550119')}`,
          )
        ).length,
      { timeout: 60_000 },
    )
    .toBe(1);

  // Sent; with faults, through a carrier that duplicates, fails now and then, and loses responses.
  if (hasCarrierFaults) await sandbox('/sandbox/faults', { method: 'PUT', body: faults });
  try {
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(`${PEOPLE.toLocaleString('en-US')} people will receive it now.`)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
    await page.waitForURL(/\/events/);
    const results = page.getByRole('list', { name: 'Results' });
    const figure = async (name: string): Promise<number> =>
      Number(
        (
          await results
            .getByRole('button', { name: new RegExp(`${name}$`) })
            .locator('[data-numeric]')
            .evaluate((el) => el.childNodes[0]?.textContent ?? '')
        ).replace(/\D/g, ''),
      );
    await expect
      .poll(() => figure('Delivered'), { timeout: 60_000 })
      .toBeGreaterThan(PEOPLE > 1000 ? 50 : 5);

    // Paused: claimed recipients are finished, the rest wait.
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Paused by Olive Owner').first().waitFor();
    const state = async () =>
      (await api(page, 'GET', `/campaigns/${id}`)).body.data as {
        state: string;
        pending_count: number;
        total_count: number;
        skipped_count: number;
        unsubscriber_count: number;
        sent_count: number;
        delivered_count: number;
        undelivered_count: number;
        failed_count: number;
        unknown_count: number;
      };
    const db = new pg.Pool({
      connectionString: inject('productDatabase'),
      max: 1,
      options: '-c role=trunkline_system',
    });
    const inState = async (which: string) =>
      (
        await db.query(
          `select count(*)::int n from campaign_recipient where campaign_id = $1 and state = $2`,
          [id, which],
        )
      ).rows[0].n as number;
    const open = async () =>
      (
        await db.query(
          `select count(*)::int n from campaign_batch where campaign_id = $1 and finished_at is null`,
          [id],
        )
      ).rows[0].n as number;
    await expect.poll(open, { timeout: 60_000 }).toBe(0);
    const waiting = await inState('pending');
    expect(waiting).toBeGreaterThan(0);
    // Nothing is sent while paused, for as long as a few hundred would take.
    await page.waitForTimeout(2500);
    expect(await inState('pending')).toBe(waiting);
    await expect.poll(async () => (await state()).pending_count).toBe(waiting);
    await db.end();

    // A waiting recipient replies STOP meanwhile.
    const pending = (await api(page, 'GET', `/campaigns/${id}/events?status=pending&size=250`)).body
      .data as { contact: { number: string } }[];
    const stopper = pending.at(-1)!.contact.number;
    const stop = {
      from: stopper,
      to: (await api(page, 'GET', `/campaigns/${id}`)).body.data.number.number,
      text: 'STOP',
      media: [],
    };
    // The faulty carrier may refuse this phone as well; a phone sends again.
    await expect
      .poll(
        async () =>
          (
            await fetch(`${productUrl()}/sandbox/texts`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(stop),
            })
          ).status,
      )
      .toBe(201);
    // Opted out before the campaign resumes means no text, so the reply must have arrived first.
    await expect
      .poll(
        async () =>
          (
            (
              await api(
                page,
                'GET',
                `/contacts?companyId=${company}&search=${encodeURIComponent(stopper)}`,
              )
            ).body.data as { isUnsubscribed: boolean }[]
          )[0]?.isUnsubscribed,
        { timeout: 60_000 },
      )
      .toBe(true);
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await expect.poll(async () => (await state()).state, { timeout: 300_000 }).toBe('sent');
    if (hasCarrierFaults) await sandbox('/sandbox/faults', { method: 'PUT', body: {} });

    // Every recipient has a result, and the screen shows it without a reload.
    await expect
      .poll(
        async () => {
          const c = await state();
          return (
            c.delivered_count +
            c.undelivered_count +
            c.failed_count +
            c.skipped_count +
            c.unknown_count
          );
        },
        { timeout: 120_000 },
      )
      .toBe(PEOPLE);
    const end = await state();
    expect(end).toMatchObject({ total_count: PEOPLE, pending_count: 0, skipped_count: 1 });
    await expect
      .poll(async () => (await figure('Delivered')) - (await state()).delivered_count, {
        timeout: 60_000,
      })
      .toBe(0);
    await results.getByRole('button', { name: /Skipped$/ }).click();
    await page
      .getByRole('row', { name: new RegExp(`Skipped`) })
      .first()
      .waitFor();
    await page.getByText('Opted out of texts.').first().waitFor();
    const got = async (number: string) =>
      (
        await sandbox<{ text: string }[]>(`/sandbox/texts?phone=${encodeURIComponent(number)}`)
      ).filter((one) => one.text.startsWith('Dear '));
    expect(await got(stopper)).toEqual([]);
    // The carrier's own records: at most one text per recipient, with their own name in it.
    for (const n of [0, 1, 3, PEOPLE - 1].filter((one) => phone(one) !== stopper)) {
      const texts = await got(phone(n));
      expect(texts.length, phone(n)).toBeLessThanOrEqual(1);
      if (texts[0])
        expect(texts[0].text).toContain(n % 10 === 3 ? 'Dear guest,' : `Dear Guest${n},`);
    }
    console.log(
      `campaign to ${PEOPLE}: ${end.delivered_count} delivered, ${end.undelivered_count} not, ${end.failed_count} failed, ${end.unknown_count} without an answer, ${end.skipped_count} skipped`,
    );
  } finally {
    if (hasCarrierFaults) await sandbox('/sandbox/faults', { method: 'PUT', body: {} });
  }
  expect(consoleErrors.filter((line) => !/401|422|favicon/.test(line))).toEqual([]);
}, 900_000);
