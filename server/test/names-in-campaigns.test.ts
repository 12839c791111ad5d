import { expect, test } from 'vitest';
import { campaigns as contract } from '#contract';
import { createTestApp } from './support/test-app.ts';
import { createSender } from './support/campaigns.ts';

/** Names as books have them are greeted as people are called, and links are found in every alphabet. */
const app = await createTestApp();
const names = ['Smith, John', 'Dr. Ana López', 'ANA MARIA', 'Bo Lee', 'Cy Young', 'Di Prince'];

test('the preview shows names first that were turned round, lost a title or were in capitals', async () => {
  const sender = await createSender(app, names.length);
  await app.services.db.systemTransaction(async (tx) => {
    for (const [i, name] of names.toReversed().entries())
      await tx
        .updateTable('contact')
        .set({ name })
        .where('number', '=', sender.people[i]!)
        .where('company_id', '=', sender.company.id)
        .execute();
  });
  const textsOf = async (text: string) =>
    (
      await app.as(sender.owner).request(contract.previewUnsaved, {
        body: {
          company_id: sender.company.id,
          title: 'x',
          text,
          unsubscribe_text: 'STOP',
          groups: [sender.group],
          number_id: sender.number,
        },
      })
    ).body.data.first_three_rendered.map((one) => one.text.split('\n')[0]);
  expect((await textsOf('Hi {{first_name|there}} {{last_name}},')).sort()).toEqual([
    'Hi Ana López,',
    'Hi Ana Maria,',
    'Hi John Smith,',
  ]);
  expect(await textsOf('Hello')).toEqual(['Hello', 'Hello', 'Hello']);
});

test.each([
  ['café.com today', false],
  ['see example。com', false],
  ['münchen.de/angebot', false],
  ['例え.jp', false],
  ['пример.рф', false],
  ['ｅｘａｍｐｌｅ．ｃｏｍ', false],
  ['Great job.In case you missed it', true],
  ['Thanks.It was great', true],
  ['We open at 9.am', true],
  ['Hello.World is a start', true],
])('with links off, %j is taken: %j', async (text, isTaken) => {
  const sender = await createSender(app, 1);
  const made = await app.as(sender.owner).request(contract.createCampaign, {
    body: {
      company_id: sender.company.id,
      title: 'x',
      text,
      groups: [sender.group],
      number_id: sender.number,
      should_be_sent_at: null,
      state: 'queued',
    },
  } as never);
  if (isTaken) expect(made.status, JSON.stringify(made.body)).toBe(201);
  else
    expect(made).toMatchObject({
      status: 422,
      body: { errors: { text: [expect.stringContaining('Links aren’t enabled')] } },
    });
});
