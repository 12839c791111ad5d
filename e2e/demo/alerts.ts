import { expect, test } from 'vitest';
import { openVisit, signInAsDemoRole } from '../browser.ts';

test('alerts: found by the first check, acknowledged, cured by their suggestion, dismissed, live in a second window', async () => {
  const first = await openVisit('/login');
  const { page } = first;
  await signInAsDemoRole(page, 'Administrator');
  await page.goto('/monitoring?severity=info');
  // The first check of a new company is due within a minute of the start.
  const key = page.getByRole('row', { name: /API key/ });
  await key.waitFor();
  const second = await openVisit('/login');
  await signInAsDemoRole(second.page, 'Owner');
  await second.page.goto('/monitoring');
  const other = second.page.getByRole('row', { name: /API key/ });
  await other.getByText('Open').waitFor();

  await key.click();
  const drawer = page.getByRole('dialog', { name: 'An API key isn’t used' });
  await drawer.getByText('One API key was not used for 90 days.').waitFor();
  await drawer.getByRole('button', { name: 'Acknowledge' }).click();
  await other.getByText('Acknowledged').waitFor();
  await drawer.getByText('Adam Administrator: Acknowledged').waitFor();
  await drawer.getByRole('link', { name: 'Delete keys that nothing uses' }).click();
  await page.waitForURL(/\/settings\/api-keys/);
  await page.getByText('Old website').first().waitFor();

  // A reason in words is asked for where none of the others fits.
  await page.goto('/monitoring');
  await page.getByRole('row', { name: /SMS verification/ }).click();
  const rejected = page.getByRole('dialog', { name: 'SMS verification waits for you' });
  await rejected.getByRole('button', { name: 'Dismiss' }).click();
  await rejected.getByRole('radio', { name: 'Another reason' }).check();
  await rejected.getByRole('button', { name: 'Dismiss' }).click();
  const comment = rejected.getByRole('textbox', { name: 'Comment' });
  await expect.poll(() => comment.getAttribute('aria-invalid')).toBe('true');
  await comment.fill('We use another campaign');
  await rejected.getByRole('button', { name: 'Dismiss' }).click();
  await second.page
    .getByRole('row', { name: /SMS verification/ })
    .getByText('Dismissed')
    .waitFor();
  expect(first.consoleErrors.filter((line) => !/40[19]|422|favicon/.test(line))).toEqual([]);
}, 300_000);
