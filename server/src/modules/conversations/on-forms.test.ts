import { describe, expect, it } from 'vitest';
import { compliance, conversations, contacts, sourceReports, tracking } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { inboxHelpers, uniquePhone } from '../../../test/support/inbox.ts';
import {
  browser,
  flushHits,
  send,
  site,
  trackedSite,
} from '../../../test/support/tracking-site.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
type Site = Awaited<ReturnType<typeof trackedSite>>;
const ad = `${site}/implants?gclid=Ea1&utm_campaign=implants`;

/** A website whose forms become leads. */
async function aSite(size = 2): Promise<Site> {
  const shop = await trackedSite(app, size);
  await setForms(shop, { formsEnabled: true, formSelectors: ['#appointment'] });
  return shop;
}
const setForms = ({ owner }: Site, body: Record<string, unknown>) =>
  app.as(owner).request(tracking.updateScript, {
    params: { companyId: owner.companyId },
    body: body,
  });
const sendForm = (sessionId: string | null, data: object, headers: Record<string, string> = {}) =>
  send(
    app,
    tracking.addVisitEvent,
    { sessionId: sessionId ?? '', name: 'form', url: ad, data },
    headers,
  );
const arrive = async () => {
  await flushHits(app);
  await app.drainJobs();
};
const threads = async ({ owner }: Site) => (await inbox.list(owner)).data;
const formsIn = async ({ owner }: Site, id: number) =>
  (await inbox.items(owner, id)).filter(({ kind }) => kind === 'form');
const feedOf = async ({ owner }: Site) =>
  (
    await app.as(owner).request(tracking.realTimeFeed, {
      params: { companyId: owner.companyId },
      query: { types: ['form'] },
    })
  ).body.data;

describe('a form of a website', () => {
  it('is a conversation that waits to be read and says where its sender came from', async () => {
    const shop = await aSite();
    const visit = await shop.open({ url: ad });
    const phone = uniquePhone();
    const answer = await sendForm(visit.sessionId, {
      form: 'Appointment',
      'Your name': 'Ann Lee',
      phone,
      message: 'A crown broke',
    });
    expect(answer.status).toBe(204);
    await arrive();
    const [thread, ...others] = await threads(shop);
    expect(others).toEqual([]);
    expect(thread).toMatchObject({
      recipient: phone,
      contact: { name: 'Ann Lee' },
      number: { number: visit.number },
      latestItem: { type: 'form' },
      unread: { messages: 1 },
    });
    expect(await formsIn(shop, thread!.id)).toMatchObject([
      {
        isInbound: true,
        details: {
          form: 'Appointment',
          fields: [
            { name: 'Your name', value: 'Ann Lee' },
            { name: 'phone', value: phone },
            { name: 'message', value: 'A crown broke' },
          ],
          page: `${site}/implants`,
          source: 'Google Ads',
          campaign: 'implants',
        },
      },
    ]);
    expect(await feedOf(shop)).toMatchObject([
      { type: 'form', caller: phone, number: visit.number, source: { key: 'google_ads' } },
    ]);
    const { companyId } = shop.owner;
    await app.as(shop.owner).request(conversations.bulkUpdateConversations, {
      params: { companyId },
      body: { ids: [thread!.id], type: 'read' },
    });
    expect((await threads(shop))[0]).toMatchObject({
      unread: { messages: 0 },
      latestItem: { type: 'form' },
    });
  });

  it('is a column of the reports, at the source of its visit', async () => {
    const shop = await aSite();
    const [paid, direct] = [await shop.open({ url: ad }), await shop.open()];
    for (const { sessionId } of [paid, direct, paid])
      await sendForm(sessionId, { phone: uniquePhone() });
    await arrive();
    const day = app.clock.value.toISOString().slice(0, 10);
    const { body } = await app.as(shop.owner).request(sourceReports.reportSources, {
      body: { companyId: shop.owner.companyId, startDate: day, endDate: day },
    });
    expect(Object.fromEntries(body.data.rows.map(({ key, forms }) => [key, forms]))).toEqual({
      google_ads: 2,
      direct: 1,
    });
    expect(body.data.totals.forms).toBe(3);
  });

  it('without a phone number is counted, and is no conversation', async () => {
    const shop = await aSite();
    const { sessionId } = await shop.open();
    await sendForm(sessionId, { form: 'News', email: 'ann@example.com' });
    await arrive();
    expect(await threads(shop)).toEqual([]);
    expect(await feedOf(shop)).toMatchObject([{ type: 'form', caller: null }]);
  });

  it('is nothing but an event of its visit while forms are off', async () => {
    const shop = await trackedSite(app, 1);
    const { sessionId } = await shop.open();
    await sendForm(sessionId, { phone: uniquePhone() });
    await arrive();
    expect(await threads(shop)).toEqual([]);
    expect(await feedOf(shop)).toEqual([]);
  });

  it('of a blocked number is nowhere', async () => {
    const shop = await aSite();
    const { sessionId } = await shop.open();
    const phone = uniquePhone();
    const block = await app.as(shop.owner).request(compliance.addBlock, {
      body: { company_id: shop.owner.companyId, target: phone },
    });
    expect(block.status).toBeLessThan(300);
    await sendForm(sessionId, { phone });
    await arrive();
    expect(await threads(shop)).toEqual([]);
  });
});

describe('whatever is sent', () => {
  it('passwords, cards and numbers of accounts are never kept', async () => {
    const shop = await aSite();
    const { sessionId } = await shop.open();
    const hidden = {
      password: 'hunter22',
      user_pass: 'hunter22',
      cardNumber: '4242 4242 4242 4242',
      note: '4242424242424242',
      cvv: '123',
      'Social security': '078-05-1120',
      iban: 'DE02120300000000202051',
      api_token: 'hunter22',
    };
    await sendForm(sessionId, { phone: uniquePhone(), passport_country: 'Norway', ...hidden });
    await arrive();
    const [thread] = await threads(shop);
    const [form] = await formsIn(shop, thread!.id);
    const fields = (form!.details as { fields: { name: string }[] }).fields;
    expect(fields.map(({ name }) => name)).toEqual(['phone', 'passport_country']);
    const stored = JSON.stringify(
      await shop.rows('select data from tracking_hit where company_id = $1'),
    );
    expect(stored).not.toMatch(/hunter22|4242|078-05|DE0212/);
  });

  it('too much, unknown shapes and text that can’t be stored are refused or cleaned', async () => {
    const shop = await aSite();
    const { sessionId } = await shop.open();
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, 'x']));
    for (const data of [
      { phone: 'x'.repeat(10_000) },
      { ['x'.repeat(10_000)]: 'y' },
      many,
      { phone: { nested: true } },
      { phone: ['+12125550100'] },
      'text',
    ])
      expect((await sendForm(sessionId, data as object)).status).toBe(422);
    const odd = { phone: '(212) 555-0199\u0000', 'na\u0000me': '<img src=x onerror=alert(1)>' };
    expect((await sendForm(sessionId, odd)).status).toBe(204);
    expect((await sendForm(sessionId, { __proto__x: 'y', phone: 'not a number' })).status).toBe(
      204,
    );
    await arrive();
    expect((await threads(shop)).map(({ recipient }) => recipient)).toEqual(['+12125550199']);
  });

  it('forged visits and those of another website or company make no leads', async () => {
    const [mine, theirs] = [await aSite(), await aSite()];
    const { sessionId } = await mine.open();
    const foreign = { origin: 'https://evil.example', 'user-agent': browser };
    const form = { phone: uniquePhone() };
    expect((await sendForm('1-abc-forgedforgedfo', form)).status).toBeGreaterThanOrEqual(400);
    const changed = sessionId!.replace(/^\d+/, String(theirs.owner.companyId));
    expect((await sendForm(changed, form)).status).toBeGreaterThanOrEqual(400);
    expect((await sendForm(sessionId, form, foreign)).status).toBeGreaterThanOrEqual(400);
    await theirs.change({ status: 'paused' });
    const robot = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
    await sendForm(sessionId, form, robot);
    await arrive();
    expect(await threads(mine)).toEqual([]);
    expect(await threads(theirs)).toEqual([]);
    expect(await feedOf(mine)).toEqual([]);
  });

  it('one visit makes five leads at most', async () => {
    const shop = await aSite();
    const { sessionId } = await shop.open();
    for (let i = 0; i < 8; i++) {
      app.clock.advance(1);
      await sendForm(sessionId, { phone: uniquePhone() });
    }
    await arrive();
    expect(await threads(shop)).toHaveLength(5);
    expect(await feedOf(shop)).toHaveLength(5);
    const found = await app.as(shop.owner).request(contacts.listContacts, {
      query: { companyId: shop.owner.companyId },
    });
    expect(found.body.data).toHaveLength(5);
  });
});

it('the file that captures forms has the chosen ones, and none while forms are off', async () => {
  const shop = await aSite();
  const get = async () => (await app.server.inject(`/t/${shop.pool.companyKey}/1/forms.js`)).body;
  await setForms(shop, { formSelectors: ['#appointment', '</script>"\u2028'] });
  expect(await get()).toContain('captureForms(["#appointment",');
  await setForms(shop, { formsEnabled: false });
  expect(await get()).toContain('captureForms([],');
  expect((await app.server.inject('/t/1-forged/1/forms.js')).statusCode).toBe(404);
  expect((await setForms(shop, { formSelectors: Array(21).fill('#a') })).status).toBe(422);
});
