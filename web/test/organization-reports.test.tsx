import { expect, test } from 'vitest';
import { callAnalytics, organizations, type Answer } from '#contract';
import { session } from '#ui';
import CallReports from '../src/features/analytics/screens/CallReports.tsx';
import {
  exampleAnswer,
  mockReply,
  pageOf,
  renderScreen,
  requestsTo,
  screen,
  within,
} from './screen.tsx';

type Report = Answer<typeof callAnalytics.analyzeCalls>;
const companies = [
  { id: 1, name: 'Harbor Dental', is_limited: false },
  { id: 2, name: 'Harbor Law', is_limited: true },
];
const example = exampleAnswer(callAnalytics.analyzeCalls);
const report: Report = {
  ...example,
  data: companies.map(({ id, name }) => ({ ...example.data[0]!, key: String(id), label: name })),
  meta: { ...example.meta, companies },
};

test('a report of an organization says whose calls it has, and its companies open to theirs', async () => {
  const group = exampleAnswer(organizations.listOrganizations).data[0]!;
  mockReply(
    organizations.listOrganizations,
    pageOf([{ ...group, id: 7, name: 'Harborline Group', timezone: 'America/Chicago' }]),
  );
  mockReply(callAnalytics.analyzeCalls, report);
  renderScreen(<CallReports />, {
    address: '/analytics/calls?organization=7&group=company&number=12&source=google_ads',
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
  await screen.findByText(/2 companies of Harborline Group\. Days in Central Time\./);
  const table = within(await screen.findByRole('region', { name: 'Report' }));
  expect(table.getByRole('link', { name: 'Harbor Law' }).getAttribute('href')).toBe(
    '/analytics/calls?organization=7&company=2&source=google_ads',
  );
  expect(table.getAllByText('Your numbers only')).toHaveLength(1);
  // A number belongs to one company.
  expect(screen.queryByRole('combobox', { name: 'Your number' })).toBeNull();
  const asked = requestsTo(callAnalytics.analyzeCalls);
  expect(asked.length).toBeGreaterThan(0);
  for (const { query } of asked)
    expect([query.tz, query.business_unit_ids, query.number_ids, query.sources]).toEqual([
      'America/Chicago',
      [7],
      undefined,
      ['google_ads'],
    ]);
});
