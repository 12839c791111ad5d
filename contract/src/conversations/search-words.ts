/**
 * Operators of the inbox search: `from:` `to:` `has:` `label:` `assigned:` `is:` `before:`
 * `after:` `source:`.
 */
export const searchWord =
  /(?<![^\s])(from|to|has|before|after|label|assigned|is|source):("[^"]*"|\S+)/gi;

const searchStates = ['unread', 'read', 'open', 'archived', 'snoozed'] as const;

export type SearchState = (typeof searchStates)[number];

/** The digits of a text that looks like (part of) a phone number, else null. */
export function phoneDigits(text: string): string | null {
  const cleaned = text.replace(/[\s().\-\u2010-\u2015]/g, '');
  return /^\+?\d{3,15}$/.test(cleaned) ? cleaned.replace(/^\+/, '') : null;
}

/** The start of a year, month or day, or an instant; null otherwise. */
export function searchDay(text: string): Date | null {
  const day = /^\d{4}(-\d{2}(-\d{2}(T[\d:.]+Z?)?)?)?$/.test(text) ? new Date(text) : null;
  return day && !Number.isNaN(day.getTime()) ? day : null;
}

/** Whether the value of `has:` means media: a picture, file or attachment, singular or plural. */
export const isMediaOperator = (text: string): boolean =>
  /^(media|picture|file|attachment)s?$/i.test(text);

/** The state that `is:` names, in any case. Null: not a state, so it is searched for as text. */
export const searchState = (text: string): SearchState | null =>
  searchStates.find((state) => state === text.toLowerCase()) ?? null;

/** The sentence for an operator with an invalid value; null: the search is valid. */
export function searchProblem(typed: string): string | null {
  for (const [whole] of typed.matchAll(searchWord)) {
    const colon = whole.indexOf(':');
    const word = whole.slice(0, colon);
    const value = whole.slice(colon + 1).replace(/^"|"$/g, '');
    switch (word.toLowerCase()) {
      case 'from':
      case 'to':
        if (!phoneDigits(value))
          return `“${whole}” needs a phone number after the colon, such as ${word}:2125550147.`;
        break;
      case 'before':
      case 'after':
        if (!searchDay(value))
          return `“${whole}” needs a day after the colon, such as ${word}:2026-03-31.`;
        break;
      case 'has':
        if (!isMediaOperator(value)) return `“${whole}” isn’t a filter. Use has:media.`;
        break;
      case 'is':
        if (!searchState(value))
          return `“${whole}” isn’t a filter. Use is: with one of ${searchStates.join(', ')}.`;
    }
  }
  return null;
}
