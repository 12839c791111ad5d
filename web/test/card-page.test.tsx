import { beforeEach, expect, test, vi } from 'vitest';
import { billing, subscription } from '#contract';
import { currentLocation } from '#ui';
import { CardSection } from '#ui/billing/CardSection.tsx';
import { exampleAnswer, mockReply, renderScreen, requestsTo, screen, waitFor } from './screen.tsx';

const plan = exampleAnswer(subscription.getSubscription).data;
const atStripe = () => {
  const answer = exampleAnswer(billing.companyBilling);
  return { ...answer, data: { ...answer.data, provider: 'stripe' as const } };
};
beforeEach(() => {
  vi.unstubAllGlobals();
  mockReply(billing.companyBilling, atStripe());
});

test('a card is entered at the provider’s page', async () => {
  const leave = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign: leave });
  const page = 'https://checkout.stripe.example/c/pay/cs_1';
  const entry = exampleAnswer(billing.cardSecurityToken);
  mockReply(billing.cardSecurityToken, {
    data: { ...entry.data, provider: 'stripe', token: null, tokens_url: null, page_url: page },
  });
  const { user } = renderScreen(<CardSection subscription={plan} />);
  await user.click(await screen.findByRole('button', { name: 'Change card' }));
  await waitFor(() => expect(leave).toHaveBeenCalledWith(page));
  expect(screen.queryByLabelText('Card number')).toBeNull();
});

test('back from the page, the card is saved once, and the address forgets it', async () => {
  renderScreen(<CardSection subscription={plan} />, {
    address: '/settings/billing?card=cs_test_1',
  });
  await waitFor(() => expect(requestsTo(billing.updateCompanyBilling)).toHaveLength(1));
  expect(currentLocation().search).toBe('');
  expect(requestsTo(billing.updateCompanyBilling)[0]?.body).toEqual({ payment_token: 'cs_test_1' });
});

test('back from the bank, it is only asked what became of the payment', async () => {
  renderScreen(<CardSection subscription={plan} />, { address: '/settings/billing?paid=1' });
  await waitFor(() => expect(requestsTo(billing.retryPayment)).toHaveLength(1));
  expect(requestsTo(billing.retryPayment)[0]?.body).toEqual({ confirmed: true });
});
