import { expect, test } from 'vitest';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

/**
 * Files that are expensive to read. Each is rejected with a sentence, and other requests are
 * answered meanwhile.
 */
const app = await createTestApp();

function upload(who: TestPerson, path: string, bytes: Buffer, name: string) {
  const boundary = 'the-line-between';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
  return app.as(who).inject({
    method: 'POST',
    url: `/api/companies/${who.companyId}/contacts/${path}`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
}
/** Requests /livez repeatedly until the work is done; returns the number of responses. */
async function livesMeanwhile(work: Promise<unknown>): Promise<number> {
  let done = false;
  const over = work.finally(() => {
    done = true;
  });
  let answered = 0;
  for (; !done; answered++) {
    expect((await app.as(null).inject({ method: 'GET', url: '/livez' })).status).toBe(200);
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
  await over;
  return answered;
}
const megabytes = (n: number, text: string) => Buffer.alloc(n * 1_000_000, text);

test('vCards that never end are rejected', async () => {
  const { owner } = await app.createCompany();
  const answer = upload(owner, 'vcards', megabytes(19, 'BEGIN:VCARD\n'), 'cards.vcf');
  await livesMeanwhile(answer);
  expect(await answer).toMatchObject({ status: 422, body: { code: 'vcard.unreadable' } });
});

test('a vCard with three million numbers costs nothing, and other requests are answered meanwhile', async () => {
  const { owner } = await app.createCompany();
  const bomb = Buffer.concat([
    Buffer.from('BEGIN:VCARD\nVERSION:3.0\n'),
    megabytes(18, 'TEL:1\n'),
    Buffer.from('END:VCARD'),
  ]);
  const answer = upload(owner, 'vcards', bomb, 'cards.vcf');
  // Parsing takes seconds; on the main thread it would block all other requests.
  expect(await livesMeanwhile(answer)).toBeGreaterThan(100);
  // A person has no more than a thousand properties; further ones are not read.
  expect(await answer).toMatchObject({
    status: 200,
    body: { data: { created: 0, errors: [{ row: 1, message: '“1” isn’t a phone number.' }] } },
  });
}, 300_000);

test('the number of vCards is checked before any is parsed', async () => {
  const { owner } = await app.createCompany();
  const cards = Buffer.from(
    'BEGIN:VCARD\nVERSION:3.0\nFN:A\nTEL:2125550147\nEND:VCARD\n'.repeat(1001),
  );
  expect(await upload(owner, 'vcards', cards, 'cards.vcf')).toMatchObject({
    status: 422,
    body: { errors: { file: ['Add at most 1000 cards at once.'] } },
  });
});

test('a 19 MB file of quotes is rejected, and other requests are answered meanwhile', async () => {
  const { owner } = await app.createCompany();
  const answer = upload(owner, 'imports', megabytes(19, '""'), 'people.csv');
  expect(await livesMeanwhile(answer)).toBeGreaterThan(100);
  expect(await answer).toMatchObject({
    status: 422,
    body: {
      errors: [{ detail: expect.stringContaining('doesn’t end: a quote in it is never closed') }],
    },
  });
}, 300_000);

test('vCards between other lines, in any case, and nested ones are read', async () => {
  const { owner } = await app.createCompany();
  const cards =
    'Hello\r\nbegin:vcard\r\nVERSION:3.0\r\nFN:Ann\r\nTEL:2125550171\r\nend:vcard\r\nEND:VCARD\nBEGIN:VCARD\rVERSION:3.0\rFN:Bo\rTEL:2125550172\rEND:VCARD BEGIN:VCARD\n';
  expect((await upload(owner, 'vcards', Buffer.from(cards), 'cards.vcf')).body.data).toMatchObject({
    created: 2,
    errors: [],
  });
});
