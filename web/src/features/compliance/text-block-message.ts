import { errorCodeOfReason, type TextBlockReason } from '#contract/compliance';
import { refusalText } from '#contract/refusals';
import { formatPhoneNumber, t } from '#ui';

/** Why a text may not be sent, in the refusal's own sentence, and what one can do instead. */
export function textBlockMessage(
  reason: TextBlockReason,
  facts: { recipient: string; ourNumber: string },
): { sentence: string; next: string } {
  const party = formatPhoneNumber(facts.recipient),
    ours = formatPhoneNumber(facts.ourNumber);
  const next: Record<TextBlockReason, string> = {
    contact_opted_out: t(
      'They can opt back in by texting START to {number}. You can still call, or write a note.',
      { number: ours },
    ),
    blocked: t(
      'Their calls and texts are turned away meanwhile. What they sent before stays here.',
    ),
    number_not_verified: t(
      'An administrator can register {number} for texting. You can call meanwhile, and answer within a day when they text first.',
      { number: ours },
    ),
    no_sms: t('{number} is for calls only. Start a conversation from another of your numbers.', {
      number: ours,
    }),
    number_gone: t('Start a conversation from one of your present numbers.'),
    carrier_gone: t(
      'An operator can connect its carrier in the server’s settings. Meanwhile, write from another of your numbers.',
    ),
    anonymous: t('There is no number to answer. You can still write a note.'),
  };
  return {
    sentence: refusalText(errorCodeOfReason[reason], { number: party }),
    next: next[reason],
  };
}
