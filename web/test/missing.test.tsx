import { expect, test } from 'vitest';
import { Loader } from '@mantine/core';
import { calls, conversations } from '#contract';
import { Transcript } from '../src/features/calls/record/Transcript.tsx';
import CallRecord from '../src/features/calls/screens/CallRecord.tsx';
import { RecentCalls } from '../src/features/conversations/contact/RecentCalls.tsx';
import {
  errorReply,
  mockReply,
  network,
  pageOf,
  renderScreen,
  screen,
  waitFor,
  withRoute,
} from './screen.tsx';

const problem = (status: number, title: string) =>
  errorReply(status, { errors: [{ status, code: 'x', title }], message: title });

test('a record that isn’t there is named and offers no retry; a failure offers one', async () => {
  mockReply(calls.getCall, problem(404, 'We couldn’t find that.'));
  renderScreen(withRoute('/calls/$id', CallRecord, '/calls/12'));
  await screen.findByRole('heading', { name: 'Call not found' });
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a record that couldn’t be loaded offers to try again', async () => {
  mockReply(calls.getCall, problem(403, 'Your role does not allow this.'));
  renderScreen(withRoute('/calls/$id', CallRecord, '/calls/12'));
  await screen.findByRole('button', { name: 'Try again' });
});

test('“No calls yet.” is only said of an answer', async () => {
  mockReply(conversations.listConversationItems, pageOf([]));
  network.down = true;
  const { cache } = renderScreen(<RecentCalls conversationId={1} />);
  await screen.findByRole('heading', { name: 'Recent calls' });
  await waitFor(() => expect(cache.isFetching()).toBe(0));
  expect(screen.queryByText('No calls yet.')).toBeNull();
  network.down = false;
  await cache.refetchQueries();
  await screen.findByText('No calls yet.');
});

test('what is being loaded is said, not only shown', async () => {
  renderScreen(<Loader aria-label="Counting" />);
  await screen.findByRole('status', { name: 'Counting' });
});

const words: calls.Call['transcription'] = {
  id: null,
  state: 'ready',
  text: 'Hello.',
  raw: null,
  metadata: null,
  statistics: {
    agent: { percent: 60, seconds: 30, words: 80 },
    client: { percent: 40, seconds: 20, words: 50 },
    silence_percent: 10,
    overtalk_seconds: 0,
    longest_monologue_seconds: 8,
    from: 'voice',
  },
};

test('a transcript shows who talked how much', () => {
  renderScreen(<Transcript words={words} playback={null} />);
  expect(screen.getByRole('img', { name: 'Agent 60%, client 40%' })).toBeTruthy();
});

test('a voicemail has one speaker, so no shares', () => {
  renderScreen(<Transcript words={words} playback={null} isVoicemail />);
  expect(screen.queryByRole('img')).toBeNull();
});
