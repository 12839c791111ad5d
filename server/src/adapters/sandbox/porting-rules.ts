import type { PortPaper, PortState } from '../../ports/porting.ts';

/** How the simulated losing carrier behaves. Shown on the screen as it stands here, so that every way can be tried. */
export const secondsAState = 60;
/** Account numbers that end so: a customer service record (csr) is asked for. */
export const asksForRecord = '13';
/** Account numbers that end so are refused as the order is placed. */
export const refusedAtOnce = '66';
/** The PIN that is always wrong. */
export const wrongPin = '0000';
/** Numbers that end so are never released. */
export const keptBack = '99';

export interface SandboxPort {
  state: PortState;
  papers: readonly string[];
  focDate: string | null;
  order: { accountNumber: string; pin: string | null; requestedDate: string };
}
export interface NextStep {
  state: PortState;
  wanted: PortPaper['kind'][];
  focDate: string | null;
  rejection: { code: string; text: string; fix: string } | null;
  /** It goes on by itself after that. */ moves: boolean;
}

/** What the carrier does next; null: it waits for its customer, or is done. */
export function nextStep(port: SandboxPort): NextStep | null {
  const step = (state: PortState, more: Partial<NextStep> = {}): NextStep => ({
    state,
    wanted: [],
    focDate: port.focDate,
    rejection: null,
    moves: true,
    ...more,
  });
  if (port.state === 'submitted') {
    if (port.order.pin === wrongPin)
      return step('rejected', {
        moves: false,
        rejection: {
          code: 'pin_mismatch',
          text: 'The PIN is not the one on the account.',
          fix: 'Ask your carrier for the transfer PIN, enter it and submit again.',
        },
      });
    if (port.order.accountNumber.endsWith(asksForRecord) && !port.papers.includes('csr'))
      return step('documentsRequested', { moves: false, wanted: ['csr'] });
    return step('inProgress');
  }
  if (port.state === 'inProgress')
    return step('firmOrderScheduled', { focDate: port.order.requestedDate });
  if (port.state === 'firmOrderScheduled') return step('completed', { moves: false });
  return null;
}

const carriers = [
  'Old Bell',
  'Prairie Telephone',
  'Coastal Wireless',
  'Cable & Voice',
  'Mountain Line',
];
export const carrierOf = (number: string): string =>
  carriers[[...number].reduce((sum, c) => sum + (Number(c) || 0), 0) % carriers.length]!;
export const whyKeptBack = (number: string): string | null =>
  number.endsWith(keptBack) ? 'the carrier that has it does not release it' : null;
