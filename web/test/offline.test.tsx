import { useState } from 'react';
import { expect, test } from 'vitest';
import { cleanup } from '@testing-library/react';
import { conversations } from '#contract';
import { lazyComponent, session } from '#ui';
import { PhoneDock } from '../src/features/calls/phone/PhoneDock.tsx';
import { phone } from '../src/features/calls/phone/phone.ts';
import { Composer } from '../src/features/conversations/composer/Composer.tsx';
import { Thread } from '../src/features/conversations/thread/Thread.tsx';
import type { ConversationActions } from '../src/features/conversations/use-conversation-actions.ts';
import {
  mockReply,
  exampleAnswer,
  pageOf,
  network,
  requestsTo,
  screen,
  renderScreen,
  waitFor,
  within,
} from './screen.tsx';

const { data: conversation } = exampleAnswer(conversations.getConversation);
const { data: sent } = exampleAnswer(conversations.sendMessage);
const actions = { mayDelete: false, read: async () => true } as unknown as ConversationActions;
/** The thread with its composer, showing what the server received. */
function renderConversation(id: number) {
  const here = { ...conversation, id, numUnreadItems: 0 };
  mockReply(conversations.listConversationItems, () => {
    const page = pageOf([]);
    return { ...page, meta: { ...page.meta, next_cursor: null } };
  });
  mockReply(conversations.sendMessage, ({ body }) => ({
    data: {
      ...sent,
      id: 50,
      conversationId: id,
      details: {
        ...sent.details,
        content: body.message,
        deliveryState: 'queued',
        clientKey: body.clientKey,
      },
    } as typeof sent,
  }));
  return renderScreen(
    <>
      <Thread conversation={here} acts={actions} target={null} />
      <Composer conversation={here} dropped={[]} onTaken={() => {}} />
    </>,
  );
}
const message = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });

test('a message written offline stays in the thread and Retry sends it once', async () => {
  const { user } = renderConversation(9201);
  network.down = true;
  await user.type(await message(), 'On my way{Enter}');
  await screen.findByText('You’re offline. Your message is saved.');
  expect(screen.queryByText(/unknown error/i)).toBeNull();
  expect((await message()).value).toBe('');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('You’re offline. Your message is saved.');
  network.down = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull());
  expect(requestsTo(conversations.sendMessage).map(({ body }) => body.message)).toEqual([
    'On my way',
  ]);
  expect(Object.keys(localStorage).filter((key) => key.includes('unsent'))).toEqual([]);
});

test('a message whose response was lost is resent with its key, so that the server stores it once', async () => {
  const { user } = renderConversation(9202);
  network.lostAnswers.add(conversations.sendMessage.name);
  await user.type(await message(), 'Half past nine{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(requestsTo(conversations.sendMessage)).toHaveLength(2));
  const [first, second] = requestsTo(conversations.sendMessage);
  expect(first!.key).toBeTruthy();
  expect([second!.key, second!.body]).toEqual([first!.key, first!.body]);
});

test('an unsent message can be edited again', async () => {
  const { user } = renderConversation(9203);
  network.down = true;
  await user.type(await message(), 'On my wy{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  expect((await message()).value).toBe('On my wy');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a note written offline shows an error and stays in the field; added again it has its key', async () => {
  const { user } = renderConversation(9204);
  await user.click(await screen.findByRole('button', { name: 'Note' }));
  network.lostAnswers.add(conversations.addNote.name);
  const note = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  await user.type(await note(), 'Call her back');
  await user.click(screen.getByRole('button', { name: 'Add note' }));
  const alert = (await screen.findAllByRole('alert')).find((one) => one.textContent);
  expect(alert?.textContent).toContain('Check your connection and try again.');
  expect((await note()).value).toBe('Call her back');
  await user.click(screen.getByRole('button', { name: 'Add note' }));
  await waitFor(() => expect(requestsTo(conversations.addNote)).toHaveLength(2));
  const [first, second] = requestsTo(conversations.addNote);
  expect(second!.key).toBe(first!.key);
});

test('the phone shows “Receiving calls” only while calls can ring', async () => {
  renderScreen(<PhoneDock />);
  session.set((s) => ({
    user: { ...s.user!, sip_address: 'a', sip_password: 'b', sip_user: 'c' },
  }));
  const ready = {
    connection: 'ready',
    lines: [],
    muted: false,
    microphone: { kind: 'device', deviceId: null },
  } as const;
  const said = (words: string) => screen.findByRole('button', { name: `In-app phone: ${words}` });
  phone.set({ tabState: 'here', status: 'active', media: ready, registered: true });
  await said('Receiving calls');
  phone.set({ media: { ...ready, connection: 'joining' } });
  await said('Connecting…');
  await said('Offline – calls won’t ring here');
  phone.set({ media: ready });
  await said('Receiving calls');
  // The line is up, but the server gets no heartbeat of this device.
  phone.set({ registered: false });
  await said('Offline – calls won’t ring here');
  phone.set({ registered: true });
  window.dispatchEvent(new Event('offline'));
  await said('Offline – calls won’t ring here');
  window.dispatchEvent(new Event('online'));
  await said('Receiving calls');
  cleanup();
  phone.set({ tabState: 'off', status: null, media: null });
});

test('a phone open in another tab has “Use here”', async () => {
  renderScreen(<PhoneDock />);
  session.set((s) => ({
    user: { ...s.user!, sip_address: 'a', sip_password: 'b', sip_user: 'c' },
  }));
  phone.set({ tabState: 'elsewhere' });
  const dock = (await screen.findByText('Phone is open in another tab')).closest('div')!;
  within(dock).getByRole('button', { name: 'Use here' });
  cleanup();
  phone.set({ tabState: 'off' });
});

test('a dialog that couldn’t be loaded says so, and opens once there is a network', async () => {
  let online = false;
  const Dialog = lazyComponent<{ onClose: () => void }>(async () => {
    if (!online) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>Here it is</p>;
  });
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        {open && <Dialog onClose={() => setOpen(false)} />}
        <button type="button" aria-expanded={open} onClick={() => setOpen(true)}>
          Open
        </button>
      </>
    );
  }
  const { user } = renderScreen(<Page />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByText('Can’t reach Trunkline. Check your connection and try again.');
  await screen.findByRole('button', { name: 'Open', expanded: false });
  online = true;
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByText('Here it is');
});
