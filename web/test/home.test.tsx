import { expect, test } from 'vitest';
import { analytics, campaigns, companies, conversations, live } from '#contract';
import { grantOf, permissionKeys } from '#contract/permissions';
import { LiveNow } from '../src/features/analytics/LiveNow.tsx';
import Dashboard from '../src/features/companies/screens/Dashboard.tsx';
import {
  errorReply,
  exampleAnswer,
  mockReply,
  pageOf,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
  within,
} from './screen.tsx';

const permissionsOf = (role: 'reporting' | 'billing' | 'user') =>
  permissionKeys.filter((key) => grantOf(role, key) !== 'none');
const count = (total: number, total_is_capped = false) => ({ total, total_is_capped });
const waits = () => screen.findByRole('region', { name: /^Waiting for a reply/ });

test('waiting figures come first, and each links to its list', async () => {
  const example = exampleAnswer(analytics.getWaiting).data;
  const longest = {
    ...example.longest_wait!,
    createdAt: new Date(Date.now() - 26 * 3_600_000).toISOString(),
  };
  mockReply(analytics.getWaiting, {
    data: { ...example, unread: count(1000, true), longest_wait: longest },
  });
  renderScreen(<Dashboard />);
  const region = await waits();
  const links = await waitFor(() => {
    const all = within(region).getAllByRole('link');
    expect(all).toHaveLength(4);
    return all;
  });
  expect(links.map((link) => [link.textContent?.trim(), link.getAttribute('href')])).toEqual([
    ['Unread1,000+Conversations', '/inbox?view=unread'],
    ['Calls to return3Missed, not called back', '/activity/calls?outcome=due'],
    ['Unheard voicemails2Not played yet', '/activity/voicemails?unread=1'],
    [expect.stringMatching(/^Longest wait1 day/), `/inbox/${longest.conversationId}`],
  ]);
  const headings = screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent);
  expect(headings[0]).toMatch(/^Waiting for a reply/);
});

test('with nothing waiting it says so; figures of lists the role can’t open are left out', async () => {
  const none = {
    unread: null,
    missed: count(0),
    voicemails: count(0),
    opt_outs: null,
    longest_wait: null,
  };
  mockReply(analytics.getWaiting, { data: none });
  renderScreen(<Dashboard />, { permissions: permissionsOf('reporting') });
  const region = await waits();
  await within(region).findByText('You’re all caught up.');
  expect(within(region).queryByText('Unread')).toBeNull();
  expect(within(region).getByText('Longest wait').closest('a')).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Live now' })).toBeNull();
});

test('figures that fail to load leave the rest of the page, and can be retried', async () => {
  mockReply(analytics.getWaiting, errorReply(500, { message: 'no' }));
  const { user } = renderScreen(<Dashboard />);
  const region = await waits();
  await within(region).findByText(/couldn’t be loaded|Couldn’t load/);
  await screen.findByRole('region', { name: /^Calls and texts/ });
  mockReply(analytics.getWaiting, exampleAnswer(analytics.getWaiting));
  await user.click(within(region).getByRole('button', { name: 'Try again' }));
  await within(region).findByText('Calls to return');
});

test('five figures are compared over the same length; others and the days are under More', async () => {
  const { user } = renderScreen(<Dashboard />);
  const region = await screen.findByRole('region', { name: /^Calls and texts/ });
  const bars = await within(region).findAllByRole('img');
  expect(bars.map((svg) => svg.textContent)).toEqual([
    expect.stringMatching(/^Incoming calls from Nov 1 to Nov 2: lowest 2 \(Nov 1\), highest 118/),
    expect.stringContaining('Answer rate'),
    expect.stringContaining('Missed calls'),
    expect.stringContaining('New callers'),
    expect.stringContaining('Texts'),
  ]);
  expect(requestsTo(analytics.callKpi)[0]!.body).toMatchObject({ sameTime: true });
  await user.click(within(region).getByText('More'));
  within(region).getByText('Ring time');
  const rows = within(within(region).getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual([
    'DayIncoming callsAnswer rateMissed callsNew callersTexts',
    'Nov 211878.1%1330336',
    'Nov 1250%114',
  ]);
});

test('a company younger than the compared period has no comparison', async () => {
  const example = exampleAnswer(companies.getCompany);
  mockReply(companies.getCompany, {
    data: { ...example.data, created_at: new Date(Date.now() - 3 * 86_400_000).toISOString() },
  });
  renderScreen(<Dashboard />);
  const region = await screen.findByRole('region', { name: /^Calls and texts/ });
  await waitFor(() =>
    expect(within(region).getAllByText('No earlier data').length).toBeGreaterThan(4),
  );
  expect(within(region).queryByText(/^\+/)).toBeNull();
});

test('live calls are listed with who is on them; without any it says so', async () => {
  const { cache } = renderScreen(<LiveNow />);
  const row = (await screen.findByText('Dana Reed')).closest('a')!;
  expect(row.textContent).toMatch(/^TalkingDana ReedUna User/);
  mockReply(live.listLiveCalls, { data: [] });
  await cache.invalidateQueries();
  await screen.findByText('No calls right now.');
});

test('a campaign is one row under Latest, without its single texts', async () => {
  const [example] = exampleAnswer(campaigns.listCampaigns).data;
  const at = new Date(Date.now() - 60_000).toISOString();
  mockReply(
    campaigns.listCampaigns,
    pageOf([{ ...example!, title: 'Recall', started_at: at, finished_at: at, sent_count: 87 }]),
  );
  renderScreen(<Dashboard />);
  const row = (await screen.findByText('Recall')).closest('a')!;
  expect(row.textContent).toContain('Campaign, 87 texts sent');
  expect(requestsTo(conversations.listActivity)[0]!.body.groups).toEqual([
    [{ field: 'campaign', op: 'eq', value: false }],
  ]);
});
