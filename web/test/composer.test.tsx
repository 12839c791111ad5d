import { expect, test } from 'vitest';
import { conversations } from '#contract';
import { Composer } from '../src/features/conversations/composer/Composer.tsx';
import { cleanup } from '@testing-library/react';
import { exampleAnswer, requestsTo, screen, renderScreen, waitFor } from './screen.tsx';

const conversation = exampleAnswer(conversations.getConversation).data;
const composer = (changes: Partial<typeof conversation> = {}) => (
  <Composer conversation={{ ...conversation, ...changes }} dropped={[]} onTaken={() => {}} />
);
const message = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });

test('the counter shows segments and the character that shortens them; plain characters fix it', async () => {
  const { user } = renderScreen(composer());
  await user.type(await message(), 'See you – at noon');
  const segments = await screen.findByTestId('segments');
  await waitFor(() => expect(segments.textContent).toBe('53 left · 1 segment'));
  await screen.findByText(/Unicode:/);
  await user.click(screen.getByRole('button', { name: 'Use plain' }));
  expect((await message()).value).toBe('See you - at noon');
  await waitFor(() =>
    expect(screen.getByTestId('segments').textContent).toBe('143 left · 1 segment'),
  );
});

test('a draft is kept per conversation and returns with it', async () => {
  const { user } = renderScreen(composer({ id: 9101 }));
  await user.type(await message(), 'I will ask');
  cleanup();
  renderScreen(composer({ id: 9102 }));
  expect((await message()).value).toBe('');
  cleanup();
  renderScreen(composer({ id: 9101 }));
  expect((await message()).value).toBe('I will ask');
});

test('Enter sends and empties the field; Shift+Enter starts a line', async () => {
  const { user } = renderScreen(composer({ id: 9103 }));
  await user.type(await message(), 'One{Shift>}{Enter}{/Shift}two');
  expect((await message()).value).toBe('One\ntwo');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(requestsTo(conversations.sendMessage)).toHaveLength(1));
  expect((await message()).value).toBe('');
});

test('an empty message isn’t sent', async () => {
  const { user } = renderScreen(composer({ id: 9104 }));
  await user.type(await message(), '   {Enter}');
  expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true);
  expect(requestsTo(conversations.sendMessage)).toEqual([]);
});

test('opted-out people can’t be texted: the composer says why and offers a note', async () => {
  const { user } = renderScreen(
    composer({ id: 9105, whyNotText: 'contact_opted_out', isUnsubscribed: true }),
  );
  await screen.findByText('This contact opted out and cannot be texted.');
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
  await user.click(screen.getByRole('button', { name: /note/i }));
  await user.type(await screen.findByRole('textbox', { name: 'Note' }), 'Call instead');
  await user.click(screen.getByRole('button', { name: 'Add note' }));
  await waitFor(() =>
    expect(requestsTo(conversations.addNote).map(({ body }) => body.body)).toEqual([
      'Call instead',
    ]),
  );
});

test('a message is scheduled for tomorrow morning and leaves the composer', async () => {
  const { user } = renderScreen(composer({ id: 9106 }));
  await user.type(await message(), 'Good morning');
  await user.click(screen.getByRole('button', { name: 'More ways to send' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Send later' }));
  await user.click(await screen.findByRole('button', { name: /^Schedule for / }));
  await waitFor(() => expect(requestsTo(conversations.scheduleMessage)).toHaveLength(1));
  await waitFor(async () => expect((await message()).value).toBe(''));
});
