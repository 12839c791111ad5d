import { calls, numbers } from '#contract';
import { numbersForfeited } from '#contract/billing/events';
import { numberValuesChanged } from '#contract/fields/events';
import { numberVerificationChanged } from '#contract/compliance/registration/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { releaseForfeited } from './forfeited/release-forfeited.ts';
import { syncVerification } from './sync-verification.ts';
import { recordCall } from './timeline/record-event.ts';
import { recordValueChanges } from './timeline/record-value-changes.ts';
import { recordForwardAttempts } from './forwarding/contact-destinations.ts';

export const subscribers = [
  subscribe(numbersForfeited, 'release-forfeited', (ctx) => ctx.transaction(releaseForfeited)),
  subscribe(numbers.numberReleased, 'forget-spam-labels', async (ctx, { number }) =>
    ctx.gateways.numberReputation?.forget([number]),
  ),
  subscribe(calls.destinationsRung, 'countAttempts', recordForwardAttempts),
  subscribe(calls.callEnded, 'noteCall', recordCall),
  subscribe(numberValuesChanged, 'note-values', recordValueChanges),
  subscribe(numberVerificationChanged, 'follow-verification', (ctx, event) =>
    syncVerification(ctx, event.numberId),
  ),
];
