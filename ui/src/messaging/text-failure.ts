import { t } from '../i18n.ts';

/** Our sentences for kinds of failure; each says what to do next. */
const errorTexts: Record<string, string> = {
  opted_out: 'This person opted out. Once they text START, you can text them again.',
  contact_opted_out: 'This person opted out. Once they text START, you can text them again.',
  landline: 'This number is a landline and can’t receive texts. Call instead.',
  blocked: 'The carrier blocked this message as spam. Reword it, and don’t use short links.',
  unreachable: 'The phone couldn’t be reached. It may be off. Try again later, or call.',
  rejected: 'The carrier rejected this message. Check the number, then try again.',
  carrier_away: 'The carrier didn’t respond for an hour, so this wasn’t sent. Send it again.',
};

/**
 * Why a text failed, the same in conversations and campaigns (decision 67): our sentence for the
 * code first, else what is stored with the text. `carrierWords`: what is stored, with its code, where
 * the sentence is ours; null where it says nothing more. Null without a code: it didn't fail.
 */
export function textFailure(
  code: string | null,
  text: string | null,
): { sentence: string; carrierWords: string | null } | null {
  if (!code) return text ? { sentence: text, carrierWords: null } : null;
  const own = errorTexts[code];
  if (!own)
    return {
      sentence: text || t('The carrier couldn’t deliver this message.'),
      carrierWords: null,
    };
  const carrierWords = text ? t('Carrier: {text} ({code})', { text, code }) : null;
  return { sentence: t(own), carrierWords };
}
