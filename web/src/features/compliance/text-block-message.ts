import { errorCodeOfReason, type TextBlockReason } from '#contract/compliance/rules';
import { apiErrorText } from '#contract/errors';
import { formatPhoneNumber, t } from '#ui';

/**
 * Why a text can't be sent, in the words of the API error, and what to do instead. Numbers are
 * E.164.
 */
export function textBlockMessage(
  reason: TextBlockReason,
  facts: { recipient: string; ourNumber: string },
): { sentence: string; next: string } {
  const party = formatPhoneNumber(facts.recipient),
    ours = formatPhoneNumber(facts.ourNumber);
  const next: Record<TextBlockReason, string> = {
    company_inactive: t('What people send you still arrives here. You can add a note.'),
    company_suspended: t('What people send you still arrives here. You can add a note.'),
    plan_limit: t('What people send you still arrives here. You can add a note.'),
    contact_opted_out: t(
      'They can opt back in by texting START to {number}. You can still call or add a note.',
      { number: ours },
    ),
    blocked: t('Their calls and texts are blocked. Earlier messages stay here.'),
    number_not_verified: t(
      'An administrator can register {number} for texting. Meanwhile, you can call, and reply within a day when they text first.',
      { number: ours },
    ),
    no_sms: t('{number} is for calls only. Start a conversation from another of your numbers.', {
      number: ours,
    }),
    number_gone: t('Start a conversation from one of your current numbers.'),
    carrier_gone: t(
      'An operator can connect its carrier in the server settings. Meanwhile, write from another of your numbers.',
    ),
    anonymous: t('There’s no number to reply to. You can still add a note.'),
    short_code: t('Reply in the way the text says, or call its sender. You can still add a note.'),
    sender_name: t('Reply in the way the text says, or call its sender. You can still add a note.'),
  };
  return {
    sentence: apiErrorText(errorCodeOfReason[reason], { number: party }),
    next: next[reason],
  };
}
