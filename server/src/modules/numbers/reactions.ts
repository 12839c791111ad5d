import { calls } from '#contract';
import { numberValuesChanged } from '#contract/fields';
import { numberVerificationChanged } from '#contract/registration';
import { on } from '../../platform/relay.ts';
import { followVerification } from './follow-verification.ts';
import { noteCall } from './timeline/note-event.ts';
import { noteValues } from './timeline/note-values.ts';
import { countAttempts } from './forwarding/where-contacts-lead.ts';

export const reactions = [
  on(calls.destinationsRung, 'countAttempts', countAttempts),
  on(calls.callEnded, 'noteCall', noteCall),
  on(numberValuesChanged, 'note-values', noteValues),
  on(numberVerificationChanged, 'follow-verification', (ctx, said) =>
    followVerification(ctx, said.numberId),
  ),
];
