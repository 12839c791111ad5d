import { cleanup } from '@testing-library/react';
import type { FunctionComponent } from 'react';
import { expect, test } from 'vitest';
import {
  search,
  compliance,
  forwarding,
  greetings,
  marketplace,
  numbers,
  porting,
  registration,
  templates,
} from '#contract';
import type { AnyEndpoint } from '#contract/kit';
import CallSearch from '../src/features/calls/screens/CallSearch.tsx';
import SettingsBlocked from '../src/features/compliance/screens/SettingsBlocked.tsx';
import SettingsSmsVerification from '../src/features/compliance/screens/SettingsSmsVerification.tsx';
import Marketplace from '../src/features/marketplace/screens/Marketplace.tsx';
import Numbers from '../src/features/numbers/screens/Numbers.tsx';
import NumbersForwarding from '../src/features/numbers/screens/NumbersForwarding.tsx';
import Ports from '../src/features/porting/screens/Ports.tsx';
import NumbersTemplates from '../src/features/numbers/screens/NumbersTemplates.tsx';
import NumbersGreetings from '../src/features/routing/screens/NumbersGreetings.tsx';
import {
  exampleAnswer,
  mockReply,
  pageOf,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
} from './screen.tsx';

const lists: [FunctionComponent, AnyEndpoint][] = [
  [Numbers, numbers.listNumbersDatatable],
  [NumbersTemplates, templates.listNumberTemplates],
  [NumbersForwarding, forwarding.listForwardContacts],
  [Ports, porting.listPorts],
  [Marketplace, marketplace.listMarketplaceNumbers],
  [NumbersGreetings, greetings.listGreetings],
  [SettingsSmsVerification, registration.listSmsCampaigns],
  [SettingsBlocked, compliance.listBlocks],
  [CallSearch, search.searchCalls],
];

test.each(lists.map(([List, endpoint]) => ({ name: endpoint.name, List, endpoint })))(
  'rows per page of $name are chosen in the list and remembered',
  async ({ List, endpoint }) => {
    const example = exampleAnswer(endpoint) as { data: unknown[] };
    const page = pageOf(example.data, 90);
    mockReply(endpoint, { ...page, ...page.meta, ...example, total: 90, meta: page.meta });
    const { user } = renderScreen(<List />);
    const picker = await screen.findByRole('combobox', { name: 'Rows per page' });
    await user.selectOptions(picker, '50');
    await waitFor(() => expect(requestsTo(endpoint).at(-1)!.query.perPage).toBe(50));
    cleanup();
    renderScreen(<List />);
    await waitFor(() => expect(requestsTo(endpoint).at(-1)!.query.perPage).toBe(50));
    await screen.findByDisplayValue('50 per page');
  },
);

test('a sort direction in the address that no list knows is the list’s own', async () => {
  renderScreen(<Numbers />, { address: '/?dir=sideways&sort=label' });
  await waitFor(() => expect(requestsTo(numbers.listNumbersDatatable)).not.toEqual([]));
  expect(requestsTo(numbers.listNumbersDatatable)[0]!.query).toMatchObject({
    sort: 'label',
    dir: 'asc',
  });
});
