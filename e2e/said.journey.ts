import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { openVisit, signInAsDemoOwner, waitForNotice } from './browser.ts';
import { withProduct } from './product.ts';

/** What a language model was asked. */
interface Asked {
  messages: { content: string }[];
  response_format: { json_schema: { name: string; strict: boolean } };
}

/** An OpenAI-compatible server: it rests everything on what the client said first. */
async function startModel(asked: Asked[]): Promise<string> {
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const question = JSON.parse(body) as Asked;
      asked.push(question);
      const { call } = JSON.parse(question.messages[1]?.content ?? '{}') as {
        call: { side: string; text: string }[];
      };
      const evidence = call.find(({ side }) => side === 'client')?.text ?? '';
      const found = { evidence, reason: null };
      const content = JSON.stringify({
        summary: { value: `They said: ${evidence}`, ...found },
        sentiment: { value: 'positive', score: 0.5, ...found },
        outcome: { value: 'opportunity', evidence: 'I never said this.', reason: null },
        fields: { reason: null },
      });
      reply.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          model: 'small-1',
          choices: [{ message: { content } }],
          usage: { prompt_tokens: 900, completion_tokens: 100 },
        }),
      );
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a phrase list is made and found, and a summary leads to the moment it rests on', async () => {
  const asked: Asked[] = [];
  const env = { LANGUAGE_MODEL_URL: await startModel(asked), LANGUAGE_MODEL: 'small' };
  await withProduct(env, async ({ url }) => {
    const { page, consoleErrors } = await openVisit('/', { baseURL: url });
    await signInAsDemoOwner(page);
    await page.goto('/settings/phrases');
    // The demo's recordings are spoken after the start.
    await expect
      .poll(
        async () => {
          await page.reload();
          await page
            .getByText(/calls? in 30 days/)
            .first()
            .waitFor();
          return page.getByText(/[1-9]\d* calls? in 30 days/).count();
        },
        { timeout: 240_000, interval: 3000 },
      )
      .toBeGreaterThan(0);
    await page.getByRole('button', { name: 'New phrase list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Teeth');
    await dialog.getByRole('textbox', { name: 'Phrases' }).fill('chipped a tooth\nclean*');
    await dialog.getByRole('button', { name: 'Check the last 30 days' }).click();
    await dialog.getByText(/calls? of the last 30 days match/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, 'Phrase list added');
    const row = page.getByRole('listitem').filter({ hasText: 'Teeth' });
    await row.getByRole('link', { name: /[1-9] calls? in 30 days/ }).waitFor();
    for (const theme of ['dark', 'light'] as const) {
      await switchTheme(page, theme);
      expect(await violations(page), theme).toEqual([]);
    }
    await row.getByRole('link').click();
    await page.locator('li a[href^="/calls/"]').first().click();

    const phrases = page.getByRole('list', { name: 'Phrases' });
    await phrases.getByText('Teeth').waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Summary' }).inputValue(), { timeout: 120_000 })
      .toContain('They said:');
    await page.getByText('Found by small-1 at 127.0.0.1', { exact: false }).waitFor();
    await page.getByText('Dropped, because the call doesn’t say it: outcome').waitFor();
    const evidence = page.getByRole('button', { name: /^Play “.*” from/ }).first();
    const from = /from (\d+):(\d+)$/.exec((await evidence.getAttribute('aria-label')) ?? '');
    await evidence.click();
    await expect
      .poll(() =>
        page
          .locator('audio')
          .first()
          .evaluate((a: HTMLAudioElement) => a.currentTime),
      )
      .toBeGreaterThanOrEqual(Number(from?.[1]) * 60 + Number(from?.[2]));
    for (const theme of ['dark', 'light'] as const) {
      await switchTheme(page, theme);
      expect(await violations(page), theme).toEqual([]);
    }
    expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
  });
  expect(asked[0]?.response_format.json_schema).toMatchObject({
    name: 'call_reading',
    strict: true,
  });
}, 600_000);
