import { expect, test } from 'vitest';
import { support } from '#contract';
import { toast } from '#ui';
import Support from '../src/features/settings/screens/Support.tsx';
import { hasUnreadNotes } from '../src/shared/release-notes.ts';
import { renderScreen, requestsTo, screen, waitFor } from './screen.tsx';

test('a request is sent with its call-back, and its reference is named', async () => {
  const { user } = renderScreen(<Support />);
  await screen.findByText('S-7K3M-9QPD');
  await user.click(screen.getByRole('button', { name: 'Send request' }));
  await screen.findByText('Describe what you need help with.');
  await user.type(screen.getByRole('textbox', { name: /What do you need/ }), 'No sound.');
  await user.click(screen.getByRole('checkbox', { name: 'Call me back' }));
  await user.type(screen.getByRole('textbox', { name: 'Number to call' }), '(212) 555-0147');
  await user.click(screen.getByRole('button', { name: 'Send request' }));
  await waitFor(() =>
    expect(toast.store.get().notice?.title).toBe(
      'We received your request. Its reference is S-7K3M-9QPD.',
    ),
  );
  expect(requestsTo(support.createSupportTicket)).toHaveLength(1);
});

test('notes are unread until the person has opened them on or after their day', () => {
  expect(hasUnreadNotes(null)).toBe(true);
  expect(hasUnreadNotes('2026-11-20 09:00:00')).toBe(true);
  expect(hasUnreadNotes('2099-01-01 00:00:00')).toBe(false);
});
