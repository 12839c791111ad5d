import { randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { openVisit } from './browser.ts';
import { withProduct } from './product.ts';

const production = {
  DEMO: '0',
  NODE_ENV: 'production',
  CARRIER: 'sandbox',
  APP_SECRET: randomBytes(32).toString('hex'),
};
const password = 'a long enough sentence';

/** The first start of an empty installation, as its operator and then its first owner see it. */
test('an operator sets up an empty installation by the link in its log, tests it and adds the first company, whose owner signs in', async () => {
  await withProduct(production, async ({ url, output }) => {
    const printed = () => /http\S+\/setup#code=[\w-]+/.exec(output())?.[0] ?? '';
    await expect.poll(printed, { timeout: 60_000 }).toContain(`${url}/setup#code=setup_`);
    const link = printed();
    const stranger = await openVisit(`${url}/setup`, { baseURL: url });
    await stranger.page.getByText('Open the setup link from the server’s log.').waitFor();
    expect(await violations(stranger.page)).toEqual([]);

    const { page, consoleErrors } = await openVisit(`${url}/setup#code=setup_guess`, {
      baseURL: url,
    });
    const fill = async (): Promise<void> => {
      await page.getByRole('heading', { name: 'Set up this server' }).waitFor();
      await page.getByLabel('First name').fill('Ola');
      await page.getByLabel('Email').fill('ola@operator.test');
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Create account' }).click();
    };
    await fill();
    await page.getByRole('alert').getByText('This setup link no longer works.').waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Enter your name.').waitFor();
    expect(await violations(page)).toEqual([]);
    await fill();

    await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
    expect(page.url()).toBe(`${url}/setup`);
    expect(await violations(page)).toEqual([]);
    await page
      .getByRole('group', { name: 'Authenticator app' })
      .getByRole('button', { name: 'Set up' })
      .click();
    const app = new TOTP({
      secret: (await page.locator('[data-totp-secret]').textContent()) ?? '',
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill(app.generate());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'I’ve saved them' }).click();

    await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await page.getByLabel('Email').fill('ola@operator.test');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    // The code of the next step: the one of the set-up is used up.
    await page
      .getByRole('textbox', { name: 'Code' })
      .fill(app.generate({ timestamp: Date.now() + 30_000 }));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter admin mode' }).waitFor();
    // The screens of administration are built after the start.
    await expect
      .poll(async () => (await fetch(`${url}/admin/`)).status, { timeout: 120_000 })
      .toBe(200);
    await page.getByLabel('Reason').fill('Setting up');
    await page.getByRole('button', { name: 'Enter admin mode' }).click();

    await page.getByRole('heading', { name: 'Setup', exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Test all' }).click();
    await page.getByText(/^\d of 9 parts are ready$/).waitFor();
    const part = (name: string) => page.getByRole('group', { name, exact: true });
    await part('Domain').getByText(`${url} leads to this server.`).waitFor();
    await part('Domain').getByText('Live connections (websockets) pass.').waitFor();
    await part('Domain').getByText('There is no proxy in front of this server.').waitFor();
    await part('Email').getByText('Next: Set SMTP_URL and MAIL_FROM, and restart.').waitFor();
    await part('First company').getByText('There is no company yet.').waitFor();
    await part('Files').getByText('Ready').waitFor();
    await part('Database').getByText('Ready').waitFor();
    await part('Clock').getByText('Ready').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, ['color-contrast'])).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });

    await page.getByText('To add one, allow changes in admin mode first.').waitFor();
    const mode = page.getByRole('complementary', { name: 'Admin mode' });
    await mode.getByRole('button', { name: 'Allow changes' }).click();
    await mode.getByText('Admin mode, with changes').waitFor();
    await part('First company').getByRole('button', { name: 'Add company' }).click();
    await dialog.getByLabel('Company').fill('Harbor Dental');
    await dialog.getByLabel('Owner’s first name').fill('Olive');
    await dialog.getByLabel('Owner’s email').fill('ola@operator.test');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add company' }).click();
    // Who operates the server is somebody else than its first owner.
    await dialog.getByText(/already/).waitFor();
    await dialog.getByLabel('Owner’s email').fill('olive@harbor.test');
    await dialog.getByRole('button', { name: 'Add company' }).click();
    const invitation = (await dialog.locator('[data-owner-link]').textContent()) ?? '';
    expect(invitation).toContain(`${url}/reset-password/`);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await part('First company')
      .getByText('olive@harbor.test hasn’t signed in to Harbor Dental yet.')
      .waitFor();

    const owner = await openVisit(invitation, { baseURL: url });
    const passwords = owner.page.getByRole('textbox', { name: /password/i });
    await passwords.first().waitFor();
    for (const one of await passwords.all()) await one.fill(password);
    await owner.page.getByRole('button', { name: 'Set password' }).click();
    await owner.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await owner.page.getByLabel('Email').fill('olive@harbor.test');
    await owner.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await owner.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await owner.page.getByRole('navigation', { name: 'Main' }).waitFor();

    await page.getByRole('button', { name: 'Test First company' }).click();
    await part('First company')
      .getByText('Harbor Dental is there, and its owner olive@harbor.test has signed in.')
      .waitFor();
    // What was refused on purpose is logged by the browser.
    const refused = /the server responded with a status of (401|409|422)/;
    expect(consoleErrors.filter((line) => !refused.test(line))).toEqual([]);
    expect(owner.consoleErrors.filter((line) => !refused.test(line))).toEqual([]);
  });
}, 600_000);
