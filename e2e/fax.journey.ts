import { expect, test } from 'vitest';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { createCompany } from './test-company.ts';
import { productUrl } from './browser.ts';

async function aPdf(words: string[]): Promise<Buffer> {
  const doc = await PDFDocument.create();
  const font = await doc.embedFont(StandardFonts.Helvetica);
  for (const text of words)
    doc.addPage([612, 792]).drawText(text, { x: 60, y: 640, size: 36, font });
  return Buffer.from(await doc.save());
}
const machine = async (phone: string): Promise<{ from: string; pages: number; url: string }[]> =>
  (await fetch(`${productUrl()}/sandbox/faxes?phone=${encodeURIComponent(phone)}`)).json();

test('a two-page fax is delivered; an inbound fax shows its pages in the inbox, live, and downloads as a PDF', async () => {
  const { number, open } = await createCompany('Fax Dental');
  const { number: ours } = await number('914', { category: 3 });
  const { page, consoleErrors } = await open('/activity/fax');
  await page.getByRole('button', { name: 'New fax' }).click();
  const dialog = page.getByRole('dialog', { name: 'New fax' });
  await dialog.getByLabel('To', { exact: true }).fill('(201) 555-0133');
  await dialog.getByLabel('Documents').setInputFiles({
    name: 'Intake form.pdf',
    mimeType: 'application/pdf',
    buffer: await aPdf(['Page one', 'Page two']),
  });
  await dialog.getByRole('button', { name: 'Send fax' }).click();
  // It appears in its conversation immediately, and its status updates live.
  const thread = page.getByRole('log');
  await thread.getByText('Delivered', { exact: true }).first().waitFor();
  await thread
    .getByText(/2 pages/)
    .first()
    .waitFor();
  await expect.poll(async () => (await machine('+12015550133')).length).toBe(1);
  const [arrived] = await machine('+12015550133');
  expect(arrived).toMatchObject({ from: ours, pages: 2 });
  const document = Buffer.from(
    await (await fetch(new URL(arrived!.url, productUrl()))).arrayBuffer(),
  );
  expect((await PDFDocument.load(document)).getPageCount()).toBe(2);

  // An inbound fax while the inbox is open.
  const form = new FormData();
  form.append('from', '+12015550133');
  form.append('to', ours);
  form.append(
    'file',
    new Blob([new Uint8Array(await aPdf(['One', 'Two', 'Three']))], { type: 'application/pdf' }),
    'answer.pdf',
  );
  expect(
    (await fetch(`${productUrl()}/sandbox/faxes`, { method: 'POST', body: form })).status,
  ).toBe(201);
  const card = thread.locator('article', { hasText: 'Fax received' });
  await card
    .getByText(/3 pages/)
    .first()
    .waitFor();
  await card.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByText('Page 1 of 3').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText('Page 2 of 3').waitFor();
  const picture = page.getByRole('img', { name: 'Page 2 of the fax' });
  expect(
    await picture.evaluate((img: HTMLImageElement) =>
      img
        .decode()
        .then(() => [
          img.naturalWidth,
          Math.abs(img.clientHeight / img.clientWidth - 11 / 8.5) < 0.02,
        ]),
    ),
  ).toEqual([1728, true]);
  const link = await page.getByRole('link', { name: 'Download PDF' }).getAttribute('href');
  const download = await fetch(new URL(link!, productUrl()));
  expect([
    download.headers.get('content-type'),
    download.headers.get('content-disposition'),
  ]).toEqual(['application/pdf', expect.stringContaining('attachment')]);
  expect((await PDFDocument.load(await download.arrayBuffer())).getPageCount()).toBe(3);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
}, 600_000);
