import { any } from './phrases.ts';

/** What people say around a wish, after `folded`. */
const politeWords = any(
  'please',
  'pls',
  'plz',
  'plse',
  'pleas',
  'kindly',
  'thank (?:you|u)(?: (?:so much|very much|in advance))?',
  'thanks(?: (?:a lot|so much|again|very much|in advance))?(?: but)?',
  'thankyou',
  'thx',
  'thnx',
  'tks',
  'ty',
  'many thanks',
  'h(?:i|ey|ello)(?: there| guys| team| all)?',
  'good (?:morning|afternoon|evening|day|night)',
  'sir',
  'madam',
  'maam',
  'sorry',
  'just',
  'now',
  'right (?:now|away)',
  'immediately',
  'asap',
  'at once',
  'today',
  'already',
  'i (?:said|repeat)',
  'bye',
  'goodbye',
  'god bless',
  'have a (?:nice|good|great) (?:day|one|evening|night|weekend)',
  'merci(?: beaucoup| bien)?',
  'svp',
  'stp',
  'sil (?:vous|te) plait',
  'bonjour',
  'bonsoir',
  'salut',
  'por favor',
  'gracias',
  'hola',
  'immediatement',
  'maintenant',
);
export const courtesyFirst = new RegExp(`^(?:(?:and|but|so|et) )?${politeWords}(?: |$)`);
export const courtesyLast = new RegExp(`(?:^| )(?:(?:and|but) )?${politeWords}(?: but| and)?$`);
/** "Hi Anna" as a clause of its own. */
export const greeting = /^(?:hi|hello|hey|dear|bonjour|salut)(?: \p{L}+){1,2}$/u;
/** Clauses that neither ask for anything nor take anything back. */
export const filler =
  /^(?:ok|okay|k|no|nope|nah|yes|yeah|yep|non|oui|no (?:thanks|thank you|thx)|non merci|enough|sorry)$/;

export const fillerFirst = /^(?:ok|okay|no|nope|yes|yeah|yep|non|oui)(?: (?:thanks|thank you))? /;
