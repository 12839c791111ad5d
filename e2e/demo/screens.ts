import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from '../axe.ts';
import {
  api,
  demoRoles,
  signInAsDemoRole,
  signInAsDemoOwner,
  harborDental,
  openVisit,
} from '../browser.ts';

/**
 * Every screen, in both themes, wide and narrow: no axe violations, no console errors, no
 * horizontal overflow.
 */
const open = [
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password/some-token',
  '/link-expired',
  '/what-is-simulated',
  '/unsubscribe/1-2-x',
  '/shared/report',
  '/report-mails/stop/1-2-x',
  '/handset',
];
const signedIn = [
  '/',
  '/contacts/import',
  '/inbox',
  '/activity/calls',
  '/activity/messages',
  '/activity/voicemails',
  '/activity/fax',
  '/analytics/dashboard',
  '/analytics/calls',
  '/analytics/calls?group=number',
  '/analytics/transcripts',
  '/analytics/transcripts?q=appointment',
  '/campaigns',
  '/campaigns/new',
  '/contacts',
  '/contacts/groups',
  '/contacts/labels',
  '/numbers',
  '/numbers/buy',
  '/numbers/ports',
  '/numbers/ports?wizard=new',
  '/marketplace',
  '/marketplace?view=market',
  '/numbers/templates',
  '/numbers/forwarding',
  '/numbers/schedule',
  '/numbers/greetings',
  '/tracking/pools',
  '/tracking/live',
  '/tracking/script',
  '/tracking/sources',
  '/integrations',
  '/integrations/webhooks',
  '/integrations/adf',
  '/integrations/ga4',
  '/integrations/slack',
  '/settings/company',
  '/settings/general',
  '/settings/alerts',
  '/settings/carriers',
  '/settings/notifications',
  '/settings/availability',
  '/settings/canned-replies',
  '/inbox?view=snoozed',
  '/inbox?search=crown',
  '/settings/billing',
  '/settings/billing-contacts',
  '/settings/users',
  '/settings/teams',
  '/settings/invitations',
  '/settings/audit-log',
  '/settings/api-keys',
  '/settings/applications',
  '/settings/tags',
  '/settings/custom-fields',
  '/settings/custom-fields?open=new',
  '/settings/column-presets',
  '/settings/blocked',
  '/settings/sms-verification',
  '/integrations',
  '/support',
  '/monitoring',
  '/organization/alerts',
  '/organization',
  '/organization/accounts',
  '/organization/users',
  '/organization/data-groups',
  '/whats-new',
  '/calls/live',
  '/nowhere',
  '/calls/abc',
];

/** Screens of the same kinds as others, which are looked at in two appearances only. */
const alike = [
  '/integrations/gohighlevel',
  '/integrations/googleads',
  '/integrations/hubspot',
  '/integrations/metaads',
  '/integrations/microsoftads',
  '/integrations/salesforce',
  '/integrations/trestle',
  '/numbers/custom-fields',
  '/organization/custom-fields',
  '/organization/domain',
  '/organization/features',
  '/organization/settings',
  '/organization/single-sign-on',
  '/organization/tenant',
  '/settings/audit-streams',
  '/settings/brand',
  '/settings/data',
  '/settings/features',
  '/settings/phrases',
  '/settings/profile',
  '/settings/roles',
  '/settings/security',
  '/settings/sessions',
  '/tracking/reports',
];
/** Steps of signing in, each looked at where it is taken. */
const elsewhere = [
  '/admin-mode',
  '/login/external',
  '/login/mfa',
  '/oauth/consent',
  '/remote-login',
  '/select-company',
  '/setup',
];

/** An office laptop: as wide as a list must show all of its columns and actions. */
const LAPTOP = 1280;
/**
 * A page is opened once and then switched to the other theme and width; only what those can change
 * is checked again.
 * Every second page is checked in the reverse order, so the window doesn't change between two
 * pages.
 */
const appearances = [
  { colorScheme: 'light', width: LAPTOP, rules: null },
  { colorScheme: 'dark', width: LAPTOP, rules: ['color-contrast'] },
  { colorScheme: 'dark', width: 390, rules: null },
  { colorScheme: 'light', width: 390, rules: ['color-contrast'] },
] as const;
const [lightLaptop, darkLaptop, darkPhone] = appearances;
/** `test:faults screens`: in every appearance, and with every role. */
const isFull = process.env['SCREENS'] === 'full';
/** Colors depend on the theme, and hardly on the width. */
const usualAppearances = isFull ? appearances : [lightLaptop, darkLaptop, darkPhone];
const twoAppearances = [lightLaptop, darkPhone];

/** Menus with more than one current entry, and status words that are cut off. */
const confusing = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('nav')]
      .filter((nav) => nav.querySelectorAll('[aria-current="page"]').length > 1)
      .map((nav) => `${nav.ariaLabel ?? 'a menu'} has two current entries`),
    ...[...document.querySelectorAll('[role="gridcell"] [data-tone]')]
      .filter((badge) => {
        const cell = badge.closest('[role="gridcell"]')?.getBoundingClientRect();
        return cell && badge.getBoundingClientRect().right > cell.right + 1;
      })
      .map((badge) => `“${badge.textContent}” is cut off`),
  ]);

/** Columns of lists that are squeezed to nothing, and rows whose actions lie outside the window. */
const outOfSight = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role="grid"]')].flatMap((grid) => {
      const edge = Math.min(window.innerWidth, grid.getBoundingClientRect().right) + 1;
      const [actions] = [
        ...grid.querySelectorAll('[role="gridcell"]:last-child :is(button, a)'),
      ].filter((one) => one.getBoundingClientRect().right > edge);
      const squeezed = [...grid.querySelectorAll('[role="columnheader"]')].filter(
        (head) => head.textContent && head.getBoundingClientRect().width < 24,
      );
      return [
        ...squeezed.map((head) => `${head.textContent} is squeezed`),
        ...(actions ? [`${actions.ariaLabel ?? actions.textContent} is out of sight`] : []),
      ];
    }),
  );

/**
 * A window without transitions, so colors can be measured immediately, that knows which requests
 * are pending.
 */
async function screenshotWhenStill(address: string) {
  const { page, consoleErrors } = await openVisit('about:blank');
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '*, *::before, *::after { transition: none !important; animation-duration: 0s !important; animation-delay: 0s !important; }',
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  page.on('response', (answer) => {
    if (answer.status() === 403)
      consoleErrors.push(`refused: ${answer.request().method()} ${answer.url()}`);
  });
  await page.goto(address);

  /**
   * Resolves when the screen of this address is shown in this theme with its data. Not
   * `networkidle`: the phone's connection stays open.
   */
  const stands = async (what: string, colorScheme: string): Promise<void> => {
    const patienceMs = performance.now() + 60_000;
    for (let quiet = 0; quiet < 2;) {
      const waits = await page.evaluate(
        (scheme) =>
          new Promise<string>((tell) =>
            requestAnimationFrame(() =>
              requestAnimationFrame(() => {
                const { location: here } = window;
                const { state } = (
                  window as unknown as {
                    __TSR_ROUTER__: {
                      state: { status: string; resolvedLocation?: { href: string } };
                    };
                  }
                ).__TSR_ROUTER__;
                if (
                  state.status !== 'idle' ||
                  state.resolvedLocation?.href !== here.pathname + here.search + here.hash
                )
                  tell('is on its way');
                else if (!document.querySelector('h1')?.checkVisibility()) tell('shows no title');
                else if (document.querySelector('[aria-busy="true"]')) tell('is busy');
                else if (
                  document.documentElement.getAttribute('data-mantine-color-scheme') !== scheme
                )
                  tell('has another theme');
                else tell('');
              }),
            ),
          ),
        colorScheme,
      );
      quiet = waits === '' && asked.size === 0 ? quiet + 1 : 0;
      if (performance.now() > patienceMs)
        throw new Error(
          `${what} ${waits || `waits for ${[...asked].map((one) => one.url()).join(', ')}`}: ${consoleErrors.slice(-3).join(' | ')}`,
        );
    }
  };

  let turned = false;
  // Like a link in the product: the page stays and only the screen changes.
  const follow = (to: string): Promise<void> =>
    page.evaluate((href) => {
      const link = Object.assign(document.createElement('a'), { href });
      document.body.append(link);
      link.click();
      link.remove();
    }, to);
  const look = async (to: string): Promise<void> => {
    await follow(to);
    const wanted = alike.includes(to) ? twoAppearances : usualAppearances;
    for (const { colorScheme, width, rules } of turned ? wanted.toReversed() : wanted) {
      await page.setViewportSize({ width, height: 850 });
      await page.emulateMedia({ colorScheme });
      await stands(`${to} at ${colorScheme} ${width}`, colorScheme);
      expect(
        (await violations(page, rules)).map((found) => `${to} ${colorScheme} ${width}: ${found}`),
      ).toEqual([]);
      const tooWide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(tooWide, `${to} is wider than its window of ${width}`).toBeLessThanOrEqual(1);
      expect(await confusing(page), `${to} at ${width}`).toEqual([]);
      if (width !== LAPTOP) continue;
      expect(await outOfSight(page), `lists of ${to}`).toEqual([]);
      if (colorScheme === 'dark') continue;
      await page.setViewportSize({ width: 1360, height: 850 });
      expect(await outOfSight(page), `lists of ${to} at 1360`).toEqual([]);
    }
    turned = !turned;
    expect(new URL(page.url()).pathname, 'where the link led').toBe(to.split('?')[0]);
    expect(
      await page.getByRole('heading', { name: 'Couldn’t load this' }).count(),
      `${to} shows what it is for`,
    ).toBe(0);
    const isMissing = to === '/nowhere' || to === '/calls/abc';
    expect(
      await page.getByRole('heading', { name: 'There’s nothing at this address' }).count(),
      `${to} is ${isMissing ? 'no address' : 'an address'}`,
    ).toBe(Number(isMissing));
    expect(
      consoleErrors.filter((line) => !/401|404|net::ERR_ABORTED/.test(line)),
      to,
    ).toEqual([]);
  };
  /** Opens it once: no console errors, no refused requests. */
  const open = async (to: string): Promise<void> => {
    await follow(to);
    await stands(to, 'light');
    expect(
      consoleErrors.splice(0).filter((line) => !/401|404|net::ERR_ABORTED/.test(line)),
      to,
    ).toEqual([]);
    expect(
      await page.getByRole('alert').filter({ hasText: 'Your role does not allow this.' }).count(),
      `${to} holds what it may not ask for`,
    ).toBe(0);
  };
  return { page, look, open };
}

test('every address of the app is looked at here', () => {
  const features = join(import.meta.dirname, '../../web/src/features');
  const declared = readdirSync(features).flatMap((feature) => {
    const file = join(features, feature, 'routes.tsx');
    if (!existsSync(file)) return [];
    return [...readFileSync(file, 'utf8').matchAll(/\bpath: '([^'$]+)'/g)].flatMap(
      ([, path]) => path ?? [],
    );
  });
  expect(declared.length).toBeGreaterThan(80);
  const seen = new Set(
    [...open, ...signedIn, ...alike, ...elsewhere].map((to) => to.split('?')[0]),
  );
  expect(declared.filter((path) => !seen.has(path))).toEqual([]);
});

test('screens without a session', async () => {
  const { look } = await screenshotWhenStill('/login');
  for (const address of open) await look(address);
}, 600_000);

/** The contact under legal hold, whom the audit log names. */
async function heldContact(page: Page, company: number): Promise<number> {
  const log = await api(page, 'GET', `/companies/${company}/audit-log?action=legal_hold.begun`);
  const [entry] = log.body.data as { subject: string }[];
  return Number(entry!.subject.split(':')[1]);
}

/**
 * All addresses for signed-in users, with a conversation, a call, a number and so on of Harbor
 * Dental.
 */
async function everyAddress(page: Page): Promise<string[]> {
  const company = await harborDental(page);
  interface Row {
    id: number;
    state?: string;
    conversationId?: number;
    details?: { callId?: number };
  }
  const rows = async (path: string, body?: object): Promise<Row[]> =>
    (await api(page, body ? 'POST' : 'GET', path, body)).body.data as Row[];
  const [item] = await rows('/activity', { company_id: company, perPage: 1 });
  const [call] = await rows('/activity', { company_id: company, perPage: 1, call: true });
  const campaigns = await rows(`/campaigns?company_id=${company}`);
  const campaign = (state: string): number => campaigns.find((one) => one.state === state)!.id;
  const [contact] = await rows(`/contacts?companyId=${company}&perPage=1`);
  const held = await heldContact(page, company);
  const [number] = await rows(`/numbers?company_id=${company}`);
  const [voice] = await rows(`/numbers?company_id=${company}&category=2`);
  return [
    ...signedIn,
    ...alike,
    `/campaigns/${campaign('sent')}/events`,
    `/campaigns/${campaign('draft')}/edit`,
    `/contacts/${contact!.id}`,
    `/contacts/${contact!.id}?open=erase`,
    `/contacts/${contact!.id}?open=hold`,
    `/contacts/${held}`,
    `/numbers/${voice!.id}?tab=carrier`,
    `/inbox/${item!.conversationId!}`,
    `/calls/${call!.details!.callId!}`,
    ...[
      '',
      '?tab=keywords',
      '?tab=automatic',
      '?tab=settings',
      '?tab=voicemail',
      '?tab=notify',
      '?tab=carrier',
      '/timeline',
      '/flow',
      '/flow?view=list',
      '/flow?view=versions',
    ].map((place) => `/numbers/${number!.id}${place}`),
  ];
}

test('screens for signed-in users, a conversation, a call and a number', async () => {
  const first = await screenshotWhenStill('/login');
  await signInAsDemoOwner(first.page);
  // Two windows side by side: while one waits for responses, the other is checked.
  const second = await screenshotWhenStill('/login');
  await signInAsDemoOwner(second.page);
  const waiting = await everyAddress(first.page);
  await Promise.all(
    [first, second].map(async ({ look }) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await look(next);
    }),
  );
}, 900_000);

/** Each address with two of the roles; `web/test/roles.test.tsx` looks at all with made-up data. */
test('no screen requests what the user’s role doesn’t permit', async () => {
  const owner = await screenshotWhenStill('/login');
  await signInAsDemoOwner(owner.page);
  const all = await everyAddress(owner.page);
  const roles = demoRoles.filter((role) => role !== 'Owner');
  const waiting = [...roles];
  const walk = async (): Promise<void> => {
    for (let role = waiting.shift(); role !== undefined; role = waiting.shift()) {
      const { page, open } = await screenshotWhenStill('/login');
      await signInAsDemoRole(page, role);
      const turn = roles.indexOf(role) % 3;
      for (const address of all.filter((_, n) => isFull || n % 3 === turn)) await open(address);
    }
  };
  await Promise.all([walk(), walk()]);
}, 900_000);
