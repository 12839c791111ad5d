import { describe, expect, it } from 'vitest';
import { CarrierNotConnectedError, type Carrier } from '../gateways/carrier.ts';
import type { AvailableNumber, NumberInventory } from '../gateways/number-inventory.ts';
import { combinedInventory, connectCarriers } from './carriers.ts';

const offer = (number: string, providerId: AvailableNumber['providerId']): AvailableNumber => ({
  number,
  providerId,
  region: 'CA',
  city: '',
  rateCenter: '',
  vanityText: null,
  monthlyCents: 100,
  setupCents: 0,
  features: ['voice'],
});
const inventory = (
  name: string,
  offers: AvailableNumber[],
  more: Partial<NumberInventory> = {},
): NumberInventory & { ordered: string[]; back: string[] } => {
  const ordered: string[] = [];
  const back: string[] = [];
  return {
    name,
    ordered,
    back,
    search: async () => offers,
    order: async (number) => {
      ordered.push(number);
      return { state: 'ordered', providerRef: name, found: offers[0]! };
    },
    release: async (number) => {
      back.push(number);
    },
    ...more,
  };
};
const query = { country: 'US', category: 2, match: 'Contains', limit: 10 } as const;
const sandbox = (numbers?: NumberInventory): Carrier => ({
  name: 'sandbox',
  label: 'Sandbox',
  providerIds: [1, 2, 3, 4],
  numbers,
});
const twilio = (numbers?: NumberInventory): Carrier => ({
  name: 'twilio',
  label: 'Twilio',
  providerIds: [3],
  numbers,
});

describe('several carriers', () => {
  it('alone, the sandbox serves every provider', () => {
    const carriers = connectCarriers([sandbox()]);
    expect([1, 2, 3, 4, 9].map((id) => carriers.forProvider(id).name)).toEqual([
      'sandbox',
      'sandbox',
      'sandbox',
      'sandbox',
      'sandbox',
    ]);
  });

  it('a real carrier has its own provider’s numbers, whatever the order; the rest stay with the sandbox', () => {
    for (const list of [
      [sandbox(), twilio()],
      [twilio(), sandbox()],
    ]) {
      const carriers = connectCarriers(list);
      expect([1, 2, 3].map((id) => carriers.forProvider(id).name)).toEqual([
        'sandbox',
        'sandbox',
        'twilio',
      ]);
    }
  });

  it('a provider nobody connected is served by the first carrier', () =>
    expect(connectCarriers([twilio()]).forProvider(2).name).toBe('twilio'));

  it('what a carrier sold is served by that carrier or by nobody: the sandbox never says it delivered a real number’s text', () => {
    const bandwidth: Carrier = { name: 'bandwidth', label: 'Bandwidth', providerIds: [1, 4] };
    const at = (list: Carrier[], providerId: number, providerRef: string | null) =>
      connectCarriers(list).forNumber({ providerId, providerRef })?.name ?? null;
    const bought = [3, 'PN1'] as const;
    expect([
      at([twilio()], ...bought),
      at([sandbox()], ...bought),
      at([bandwidth, sandbox()], ...bought),
    ]).toEqual(['twilio', null, null]);
    // A number of the sandbox stays there, although a real carrier answers for its provider id.
    expect([
      at([bandwidth, sandbox()], 1, 'sb-1212'),
      at([bandwidth], 1, 'sb-1212'),
      at([sandbox()], 1, 'sandbox-1'),
    ]).toEqual(['sandbox', null, 'sandbox']);
    // One that moved here has no id of the carrier’s; its provider alone tells.
    expect([at([bandwidth], 4, null), at([sandbox()], 4, null), at([sandbox()], 1, null)]).toEqual([
      'bandwidth',
      null,
      'sandbox',
    ]);
    const somos: Carrier = { name: 'somos', label: 'Somos', providerIds: [2], registryOnly: true };
    expect([at([twilio(), somos], 2, 'r1'), at([sandbox(), somos], 2, 'r1')]).toEqual([
      'twilio',
      null,
    ]);
  });

  it('a number of the sandbox goes back to the sandbox', async () => {
    const [ours, theirs] = [inventory('sandbox', []), inventory('bandwidth', [])];
    const all = combinedInventory(
      connectCarriers([
        { name: 'bandwidth', label: 'Bandwidth', providerIds: [1, 4], numbers: theirs },
        sandbox(ours),
      ]),
    );
    await all.release('+14155550001', 1, 'sb-14155550001');
    expect([ours.back, theirs.back]).toEqual([['+14155550001'], []]);
  });

  it('a call of a carrier that is no longer connected is refused by name, not handed to another', () => {
    const carriers = connectCarriers([sandbox()]);
    expect(() => carriers.voice('twilio')).toThrow(CarrierNotConnectedError);
    expect(() => carriers.messaging('twilio')).toThrow(/twilio isn’t connected for texts/);
  });

  it('offers of all carriers come in turns, and nobody sells what another one serves', async () => {
    const ours = inventory('sandbox', [offer('+14155550001', 1), offer('+14155550003', 3)]);
    const theirs = inventory('twilio', [offer('+14155551000', 3), offer('+14155551001', 3)]);
    const all = combinedInventory(connectCarriers([sandbox(ours), twilio(theirs)]));
    expect((await all.search(query)).map((f) => f.number)).toEqual([
      '+14155550001',
      '+14155551000',
      '+14155551001',
    ]);
    await all.order('+14155551000', 'k', 3);
    await all.release('+14155550001', 1);
    expect([ours.ordered, theirs.ordered, ours.back, theirs.back]).toEqual([
      [],
      ['+14155551000'],
      ['+14155550001'],
      [],
    ]);
  });

  it('one inventory away hides nothing of the others; all away is no empty answer', async () => {
    const away = inventory('twilio', [], { search: () => Promise.reject(new Error('away')) });
    const ours = inventory('sandbox', [offer('+14155550001', 1)]);
    const missing: string[] = [];
    expect(
      await combinedInventory(connectCarriers([sandbox(ours), twilio(away)])).search(
        query,
        (carrier, error) => missing.push(`${carrier}: ${(error as Error).message}`),
      ),
    ).toHaveLength(1);
    expect(missing).toEqual(['Twilio: away']);
    await expect(
      combinedInventory(connectCarriers([sandbox(away), twilio(away)])).search(query),
    ).rejects.toThrow('away');
  });
});
