import { Profiler } from 'react';
import { expect, test } from 'vitest';
import { tracking } from '#contract';
import { handleEvent } from '../../ui/src/live.ts';
import TrackingLive from '../src/features/tracking/screens/TrackingLive.tsx';
import { exampleAnswer, mockReply, renderScreen, requestsTo, screen, waitFor } from './screen.tsx';

type Row = tracking.FeedRow;
const example = exampleAnswer(tracking.realTimeFeed).data[0]!;
let seq = 0;
const aRow = (id: string, more: Partial<Row> = {}): Row => ({
  ...example,
  id,
  type: 'session_started',
  at: new Date(Date.parse(example.at) + ++seq * 1000).toISOString(),
  ...more,
});
const happens = (row: Row): void =>
  handleEvent('dni-feed', 'private-companies.1', {
    event: 'dni-feed',
    id: `e${++seq}`,
    at: row.at,
    companyId: 1,
    seq,
    data: row,
  });
const rowsShown = () => screen.queryAllByRole('row').slice(1);
const shows = (text: RegExp | string) => waitFor(() => screen.getByText(text));

test('a visit appears as it happens, once, and a call leads to its record', async () => {
  mockReply(tracking.realTimeFeed, { data: [] });
  renderScreen(<TrackingLive />);
  await shows('No visits yet');
  const row = aRow('session_started-9');
  happens(row);
  happens(row);
  await shows('Google Ads');
  expect(rowsShown()).toHaveLength(1);
  happens(aRow('call-12', { type: 'call', caller: '+12125559123', subjectId: 12 }));
  const link = await waitFor(() => screen.getByRole('link', { name: 'Call' }));
  expect(link.getAttribute('href')).toBe('/calls/12');
  screen.getByText('(212) 555-9123');
});

test('two hundred rows at once are drawn together, and the list stays bounded', async () => {
  mockReply(tracking.realTimeFeed, { data: [] });
  let drawings = 0;
  renderScreen(
    <Profiler id="feed" onRender={() => drawings++}>
      <TrackingLive />
    </Profiler>,
  );
  await shows('No visits yet');
  const before = drawings;
  for (let i = 0; i < 200; i++)
    happens(aRow(`session_started-${i}`, { page: `https://a.test/${i}` }));
  await shows('/199');
  // One for the rows; the virtual list measures itself once or twice.
  expect(drawings - before).toBeLessThanOrEqual(4);
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('101');
});

test('paused, it holds still and counts; resumed, it shows what came', async () => {
  mockReply(tracking.realTimeFeed, { data: [aRow('session_started-1', { campaign: 'first' })] });
  const { user } = renderScreen(<TrackingLive />);
  await shows('first');
  await user.keyboard('p');
  await shows('Paused');
  happens(aRow('session_started-2', { campaign: 'second' }));
  await user.click(await screen.findByRole('button', { name: 'Resume, 1 new' }));
  await shows('second');
  expect(screen.queryByText('Paused')).toBeNull();
});

test('filters limit what is read and what arrives; pages that stay open wait to be asked for', async () => {
  renderScreen(<TrackingLive />, { address: '/tracking/live?kind=call&source=google_ads' });
  await waitFor(() =>
    expect(requestsTo(tracking.realTimeFeed)[0]?.query).toMatchObject({
      types: ['call'],
      source: 'google_ads',
    }),
  );
  happens(aRow('session_started-3', { campaign: 'not a call' }));
  happens(
    aRow('call-4', {
      type: 'call',
      campaign: 'another',
      source: { key: 'direct', label: 'Direct' },
    }),
  );
  happens(aRow('call-5', { type: 'call', campaign: 'wanted' }));
  await shows('wanted');
  expect(screen.queryByText('not a call')).toBeNull();
  expect(screen.queryByText('another')).toBeNull();
});

test('heartbeats aren’t among any kind', async () => {
  renderScreen(<TrackingLive />);
  await waitFor(() =>
    expect(requestsTo(tracking.realTimeFeed)[0]?.query.types).not.toContain('heartbeat'),
  );
  happens(aRow('heartbeat-3', { type: 'heartbeat', campaign: 'still open' }));
  happens(aRow('session_started-6', { campaign: 'a visit' }));
  await shows('a visit');
  expect(screen.queryByText('still open')).toBeNull();
});
