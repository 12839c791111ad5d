import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { openVisit, productUrl, waitForNotice } from './browser.ts';
import { createCompany } from './test-company.ts';

/** Two-step verification and passkeys, with Chromium's virtual authenticator. */
test('an authenticator app is set up and used to sign in; then a passkey signs in alone', async () => {
  const { owner } = await createCompany('Harbor Secure');
  // Passkeys belong to names: an IP address can't have any.
  const baseURL = productUrl().replace('127.0.0.1', 'localhost');
  const login = `${baseURL}/login?next=%2Fsettings%2Fsecurity`;
  const { page, context, consoleErrors } = await openVisit(login, { baseURL });
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const dialog = page.getByRole('dialog');
  const enterPassword = async () => {
    await page.getByLabel('Email').fill(owner.email);
    await page.getByRole('textbox', { name: 'Password' }).fill('trunkline-demo');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await enterPassword();

  await page
    .getByRole('group', { name: 'Authenticator app' })
    .getByRole('button', { name: 'Set up' })
    .click();
  const secret = (await page.locator('[data-totp-secret]').textContent()) ?? '';
  const app = new TOTP({ secret });
  await dialog.getByLabel('Code').fill(app.generate());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await waitForNotice(page, 'Two-step verification is on');
  expect(await page.locator('[data-recovery-codes] code, [data-recovery-codes] pre').count()).toBe(
    10,
  );
  await page.getByRole('button', { name: 'I’ve saved them' }).click();

  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('Test laptop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await waitForNotice(page, 'Passkey added');
  await page.getByRole('group', { name: 'Test laptop' }).waitFor();

  // Password and the code of the next step: the one of the set-up is used up.
  await context.clearCookies();
  await page.goto(login);
  await enterPassword();
  await page.getByRole('radio', { name: 'Authenticator app' }).check();
  await page
    .getByRole('textbox', { name: 'Code' })
    .fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('group', { name: 'Test laptop' }).waitFor();

  // The passkey alone.
  await context.clearCookies();
  await page.goto(login);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('group', { name: 'Test laptop' }).getByText('Last used').waitFor();
  expect(consoleErrors.filter((line) => !/401|403|favicon|asked a stranger/.test(line))).toEqual(
    [],
  );
});
