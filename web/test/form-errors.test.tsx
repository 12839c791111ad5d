import { expect, test } from 'vitest';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { adminMode, oauthProvider } from '#contract';
import { bindFieldErrors, toast, useApiMutation } from '#ui';
import AdminMode from '../src/features/companies/screens/AdminMode.tsx';
import { RegisterApplication } from '../src/features/identity/applications/RegisterApplication.tsx';
import { errorReply, mockReply, renderScreen, screen, waitFor } from './screen.tsx';

const refusal = (...errors: [pointer: string, detail: string][]) =>
  errorReply(422, {
    ...{ message: errors[0]?.[1], code: 'invalid' },
    errors: Object.fromEntries(errors.map(([field, detail]) => [field, [detail]])),
  });

test('an error of one line of a text box is shown at the box', async () => {
  mockReply(
    oauthProvider.createOAuthClient,
    refusal(['redirect_uris.0', 'This address can’t be used.']),
  );
  const { user } = renderScreen(<RegisterApplication onClose={() => {}} />);
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'X');
  const box = screen.getByRole('textbox', { name: 'Redirect addresses' });
  await user.type(box, 'https://evil.example/back');
  await user.click(screen.getByRole('button', { name: 'Register' }));
  await waitFor(() => expect(box.getAttribute('aria-invalid')).toBe('true'));
  screen.getByText('This address can’t be used.');
  expect(toast.store.get().notice).toBeNull();
});

/** A form that holds more than it shows. */
function Half() {
  const form = useForm({ initialValues: { name: '', redirect_uris: [''] } });
  const { mutate } = useApiMutation(oauthProvider.createOAuthClient, {
    onFieldErrors: bindFieldErrors(form),
  });
  const body = { name: 'X', redirect_uris: ['https://evil.example/back'], confidential: true };
  return (
    <form onSubmit={form.onSubmit(() => void mutate({ params: { companyId: 1 }, body }))}>
      <TextInput label="Name" {...form.getInputProps('name')} />
      <button type="submit">Save</button>
    </form>
  );
}

test('an error that no control shows is told in a toast', async () => {
  mockReply(
    oauthProvider.createOAuthClient,
    refusal(['name', 'Too long.'], ['redirect_uris.0', 'This address can’t be used.']),
  );
  const { user } = renderScreen(<Half />);
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await screen.findByText('Too long.');
  await waitFor(() => expect(JSON.stringify(toast.store.get().notice)).toContain('can’t be used'));
  expect(JSON.stringify(toast.store.get().notice)).not.toContain('Too long.');
});

test('a form that shows its errors without toasts shows those of its fields, too', async () => {
  mockReply(adminMode.enterAdminMode, refusal(['reason', 'Say why, in a few words.']));
  const { user } = renderScreen(<AdminMode />);
  const reason = await screen.findByRole('textbox', { name: 'Reason' });
  await user.type(reason, 'A test of the form');
  await user.click(screen.getByRole('button', { name: 'Enter admin mode' }));
  await screen.findByText('Say why, in a few words.');
  expect(reason.getAttribute('aria-invalid')).toBe('true');
  expect(toast.store.get().notice).toBeNull();
});
