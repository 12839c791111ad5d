import { expect, test } from 'vitest';
import { dashboard, organizations, type Answer } from '#contract';
import { session } from '#ui';
import CallDashboard from '../src/features/analytics/screens/CallDashboard.tsx';
import {
  exampleAnswer,
  mockReply,
  pageOf,
  renderScreen,
  requestsTo,
  screen,
  within,
} from './screen.tsx';

type Board = Answer<typeof dashboard.getDashboard>;
const companies = [
  { id: 1, name: 'Harbor Dental', is_limited: false },
  { id: 2, name: 'Harbor Law', is_limited: true },
  { id: 3, name: 'Harbor Motors', is_limited: false },
];
const values = (calls: number) => ({ calls, answer_rate: 75, missed: 2, leads: 1, first_time: 1 });
const board = (isOrganization: boolean, isByCompany: boolean): Board => ({
  ...exampleAnswer(dashboard.getDashboard),
  data: isByCompany
    ? [
        { key: '1', label: 'Harbor Dental', values: values(9) },
        { key: '2', label: 'Harbor Law', values: values(12) },
      ]
    : [{ key: '2026-11-01', label: '', values: values(21) }],
  totals: values(21),
  previous: null,
  meta: {
    ...exampleAnswer(dashboard.getDashboard).meta,
    companies: isOrganization ? companies : null,
  },
});

test('an organization’s companies are a table, each opens to its dashboard', async () => {
  const example = exampleAnswer(organizations.listOrganizations).data[0]!;
  const group = { ...example, id: 7, name: 'Harborline Group', timezone: 'America/Chicago' };
  mockReply(organizations.listOrganizations, pageOf([group]));
  mockReply(dashboard.getDashboard, ({ body }) => ({
    ...board(body.filters.business_unit_ids !== undefined, body.groupBy === 'company'),
    ...(body.type === 'heatmap' && { data: [] }),
  }));
  const { user: person } = renderScreen(<CallDashboard />, {
    address: '/analytics/dashboard?organization=7&source=google_ads',
  });
  session.set(({ user }) => ({
    user: user && {
      ...user,
      companies: companies.map(({ id, name }) => ({
        ...user.companies[0]!,
        ...{ id, name, organization_id: 7 },
      })),
    },
  }));
  await screen.findByText(/3 companies of Harborline Group. Days in Central Time\./);
  const link = await screen.findByRole('link', { name: 'Harbor Law' });
  const rows = within(link.closest('table')!).getAllByRole('row');
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    'Harbor LawYour numbers only1275%21',
    'Harbor Dental975%21',
    'Harbor Motors0–00',
  ]);
  const asked = requestsTo(dashboard.getDashboard);
  for (const { body } of asked)
    expect([body.tz, body.filters.business_unit_ids, body.filters.sources]).toEqual([
      ...['America/Chicago', [7], ['google_ads']],
    ]);
  expect(link.getAttribute('href')).toBe('/analytics/dashboard?source=google_ads');
  await person.click(link);
  expect(session.get().selectedCompanyId).toBe(2);
});
