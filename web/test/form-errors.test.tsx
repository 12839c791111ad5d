import { expect, test } from 'vitest';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { oauthProvider } from '#contract';
import { bindFieldErrors, toast, useApiMutation } from '#ui';
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
