import type { Outgoing } from '../../../gateways/destination.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';

/** Requests of one delivery, at most. */
export const MOST_STEPS = 12;

/** A request as the log shows it. */
export const shownRequest = ({ method, url, body }: OutboundRequest): string =>
  `${method} ${url}\n\n${body}`.trim();

/** Requests as a receiver that knows nothing yet would get them. */
export function pretendedSteps(outgoing: Extract<Outgoing, { via: 'steps' }>): OutboundRequest[] {
  const steps = outgoing.steps();
  const requests: OutboundRequest[] = [];
  let step = steps.next();
  while (!step.done && requests.length < MOST_STEPS) {
    const { request } = step.value;
    requests.push(request);
    step = steps.next(outgoing.pretend(request));
  }
  return requests;
}
