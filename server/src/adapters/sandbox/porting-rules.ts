import type { PortDocument, PortState } from '../../gateways/porting.ts';

/** How the simulated losing carrier behaves. Shown on the screen as it stands here, so that every way can be tried. */
export const secondsPerState = 60;
/** Account numbers that end so: a customer service record (csr) is asked for. */
export const csrRequiredSuffix = '13';
/** Account numbers that end so are refused as the order is placed. */
export const rejectedSuffix = '66';
/** The PIN that is always wrong. */
export const wrongPin = '0000';
/** Numbers that end so are never released. */
export const unportableSuffix = '99';

export interface SandboxPort {
  state: PortState;
  papers: readonly string[];
  focDate: string | null;
  order: { accountNumber: string; pin: string | null; requestedDate: string };
}
export interface NextStep {
  state: PortState;
  wanted: PortDocument['kind'][];
  focDate: string | null;
  rejection: { code: string; text: string; fix: string } | null;
  /** It goes on by itself after that. */ advances: boolean;
}

/** What the carrier does next; null: it waits for its customer, or is done. */
export function nextStep(port: SandboxPort): NextStep | null {
  const step = (state: PortState, more: Partial<NextStep> = {}): NextStep => ({
    state,
    wanted: [],
    focDate: port.focDate,
    rejection: null,
    advances: true,
    ...more,
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
    if (port.order.accountNumber.endsWith(csrRequiredSuffix) && !port.papers.includes('csr'))
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
export const losingCarrierOf = (number: string): string =>
  losingCarriers[
    [...number].reduce((sum, c) => sum + (Number(c) || 0), 0) % losingCarriers.length
  ]!;
export const unportableReason = (number: string): string | null =>
  number.endsWith(unportableSuffix) ? 'its current carrier doesn’t release it' : null;
