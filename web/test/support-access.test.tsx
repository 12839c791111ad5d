import { afterEach, expect, test, vi } from 'vitest';
import { adminMode, companies, identity, team } from '#contract';
import {
  api,
  currentLocation,
  download,
  forgetRemoteSession,
  interceptDownloads,
  session,
  startRemoteSession,
  toast,
} from '#ui';
import { PlatformAccessBanner } from '../src/app/Banners.tsx';
import RemoteLogin from '../src/features/companies/screens/RemoteLogin.tsx';
import WhatsNew from '../src/features/companies/screens/WhatsNew.tsx';
import {
  errorReply,
  exampleAnswer,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
} from './screen.tsx';

// Other screens' tests share this page.
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.removeItem('trunkline.admin');
  forgetRemoteSession();
  session.set({ remote: null, isAdmin: false });
});

/** What screens do for platform staff in admin mode, and in a person's place. */
const readingOnly = {
  kind: 'admin' as const,
  staff_name: 'Pat Platform',
  reason: 'Ticket 4711',
  ends_at: '2026-11-26T12:00:00.000Z',
  may_write: false,
};
const setAccess = (support_access: typeof readingOnly | null) =>
  session.set((s) => ({ user: s.user && { ...s.user, support_access } }));

test('writes that no one asked for are not sent while staff only read, and show nothing', async () => {
  renderScreen(<WhatsNew />);
  await waitFor(() => expect(requestsTo(identity.whatsNewRead)).toHaveLength(1));
  setAccess(readingOnly);
  const present = () =>
    api(team.tellPresence, { params: { id: 1 }, body: { state: 'viewing' } }, { background: true });
  await present();
  expect(requestsTo(team.tellPresence)).toHaveLength(0);
  expect(toast.store.get().notice).toBeNull();
  setAccess({ ...readingOnly, may_write: true });
  await present();
  expect(requestsTo(team.tellPresence)).toHaveLength(1);
});

test('in admin mode a link to an export is fetched with its header and saved by its name', async () => {
  renderScreen(<a href="/api/companies/7/exports/3/file">Get it</a>);
  const stop = interceptDownloads();
  const asked: [string, RequestInit][] = [];
  const others = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    // What a screen before this one still asks for.
    if (!String(url).includes('/exports/')) return others(url, init);
    asked.push([String(url), init ?? {}]);
    return new Response('a,b', {
      headers: { 'content-disposition': "attachment; filename*=UTF-8''Audit%20log.csv" },
    });
  });
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:one');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.download} ${this.getAttribute('href')}`);
  });
  session.set({ isAdmin: true });
  try {
    screen
      .getByText('Get it')
      .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    await waitFor(() => expect(saved).toEqual(['Audit log.csv blob:one']));
    download('/api/companies/7/exports/4/file');
    await waitFor(() => expect(saved).toHaveLength(2));
    expect(asked.map(([url, { headers }]) => [url, headers])).toEqual([
      ['/api/companies/7/exports/3/file', { isAdmin: 'true' }],
      ['/api/companies/7/exports/4/file', { isAdmin: 'true' }],
    ]);
  } finally {
    stop();
  }
});

test('a remote login takes its token out of the address, and touches nothing that the browser remembers', async () => {
  localStorage.setItem('trunkline.admin', '1');
  renderScreen(<RemoteLogin />, { address: '/remote-login#tlo_example-of-a-token' });
  await waitFor(() =>
    expect(requestsTo(adminMode.remoteLogin)[0]?.body).toEqual({
      token: 'tlo_example-of-a-token',
    }),
  );
  await waitFor(() => expect(session.get().remote).toBe('running'));
  expect(currentLocation()).toMatchObject({ pathname: '/', hash: '' });
  expect(localStorage.getItem('trunkline.admin')).toBe('1');
  expect(session.get().selectedCompanyId).toBe(
    exampleAnswer(adminMode.remoteLogin).data.company_id,
  );
});

test('when it has ended, nothing is asked with the cookie of the staff member', async () => {
  startRemoteSession({ access_token: 'tla_x', expires_in: 3600, token_type: 'Bearer' }, 1);
  mockReply(companies.getUser, errorReply(401, { message: 'Unauthenticated.', errors: [] }));
  await api(companies.getUser, {}, { silent: true }).catch(() => null);
  await waitFor(() => expect(session.get().remote).toBe('ended'));
  const count = requestsTo(companies.getUser).length;
  await expect(api(companies.getUser, {}, { silent: true })).rejects.toMatchObject({ status: 401 });
  expect(requestsTo(companies.getUser)).toHaveLength(count);
  renderScreen(<RemoteLogin />);
  await screen.findByText('This remote login has ended. You can close this tab.');
});

test('who of support is in the company in two browsers is named once, until the later one ends', async () => {
  const example = exampleAnswer(companies.getCompany);
  const now = Date.now();
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
  const entry = { name: 'Pat Platform', reason: 'Ticket 4711', since: at(-5), may_write: false };
  mockReply(companies.getCompany, {
    data: {
      ...example.data,
      platform_access: [
        { ...entry, until: at(30) },
        { ...entry, until: at(10) },
        { ...entry, name: 'Sam Staff', until: at(20) },
        { ...entry, name: 'Gone Already', until: at(-1) },
      ],
    },
  });
  renderScreen(<PlatformAccessBanner />);
  await waitFor(() => expect(screen.getAllByLabelText('Support access')).toHaveLength(2));
  const banners = screen.getAllByLabelText('Support access');
  expect(banners.map((one) => one.textContent)).toEqual([
    expect.stringContaining('Pat Platform from support can read this company: Ticket 4711 · until'),
    expect.stringContaining('Sam Staff from support can read this company: Ticket 4711 · until'),
  ]);
  expect(banners[0]?.querySelector('time')?.dateTime).toBe(at(30));
});
