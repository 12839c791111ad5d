import { expect, test } from 'vitest';
import { productUrl, visit } from './visit.ts';

test('a stranger who opens the address stands at the sign-in, and the page asks nobody else for anything', async () => {
  const { page, troubles } = await visit('/');
  await page.getByLabel(/e-?mail/i).first().waitFor();
  await page.waitForLoadState('networkidle');
  // Not being signed in yet is an answer, not a mistake.
  expect(troubles.filter((line) => !line.includes('401'))).toEqual([]);
});

test('the product says that it lives and that it is ready', async () => {
  expect((await fetch(`${productUrl()}/livez`)).status).toBe(200);
  expect((await fetch(`${productUrl()}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${productUrl()}/metrics`)).text()).toContain('process_cpu');
});

test('the reference of the interface opens without asking a stranger', async () => {
  const { page, troubles } = await visit('/docs');
  // One bundled page of two megabytes; on a busy machine it takes its time.
  await page.getByText('Trunkline API').first().waitFor({ timeout: 300_000 });
  await page.waitForLoadState('networkidle');
  expect(troubles.filter((line) => line.startsWith('asked a stranger'))).toEqual([]);
});
