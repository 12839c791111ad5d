import { expect, test } from 'vitest';
import { callAnalytics, dashboard } from '#contract';
import CallDashboard from '../src/features/analytics/screens/CallDashboard.tsx';
import CallReports from '../src/features/analytics/screens/CallReports.tsx';
import { exampleAnswer, mockReply, renderScreen, requestsTo, screen, waitFor } from './screen.tsx';

const said = 'phrases=8123&mood=negative&tag=appt_booked';
const wanted = {
  phrase_list_ids: [8123],
  sentiments: ['negative'],
  outcomes: ['appt_booked'],
};

test('what was said limits every part of the dashboard, and the reports they lead to', async () => {
  const answer = exampleAnswer(dashboard.getDashboard);
  mockReply(dashboard.getDashboard, ({ body }) => ({
    ...answer,
    totals: { calls: 3 },
    data:
      body.type === 'heatmap' ? [] : [{ key: '2026-11-01', label: 'Ads', values: { calls: 3 } }],
  }));
  renderScreen(<CallDashboard />, { address: `/analytics/dashboard?${said}` });
  const [link] = await screen.findAllByRole('link', { name: 'View report' });
  expect(link!.getAttribute('href')).toContain(said);
  await screen.findByRole('heading', { name: 'Phrases' });
  await waitFor(() =>
    expect(requestsTo(dashboard.getDashboard).map(({ body }) => body.groupBy)).toEqual(
      expect.arrayContaining(['sentiment', 'phrase_list', 'tag']),
    ),
  );
  for (const { body } of requestsTo(dashboard.getDashboard))
    expect(body.filters).toMatchObject(wanted);
});

test('and a call report; a sentiment that doesn’t exist is none', async () => {
  renderScreen(<CallReports />, { address: `/analytics/calls?group=number&${said}` });
  await waitFor(() =>
    expect(requestsTo(callAnalytics.analyzeCalls)[0]?.query).toMatchObject(wanted),
  );
  renderScreen(<CallReports />, { address: '/analytics/calls?group=number&mood=furious' });
  await waitFor(() =>
    expect(requestsTo(callAnalytics.analyzeCalls).at(-1)?.query.sentiments).toBeUndefined(),
  );
});
