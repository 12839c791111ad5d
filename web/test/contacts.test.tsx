import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { contacts } from '#contract';
import { AddContact } from '../src/features/contacts/AddContact.tsx';
import { InlineField } from '../src/features/contacts/InlineField.tsx';
import { TextButton } from '../src/features/conversations/contact/TextButton.tsx';
import Contacts from '../src/features/contacts/screens/Contacts.tsx';
import {
  mockReply,
  exampleAnswer,
  pageOf,
  testLocation,
  errorReply,
  requestsTo,
  screen,
  renderScreen,
  waitFor,
} from './screen.tsx';

const example = exampleAnswer(contacts.getContact).data;

test('a contact without a valid number isn’t created; with one it is, and its page opens', async () => {
  const { user } = renderScreen(<AddContact open close={() => {}} />);
  const number = await screen.findByRole('textbox', { name: /Phone number/ });
  await user.type(number, '12');
  await user.click(screen.getByRole('button', { name: 'Add contact' }));
  await screen.findByText('Enter a phone number.');
  expect(requestsTo(contacts.createContact)).toEqual([]);
  await user.clear(number);
  await user.type(number, '(212) 555-0147');
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Dana Reed');
  await user.click(screen.getByRole('button', { name: 'Add contact' }));
  await waitFor(() => expect(testLocation.href).toBe('/contacts/77'));
  expect(requestsTo(contacts.createContact)[0]!.body).toMatchObject({
    company_id: 1,
    name: 'Dana Reed',
  });
});

test('an error of the server shows at its field, which gets the focus', async () => {
  mockReply(
    contacts.createContact,
    errorReply(422, { errors: { email: ['Somebody else has this address.'] } }),
  );
  const { user } = renderScreen(<AddContact open close={() => {}} number="(212) 555-0147" />);
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'dana@example.com');
  await user.click(screen.getByRole('button', { name: 'Add contact' }));
  await screen.findByText('Somebody else has this address.');
  expect(screen.getByRole('textbox', { name: 'Email' }).getAttribute('aria-invalid')).toBe('true');
});

test('a number that a contact already has leads to that contact', async () => {
  mockReply(
    contacts.createContact,
    errorReply(409, { errors: [{ detail: 'A contact has this number already.', id: 42 }] }),
  );
  const { user } = renderScreen(<AddContact open close={() => {}} number="(212) 555-0147" />);
  await user.click(await screen.findByRole('button', { name: 'Add contact' }));
  const link = await screen.findByRole('link', { name: 'Open the contact with this number' });
  expect(link.getAttribute('href')).toBe('/contacts/42');
});

test('filters are read from the address, written to it, and reset the page to 1', async () => {
  mockReply(contacts.listContacts, () => pageOf([example], 120, 50));
  const { user } = renderScreen(<Contacts />, { address: '/contacts?search=dana&page=2' });
  const search = await screen.findByRole('searchbox', { name: /Search/ });
  expect((search as HTMLInputElement).value).toBe('dana');
  await waitFor(() =>
    expect(requestsTo(contacts.listContacts).at(-1)!.query).toMatchObject({
      search: 'dana',
      page: 2,
    }),
  );
  await user.clear(search);
  await user.type(search, 'reed{Enter}');
  await waitFor(() => expect(testLocation.href).toBe('/contacts?search=reed'));
  await waitFor(() =>
    expect(requestsTo(contacts.listContacts).at(-1)!.query).toMatchObject({
      search: 'reed',
      page: 1,
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(testLocation.href).toBe('/contacts'));
});

test('Select all includes matching contacts of other pages', async () => {
  mockReply(contacts.listContacts, () =>
    pageOf(
      [
        { ...example, id: 77 },
        { ...example, id: 78 },
      ],
      60,
      50,
    ),
  );
  const { user } = renderScreen(<Contacts />, { address: '/contacts' });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  await user.click(await screen.findByRole('button', { name: 'Select all 60 that match' }));
  await screen.findByText('60 selected');
});

test('Enter saves a contact’s field, Escape restores it, and an unchanged value isn’t sent', async () => {
  const save = vi.fn<(value: string) => Promise<boolean>>(() => Promise.resolve(true));
  const { user } = renderScreen(<InlineField label="City" value="Boston" save={save} />);
  const city = await screen.findByRole('textbox', { name: 'City' });
  await user.type(city, 'x{Escape}');
  expect((city as HTMLInputElement).value).toBe('Boston');
  await user.tab();
  expect(save).not.toHaveBeenCalled();
  await user.clear(city);
  await user.type(city, ' Salem {Enter}');
  expect(save.mock.calls).toEqual([['Salem']]);
});

/**
 * A contact's city, changed by another person from Boston to Salem while the pointer is on the
 * button.
 */
async function theCity() {
  const save = vi.fn<(value: string) => Promise<boolean>>(() => Promise.resolve(true));
  function City() {
    const [stored, setStored] = useState('Boston');
    return (
      <>
        <InlineField label="City" value={stored} save={save} />
        <div onMouseEnter={() => setStored('Salem')}>News</div>
      </>
    );
  }
  const { user } = renderScreen(<City />);
  return {
    user,
    save,
    city: await screen.findByRole<HTMLInputElement>('textbox', { name: 'City' }),
  };
}

test('typed text stays when the stored value changes meanwhile, and Enter saves it', async () => {
  const { user, city, save } = await theCity();
  await user.type(city, ' North');
  await user.hover(screen.getByText('News'));
  expect(city.value).toBe('Boston North');
  await user.type(city, '{Enter}');
  expect(save.mock.calls).toEqual([['Boston North']]);
});

test('an untouched field shows its new stored value, and Escape restores that one', async () => {
  const { user, city, save } = await theCity();
  await user.hover(screen.getByText('News'));
  expect(city.value).toBe('Salem');
  await user.type(city, 'x{Escape}');
  expect(city.value).toBe('Salem');
  await user.tab();
  expect(save).not.toHaveBeenCalled();
});

test.each([
  ['opted out', true, false, 'Text This contact opted out and cannot be texted.'],
  ['is blocked', false, true, 'Text This contact is blocked. Unblock them to send a message.'],
] as const)(
  'a contact who %s can’t be texted, and the button says so',
  async (_, unsubscribed, blocked, name) => {
    const { user } = renderScreen(
      <TextButton contact={{ ...example, unsubscribed }} blocked={blocked} />,
    );
    const button = await screen.findByRole('button', { name });
    await user.click(button);
    expect([
      button.getAttribute('aria-disabled'),
      screen.queryByRole('dialog'),
      testLocation.href,
    ]).toEqual(['true', null, '/']);
  },
);
