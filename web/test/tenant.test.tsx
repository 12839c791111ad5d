import { expect, test } from 'vitest';
import { tenant as contract } from '#contract';
import { toast } from '#ui';
import OrganizationDomain from '../src/features/settings/screens/OrganizationDomain.tsx';
import OrganizationTenant from '../src/features/settings/screens/OrganizationTenant.tsx';
import {
  errorReply,
  exampleAnswer,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
} from './screen.tsx';

test('only what a section shows is saved, empty fields as null', async () => {
  const { user } = renderScreen(<OrganizationTenant />);
  const legal = await screen.findByLabelText('Legal name');
  await user.clear(legal);
  await user.click(screen.getAllByRole('button', { name: 'Save' })[0]!);
  await waitFor(() =>
    expect(toast.store.get().notice?.title).toBe('Information updated successfully'),
  );
  const body = requestsTo(contract.updateTenantInformation)[0]?.body as unknown;
  expect(body).toMatchObject({ name: 'Harbor Group', legal_name: null });
  expect(body).not.toHaveProperty('primary_color');
});

test('a color that people can’t read on is named', async () => {
  const { data } = exampleAnswer(contract.getTenant);
  mockReply(contract.getTenant, { data: { ...data, primary_color: '#FFEE00' } });
  renderScreen(<OrganizationTenant />);
  await screen.findByText(/^White text on your primary color has a contrast of 1\.2/);
});

test('a refused address is shown at its field', async () => {
  mockReply(
    contract.startSenderVerification,
    errorReply(422, { errors: { from_email: ['Enter an email address.'] } }),
  );
  const { user } = renderScreen(<OrganizationTenant />);
  await user.click(await screen.findByRole('button', { name: 'Check now' }));
  await screen.findByText('Enter an email address.');
});

test('a domain is used with its hosts, and its records are shown', async () => {
  mockReply(contract.getCustomDomain, { data: null });
  const { user } = renderScreen(<OrganizationDomain />);
  await user.type(await screen.findByLabelText(/^Domain/), 'harbor-group.example');
  await user.click(screen.getByRole('button', { name: 'Use this domain' }));
  await waitFor(() =>
    expect(requestsTo(contract.setCustomDomain).map(({ body }) => body as unknown)).toEqual([
      { domain: 'harbor-group.example', apiSubdomain: 'api', appSubdomain: 'app' },
    ]),
  );
});
