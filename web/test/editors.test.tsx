import { expect, test } from 'vitest';
import { compliance, fields, forwarding, routing, schedules, triggers } from '#contract';
import { navigate } from '#ui';
import { ContactForm } from '../src/features/numbers/forwarding/ContactForm.tsx';
import { TriggersEditor } from '../src/features/numbers/details/TriggersEditor.tsx';
import { FieldEditor } from '../src/features/fields/FieldEditor.tsx';
import NumbersSchedule from '../src/features/routing/screens/NumbersSchedule.tsx';
import SettingsBlocked from '../src/features/compliance/screens/SettingsBlocked.tsx';
import {
  mockReply,
  exampleAnswer,
  testLocation,
  errorReply,
  requestsTo,
  screen,
  renderScreen,
  waitFor,
  within,
} from './screen.tsx';

test('a forwarding number is checked before it is sent, and sent as E.164', async () => {
  const { user } = renderScreen(
    <ContactForm contact={null} close={() => {}} onDelete={() => {}} />,
  );
  await user.click(await screen.findByRole('button', { name: 'Add' }));
  await screen.findByText('Enter a name.');
  await screen.findByText('Enter a valid phone number.');
  await user.type(screen.getByRole('textbox', { name: 'Name' }), ' Front desk ');
  await user.type(screen.getByRole('textbox', { name: 'Phone number' }), '(212) 555-0171');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(requestsTo(forwarding.createForwardContact)).toHaveLength(1));
  expect(requestsTo(forwarding.createForwardContact)[0]!.body).toMatchObject({
    name: 'Front desk',
    type: 'phone',
    number: '+12125550171',
    confirm_key: false,
  });
});

test('a SIP forward needs a SIP address, and a name that is taken shows an error at its field', async () => {
  mockReply(
    forwarding.createForwardContact,
    errorReply(422, { errors: { name: ['You have one by this name.'] } }),
  );
  const { user } = renderScreen(
    <ContactForm contact={null} close={() => {}} onDelete={() => {}} />,
  );
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Desk');
  await user.click(screen.getByRole('combobox', { name: 'Type' }));
  await user.click(await screen.findByRole('option', { name: 'SIP address' }));
  const address = await screen.findByRole('textbox', { name: 'SIP address' });
  await user.type(address, 'desk');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('Enter a SIP address, such as sip:desk@example.com.');
  await user.clear(address);
  await user.type(address, 'sip:desk@example.com');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('You have one by this name.');
});

test('choices: Enter adds one below, arrow keys move it, and empty ones aren’t saved', async () => {
  const { user } = renderScreen(<FieldEditor entity={1} field={null} onClose={() => {}} />);
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Stage');
  await user.click(screen.getByRole('combobox', { name: 'Type' }));
  await user.click(await screen.findByRole('option', { name: 'List of choices' }));
  await user.type(await screen.findByRole('textbox', { name: 'Choice 1' }), 'Won');
  await user.type(screen.getByRole('textbox', { name: 'Choice 2' }), 'Asked{Enter}');
  await screen.findByRole('textbox', { name: 'Choice 3' });
  screen.getByRole('button', { name: /^Move Asked/ }).focus();
  await user.keyboard('{ArrowUp}');
  await screen.findByText('Asked is now 1 of 3');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(requestsTo(fields.createField)).toHaveLength(1));
  expect(
    requestsTo(fields.createField)[0]!.body.choices.map((c: { value: string }) => c.value),
  ).toEqual(['Asked', 'Won']);
});

test('a field without a name or choices isn’t created', async () => {
  const { user } = renderScreen(<FieldEditor entity={1} field={null} onClose={() => {}} />);
  await user.click(await screen.findByRole('combobox', { name: 'Type' }));
  await user.click(await screen.findByRole('option', { name: 'List of choices' }));
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await screen.findByText('Enter a name.');
  await screen.findByText('Add at least one choice.');
  expect(requestsTo(fields.createField)).toEqual([]);
});

test('a key that is taken shows an error at its field', async () => {
  mockReply(fields.createField, errorReply(422, { errors: { key: ['This key is taken.'] } }));
  const { user } = renderScreen(<FieldEditor entity={1} field={null} onClose={() => {}} />);
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Stage');
  await user.type(screen.getByRole('textbox', { name: 'Key' }), 'stage');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await screen.findByText('This key is taken.');
});

test('a day off is saved with the schedule; before that, leaving the page asks', async () => {
  const { user } = renderScreen(<NumbersSchedule />, { address: '/numbers/schedule' });
  const save = await screen.findByRole('button', { name: 'Save schedule' });
  expect(save.hasAttribute('disabled')).toBe(true);
  const days = screen.getByRole('list', { name: 'Special dates' });
  const before = within(days).queryAllByRole('listitem').length;
  await user.click(screen.getByRole('button', { name: 'Add date' }));
  await waitFor(() => expect(within(days).getAllByRole('listitem')).toHaveLength(before + 1));
  await user.type(within(days).getAllByRole('textbox', { name: 'Name' }).at(-1)!, 'Staff outing');
  await screen.findByText('Unsaved changes');

  navigate('/inbox');
  await user.click(await screen.findByRole('button', { name: 'Stay' }));
  expect(testLocation.href).toBe('/numbers/schedule');

  await user.click(save);
  await waitFor(() => expect(requestsTo(schedules.saveSchedule)).toHaveLength(1));
  const { exceptions } = requestsTo(schedules.saveSchedule)[0]!.body;
  expect(exceptions.at(-1)).toMatchObject({ label: 'Staff outing', closed: true });
});

test('Discard restores the saved schedule', async () => {
  const { user } = renderScreen(<NumbersSchedule />, { address: '/numbers/schedule' });
  const open = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Open' });
  const saved = open.value;
  await user.click(open);
  await user.click(await screen.findByRole('option', { name: 'Direct Voicemail' }));
  await waitFor(() => expect(open.value).toBe('Direct Voicemail'));
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(open.value).toBe(saved));
  expect(requestsTo(schedules.saveSchedule)).toEqual([]);
});

test('a keyword reserved by carriers is rejected in the form; another one is sent', async () => {
  const number = exampleAnswer(routing.getNumber).data;
  const { user } = renderScreen(<TriggersEditor number={{ ...number, triggers: [] }} />);
  await user.click(await screen.findByRole('button', { name: 'Add keyword' }));
  const keyword = await screen.findByRole('textbox', { name: 'Keyword' });
  await user.type(keyword, 'STOP');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('This word is reserved by carriers. Choose another.');
  await user.clear(keyword);
  await user.type(keyword, 'JOIN');
  await user.type(screen.getByRole('textbox', { name: 'Answer' }), 'Welcome');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(requestsTo(triggers.updateTriggers)).toHaveLength(1));
  expect(requestsTo(triggers.updateTriggers)[0]!.body.upsert[0]).toMatchObject({
    keyword: 'JOIN',
    reply_text: 'Welcome',
    active: true,
  });
});

test('a prefix blocks all numbers that begin with it', async () => {
  const { user } = renderScreen(<SettingsBlocked />, { address: '/settings/blocked' });
  await user.click((await screen.findAllByRole('button', { name: 'Block a number' }))[0]!);
  await user.click(await screen.findByRole('combobox', { name: 'What to block' }));
  await user.click(await screen.findByRole('option', { name: 'All numbers with the same prefix' }));
  await user.type(await screen.findByLabelText('First digits'), '1 900');
  await user.click(screen.getByRole('button', { name: 'Block' }));
  await waitFor(() =>
    expect(requestsTo(compliance.addBlock).map(({ body }) => body.target)).toEqual(['+1900*']),
  );
});
