import type { PortDocument, PortState } from '../../gateways/porting.ts';

// How the simulated losing carrier behaves. The screen shows these rules, so that every case can be
// tried.

/** Time between two states of an order. */
export const secondsPerState = 60;
/** Account numbers with this suffix need a customer service record (CSR). */
export const csrRequiredSuffix = '13';
/** Orders for account numbers with this suffix are refused at once. */
export const rejectedSuffix = '66';
/** The PIN that is always wrong. */
export const wrongPin = '0000';
/** Numbers with this suffix are never released. */
export const unportableSuffix = '99';

interface SandboxPort {
  state: PortState;
  documents: readonly string[];
  focDate: string | null;
  order: { accountNumber: string; pin: string | null; requestedDate: string };
}
interface NextStep {
  state: PortState;
  wanted: PortDocument['kind'][];
  focDate: string | null;
  rejection: { code: string; text: string; fix: string } | null;
  /** The next state follows automatically. */
  advances: boolean;
}

/** What the carrier does next; null when it waits for its customer or is done. */
export function nextStep(port: SandboxPort): NextStep | null {
  const step = (state: PortState, changes: Partial<NextStep> = {}): NextStep => ({
    state,
    wanted: [],
    focDate: port.focDate,
    rejection: null,
    advances: true,
    ...changes,
  });
  if (port.state === 'submitted') {
    if (port.order.pin === wrongPin)
      return step('rejected', {
        advances: false,
        rejection: {
          code: 'pin_mismatch',
          text: 'The PIN doesn’t match the one on the account.',
          fix: 'Ask your carrier for the transfer PIN, enter it and submit again.',
        },
      });
    if (port.order.accountNumber.endsWith(csrRequiredSuffix) && !port.documents.includes('csr'))
      return step('documentsRequested', { advances: false, wanted: ['csr'] });
    return step('inProgress');
  }
  if (port.state === 'inProgress')
    return step('firmOrderScheduled', { focDate: port.order.requestedDate });
  if (port.state === 'firmOrderScheduled') return step('completed', { advances: false });
  return null;
}

const losingCarriers = [
  'Old Bell',
  'Prairie Telephone',
  'Coastal Wireless',
  'Cable & Voice',
  'Mountain Line',
];
/** The invented carrier that a number comes from; the same for the same number. */
export const losingCarrierOf = (number: string): string =>
  // The remainder is below the length of the list.
  losingCarriers[
    [...number].reduce((sum, c) => sum + (Number(c) || 0), 0) % losingCarriers.length
  ]!;
/** Why a number can't be ported to the sandbox, as part of a sentence. Null: it can. */
export const unportableReason = (number: string): string | null =>
  number.endsWith(unportableSuffix) ? 'its current carrier doesn’t release it' : null;
