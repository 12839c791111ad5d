import { expect, test } from 'vitest';
import { conversations } from '#contract';
import { ContactPanel } from '../src/features/conversations/contact/ContactPanel.tsx';
import { exampleAnswer, renderScreen, screen } from './screen.tsx';

const { data: conversation } = exampleAnswer(conversations.getConversation);

test('the person panel links to the contact, and Block is in its menu', async () => {
  const { user } = renderScreen(<ContactPanel conversation={conversation} />);
  const link = await screen.findByRole('link', { name: 'View contact' });
  expect(link.getAttribute('href')).toBe(`/contacts/${conversation.contact!.id}`);
  expect(screen.queryByRole('button', { name: 'Block' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await screen.findByRole('menuitem', { name: 'Block' });
});
