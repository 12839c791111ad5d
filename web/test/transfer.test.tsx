import { expect, test } from 'vitest';
import { live, type Answer } from '#contract';
import { TransferDialog } from '../src/features/calls/phone/TransferDialog.tsx';
import { mockReply, requestsTo, screen, renderScreen, waitFor } from './screen.tsx';

const call = (live.operations.getLiveCall.example.answer as Answer<typeof live.getLiveCall>).data;
type Status = 'active' | 'away' | 'on_call' | 'offline';
function renderTransfer(...people: [name: string, status: Status][]) {
  mockReply(live.callDestinations, {
    data: {
      people: people.map(([name, status], i) => ({ user_id: i + 1, name, status, pause: null })),
      teams: [{ team_id: 9, name: 'Billing', ready: 2 }],
      contacts: [{ forward_contact_id: 31, name: 'Front desk phone', number: '+12125550148' }],
      extensions: [],
    },
  });
  return renderScreen(<TransferDialog call={call} mode="transfer" onClose={() => {}} />);
}
const options = async () => (await screen.findAllByRole('option')).map((one) => one.textContent);
const askFirst = () => screen.getByRole('button', { name: 'Ask first' });
const selectedOptions = () =>
  screen
    .queryAllByRole('option')
    .filter((one) => one.getAttribute('aria-selected') === 'true')
    .map((one) => one.textContent);

test('available people come first, and the first is selected', async () => {
  const { user } = renderTransfer(
    ['Ann', 'offline'],
    ['Ben', 'away'],
    ['Cleo', 'on_call'],
    ['Dana', 'active'],
  );
  expect(await options()).toEqual([
    'DanaActive',
    'CleoOn a call',
    'BenAway',
    'AnnOffline',
    expect.stringContaining('Billing'),
    expect.stringContaining('Front desk'),
  ]);
  expect(selectedOptions()).toEqual(['DanaActive']);
  await user.click(askFirst());
  await waitFor(() =>
    expect(requestsTo(live.transferCall).map(({ body }) => body)).toEqual([
      expect.objectContaining({ user_id: 4, ask: true }),
    ]),
  );
});

test('no one is selected when all are offline, and offline people can’t be asked first', async () => {
  const { user } = renderTransfer(['Ann', 'offline'], ['Ben', 'offline']);
  await options();
  expect(selectedOptions()).toEqual([]);
  expect(askFirst().hasAttribute('disabled')).toBe(true);
  await screen.findByText('No teammate can take a call right now. Choose another destination.');
  await user.click(screen.getByRole('option', { name: /Ann/ }));
  await screen.findByText('Ann is offline. Choose someone who can take the call.');
  expect(askFirst().hasAttribute('disabled')).toBe(true);
  await user.dblClick(screen.getByRole('option', { name: /Ann/ }));
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('option', { name: /Front desk/ }));
  expect(askFirst().hasAttribute('disabled')).toBe(false);
  expect(requestsTo(live.transferCall)).toEqual([]);
});
