/** `npm run pictures [address]`: the pictures in docs/tours, taken of a running demo world. */
import { join } from 'node:path';
import { launchChromium } from './chromium.ts';

const baseUrl = process.argv[2] ?? 'http://127.0.0.1:3000';
const browser = await launchChromium();
try {
  const page = await (
    await browser.newContext({
      viewport: { width: 1360, height: 850 },
      timezoneId: 'America/New_York',
      locale: 'en-US',
    })
  ).newPage();
  await page.goto(`${baseUrl}/login`);
  await page
    .getByRole('button', { name: /^.{0,3}User/ })
    .first()
    .click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  await page.goto(`${baseUrl}/inbox`);
  // A conversation with texts, calls and a voicemail shows the most.
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('listitem')
    .filter({ hasText: /Incoming call/, hasNotText: 'Opted out' })
    .first()
    .click();
  await page.waitForURL(/\/inbox\/\d+/);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(import.meta.dirname, '../docs/tours/inbox.png') });
} finally {
  await browser.close();
}
