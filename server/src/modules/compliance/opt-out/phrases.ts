/**
 * How wishes to get no more texts are worded, after `folded`: lower case, no accents, apostrophes
 * gone, other signs as single spaces. `clear` ones are keywords in another form; `doubtful` ones are
 * for a person to decide.
 */

/** A text as the patterns of this file read it. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’ʼ‘`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Any of these, as a part of a pattern. */
export const any = (...parts: string[]): string => `(?:${parts.join('|')})`;

export const frenchWords = any(
  'arret\\w*',
  'desabonn\\w*',
  'desinscri\\w*',
  'fin',
  'aide',
  'merci',
  'svp',
  'sil (?:vous|te) plait',
  'bonjour',
  'cessez',
);
/** Keywords that hardly mean anything else; with a yes or no they stay one. */
export const strongKeyword = any(
  'stop',
  'stop ?all',
  'unsub',
  'un ?subscribe(?: all)?',
  'opt ?out(?: all)?',
  'unsubscribe me',
  'arret',
  'arretez?',
  'arreter',
  'desabonner',
  'desabonnement',
  'desinscrire',
  'desinscription',
);
/** Keywords that also answer other questions ("Yes, cancel"). */
const weakKeyword = any('cancel', 'end(?: all)?', 'quit', 'revoke', 'remove', 'fin');
const keyword = any(strongKeyword, weakKeyword);
export const keywords = new RegExp(`^${keyword}(?: (?:(?:and|or|et) )?${keyword})*$`);
export const hasStrongKeyword = new RegExp(`\\b${strongKeyword}\\b`);

const texts = any(
  'texts?',
  'text messages?',
  'messages?',
  'msgs?',
  'sms',
  'textos?',
  'texting',
  'messaging',
  'spam',
  'spamming',
  'alerts?',
  'notifications?',
  'updates?',
  'promos?',
  'promotions?',
  'ads?',
  'advertising',
  'advertisements?',
  'marketing',
  'offers?',
  'communications?',
  'lists?',
  'mailing lists?',
  'texto?s list',
);
const which = any(
  'all',
  'any',
  'the',
  'these',
  'those',
  'this',
  'that',
  'your',
  'ur',
  'such',
  'more',
  'further',
  'future',
  'of',
  'from',
  'with',
  'other',
  'stupid',
  'damn',
  'annoying',
  'unwanted',
  'automated',
  'marketing',
  'promotional',
  'sales',
  'text',
  'sms',
  'company',
);
const me = any('me', 'us', '(?:my|this|our) (?:number|phone|cell|mobile)', 'here', 'this');
const ask = any(
  '(?:i|we) (?:want|wish|need|would like|demand|ask|request|am asking|said|told|asked)(?: (?:you|u|for you))?(?: guys)?(?: to)?',
  'id (?:like|want|love)(?: (?:you|u|for you))?(?: to)?',
  '(?:can|could|will|would) (?:you|u|i)(?: guys| all)?(?: (?:please|pls|plz|kindly|just))*',
  '(?:you|u) (?:must|need to|should|can|have to)(?: please| just| now)*',
  '(?:i|im|i am|we)',
  'let me',
  'wanna',
  'i wanna',
  'please',
  'je (?:veux|voudrais|souhaite|desire)(?: (?:me|que vous))?',
  'pouvez vous',
  'veuillez',
);
const end = any(
  'any ?more',
  'again',
  'ever',
  'ever again',
  'immediately',
  'now',
  'at all',
  'for good',
  'forever',
  'permanently',
  'please',
  'today',
  '(?:at|to|on|from) (?:me|us|this number|my (?:phone|number|cell))',
);
const sentence = (core: string): RegExp =>
  new RegExp(`^(?:${ask} )?(?:please |just |to )*${core}(?: ${end})*$`);

/** Whole clauses that mean STOP and nothing else. */
export const clear: readonly RegExp[] = [
  `un ?sub(?:scribe)?(?: ${me})?(?: ${which})*(?: (?:${texts}|everything))*`,
  `opt(?:ing)?(?: ${me})? ?out(?: ${which})*(?: (?:${texts}|everything))*`,
  `(?:stop|quit|cease|discontinue)(?: all)? (?:text|texting|txting|messaging|msging|smsing|contacting|spamming)(?: ${me})?`,
  `(?:stop|quit|end|cancel|cease|discontinue)(?: (?:sending|with))?(?: ${me})?(?: ${which})*(?: ${texts})+(?: to ${me})?`,
  `stop sending(?: ${me})?(?: (?:these|this|those|them|stuff|anything|any ?more|more))?`,
  `(?:hereby )?(?:revoke|withdraw)(?: (?:my|all|any))* consent(?: to .{1,60})?`,
  `(?:arretez?|arreter|cessez|cesser|stop|stoppez)(?: de| d)? ?(?:menvoyer|mecrire|me texter|me contacter|nous ecrire)(?: (?:des|de|vos|ces|les|tous))*(?: ${texts})*`,
  `(?:arretez?|arreter|cessez|stop|arret)(?: (?:des|de|vos|ces|les|tous|aux))*(?: ${texts})+`,
  `(?:me )?(?:desabonn(?:ez|er|e)|desinscri(?:vez|re|s))(?: moi)?(?: (?:de|des|a|vos|ces|cette|la|votre|liste|tous|les))*(?: ${texts})*`,
].map(sentence);

const anyText = `(?:${which} )*${texts}`;
/** A wish to stop may be in it: someone has to read it. */
export const doubtful: readonly RegExp[] = [
  `(?:take|get|keep|leave|drop) (?:me|us|my \\w+|this number|our \\w+) off`,
  `off (?:of )?(?:your|ur|the|this|that) (?:\\w+ )?(?:list|database|system|texts?)`,
  `(?:remove|delete|erase|drop|scrub|scratch|exclude|block|lose|forget) (?:me|us|(?:my|this|our|the) (?:\\w+ )?(?:number|name|phone|cell|info|information|contact|details|data))`,
  `(?:remove|delete) from (?:your |the |this |all )?(?:\\w+ )?list`,
  'unsub\\w*|unsus\\w*|un subscrib\\w*',
  'opt(?:ed|ing)?(?: \\w+)? ?out|optout',
  `(?:do not|dont|never|not to|no longer|must not|shouldnt|quit|please not)(?: ever| want| wish| like| to| be| you| guys| want to| need to)* (?:text\\w*|txt|messag\\w*|msg|contact\\w*|sms|write|hear from|bother) (?:me|us|this|my|anymore|again|by you|from you|you)`,
  `(?:do not|dont) (?:ever )?(?:text|txt|contact|message|bother)(?: (?:me|us))?(?: again| any ?more| ever)?`,
  `(?:do not|dont|no longer|never) (?:send|want|wish|need|care for|like|consent)(?: \\w+){0,4} ${texts}`,
  `(?:no|enough)(?: more| of| with)* ${anyText}`,
  'wrong (?:number|person|num|no|guy|phone)',
  '(?:you )?(?:have|got) the wrong',
  '(?:this|it|im|i am|thats) (?:is )?(?:not|isnt|no longer|aint) \\w+s? (?:number|phone|cell)',
  '(?:who gave you|how did you get|where did you get) (?:my|this) (?:\\w+ )?(?:number|info|contact|details|phone)',
  'leave (?:me|us) alone',
  '(?:fuck|f|piss|buzz|bugger|eff) off|go away|get lost|shut up',
  '(?:not|no longer|isnt|arent) interested',
  'not interested in (?:your|these|any) (?:texts|offers|messages)',
  'do not contact|dnc list|do not call list|cease and desist|tcpa',
  '(?:revok\\w*|withdr\\w*|never gave|did not give|didnt give|no) (?:\\w+ )?(?:consent|permission)',
  '(?:did not|didnt|never) (?:sign|signed|subscribe|subscribed|agree|agreed|consent|consented|ask|asked) (?:up|to|for)',
  'harass\\w*|report(?:ing|ed)? (?:you|u|this|these|it)(?: \\w+){0,2} (?:as |to |for )|this is spam|you are spam|spammers?',
  '(?:cancel|end|stop|quit) (?:my |the |this |these |your |all |texts? )*(?:subscription|sub|enrollment|text subscription)',
  '(?:do not|dont) (?:want|wish|like) to be (?:text|contact|messag|call)\\w*',
  '(?:do not|dont|not) have (?:my |any )?(?:permission|consent)',
  'i want out|^(?:please )?discontinue$|^(?:no more|enough)$',
  '(?:need|want|wish|asked|told|tell|ask|begging|make|have|like) (?:you|u|this|it|these|them|for you)(?: guys| all)?(?: to)? (?:please )?stop',
  '(?:this|it|these|texts|you|u) (?:\\w+ )?(?:has|have|needs?|gotta|must|better|got to) (?:to )?stop',
  '(?:will|would|can|could|when will|why wont|why dont) (?:you|u|this|it|they|these)(?: please| just| ever| not)* stop(?! (?:by|in|at|over|for|and))',
  '(?:how (?:do|can) i|how to|i want to|trying to|tried to|like to) (?:stop (?:this|these|it|getting|receiving|your|all|the (?:text|message|sms|spam)\\w*)|end (?:these|the) text\\w*|get off)',
  '(?:said|texted|replied|sent|wrote|typed|told you|say) stop',
  'i (?:quit|revoke) (?:this|these|texts?|list)',
  'retire[rz] moi|enlevez moi|retirez mon|(?:supprimez|effacez)(?: moi| mon| ce)',
  'mauvais numero|laissez moi tranquille|pas interessee?',
  `plus (?:de |d |aucun |vos )*${texts}`,
  'ne (?:m|me |nous )\\w+(?: \\w+)? ?plus',
  'ne plus (?:m|me |nous )\\w+',
  'desabonn\\w*|desinscri\\w*|se desabonner',
  '(?:arretez|arreter|cess(?:ez|er)) (?:de |d|vos |ces |les |tout|avec )',
  'numero equivocado|no me (?:escrib|mand|envi|contact|text)\\w*|deje?n? de|quit(?:eme|enme|ar)|no mas mensajes|darme de baja|dar de baja',
].map((source) => new RegExp(`\\b(?:${source})(?:\\b|$)`));

/** The same, unless the sentence is about something else (`ordinaryStop`). */
export const doubtfulStop: readonly RegExp[] = [
  '(?:stop|quit|cease|discontinue)(?: \\w+)? (?:text\\w*|txt\\w*|messag\\w*|sending|contact\\w*|calling|email\\w*|spam\\w*|bother\\w*|harass\\w*|bugging|blowing|annoying|pestering|writing)',
  `(?:stop|quit|end|cancel) (?:${which} )+${texts}`,
  'stop (?:it|this|that|already|please|now|asap|all|me)$',
].map((source) => new RegExp(`\\b(?:${source})(?:\\b|$)`));

/** Whole texts that look like a keyword typed wrong, or in Spanish. */
export const nearKeyword =
  /^(?:s+t+o+p+s*|sotp|stpo|tsop|stip|st0p|stob|syop|atop|dtop|stopit|stoppit|unsu\w*|unsibscribe|unscribe|unsuscribe|unsuscribe|cancle|cancell|opt|optut|opout|otp out|alto|parar|pare|basta|cancelar|detener|borrar|baja|removed?|delete|block|spam|unsubscribed|stopped|stopping|arr?ett?|arrets|no more|enough|desabonne)$/;

/** The word in sentences that have nothing to do with texts. */
export const ordinaryStop: readonly RegExp[] = [
  /\bstop (?:by|in|at|over|off|into|near|for|on|and|working|being|worrying|sign|signs|light|lights|watch|the bleeding|the car|the service|the water|loss|light|gap)\b/,
  /\b(?:bus|train|tram|metro|subway|next|last|first|second|third|one|two|a|the|pit|truck|rest|full|non|quick|short|final|door|every|each|your|my|our|his|her|their|at|this|that|which|what|another|same|single|only)\s+stops?\b/,
  /\b(?:cant|cannot|couldnt|could not|wont|will not|dont|do not|doesnt|does not|didnt|did not|never|without|did you|did they|you ever|had to|gonna|going to|ill|i will|i can|i could|i may|i might|i need to|i have to|ive got to|i want to|i should|i had to|i would|id|we|well|we will|we can|lets|they|they will|he|he will|she|she will|it will|it wont|able to|about to|want me to|need me to|should i|shall i|can i|could i|may i|do i|will it|does it|did it|where (?:do|does|did|will|can|should)(?: \w+)?|non)(?: \w+)? stop\b/,
  /\b(?:doesnt|didnt|dont|wont|cant|never|and|does|did|will|would|just) stop(?:s|ped)?(?: \w+)? (?:working|running|leaking|ringing|beeping|raining|crying|bleeding|smiling|laughing|thinking)\b/,
  /\b(?:dont|do not|never|please dont|please do not) stop\b/,
  /\b(?:what time|when) do you(?: \w+)? stop (?!text|mess|send|contact)/,
  /\b\d+ stop\b|\bstop (?:n |and )?shop\b|\barret (?:de bus|dautobus)\b|\barret est\b|\blarret\b/,
  /\b(?:rain|snow|pain|noise|leak|music|bus|train|car|baby|dog|kids?|child|drip|water|bleeding|alarm)(?: \w+)? stop\b/,
];
